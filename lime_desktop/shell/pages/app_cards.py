"""Cards of apps, made as they come into sight: a person with a thousand apps waits for the dozen that they see.

Cards are whole widgets, so that the keyboard and a screen reader find every button of them. What was not made yet stands
behind one button that says how many there are; it presses itself when the page is scrolled to it.
"""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QScrollArea, QVBoxLayout, QWidget

from lime_desktop.shell.parts import button

FIRST = 12
"""More than a window of usual size shows."""
STEP = 12


class AppCards(QWidget):
    """One card for each app, in the order given, as far as somebody has looked."""

    def __init__(
        self,
        page: QScrollArea,
        app_ids: Sequence[str],
        make_card: Callable[[str], QWidget],
        more_words: Callable[[int], str],
        count: int = FIRST,
    ) -> None:
        super().__init__()
        self._app_ids = app_ids
        self._make_card = make_card
        self._more_words = more_words
        self.count = 0
        """How many have been made."""
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(12)
        self._more: QAbstractButton = button("", self._grow_and_go_on)
        self._column.addWidget(self._more)
        self._grow(count)
        page.verticalScrollBar().valueChanged.connect(self._grow_if_seen)

    def _grow(self, by: int) -> None:
        for app_id in self._app_ids[self.count : self.count + by]:
            self._column.insertWidget(self._column.count() - 1, self._make_card(app_id))
        self.count = min(self.count + by, len(self._app_ids))
        left = len(self._app_ids) - self.count
        self._more.setText(self._more_words(left))
        self._more.setVisible(left > 0)

    def _grow_if_seen(self, _value: int) -> None:
        if self._more.isVisible() and not self._more.visibleRegion().isEmpty():
            self._grow(STEP)

    def _grow_and_go_on(self) -> None:
        """The keyboard goes on at the first of the new cards."""
        had_keyboard, at = self._more.hasFocus(), self.count
        self._grow(STEP)
        fresh = self._column.itemAt(at)
        card = fresh.widget() if had_keyboard and fresh is not None else None
        if card is not None and (first := card.findChild(QAbstractButton)) is not None:
            first.setFocus(Qt.FocusReason.TabFocusReason)
