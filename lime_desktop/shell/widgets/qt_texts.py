"""Qt's own words (the menus of text fields, the dialogs for files) in the window's language.

They come with Qt, as translations of its own; where an installation lacks them, they stay English.
"""

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QObject, QTranslator

from lime_desktop.shell.widgets.surroundings import Surroundings


class QtTexts(QObject):
    """Follows the language for as long as the window lives."""

    def __init__(self, around: Surroundings, parent: QObject) -> None:
        super().__init__(parent)
        self._around = around
        self._translator = QTranslator(self)
        self._follow()
        around.language_changed.connect(self._follow)

    def _follow(self) -> None:
        QCoreApplication.removeTranslator(self._translator)
        folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        name = f"qtbase_{self._around.texts.locale.replace('-', '_')}"
        if self._translator.load(name, folder):
            QCoreApplication.installTranslator(self._translator)
