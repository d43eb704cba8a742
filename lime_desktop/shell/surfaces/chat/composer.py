"""Where a person writes to the agent: Enter sends, Shift+Enter begins a line, Escape stops the answer."""

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit

from lime_desktop.shell.parts import icon_button
from lime_desktop.shell.surroundings import Surroundings

_LINES_PX = 76


class Composer(QFrame):
    """A field and one button, which sends or stops as the agent is idle or busy."""

    sent = Signal(str)
    stopped = Signal()

    def __init__(self, around: Surroundings, hint: str) -> None:
        super().__init__()
        self.setObjectName("composer")
        self._around = around
        self._is_busy = False
        self._field = QPlainTextEdit()
        self._field.setPlaceholderText(hint)
        self._field.setAccessibleName(hint)
        self._field.setAccessibleDescription(around.texts("chat.keys"))
        self._field.setTabChangesFocus(True)
        self._field.setFixedHeight(_LINES_PX)
        self._field.installEventFilter(self)
        self.setFocusProxy(self._field)
        self._button = icon_button(around.texts("chat.send"), self._press)
        self._button.setFixedSize(40, 40)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(24, 12, 24, 16)
        layout.setSpacing(8)
        layout.addWidget(self._field, 1)
        layout.addWidget(self._button, 0, Qt.AlignmentFlag.AlignBottom)
        self.set_busy(busy=False)

    def set_busy(self, *, busy: bool) -> None:
        """Offer to stop while the agent works, and to send otherwise."""
        self._is_busy = busy
        name = self._around.texts("chat.stop" if busy else "chat.send")
        self._button.setToolTip(name)
        self._button.setAccessibleName(name)
        self._around.signs.put_on(self._button, "stop" if busy else "send", "accent", 22)

    def give_back(self, words: str) -> None:
        """Put words that could not be sent before whatever was written since."""
        self._field.setPlainText("\n".join(filter(None, (words, self._field.toPlainText()))))
        self._field.moveCursor(QTextCursor.MoveOperation.End)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt calls this
        """Take Enter and Escape out of the field."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            is_shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and not is_shifted:
                self._send()
                return True
            if event.key() == Qt.Key.Key_Escape and self._is_busy:
                self.stopped.emit()
                return True
        return super().eventFilter(watched, event)

    def _press(self) -> None:
        if self._is_busy:
            self.stopped.emit()
        else:
            self._send()

    def _send(self) -> None:
        words = self._field.toPlainText().strip()
        if words:
            self._field.clear()
            self.sent.emit(words)
