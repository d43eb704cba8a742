"""Somebody at a product who has only a keyboard. Shared by tests."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QCheckBox, QWidget

from tests.system.first_start import FirstStart

_MOST_STOPS = 80


class Guest(FirstStart):
    """Somebody who has only a keyboard."""

    def key(
        self, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
    ) -> None:
        """As the system does: to the window, which knows where its keyboard is."""
        QTest.keyClick(self.window.windowHandle(), key, modifiers)

    def walk_to(self, is_there: Callable[[QWidget], bool]) -> None:
        """Tab on until the keyboard is somewhere."""
        for _ in range(_MOST_STOPS):
            focused = QApplication.focusWidget()
            if focused is not None and is_there(focused):
                return
            self.key(Qt.Key.Key_Tab)
        raise AssertionError("nowhere the Tab key leads to")

    def walk_to_button(self, words: str) -> None:
        self.walk_to(lambda each: isinstance(each, QAbstractButton) and each.text() == words)

    def agree(self, *, clears: bool = False) -> None:
        """Install what is put to them, aware that it is not signed; without what it needs, if that is cleared."""
        self.wait_to_see(self.says("review.install"))
        if clears:
            self.walk_to(lambda each: isinstance(each, QCheckBox) and each.isChecked())
            self.key(Qt.Key.Key_Space)
        self.walk_to_button(self.says("review.accept"))
        self.key(Qt.Key.Key_Space)
        self.walk_to_button(self.says("review.install"))
        self.key(Qt.Key.Key_Return)
