"""Cards that float over a corner of the window or of a page: what comes and goes there moves nothing else.

A card never covers what the pointer is at, nor what the keyboard is in, nor the strong button of a page, nor whatever
else can be pressed or typed into, the page of an app included, as far as one of the four corners leaves them free. The
stack grows away from its corner, so a card that is pointed at stays where it is.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCursor, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QBoxLayout,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QTabBar,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from lime_desktop.shell.layouts.edges import edge_to_edge
from lime_desktop.shell.widgets.focus import focus_stop

_MARGIN = 16
_PAGE_MARGIN = 12
_LEFT_FREE = 24
"""How much of a narrow page's width a card leaves."""
_GAP = 8
_AT_POINTER = 24
"""How far around the pointer nothing appears: people press while they still move."""

_CORNERS = (
    Qt.Corner.BottomRightCorner,
    Qt.Corner.TopRightCorner,
    Qt.Corner.BottomLeftCorner,
    Qt.Corner.TopLeftCorner,
)
_POINTER, KEYBOARD, _STRONG, ANY = 1_000_000, 100_000, 10_000, 1
"""How much speaks against covering each: a page of hundreds of buttons never outweighs the one with the keyboard."""
_AT_TOP = {Qt.Corner.TopRightCorner, Qt.Corner.TopLeftCorner}
_STRONG_ROLES = {"primary", "danger", "destructive"}
_AT_LEFT = {Qt.Corner.BottomLeftCorner, Qt.Corner.TopLeftCorner}


def rectangle_at(ground: QRect, size: QSize, corner: Qt.Corner) -> QRect:
    """Where a stack of this size stands in a corner."""
    x = ground.left() if corner in _AT_LEFT else ground.right() + 1 - size.width()
    y = ground.top() if corner in _AT_TOP else ground.bottom() + 1 - size.height()
    return QRect(QPoint(x, y), size)


def freest_corner(
    ground: QRect, size: QSize, obstacles: Iterable[tuple[QRect, int]], held: Qt.Corner | None
) -> Qt.Corner:
    """The corner that covers least, each obstacle by its weight; the one that is held already before its equals."""
    weighed = tuple(obstacles)
    ordered = sorted(_CORNERS, key=lambda corner: corner is not held)

    def weight(corner: Qt.Corner) -> int:
        covered = rectangle_at(ground, size, corner)
        return sum(each for obstacle, each in weighed if covered.intersects(obstacle))

    return min(ordered, key=weight)


def at_pointer(ground: QWidget) -> tuple[QRect, int]:
    """What lies around the pointer, and how much speaks against covering it."""
    pointer = ground.mapFromGlobal(QCursor.pos())
    reach = QPoint(_AT_POINTER, _AT_POINTER)
    return QRect(pointer - reach, pointer + reach), _POINTER


AskControls = Callable[[Callable[[Sequence[QRect]], object]], object]
"""Asks what no widget knows: where the controls of a page stand on the screen. The answer may come later, or never."""


class PageControls:
    """Where the controls of the page in front stand, as it last said. Each thing that floats over a page keeps one."""

    def __init__(
        self, owner: QWidget, on_change: Callable[[], object], ask: AskControls | None = None
    ) -> None:
        """`on_change` is called when they stand elsewhere than before, unless the owner is gone."""
        self._owner = owner
        self._on_change = on_change
        self._ask = ask
        self._asked = 0
        self._boxes: tuple[QRect, ...] = ()

    def ask_by(self, ask: AskControls) -> None:
        """Ask this way from now on; before, there is no page to ask."""
        self._ask = ask

    def ask(self) -> None:
        """Ask the page; only the answer to the last question counts."""
        if self._ask is not None:
            self._asked = number = self._asked + 1
            self._ask(lambda boxes: self._on_answer(number, boxes))

    def obstacles(self, ground: QWidget) -> Iterator[tuple[QRect, int]]:
        """Where they stand in this part of the window, and how much speaks against covering them."""
        origin = ground.mapToGlobal(QPoint(0, 0))
        return ((each.translated(-origin), ANY) for each in self._boxes)

    def _on_answer(self, number: int, boxes: Sequence[QRect]) -> None:
        if isValid(self._owner) and number == self._asked and tuple(boxes) != self._boxes:
            self._boxes = tuple(boxes)
            self._on_change()


class FloatingStack(QScrollArea):
    """Lies over a part of the window; as large as its cards, and never larger than what it lies over."""

    left = Signal()
    """What had the keyboard here is gone."""
    placed = Signal()
    """What lies below may be another thing, and so may be where the cards stand."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("floating")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._ground: QWidget | None = None
        self._corner: Qt.Corner | None = None
        self._page_controls = PageControls(self, self._stand)
        self._cards: list[QFrame] = []
        self._content = QWidget()
        self._content.setObjectName("floating")
        self._column = edge_to_edge(QVBoxLayout(self._content), _GAP)
        self._content.installEventFilter(self)
        self.setWidget(self._content)
        self.hide()
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._refuse_stray_keyboard)

    def float_over(self, ground: QWidget) -> None:
        """Stand in a corner of this part of the window from now on."""
        self._ground = ground
        self.setParent(ground)
        ground.installEventFilter(self)

    def look_into_pages_by(self, ask: AskControls) -> None:
        """Leave free as well what a page says to be its controls."""
        self._page_controls.ask_by(ask)

    @property
    def cards(self) -> tuple[QFrame, ...]:
        """What is shown, the oldest first."""
        return tuple(self._cards)

    @property
    def has_keyboard(self) -> bool:
        """Whether one of its buttons has it."""
        focused = QApplication.focusWidget()
        return focused is not None and self.isAncestorOf(focused)

    @property
    def is_held(self) -> bool:
        """Whether somebody points at it, or is in it with the keyboard: then nothing goes by itself."""
        return self.isVisible() and (self.has_keyboard or self._global().contains(QCursor.pos()))

    def take_keyboard(self) -> None:
        """Bring the keyboard to the newest card."""
        if self._cards:
            focus_stop(self._cards[-1])

    def put(self, card: QFrame) -> None:
        """Show one more card."""
        for pressed in card.findChildren(QAbstractButton):
            # A click leaves the keyboard with whatever the person works in.
            pressed.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._cards.append(card)
        self._column.addWidget(card)
        card.show()
        self.place()
        # Once more when what else is under way is laid out: a page may have been turned in the same moment.
        QTimer.singleShot(0, self, self.place)

    def take(self, card: QFrame) -> None:
        """Show a card no more; it is not destroyed."""
        if card not in self._cards:
            return
        had_keyboard = self.has_keyboard
        self._cards.remove(card)
        self._column.removeWidget(card)
        card.hide()
        self.place()
        if had_keyboard and not self.has_keyboard:
            self.left.emit()

    def place(self) -> None:
        """Stand where least is covered; while somebody points at a card, in the same corner as before."""
        self._stand()
        if self._cards:
            self._page_controls.ask()

    def _stand(self) -> None:
        self._choose_place()
        self.placed.emit()

    def _choose_place(self) -> None:
        ground = self._ground
        if ground is None:
            return
        if not self._cards:
            self._corner = None
            self.hide()
            return
        room = ground.rect().adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
        room.setTop(max(room.top(), under_tabs(ground)))
        size = self._size(room)
        if self._corner is None or not self.is_held:
            self._corner = freest_corner(room, size, self._obstacles(ground), self._corner)
        upwards, downwards = QBoxLayout.Direction.BottomToTop, QBoxLayout.Direction.TopToBottom
        self._column.setDirection(downwards if self._corner in _AT_TOP else upwards)
        self.setGeometry(rectangle_at(room, size, self._corner))
        self.show()
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt calls this
        """Keep to the corner as the window or a card changes its size."""
        grown = watched is self._ground and event.type() is QEvent.Type.Resize
        refilled = watched is self._content and event.type() is QEvent.Type.LayoutRequest
        if grown or refilled:
            self.place()
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt calls this
        """Escape gives the keyboard back."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def _refuse_stray_keyboard(self, old: QWidget | None, new: QWidget | None) -> None:
        """Give back what only fell here: of a button that went with what it removed, Qt passes the keyboard on.

        The next Enter would take back what was just done.
        """
        if new is not None and old is not None and self.isAncestorOf(new) and _is_gone(old):
            QTimer.singleShot(0, self, self.left.emit)

    def _size(self, room: QRect) -> QSize:
        width = min(self._width(), room.width())
        for card in self._cards:
            card.ensurePolished()
        self._column.activate()
        height = self._column.heightForWidth(width)
        if height < 0:
            height = self._column.sizeHint().height()
        return QSize(width, min(height, room.height()))

    def _width(self) -> int:
        """How wide a card is; whoever knows the person's text size says it."""
        return 360

    def _global(self) -> QRect:
        return QRect(self.mapToGlobal(QPoint(0, 0)), self.size())

    def _obstacles(self, ground: QWidget) -> Iterator[tuple[QRect, int]]:
        yield at_pointer(ground)
        focused = QApplication.focusWidget()
        if isinstance(focused, QLineEdit | QTextEdit | QPlainTextEdit | QAbstractButton):
            yield seen_part(focused, ground), KEYBOARD
        yield from controls_in(ground, self)
        yield from self._page_controls.obstacles(ground)


def controls_in(ground: QWidget, besides: QWidget) -> Iterator[tuple[QRect, int]]:
    """Where something can be pressed or typed into, and how much speaks against covering it."""
    for kind in (QAbstractButton, QLineEdit, QComboBox, QPlainTextEdit):
        for each in ground.findChildren(kind):
            if each.isVisible() and each.isEnabled() and not besides.isAncestorOf(each):
                is_strong = each.property("role") in _STRONG_ROLES
                yield seen_part(each, ground), _STRONG if is_strong else ANY


def _is_gone(widget: QWidget) -> bool:
    """Whether it is hidden, or about to be with what it stands in."""
    at: QWidget | None = widget
    while at is not None and not at.isHidden():
        at = None if at.isWindow() else at.parentWidget()
    return at is not None


def under_tabs(ground: QWidget) -> int:
    """How far down a row of tabs at the top reaches, with a little room."""
    bars = (each for each in ground.findChildren(QTabBar) if each.isVisible())
    edges = [seen_part(each, ground) for each in bars]
    return max((each.bottom() + _GAP for each in edges if each.top() < _MARGIN), default=0)


def seen_part(widget: QWidget, ground: QWidget) -> QRect:
    """Where a widget stands, as far as it is scrolled into sight; nothing of one that stands elsewhere.

    Not Qt's visible region: that leaves out what the cards themselves cover.
    """
    if not ground.isAncestorOf(widget):
        return QRect()
    seen, at = widget.rect(), widget
    while at is not ground and (above := at.parentWidget()) is not None:
        seen = seen.translated(at.pos()).intersected(above.rect())
        at = above
    return seen


class FloatingCard(QFrame):
    """A small card over a corner of one page, the upper right one unless a subclass says otherwise."""

    def __init__(self, page: QWidget) -> None:
        super().__init__(page)
        self._page = page
        self.setProperty("role", "floating")
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(8, 6, 6, 6)
        self.row.setSpacing(4)
        page.installEventFilter(self)
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt calls this
        """Follow the page's size."""
        if watched is self._page and event.type() is QEvent.Type.Resize:
            self.stand()
        return super().eventFilter(watched, event)

    def come_up(self) -> None:
        """Be seen above the page."""
        self.show()
        self.stand()
        self.raise_()

    def stand(self) -> None:
        """Take the room that is needed, as far as there is some."""
        room = self._page.rect().adjusted(_PAGE_MARGIN, _PAGE_MARGIN, -_PAGE_MARGIN, -_PAGE_MARGIN)
        size = self.sizeHint()
        size = QSize(min(size.width(), max(0, room.width() - _LEFT_FREE)), size.height())
        self.setGeometry(rectangle_at(room, size, self._corner(room, size)))

    def _corner(self, room: QRect, size: QSize) -> Qt.Corner:
        """Which corner of the page it takes."""
        del room, size
        return Qt.Corner.TopRightCorner
