"""A page that scrolls in a column that stays readable on a wide window, and the width of what stands beside it."""

from collections.abc import Callable, Iterable

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QCursor, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QHBoxLayout,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from lime_desktop.shell.appearance.appearance import Appearance
from lime_desktop.shell.layouts.edges import edge_to_edge
from lime_desktop.shell.widgets.focus import (
    first_stop,
    focus_first,
    focus_stop,
    focused_stop,
    has_keyboard,
)

COLUMN_WIDTH = 860
"""How wide a column of text may get, in pixels."""
_NARROW = 600
_LEAST_MARGIN = 16
_WIDEST = 1.25
_PLACE = "lime-place"


def put_into(area: QScrollArea, content: QWidget) -> None:
    """Show another content. The old one is deleted later.

    Qt's `setWidget` deletes it at once: a control in it that is still in its own signal (a button that was pressed, a list
    that is folding up) would be used after it is gone, which ends the program.
    """
    before = area.takeWidget()
    if before is not None:  # pyright: ignore[reportUnnecessaryComparison] - an empty area has none
        before.hide()
        before.deleteLater()
    area.setWidget(content)


def keep_place(part: QWidget, name: str) -> None:
    """Have a part that has the keyboard keep it, and its place in the window, when its page is filled anew."""
    part.setProperty(_PLACE, name)


class Page(QScrollArea):
    """Holds one column of parts; `refill` replaces them."""

    resized = Signal()
    """There is another room for the column: the window's size or the scroll bar has changed."""

    def __init__(self, *, margin: int = 32) -> None:
        super().__init__()
        self.setObjectName("page")
        self.setWidgetResizable(True)
        # Whatever in it has the keyboard passes on the keys that scroll: a stop of its own would be one that nobody sees.
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._margin = margin
        self._column: QVBoxLayout | None = None
        self._put_off: dict[Callable[[], None], None] = {}
        """What has to be shown anew once the page can be seen."""

    def once_seen(self, show: Callable[[], None]) -> Callable[[], None]:
        """`show`, but put off while nobody sees the page: filling one takes longer than most of what changes it."""

        def show_or_put_off() -> None:
            if self.isVisible():
                show()
            else:
                self._put_off[show] = None

        return show_or_put_off

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt calls this
        """Catch up before anything of the page is drawn."""
        put_off, self._put_off = self._put_off, {}
        for show in put_off:
            show()
        super().showEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt calls this
        """Leave the room to the words where there is little."""
        super().resizeEvent(event)
        self._keep_margins()
        self.resized.emit()

    @property
    def margin(self) -> int:
        """How far the parts stand from the sides of the column."""
        return self._margin if self.width() >= _NARROW else min(self._margin, _LEAST_MARGIN)

    def _keep_margins(self) -> None:
        if self._column is not None:
            margin = self.margin
            self._column.setContentsMargins(margin, max(8, margin - 8), margin, margin)

    def refill(self, *parts: QWidget) -> None:
        """Show these parts instead of what was there; the place in the page and of the keyboard is kept."""
        held, is_at_first = focused_stop(self.widget()), self._is_at_first()
        place, pointed = self.verticalScrollBar().value(), self._pointed_at()
        kept, height = self._kept_part()
        holder = self._hold(parts)
        put_into(self, holder)
        self.verticalScrollBar().setValue(place)
        if kept and (again := _part_named(holder, kept)) is not None:
            self._put_at(again, height)
            focus_stop(again)
        elif is_at_first:
            # Nobody has gone on from there: what can be done first may be another thing by now.
            focus_first(self)
        elif held is not None:
            focus_stop(holder, held)
        self._guard_pointer(holder, pointed)

    def _hold(self, parts: Iterable[QWidget]) -> QWidget:
        column = QWidget()
        column.setMaximumWidth(COLUMN_WIDTH)
        layout = self._column = QVBoxLayout(column)
        self._keep_margins()
        layout.setSpacing(12)
        for part in parts:
            layout.addWidget(part)
        layout.addStretch(1)
        holder = QWidget()
        across = edge_to_edge(QHBoxLayout(holder))
        # The column takes all the room up to its width; what is left stands evenly at its sides.
        across.addStretch(1)
        across.addWidget(column, 1_000)
        across.addStretch(1)
        return holder

    def _kept_part(self) -> tuple[str, int]:
        """The part with the keyboard, where it is to keep its place, and how far down in the window it is."""
        part = QApplication.focusWidget() if has_keyboard(self) else None
        while part is not None and part is not self:
            if name := part.property(_PLACE):
                return str(name), part.mapTo(self, QPoint()).y()
            part = part.parentWidget()
        return "", 0

    def _put_at(self, part: QWidget, height: int) -> None:
        """Scroll so that a part is as far down in the window as before: a second press then meets the same row."""
        # Before it is laid out, everything is at its top.
        QApplication.sendPostedEvents(self.widget(), QEvent.Type.LayoutRequest)
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + part.mapTo(self, QPoint()).y() - height)

    def _pointed_at(self) -> str | None:
        """What a press of the mouse would press now."""
        under = self.childAt(self.mapFromGlobal(QCursor.pos()))
        while under is not None and under is not self:
            if isinstance(under, QAbstractButton):
                return under.accessibleName() or under.text()
            under = under.parentWidget()
        return None

    def _guard_pointer(self, holder: QWidget, pointed: str | None) -> None:
        """Let no press through that was meant for what was there before: the second of a double click, above all."""
        if self._pointed_at() == pointed:
            return
        self._heed_mouse(holder, is_heeded=False)
        wait = QApplication.doubleClickInterval()
        QTimer.singleShot(wait, holder, lambda: self._heed_mouse(holder, is_heeded=True))

    def _heed_mouse(self, holder: QWidget, *, is_heeded: bool) -> None:
        through = Qt.WidgetAttribute.WA_TransparentForMouseEvents
        holder.setAttribute(through, on=not is_heeded)
        # What falls through is not to bring the keyboard here either.
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus if is_heeded else Qt.FocusPolicy.NoFocus)

    def _is_at_first(self) -> bool:
        focused = QApplication.focusWidget()
        return focused is not None and focused is first_stop(self)


def widen_with_text(widget: QWidget, appearance: Appearance, width: int) -> None:
    """Keep a widget as wide as given, and wider as the person chooses larger text."""
    _SideWidth(widget, appearance, width).fit()


class _SideWidth(QObject):
    """Lives as long as its widget, so that no change of the appearance reaches one that is gone."""

    def __init__(self, widget: QWidget, appearance: Appearance, width: int) -> None:
        super().__init__(widget)
        self._widget = widget
        self._appearance = appearance
        self._width = width
        appearance.changed.connect(self.fit)

    def fit(self) -> None:
        """Take the width that the text needs now."""
        scale = min(_WIDEST, self._appearance.text_scale)
        self._widget.setFixedWidth(round(self._width * scale))


def _part_named(within: QWidget, name: str) -> QWidget | None:
    return next(
        (each for each in within.findChildren(QWidget) if each.property(_PLACE) == name), None
    )
