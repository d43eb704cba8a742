"""A window is drawn before the program gets busy (ours)."""

from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from lime_desktop.shell.startup.event_loop import make_for_views
from lime_desktop.shell.startup.first_frame import show_painted


class Watched(QWidget):
    """Counts how often it is drawn."""

    drawn = 0

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt calls this
        super().paintEvent(event)
        self.drawn += 1


def test_a_window_is_drawn_when_showing_it_is_over(qtbot: QtBot, qapp: QApplication) -> None:
    """A bug: the first frame was shown, not drawn, and black until everything was loaded."""
    window = Watched()
    qtbot.addWidget(window)
    show_painted(qapp, window)
    assert window.drawn > 0


def test_a_window_that_is_never_shown_keeps_nobody_waiting(
    qtbot: QtBot, qapp: QApplication
) -> None:
    parent, window = QWidget(), Watched()
    window.setParent(parent)
    qtbot.addWidget(parent)
    show_painted(qapp, window, longest_s=0.01)
    assert window.drawn == 0


def test_without_a_screen_nothing_is_made_for_the_graphics_card(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    make_for_views(window)
    assert window.findChildren(QWidget) == []
