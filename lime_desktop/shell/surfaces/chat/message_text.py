"""A message as it is read: Markdown without anything that reaches outside, as tall as its text."""

from PySide6.QtCore import QEvent, QSize, Qt, QUrl
from PySide6.QtGui import (
    QFontInfo,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextBrowser

from lime_desktop.protocol.plain_text import plain_text

_MARKDOWN = (
    QTextDocument.MarkdownFeature.MarkdownNoHTML
    | QTextDocument.MarkdownFeature.MarkdownDialectGitHub
)

_MOST_SHOWN = 500_000
_EDGE = 2
"""The width of the frame that shows where the keyboard is."""


class MessageText(QTextBrowser):
    """Text to read and to copy. It loads no picture and follows no link: what a model writes is not trusted."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setProperty("role", "message")
        self.setOpenLinks(False)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(0)
        self._shown = ""

    def show_words(self, words: str) -> None:
        """Show a message, or how it goes on."""
        if words != self._shown:
            self._shown = words
            self.document().setMarkdown(plain_text(words, _MOST_SHOWN), _MARKDOWN)
            self._size_code()
            self._fit()

    def words(self) -> str:
        """What is shown, as it was written."""
        return self._shown

    def loadResource(self, type: int, name: QUrl | str) -> object:  # noqa: N802, A002, ARG002 - Qt calls this
        """Nothing is loaded, from this machine or from elsewhere."""
        return None

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt calls this
        """As tall as the text."""
        return QSize(super().sizeHint().width(), self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt calls this
        """Another width, another height."""
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt calls this
        """Another size of text, for code as well."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self._size_code()
            self._fit()

    def _size_code(self) -> None:
        """Give code the size of the text around it: Markdown is read with the system's own size for code."""
        size = QTextCharFormat()
        size.setProperty(QTextFormat.Property.FontPixelSize, QFontInfo(self.font()).pixelSize())
        at, has_more = QTextCursor(self.document()), True
        while has_more:
            if at.blockFormat().hasProperty(QTextFormat.Property.BlockCodeLanguage):
                at.movePosition(
                    QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor
                )
                at.mergeCharFormat(size)
            has_more = at.movePosition(QTextCursor.MoveOperation.NextBlock)

    def _fit(self) -> None:
        self.document().setTextWidth(self.viewport().width())
        wanted = int(self.document().size().height()) + 2 * _EDGE + 1
        if wanted != self.height():
            self.setFixedHeight(wanted)
