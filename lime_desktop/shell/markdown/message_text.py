"""A message as it is read: Markdown without anything that reaches outside, as tall as its text, growing in place."""

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, QUrl, Signal
from PySide6.QtGui import (
    QFontInfo,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
    QTextBlock,
    QTextCursor,
    QTextFormat,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextBrowser

from lime_desktop.host.wording.message_segments import with_plain_formulas
from lime_desktop.protocol.plain_text import plain_text
from lime_desktop.shell.markdown.look import LIST_STEP, QUOTE_STEP, Look
from lime_desktop.shell.markdown.writer import Block, MarkdownWriter, read_blocks

_MOST_SHOWN = 500_000
_EDGE = 2
"""The width of the frame that shows where the keyboard is."""
_READ_AT_ONCE = 1_500
"""So long a last block is read again at every piece; a longer one only when it has grown by a part of its length."""
_GROWN_BY = 8


class MessageText(QTextBrowser):
    """Text to read and to copy. It loads no picture and follows no link: what a model writes is not trusted."""

    link_wanted = Signal(str)
    """A link was pressed; whether it is followed is for the host to ask."""

    changed = Signal()
    """Other words are shown as they were typed."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setProperty("role", "message")
        self.setOpenLinks(False)
        self.anchorClicked.connect(self._want_link)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(0)
        self.document().setIndentWidth(LIST_STEP)
        self.document().setUndoRedoEnabled(False)
        self._shown = ""
        self._is_plain = False
        self.characters_read = 0
        """How much was read as Markdown so far, again and again: what a growing message costs."""
        self._forget()

    def show_words(self, words: str, *, is_whole: bool = True) -> None:
        """Show a message, or how it goes on while it is not whole yet."""
        words = words.replace("\r\n", "\n").replace("\r", "\n")
        if words == self._shown and not self._is_plain:
            return
        goes_on = not self._is_plain and words.startswith(self._shown[: self._settled])
        if not goes_on or (is_whole and "]:" in words):
            # Anew: what stands below may say where a link above leads.
            self._forget()
        self._is_plain = False
        before, self._shown = self._shown, words
        if not is_whole and goes_on and self._may_append(before):
            self._append(words[len(before) :])
        else:
            self._write(words)
        self._fit()

    def show_plain(self, words: str) -> None:
        """Show words as somebody typed them: a star is a star, a line a line."""
        self._shown, self._is_plain = words, True
        self.document().setPlainText(plain_text(words, _MOST_SHOWN))
        self._fit()
        self.changed.emit()

    def natural_width(self) -> int:
        """How wide the words are where no line is broken."""
        lines = self._shown.split("\n")
        return max(map(self.fontMetrics().horizontalAdvance, lines), default=0) + 2 * _EDGE + 4

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
        """Another size of text or other colours: everything is written again."""
        super().changeEvent(event)
        if event.type() in {QEvent.Type.FontChange, QEvent.Type.PaletteChange}:
            look = self._look()
            if (look.pixels, look.palette.cacheKey()) != self._written_as:
                self._write_again()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt calls this
        """The text, and a bar beside what is quoted."""
        super().paintEvent(event)
        if self._has_quotes:
            painter = QPainter(self.viewport())
            colour = self.palette().color(QPalette.ColorRole.Mid)
            block = self.document().begin()
            while block.isValid():
                if (rect := self._quote_bar(block)) is not None:
                    painter.fillRect(rect, colour)
                block = block.next()
            painter.end()

    def _quote_bar(self, block: QTextBlock) -> QRectF | None:
        level = block.blockFormat().intProperty(QTextFormat.Property.BlockQuoteLevel)
        if level <= 0:
            return None
        place = self.document().documentLayout().blockBoundingRect(block)
        return QRectF((level - 1) * QUOTE_STEP, place.top(), 3, place.height())

    def _want_link(self, url: QUrl) -> None:
        self.link_wanted.emit(url.toString(QUrl.ComponentFormattingOption.FullyEncoded))

    def _look(self) -> Look:
        return Look(QFontInfo(self.font()).pixelSize(), self.palette())

    def _forget(self) -> None:
        self.document().clear()
        self._settled = 0
        """How much of the message is written for good."""
        self._settled_at = 0
        self._settled_fresh = True
        self._read_length = 0
        self._has_quotes = False
        self._written_as: tuple[int, int] = (0, 0)

    def _write_again(self) -> None:
        words, self._shown = self._shown, ""
        if self._is_plain:
            self.show_plain(words)
        elif words:
            self._forget()
            self.show_words(words)

    def _may_append(self, before: str) -> bool:
        """Whether what is new may stand as it came for a moment: the last block is long, and was read not long ago."""
        last = len(before) - self._settled
        new = self._shown[len(before) :]
        grown = len(self._shown) - self._settled - self._read_length
        return (
            last > _READ_AT_ONCE
            and self._shown.startswith(before)
            and "\n" not in new
            and grown * _GROWN_BY < last
        )

    def _append(self, new: str) -> None:
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText(plain_text(new, _MOST_SHOWN), self._look().words(frozenset()))

    def _write(self, words: str) -> None:
        """Write what is not written for good; all but the last block then is."""
        source = plain_text(words[self._settled : _MOST_SHOWN], _MOST_SHOWN)
        look = self._look()
        self._written_as = (look.pixels, look.palette.cacheKey())
        blocks = read_blocks(with_plain_formulas(source))
        self.characters_read += len(source)
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        cursor.setPosition(self._settled_at)
        cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        writer = MarkdownWriter(cursor, look, is_fresh=self._settled_fresh)
        writer.write(blocks[:-1])
        if len(blocks) > 1:
            self._settle(cursor, writer, _offset_of(blocks[-1], words[self._settled :]))
        writer.write(blocks[-1:])
        cursor.endEditBlock()
        self._read_length = len(words) - self._settled
        self._has_quotes = self._has_quotes or any(_is_quoting(each) for each in blocks)

    def _settle(self, cursor: QTextCursor, writer: MarkdownWriter, offset: int) -> None:
        self._settled += offset
        self._settled_at = cursor.position()
        self._settled_fresh = writer.is_fresh

    def _fit(self) -> None:
        self.document().setTextWidth(self.viewport().width())
        wanted = int(self.document().size().height()) + 2 * _EDGE + 1
        if wanted != self.height():
            self.setFixedHeight(wanted)


def _offset_of(block: Block, source: str) -> int:
    """Where in a text a block begins."""
    at = 0
    for _ in range(block.line):
        at = source.index("\n", at) + 1
    return at


def _is_quoting(block: Block) -> bool:
    return any(node.type == "blockquote" for node in block.node.walk())
