"""A window that is drawn before anything else is done: until then the system shows what lay there, mostly black.

The system shows a window when it comes to it. What keeps the program busy meanwhile keeps the window black.
"""

import time

from PySide6.QtWidgets import QApplication, QWidget

_LONGEST_S = 1.0
"""A system that has not shown it by then may never: another desktop is in front, say."""
_LOOK_S = 0.002


def show_painted(application: QApplication, window: QWidget, longest_s: float = _LONGEST_S) -> None:
    """Show a window, and come back when it can be seen as it is meant to be."""
    window.show()
    give_up_at = time.monotonic() + longest_s
    while time.monotonic() < give_up_at:
        application.processEvents()
        handle = window.windowHandle()
        if handle is not None and handle.isExposed():  # pyright: ignore[reportUnnecessaryComparison] - none before it is made
            break
        time.sleep(_LOOK_S)
    application.processEvents()
