"""The forms of written text: headings, quotes, code, tables, in the colours and the size of whoever shows them."""

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QBrush,
    QFont,
    QPalette,
    QTextBlockFormat,
    QTextCharFormat,
    QTextFormat,
    QTextLength,
    QTextTableFormat,
)

MONO_FAMILIES = ("JetBrains Mono", "Noto Sans Mono CJK SC", "monospace")
QUOTE_STEP = 16
LIST_STEP = 24
_LINE_HEIGHT = 140.0
_HEADINGS = {1: 1.45, 2: 1.25, 3: 1.1}


@dataclass(frozen=True, slots=True)
class Look:
    """Sizes and colours; formats are made from them."""

    pixels: int
    palette: QPalette

    def colour(self, role: QPalette.ColorRole) -> QBrush:
        """A colour of now."""
        return self.palette.brush(role)

    def words(
        self, styles: frozenset[str], link: str | None = None, heading: int = 0
    ) -> QTextCharFormat:
        """Letters in these styles; those of a heading of some level."""
        made = QTextCharFormat()
        size = round(self.pixels * _HEADINGS.get(heading, 1.0))
        made.setProperty(QTextFormat.Property.FontPixelSize, size)
        if heading or "strong" in styles:
            made.setFontWeight(QFont.Weight.DemiBold)
        made.setFontItalic("em" in styles)
        made.setFontStrikeOut("s" in styles)
        if "quote" in styles:
            made.setForeground(self.colour(QPalette.ColorRole.PlaceholderText))
        if "code" in styles:
            made.setFontFamilies(list(MONO_FAMILIES))
            made.setFontFixedPitch(True)
            made.setBackground(self.colour(QPalette.ColorRole.AlternateBase))
        if link is not None:
            made.setAnchor(True)
            made.setAnchorHref(link)
            made.setForeground(self.colour(QPalette.ColorRole.Link))
            made.setFontUnderline(True)
        return made

    def paragraph(self, indent: int = 0, quotes: int = 0) -> QTextBlockFormat:
        """A paragraph within so many lists and quotes."""
        made = QTextBlockFormat()
        made.setLineHeight(_LINE_HEIGHT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        made.setBottomMargin(self.pixels * 0.6)
        made.setIndent(indent)
        made.setLeftMargin(quotes * QUOTE_STEP)
        if quotes:
            made.setProperty(QTextFormat.Property.BlockQuoteLevel, quotes)
        return made

    def title(self, level: int, indent: int, quotes: int) -> QTextBlockFormat:
        """The paragraph of a heading."""
        made = self.paragraph(indent, quotes)
        made.setTopMargin(self.pixels * 0.6)
        made.setBottomMargin(self.pixels * 0.4)
        made.setHeadingLevel(level)
        return made

    def item(self, quotes: int) -> QTextBlockFormat:
        """The first paragraph of a list's item; its list moves it in."""
        made = self.paragraph(0, quotes)
        made.setBottomMargin(self.pixels * 0.25)
        return made

    def code_line(self, indent: int, quotes: int) -> QTextBlockFormat:
        """One line of code."""
        made = self.paragraph(indent, quotes)
        made.setBottomMargin(0)
        made.setBackground(self.colour(QPalette.ColorRole.AlternateBase))
        made.setProperty(QTextFormat.Property.BlockCodeFence, "`")
        return made

    def rule(self) -> QTextBlockFormat:
        """A line across."""
        made = QTextBlockFormat()
        made.setProperty(
            QTextFormat.Property.BlockTrailingHorizontalRulerWidth,
            QTextLength(QTextLength.Type.PercentageLength, 100),
        )
        return made

    def table(self, quotes: int) -> QTextTableFormat:
        """A table with hairlines around its cells."""
        made = QTextTableFormat()
        made.setBorderCollapse(True)
        made.setBorder(1)
        made.setBorderStyle(QTextTableFormat.BorderStyle.BorderStyle_Solid)
        made.setBorderBrush(self.colour(QPalette.ColorRole.Mid))
        made.setCellPadding(self.pixels * 0.4)
        made.setCellSpacing(0)
        made.setTopMargin(self.pixels * 0.3)
        made.setBottomMargin(self.pixels * 0.6)
        made.setLeftMargin(quotes * QUOTE_STEP)
        made.setAlignment(Qt.AlignmentFlag.AlignLeft)
        return made

    def cell(self) -> QTextBlockFormat:
        """The paragraph of a table's cell."""
        made = QTextBlockFormat()
        made.setLineHeight(110, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        return made

    def after_table(self) -> QTextBlockFormat:
        """Qt keeps a paragraph behind each table; it takes no room until it is used."""
        made = QTextBlockFormat()
        made.setLineHeight(1, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        return made
