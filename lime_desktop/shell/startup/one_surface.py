"""One native window from the first moment to the last.

The web engine draws by the graphics card, and a window that shows its first view is made anew for that by Qt: it goes
from the screen and comes again, black, or not at all where the system is busy. A window that holds something of that
kind before it is shown is made right at once.
"""

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QRhiWidget, QWidget

_DRAWN_ON_SCREEN = frozenset({"xcb", "wayland", "windows", "cocoa"})


def make_for_views(window: QWidget) -> None:
    """Have a window that is not shown yet made for what its views will need; nothing of this is ever seen."""
    if QGuiApplication.platformName() in _DRAWN_ON_SCREEN:
        QRhiWidget(window).hide()
