"""Code in a message: its language, the code as it is, and a button that copies all of it."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QGuiApplication, QResizeEvent, QTextCursor, QTextOption
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit, QSizePolicy, QVBoxLayout

from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.plain_text import plain_line, plain_text
from lime_desktop.shell.layouts.edges import edge_to_edge
from lime_desktop.shell.widgets.parts import button, label

_MOST_SHOWN = 500_000
_MOST_LINES = 40
"""A longer piece scrolls within its own frame."""


class CodeBox(QFrame):
    """One piece of code. Grows in place while it is written."""

    def __init__(self, texts: Texts, language: str) -> None:
        super().__init__()
        self._texts = texts
        self.setProperty("role", "code")
        self._code = ""
        name = plain_line(language, 40) or self._texts("chat.code")
        self._body = QPlainTextEdit(readOnly=True)
        self._body.setProperty("role", "code")
        self._body.setAccessibleName(self._texts("chat.code.name", language=name))
        self._body.setWordWrapMode(QTextOption.WrapMode.NoWrap)
        self._body.setTabChangesFocus(True)
        self._body.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._body.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self._copy = button(self._texts("chat.code.copy"), self._copy_code, "link")
        self._copy.setAccessibleName(self._texts("chat.code.copy.name", language=name))
        head = QHBoxLayout()
        head.setContentsMargins(12, 2, 6, 2)
        head.addWidget(label(name, "small"), 1)
        head.addWidget(self._copy)
        layout = edge_to_edge(QVBoxLayout(self), 0)
        layout.addLayout(head)
        layout.addWidget(self._body)

    @property
    def code(self) -> str:
        """What is copied."""
        return self._code

    def show_code(self, code: str) -> None:
        """Show this, or how it goes on."""
        if code == self._code:
            return
        before, self._code = self._code, code
        if before and code.startswith(before):
            cursor = QTextCursor(self._body.document())
            cursor.movePosition(QTextCursor.MoveOperation.End)
            cursor.insertText(plain_text(code[len(before) :], _MOST_SHOWN))
        else:
            self._body.setPlainText(plain_text(code, _MOST_SHOWN))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt calls this
        """Another width may need a bar to scroll by."""
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt calls this
        """Another size of text."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self._fit()

    def _fit(self) -> None:
        lines = min(self._body.blockCount(), _MOST_LINES)
        bar = self._body.horizontalScrollBar()
        room = bar.sizeHint().height() if bar.maximum() > 0 else 0
        wanted = lines * self._body.fontMetrics().lineSpacing() + 20 + room
        if wanted != self._body.height():
            self._body.setFixedHeight(wanted)

    def _copy_code(self) -> None:
        QGuiApplication.clipboard().setText(self._code)
        self._copy.setText(self._texts("chat.copied"))
