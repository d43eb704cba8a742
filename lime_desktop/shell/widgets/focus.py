"""Where the keyboard stops in a part of the window, which part has it, and what Enter does there."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QPushButton,
    QScrollArea,
    QToolButton,
    QWidget,
)

_HEAD = "lime-head-first"
_FIRST = "lime-keyboard-first"
_ENTER = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})


def tab_stops(part: QWidget | None) -> list[QWidget]:
    """What Tab would reach, in the order in which it was made; parts that are not shown are left out."""
    if part is None:
        return []
    reached = Qt.FocusPolicy.TabFocus
    inside = part.findChildren(QWidget)
    return [each for each in inside if reached in each.focusPolicy() and each.isVisibleTo(part)]


def focused_stop(part: QWidget | None) -> int | None:
    """Which of its stops has the keyboard."""
    stops, focused = tab_stops(part), QApplication.focusWidget()
    return stops.index(focused) if focused in stops else None


def focus_stop(part: QWidget | None, at: int = 0) -> None:
    """Bring the keyboard to this stop, or to the last one where there are fewer."""
    if stops := tab_stops(part):
        stops[min(at, len(stops) - 1)].setFocus(Qt.FocusReason.OtherFocusReason)


def begin_here(widget: QWidget, *, rank: int = 1) -> None:
    """Let the keyboard begin at this one of a part's stops, or at the part itself; of several at the highest, never at a zero."""
    widget.setProperty(_FIRST, rank)


def focus_first(part: QWidget | None) -> None:
    """Bring the keyboard to where a person acts next: what was marked for that, else the first that does something here.

    A link at the top only leads away again. A part that offers nothing has the keyboard itself: the arrow keys scroll it.
    """
    if (chosen := first_stop(part)) is not None:
        chosen.setFocus(Qt.FocusReason.OtherFocusReason)
        # Once the page is laid out: before, everything is at its top.
        QTimer.singleShot(0, chosen, lambda: _bring_into_sight(chosen))


def show_head_first(area: QScrollArea) -> None:
    """Leave an area at its head where it opens there, though the keyboard begins below: its head says what it is."""
    area.setProperty(_HEAD, True)  # noqa: FBT003 - Qt's own


def _is_at_head(area: QScrollArea) -> bool:
    return bool(area.property(_HEAD)) and not area.verticalScrollBar().value()


def _bring_into_sight(widget: QWidget) -> None:
    above = widget.parentWidget()
    while above is not None:
        if isinstance(above, QScrollArea) and not _is_at_head(above):
            above.ensureWidgetVisible(widget)
        above = above.parentWidget()


def first_stop(part: QWidget | None) -> QWidget | None:
    """Where the keyboard begins in a part."""
    if part is None:
        return None
    stops = [each for each in tab_stops(part) if each.isEnabled()]
    # Not among the stops alone: of buttons that exclude each other Tab reaches the one that had the keyboard last.
    inside = (each for each in part.findChildren(QWidget) if each.property(_FIRST))
    marked = [each for each in inside if each.isVisibleTo(part) and each.isEnabled()]
    if part.property(_FIRST):
        marked.append(part)
    allowed = [each for each in stops if each.property(_FIRST) != 0]
    acting = (each for each in allowed if each.property("role") != "link")
    otherwise = next(acting, allowed[0] if allowed else part)
    return max(marked, key=lambda each: int(each.property(_FIRST)), default=otherwise)


def focus_again(part: QWidget | None) -> None:
    """Bring the keyboard back to where it was in a part; to its beginning where it never was, or that is gone."""
    last = None if part is None else part.focusWidget()
    if last is not None and last in tab_stops(part) and last.isEnabled():
        last.setFocus(Qt.FocusReason.OtherFocusReason)
    else:
        focus_first(part)


def is_enter(event: QKeyEvent) -> bool:
    """Whether somebody pressed Enter, rather than held it down: what is held presses nothing twice."""
    return Qt.Key(event.key()) in _ENTER and not event.isAutoRepeat()


def press_focused() -> bool:
    """Press the button that has the keyboard, or open the choice; on most systems Qt lets only Space do that.

    Whether there was something to press. Boxes to tick are left to Space, as everywhere.
    """
    focused = QApplication.focusWidget()
    if isinstance(focused, QPushButton | QToolButton) and focused.isEnabled():
        focused.click()
    elif isinstance(focused, QComboBox) and focused.isEnabled():
        focused.showPopup()
    else:
        return False
    return True


def has_keyboard(part: QWidget) -> bool:
    """Whether the keyboard is somewhere in a part of the window."""
    focused = QApplication.focusWidget()
    return focused is not None and (focused is part or part.isAncestorOf(focused))


def next_part(parts: Sequence[QWidget], otherwise: QWidget) -> QWidget:
    """The part after the one with the keyboard, in a circle; from nowhere, the one after `otherwise`.

    A part that stands inside another one comes after it in the row.
    """
    here = next((each for each in reversed(parts) if has_keyboard(each)), otherwise)
    return parts[(parts.index(here) + 1) % len(parts)]
