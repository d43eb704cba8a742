"""Where the keyboard stops in a part of the window, for whoever has to bring it there."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget


def tab_stops(part: QWidget | None) -> list[QWidget]:
    """What Tab would reach, in the order in which it was made; parts that are not shown are left out."""
    if part is None:
        return []
    reached = Qt.FocusPolicy.TabFocus
    inside = part.findChildren(QWidget)
    return [each for each in inside if reached in each.focusPolicy() and not each.isHidden()]


def focused_stop(part: QWidget | None) -> int | None:
    """Which of its stops has the keyboard."""
    stops, focused = tab_stops(part), QApplication.focusWidget()
    return stops.index(focused) if focused in stops else None


def focus_stop(part: QWidget | None, at: int = 0) -> None:
    """Bring the keyboard to this stop, or to the last one where there are fewer."""
    if stops := tab_stops(part):
        stops[min(at, len(stops) - 1)].setFocus(Qt.FocusReason.OtherFocusReason)
