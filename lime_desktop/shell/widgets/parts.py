"""The small parts every page is made of: labels, buttons, pills, cards. Looks come from the style sheet by role."""

import html
from collections.abc import Callable
from typing import Literal

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPaintEvent, QPalette, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QStyledItemDelegate,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from lime_desktop.host.wording.joining import named
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.plain_text import plain_line, plain_text
from lime_desktop.shell.layouts.edges import edge_to_edge
from lime_desktop.shell.layouts.row_layout import RowLayout

_FILLED = frozenset({"primary", "destructive"})
"""The roles of buttons that are filled with a strong colour."""
_RING = 2.0
"""How wide the style sheet draws the ring, and how wide the line within it is."""
_RADIUS = 8.0
_TIP_LINE = 40
"""Characters of a line that a tip shows in one, in any script."""
Tone = Literal["ok", "warning", "danger", "info", "plain"]

_MOST_SHOWN = 20_000
"""Characters of one label: a longer text belongs into a box that scrolls."""


class RingedButton(QPushButton):
    """A push button whose focus can be seen on a strong fill: a line in the colour of its words lies within the ring.

    The ring stands out from the page, the line from the fill; no one colour stands out from both in every scheme.
    """

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt calls this
        """Draw the line within the ring."""
        super().paintEvent(event)
        if not self.hasFocus() or self.property("role") not in _FILLED:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self.palette().color(QPalette.ColorRole.ButtonText), _RING))
        inset = _RING * 1.5
        line = QRectF(self.rect()).adjusted(inset, inset, -inset, -inset)
        painter.drawRoundedRect(line, _RADIUS - inset, _RADIUS - inset)
        painter.end()


class PlainLabel(QLabel):
    """Words as they are: never read as markup, with whatever they would hide made visible."""

    def __init__(self, text: str = "") -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)

    def setText(self, text: str) -> None:  # noqa: N802 - Qt's name
        """Show other words."""
        super().setText(plain_text(text, _MOST_SHOWN))


def label(text: str, role: str = "") -> QLabel:
    """A text that wraps and can be copied, never read as markup: much of it comes from packages."""
    made = PlainLabel(text)
    made.setWordWrap(True)
    made.setProperty("role", role)
    made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return made


class ShortLabel(QLabel):
    """One line that gives way where there is no room: shortened in the middle, whole in its tip."""

    def __init__(self, text: str, role: str = "", *, keeps: int = 6) -> None:
        super().__init__()
        self._keeps = keeps
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", role)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self._whole = plain_line(text)
        name_control(self, self._whole)

    def say(self, text: str) -> None:
        """Show another text."""
        self._whole = plain_line(text)
        name_control(self, self._whole)
        self.updateGeometry()
        self._shorten()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt calls this
        """As wide as the whole text."""
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self._whole) + 4, metrics.height())

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt calls this
        """A few letters are enough to be told apart."""
        metrics = self.fontMetrics()
        letters = min(self._keeps, len(self._whole))
        return QSize(metrics.averageCharWidth() * letters, metrics.height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt calls this
        """Show what there is room for."""
        super().resizeEvent(event)
        self._shorten()

    def _shorten(self) -> None:
        metrics, middle = self.fontMetrics(), Qt.TextElideMode.ElideMiddle
        self.setText(metrics.elidedText(self._whole, middle, self.width()))


def pill(text: str, tone: Tone) -> QLabel:
    """A short state in colour; the words carry the meaning without it."""
    made = QLabel(plain_line(text))
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setProperty("role", "pill")
    made.setProperty("tone", tone)
    made.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Maximum)
    return made


def button(text: str, clicked: Callable[[], object], role: str = "") -> QPushButton:
    """A button that says what it does."""
    made = RingedButton(no_mnemonic(plain_line(text)))
    made.setProperty("role", role)
    made.setCursor(Qt.CursorShape.PointingHandCursor)

    def press(_checked: bool = False) -> None:  # noqa: FBT001, FBT002 - Qt sends it
        clicked()

    made.clicked.connect(press)
    return made


def combo_box() -> QComboBox:
    """A list to choose from; its rows are drawn by the style sheet, which Qt's own way of drawing them passes over."""
    made = QComboBox()
    made.setItemDelegate(QStyledItemDelegate(made))
    return made


def bare_check_box() -> QCheckBox:
    """A box to tick whose words stand elsewhere; the ring of the keyboard lies evenly around it."""
    made = QCheckBox()
    made.setProperty("role", "bare")
    made.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
    return made


def icon_button(name: str, clicked: Callable[[], object]) -> QToolButton:
    """A small button that shows only an icon, which `Icons.put_on` gives it; its name is in the tip and spoken."""
    made = QToolButton()
    made.setProperty("role", "icon")
    name_control(made, name)
    made.setCursor(Qt.CursorShape.PointingHandCursor)
    made.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def press(_checked: bool = False) -> None:  # noqa: FBT001, FBT002 - Qt sends it
        clicked()

    made.clicked.connect(press)
    return made


def name_control(control: QWidget, name: str) -> None:
    """Say what a control without words is for, to whoever points at it and whoever hears it."""
    set_tip(control, name)
    control.setAccessibleName(plain_line(name))


def name_button(pressed: QAbstractButton, texts: Texts, thing: str) -> None:
    """Say of which thing a button is, to whoever hears one of many with the same words."""
    words = pressed.text().replace("&&", "&")
    pressed.setAccessibleName(plain_line(named(texts, words, thing)))


def set_tip(control: QWidget, text: str) -> None:
    """Explain a control to whoever points at it, in plain text: Qt reads a tip that looks like markup as such.

    Whoever hears a control that has no description of its own hears its tip, and no markup with it.
    """
    words = plain_text(text)
    if control.accessibleDescription() in {"", control.property("tipHeard")}:
        heard = words if plain_tip(text) != words else ""
        control.setAccessibleDescription(heard)
        control.setProperty("tipHeard", heard)
    control.setToolTip(plain_tip(text))


def plain_tip(text: str) -> str:
    """A tip that shows these words, whatever they look like; Qt wraps the lines of what it is given as markup alone."""
    words = plain_text(text)
    is_long = any(len(each) > _TIP_LINE for each in words.split("\n"))
    if not is_long and "<" not in words:
        return words
    return f"<qt>{html.escape(words).replace(chr(10), '<br>')}</qt>"


def no_mnemonic(text: str) -> str:
    """Words for a button, a menu or a tab in which an ampersand is an ampersand, and no key presses anything."""
    return text.replace("&", "&&")


def column(*widgets: QWidget, spacing: int = 8) -> QWidget:
    """Parts one below the other."""
    made = QWidget()
    layout = edge_to_edge(QVBoxLayout(made), spacing)
    for widget in widgets:
        layout.addWidget(widget)
    return made


def line() -> QFrame:
    """A hairline between parts."""
    made = QFrame()
    made.setProperty("role", "line")
    return made


def empty_state(sign: QLabel, title: str, text: str, *buttons: QWidget) -> QFrame:
    """Says that nothing is here yet, and what to do about it."""
    made = QFrame()
    made.setProperty("role", "card")
    layout = QVBoxLayout(made)
    layout.setContentsMargins(24, 40, 24, 40)
    layout.setSpacing(8)
    middle = Qt.AlignmentFlag.AlignHCenter
    layout.addWidget(sign, 0, middle)
    for words in (label(title, "heading"), label(text, "muted")):
        words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        layout.addWidget(words)
    if buttons:
        layout.addSpacing(8)
        layout.addWidget(row(*buttons, stretch_at=-1), 0, middle)
    return made


def card(*widgets: QWidget) -> QFrame:
    """A raised box with parts one below the other."""
    made = QFrame()
    made.setProperty("role", "card")
    layout = QVBoxLayout(made)
    layout.setContentsMargins(20, 16, 20, 16)
    layout.setSpacing(8)
    for widget in widgets:
        layout.addWidget(widget)
    return made


def row(*widgets: QWidget, stretch_at: int | None = None) -> QWidget:
    """Parts side by side, in several lines where there is no room; the one at `stretch_at` takes what is left."""
    made = QWidget()
    layout = RowLayout(made, stretch_at)
    for widget in widgets:
        layout.addWidget(widget)
    policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
    policy.setHeightForWidth(True)
    made.setSizePolicy(policy)
    return made


def section_heading(text: str) -> QLabel:
    """The name of a part of a page, with room above it."""
    made = label(text, "heading")
    made.setContentsMargins(0, 12, 0, 0)
    return made


def rows_card(*rows: QWidget) -> QFrame:
    """A list: rows one below the other with a hairline between them, in one box."""
    made = QFrame()
    made.setProperty("role", "card")
    layout = QVBoxLayout(made)
    layout.setContentsMargins(16, 4, 16, 4)
    layout.setSpacing(0)
    for at, each in enumerate(rows):
        if at:
            layout.addWidget(line())
        each.setContentsMargins(0, 8, 0, 8)
        layout.addWidget(each)
    return made


def wide_row(picture: QWidget, words: QWidget, *tools: QWidget) -> QWidget:
    """A picture, words that take the room, and what can be done at the right."""
    return row(picture, words, *tools, stretch_at=1)


def banner(text: str, tone: Tone, *extra: QWidget) -> QFrame:
    """A notice across the page."""
    made = QFrame()
    made.setProperty("role", "banner")
    made.setProperty("tone", tone)
    layout = RowLayout(made, 0)
    layout.setContentsMargins(16, 8, 12, 8)
    layout.addWidget(label(text))
    for widget in extra:
        layout.addWidget(widget)
    policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
    policy.setHeightForWidth(True)
    made.setSizePolicy(policy)
    return made


def said_by(icon: QIcon, teller: str, words: str, tone: Tone, texts: Texts) -> QFrame:
    """What somebody else says: who it is before what it is."""
    made = QFrame()
    made.setProperty("role", "said-by")
    made.setProperty("tone", tone)
    made.setAccessibleName(named(texts, teller, words))
    layout = QHBoxLayout(made)
    layout.setContentsMargins(12, 8, 12, 8)
    layout.setSpacing(12)
    layout.addWidget(icon_label(icon, 28))
    layout.addWidget(column(label(teller, "small"), label(words), spacing=0), 1)
    return made


class _IconLabel(QLabel):
    """Paints its icon anew each time: one of an app may come by its picture later."""

    def __init__(self, icon: QIcon, side: int) -> None:
        super().__init__()
        self._icon = icon
        self.setFixedSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt calls this
        """Paint what there is now."""
        del event
        self._icon.paint(QPainter(self), self.rect())


def icon_label(icon: QIcon, side: int) -> QLabel:
    """An icon as a part of a page."""
    return _IconLabel(icon, side)
