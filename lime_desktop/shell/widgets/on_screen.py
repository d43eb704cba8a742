"""Where a window may stand: on the screen that is there, wherever it stood on another.

Imports Qt alone: the first frame needs it too.
"""

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QWidget

USUAL = QSize(1180, 780)
"""How large the window is where nobody has said otherwise."""
_TITLE_BAR = 32
_EDGE = 4
"""Room for what the system draws around a window, which is not known before it is shown."""


def within(wanted: QRect, screen: QRect) -> QRect:
    """As much of a rectangle as the screen has room for, moved to where all of it is seen."""
    size = wanted.size().boundedTo(screen.size())
    left = min(max(wanted.left(), screen.left()), screen.left() + screen.width() - size.width())
    top = min(max(wanted.top(), screen.top()), screen.top() + screen.height() - size.height())
    return QRect(left, top, size.width(), size.height())


def put_on_screen(window: QWidget) -> None:
    """Let a window that is not shown yet be no larger than the screen, and all of it in sight."""
    if window.isMaximized() or window.isFullScreen():
        return
    screen = window.screen().availableGeometry()
    if screen.contains(window.geometry()):
        return  # to move it by what its frame may take would be a little further at each start
    place = within(window.geometry(), screen.adjusted(_EDGE, _TITLE_BAR, -_EDGE, -_EDGE))
    if not place.isValid():
        return
    window.resize(place.size())
    # One that has no place yet is placed by the system, which knows better.
    if window.testAttribute(Qt.WidgetAttribute.WA_Moved):
        # Qt moves the frame, which stands that much further out than what is in it.
        window.move(place.topLeft() - QPoint(_EDGE, _TITLE_BAR))
