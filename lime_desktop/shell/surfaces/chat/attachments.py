"""Files that go along with a message: brought by drop, paste or choice, shown as chips, taken away again by mouse or key."""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import cast

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import QImage, QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit, QToolButton, QWidget

from lime_desktop.host.runs.chat_files import ChatFile
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.layouts.flow import FlowLayout
from lime_desktop.shell.widgets.parts import ShortLabel, icon_button

_KEPT_S = 24 * 3600
"""How long a pasted picture stays: the turn that it goes along with may wait, but not for days."""


def files_in(data: QMimeData) -> tuple[Path, ...]:
    """The files and folders of this computer that something dropped or pasted names."""
    local = (Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile())
    return tuple(path for path in local if path.is_absolute())


def picture_in(data: QMimeData) -> QImage | None:
    """A picture that is nowhere a file. Words that come with a picture of themselves are words."""
    if data.hasUrls() or data.hasText() or not data.hasImage():
        return None
    return QImage(cast("QImage", data.imageData()))


def brings_files(data: QMimeData) -> bool:
    """Whether there is anything to attach in it; an address of elsewhere is words."""
    return bool(files_in(data)) or picture_in(data) is not None


def keep_picture(picture: QImage, folder: Path) -> Path | None:
    """Write a pasted picture where only this person reads it, and clear what is too old to be of use. Blocks shortly."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for left in folder.glob("pasted-*.png"):
        if time.time() - left.stat().st_mtime > _KEPT_S:
            left.unlink(missing_ok=True)
    with tempfile.NamedTemporaryFile(
        dir=folder, prefix="pasted-", suffix=".png", delete=False
    ) as file:
        made = Path(file.name)
    return made if picture.save(str(made)) else None


class MessageField(QPlainTextEdit):
    """Where a message is written. Files that are pasted or dropped into it do not become words."""

    brought = Signal(QMimeData)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:  # noqa: N802 - Qt calls this
        """Take files and pictures besides words."""
        return brings_files(source) or super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:  # noqa: N802 - Qt calls this
        """Hand on what is to be attached; write the rest."""
        if brings_files(source):
            self.brought.emit(source)
        else:
            super().insertFromMimeData(source)


class AttachmentChips(QWidget):
    """The files of the message that is being written; hidden while there are none."""

    removed = Signal(object)
    """A `ChatFile` that the person took away."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._chips: dict[ChatFile, _Chip] = {}
        self._row = FlowLayout(self)
        self.setAccessibleName(look.texts("chat.attached"))
        self.hide()

    @property
    def files(self) -> tuple[ChatFile, ...]:
        """In the order in which they came."""
        return tuple(self._chips)

    def show_files(self, files: tuple[ChatFile, ...]) -> None:
        """Show these and no others."""
        for chip in self._chips.values():
            self._let_go(chip)
        self._chips.clear()
        for file in files:
            self.add(file)
        self.setVisible(bool(files))

    def add(self, file: ChatFile) -> None:
        """Show one more."""
        if file in self._chips:
            return
        chip = _Chip(self._look, file, lambda: self._remove(file))
        self._chips[file] = chip
        self._row.addWidget(chip)
        self.show()

    def _remove(self, file: ChatFile) -> None:
        order = list(self._chips)
        at = order.index(file)
        self._let_go(self._chips.pop(file))
        left = list(self._chips.values())
        if left:
            # The keyboard stays where the person is clearing up.
            left[min(at, len(left) - 1)].remove.setFocus(Qt.FocusReason.TabFocusReason)
        self.setVisible(bool(left))
        self.removed.emit(file)

    def _let_go(self, chip: "_Chip") -> None:
        self._row.removeWidget(chip)
        chip.hide()
        chip.deleteLater()


class _Chip(QFrame):
    def __init__(self, look: Look, file: ChatFile, remove: Callable[[], None]) -> None:
        super().__init__()
        self.setProperty("role", "chip")
        self._take_away = remove
        self.remove: QToolButton = icon_button(
            look.texts("chat.attached.remove", name=file.name), remove
        )
        look.icons.put_on(self.remove, "close", "text-muted", 14)
        sign = "page" if file.is_picture else "document"
        layout = QHBoxLayout(self)
        layout.setContentsMargins(8, 2, 2, 2)
        layout.setSpacing(6)
        layout.addWidget(look.icons.picture(sign, "text-muted", 16))
        layout.addWidget(ShortLabel(file.name, "small"))
        layout.addWidget(self.remove)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt calls this
        """Delete takes it away, as everywhere."""
        if event.key() in {Qt.Key.Key_Delete, Qt.Key.Key_Backspace}:
            self._take_away()
        else:
            super().keyPressEvent(event)
