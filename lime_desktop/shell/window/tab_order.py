"""Tab through the window: its parts in their order, and what the shell says after all of them.

Qt walks in the order in which things were made, and a notice is made between two pages as often as not.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from lime_desktop.shell.widgets.focus import tab_stops

Step = Callable[[], bool]
"""Goes one stop further, as Qt does; whether there was one."""


def walk_with_last(window: QWidget, last: QWidget, step: Step, *, is_forwards: bool) -> bool:
    """Go one stop further; `last` comes after everything else, and before the beginning."""
    begun = QApplication.focusWidget()
    chain = _chain(window)
    was_in = begun is not None and last.isAncestorOf(begun)
    place = -1 if begun is None or begun not in chain else chain.index(begun)
    if not step():
        return False
    if was_in:
        return _is_in(last) or _leave(window, last, is_forwards=is_forwards)
    # So many steps at most: where nothing else can be reached, the keyboard stays there.
    for _ in chain:
        if not _is_in(last):
            break
        step()
    landed = QApplication.focusWidget()
    at = place if landed is None or landed not in chain else chain.index(landed)
    is_round = at <= place if is_forwards else at >= place
    stops = tab_stops(last) if last.isVisible() else []
    if is_round and stops and begun is not None:
        stops[0 if is_forwards else -1].setFocus(_reason(is_forwards=is_forwards))
    return True


def keep_parts_together(window: QWidget, parts: Sequence[QWidget]) -> None:
    """Let Tab go through one part of the window after the other: what was made later in an early part would come last."""
    chain = [each for each in _chain(window) if _can_be_reached(each, window)]
    wanted = [each for part in parts for each in chain if part.isAncestorOf(each)]
    if wanted != [each for each in chain if each in wanted]:
        for before, after in pairwise(wanted):
            QWidget.setTabOrder(before, after)


def _leave(window: QWidget, last: QWidget, *, is_forwards: bool) -> bool:
    """Come out at the window's first stop, or at the last one before the notices."""
    inside = [each for each in _chain(window) if each is not last and not last.isAncestorOf(each)]
    stops = [each for each in inside if _can_be_reached(each, window)]
    if stops:
        stops[0 if is_forwards else -1].setFocus(_reason(is_forwards=is_forwards))
    return True


def _can_be_reached(widget: QWidget, window: QWidget) -> bool:
    takes = Qt.FocusPolicy.TabFocus in widget.focusPolicy()
    return takes and widget.isEnabled() and widget.isVisibleTo(window)


def _chain(window: QWidget) -> list[QWidget]:
    found, at = list[QWidget](), window.nextInFocusChain()
    while at is not None and at is not window:
        found.append(at)
        at = at.nextInFocusChain()
    return found


def _is_in(part: QWidget) -> bool:
    focused = QApplication.focusWidget()
    return focused is not None and part.isAncestorOf(focused)


def _reason(*, is_forwards: bool) -> Qt.FocusReason:
    return Qt.FocusReason.TabFocusReason if is_forwards else Qt.FocusReason.BacktabFocusReason
