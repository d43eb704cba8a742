"""Real keys in the real page of an app. Shared by tests."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from tests.shell.open_desktop import OpenDesktop


class Typist:
    """Somebody who has only a keyboard."""

    def __init__(self, desktop: OpenDesktop, qtbot: QtBot) -> None:
        self.desktop = desktop
        self._qtbot = qtbot
        desktop.tab.activateWindow()
        view = desktop.tab.view.web_view
        QTest.mouseClick(view.focusProxy() or view, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: self._has_keyboard, timeout=30_000)

    @property
    def _has_keyboard(self) -> bool:
        return QApplication.focusWidget() is not None and bool(self.desktop.run("d.hasFocus()"))

    @property
    def _focused(self) -> QWidget:
        found = QApplication.focusWidget()
        assert found is not None
        return found

    def type(self, text: str) -> None:
        """Each letter to whatever has the keyboard by then."""
        for key in text:
            if key == "\n":
                self.press(Qt.Key.Key_Return)
            else:
                QTest.keyClicks(self._focused, key)

    def press(
        self, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
    ) -> None:
        QTest.keyClick(self._focused, key, modifiers)

    def is_at(self, element: str) -> None:
        """The keyboard is at an element of the page."""
        self._qtbot.waitUntil(
            lambda: self.desktop.run("d.activeElement.id") == element, timeout=30_000
        )

    def waits_for(self, expression: str, value: object) -> None:
        self._qtbot.waitUntil(lambda: self.desktop.run(expression) == value, timeout=30_000)
