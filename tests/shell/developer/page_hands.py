"""A person's hands on a page: real clicks and keys, by the engine's own way. Shared by tests."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.shell.open_desktop import OpenDesktop

WAIT_MS = 60_000


class PageHands:
    """Does to a page what a person does."""

    def __init__(self, desktop: OpenDesktop, qtbot: QtBot) -> None:
        self._desktop = desktop
        self._qtbot = qtbot

    def wait_until(self, expression: str) -> None:
        """Wait until something holds in the page."""
        self._qtbot.waitUntil(lambda: self._desktop.run(expression) is True, timeout=WAIT_MS)

    def click(self, element: str) -> None:
        """Click the middle of an element that can be clicked."""
        found = f"d?.getElementById('{element}')"
        self.wait_until(f"{found} != null && !{found}.disabled")
        middle = f"const r = {found}.getBoundingClientRect(); `${{r.x + r.width / 2}} ${{r.y + r.height / 2}}`"
        across, down = str(self._desktop.run(middle)).split()
        point = QPoint(int(float(across)), int(float(down)))
        QTest.mouseClick(self._surface(), Qt.MouseButton.LeftButton, pos=point)

    def type_into(self, element: str, text: str) -> None:
        """Click into a field, again where the page moved under the mouse, and type."""
        has_keyboard = f"d?.activeElement?.id === '{element}'"

        def try_to_focus() -> bool:
            self.click(element)
            return self._desktop.run(has_keyboard) is True

        self._qtbot.waitUntil(try_to_focus, timeout=WAIT_MS)
        QTest.keyClicks(self._surface(), text)

    def press(self, key: Qt.Key) -> None:
        """Press one key."""
        QTest.keyClick(self._surface(), key)

    def _surface(self) -> QWidget:
        found = self._desktop.tab.view.web_view.focusProxy()
        assert found is not None
        return found
