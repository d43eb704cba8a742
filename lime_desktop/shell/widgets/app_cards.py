"""Tiles of apps, made as they come into sight: a person with a thousand apps waits for the dozen that they see.

Tiles are whole widgets, so that the keyboard and a screen reader find each of them. What was not made yet stands
behind one button that says how many there are; it presses itself when the page is scrolled to it.
"""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QScrollArea, QVBoxLayout, QWidget

from lime_desktop.shell.layouts.edges import edge_to_edge
from lime_desktop.shell.widgets.focus import focus_stop
from lime_desktop.shell.widgets.parts import button
from lime_desktop.shell.widgets.tiles import Grid

FIRST = 24
"""More than a window of usual size shows."""
STEP = 24


class AppCards(QWidget):
    """One tile for each app, in the order given, as far as somebody has looked."""

    def __init__(
        self,
        page: QScrollArea,
        app_ids: Sequence[str],
        make_card: Callable[[str], QWidget],
        more_words: Callable[[int], str],
        count: int = FIRST,
        *,
        is_list: bool = False,
    ) -> None:
        """They stand in a grid, or one below the other."""
        super().__init__()
        self._app_ids = app_ids
        self._make_card = make_card
        self._more_words = more_words
        self.count = 0
        """How many have been made."""
        self._holder = _List() if is_list else Grid()
        self._made: list[QWidget] = []
        layout = edge_to_edge(QVBoxLayout(self), 12)
        self._more: QAbstractButton = button("", self._grow_and_go_on)
        layout.addWidget(self._holder)
        layout.addWidget(self._more)
        self._grow(count)
        page.verticalScrollBar().valueChanged.connect(self._grow_if_seen)

    def _grow(self, by: int) -> None:
        for app_id in self._app_ids[self.count : self.count + by]:
            self._made.append(self._make_card(app_id))
            self._holder.add(self._made[-1])
        self.count = min(self.count + by, len(self._app_ids))
        left = len(self._app_ids) - self.count
        self._more.setText(self._more_words(left))
        self._more.setVisible(left > 0)

    def _grow_if_seen(self, _value: int) -> None:
        if self._more.isVisible() and not self._more.visibleRegion().isEmpty():
            self._grow(STEP)

    def _grow_and_go_on(self) -> None:
        """The keyboard goes on at the first of the new tiles."""
        had_keyboard, at = self._more.hasFocus(), self.count
        self._grow(STEP)
        made = self._made[at] if had_keyboard and at < len(self._made) else None
        if isinstance(made, QAbstractButton):
            made.show()
            made.setFocus(Qt.FocusReason.TabFocusReason)
        else:
            focus_stop(made)


class _List(QWidget):
    """Cards one below the other."""

    def __init__(self) -> None:
        super().__init__()
        self._column = edge_to_edge(QVBoxLayout(self), 12)

    def add(self, card: QWidget) -> None:
        """Show one more."""
        self._column.addWidget(card)
