"""Qt's own words (the menus of text fields, the dialogs for files) in the window's language.

Most come with Qt, as translations of its own. What those lack, or call by another word than the window does, is among
our texts. Where an installation lacks Qt's, only what they would say stays English.
"""

import logging
import struct
from collections.abc import Mapping
from typing import NamedTuple

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QObject, QTranslator

from lime_desktop.host.wording.texts import DEFAULT_LOCALE, Texts
from lime_desktop.shell.appearance.look import LiveTexts
from lime_desktop.shell.widgets.amounts import reading_locale

_MAGIC = bytes.fromhex("3cb86418caef9c95cd211cbf60a1bddd")
_HASHES, _MESSAGES = 0x42, 0x69
_END, _TRANSLATION, _SOURCE, _CONTEXT = 1, 3, 6, 7


class Source(NamedTuple):
    """A text as it stands in Qt's own code."""

    context: str
    text: str


def make_catalog(words: Mapping[Source, str]) -> bytes:
    """A catalogue of translations as Qt reads it (`.qm`), made in memory; comments that Qt's code gives do not matter.

    Qt asks for words from threads of its own. A translator written in Python would have to take the interpreter's lock
    there, while whoever changes the language holds it and waits for Qt's.
    """
    messages, places = b"", list[tuple[int, int]]()
    for source, translation in words.items():
        places.append((_hash(source.text.encode()), len(messages)))
        messages += _field(_TRANSLATION, translation.encode("utf-16-be"))
        messages += _field(_SOURCE, source.text.encode())
        messages += _field(_CONTEXT, source.context.encode())
        messages += bytes([_END])
    hashes = b"".join(struct.pack(">II", *place) for place in sorted(places))
    return _MAGIC + _field(_HASHES, hashes) + _field(_MESSAGES, messages)


def _field(tag: int, content: bytes) -> bytes:
    return struct.pack(">BI", tag, len(content)) + content


def _hash(text: bytes) -> int:
    """The hash of object files, which Qt looks texts up by; it is never zero there."""
    value = 0
    for byte in text:
        value = (value << 4) + byte
        if high := value & 0xF0000000:
            value ^= high >> 24
        value &= ~high
    return value or 1


_log = logging.getLogger(__name__)

_OF_QT = ("qtbase", "qtwebengine")
"""Widgets and dialogs; what the web engine says itself."""

_OF_FILES = "QAbstractFileIconProvider"
_OURS = {
    Source("QFileDialog", "&Look in:"): "qt.location",
    Source("QFileDialog", "Files of &type:"): "qt.kind",
    Source("QFileDialog", "Directory:"): "qt.folder.field",
    Source("QFileDialog", "File &name:"): "qt.file.field",
    Source("QFileDialog", "Directories"): "qt.folders",
    Source("QFileDialog", "Parent Directory"): "qt.parent",
    Source("QFileDialog", "Show "): "qt.show",
    Source("QFileDialog", "%1 already exists.\nDo you want to replace it?"): "qt.replace",
    Source(
        "QFileDialog",
        "%1\nDirectory not found.\nPlease verify the correct directory name was given.",
    ): "qt.no-folder",
    Source(
        "QFileDialog", "%1\nFile not found.\nPlease verify the correct file name was given."
    ): "qt.no-file",
    Source("QFileDialog", "Are you sure you want to delete '%1'?"): "qt.delete",
    Source(
        "QFileDialog", "'%1' is write protected.\nDo you want to delete it anyway?"
    ): "qt.delete.protected",
    Source("QFileDialog", "Could not delete directory."): "qt.delete.failed",
    Source("QFileSystemModel", "Computer"): "qt.computer",
    Source("QFileSystemModel", "My Computer"): "qt.computer",
    Source("QFileSystemModel", "Size"): "qt.size",
    Source(_OF_FILES, "Folder"): "qt.folder",
    Source(_OF_FILES, "File Folder"): "qt.folder",
    Source(_OF_FILES, "File"): "qt.file",
    Source(_OF_FILES, "%1 File"): "qt.file.kind",
    Source(_OF_FILES, "Drive"): "qt.drive",
    Source(_OF_FILES, "Shortcut"): "qt.shortcut",
    Source(_OF_FILES, "Alias"): "qt.alias",
    Source(_OF_FILES, "Unknown"): "qt.unknown",
    Source("QLineEdit", "&Undo"): "qt.undo",
    Source("QWidgetTextControl", "&Undo"): "qt.undo",
}


class QtTexts(QObject):
    """Follows the language for as long as the window lives."""

    def __init__(self, texts: LiveTexts, parent: QObject, folder: str | None = None) -> None:
        super().__init__(parent)
        self._texts = texts
        translations = QLibraryInfo.LibraryPath.TranslationsPath
        self._folder = QLibraryInfo.path(translations) if folder is None else folder
        self._of_qt = {name: QTranslator(self) for name in _OF_QT}
        self._ours = QTranslator(self)
        self._catalog = b""
        """Held here: the translator reads from it, and copies nothing."""
        self._missed = set[str]()
        before = QLocale()
        self.destroyed.connect(lambda: QLocale.setDefault(before))
        self._follow()
        texts.changed.connect(self._follow)

    def _follow(self) -> None:
        texts = self._texts
        # The kinds of files, the web engine's own words and how pages write dates go by this one.
        QLocale.setDefault(reading_locale(texts))
        for name, translator in self._of_qt.items():
            QCoreApplication.removeTranslator(translator)
            if self._load(translator, f"{name}_{texts.locale.replace('-', '_')}", texts):
                QCoreApplication.installTranslator(translator)
        self._say_ours(texts)

    def _load(self, translator: QTranslator, name: str, texts: Texts) -> bool:
        if translator.load(name, self._folder):
            return True
        if texts.locale != DEFAULT_LOCALE and name not in self._missed:
            self._missed.add(name)
            _log.warning("Qt's own words stay English: there is no %s.qm in %s", name, self._folder)
        return False

    def _say_ours(self, texts: Texts) -> None:
        """Last, for the translator that came last is asked first."""
        QCoreApplication.removeTranslator(self._ours)
        catalog = make_catalog({source: texts(key) for source, key in _OURS.items()})
        if self._ours.load(catalog):
            QCoreApplication.installTranslator(self._ours)
        self._catalog = catalog
