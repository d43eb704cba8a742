"""Somebody at the whole program: real window, real web engine, real sidecar. They go by the names of things alone."""

import asyncio
import json
import os
import signal
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QDialogButtonBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QRadioButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from lime_desktop.host.app_server_client.sidecar import Sidecar, app_server_command
from lime_desktop.product import LIME, read_product
from lime_desktop.shell.startup.desktop_app import DesktopApp
from lime_desktop.shell.widgets.resource_folders import Folders
from lime_desktop.shell.window.app_tab.app_tab import AppTab

ROOT = Path(__file__).parents[2]
LONGEST_MS = 90_000
"""Less than a test may take: what pytest raises inside Qt's loop is lost, and the loop would turn for ever."""

T = TypeVar("T")

# The innermost thing of the page that has a name, as somebody who cannot see it would hear it.
_NAMED = """
const named = (name) => [...d.querySelectorAll('button, input, textarea, a')].filter(
  (each) => each.checkVisibility() && !each.disabled &&
    (each.getAttribute('aria-label') || each.textContent.trim()) === name).at(-1);
"""


class FirstStart:
    """A desktop on an empty folder, from its first frame to its end."""

    def __init__(
        self,
        folder: Path,
        scripts: Path,
        qtbot: QtBot,
        loop: asyncio.AbstractEventLoop,
        product: Path | None = None,
    ) -> None:
        """`product` is the folder of one that an app was made into."""
        self._qtbot = qtbot
        self._loop = loop
        self._scripts = scripts
        self._sidecars: list[Sidecar] = []
        self.data = folder / "data"
        folders = Folders(
            ROOT / "resources",
            self.data,
            folder / "settings.json",
            LIME if product is None else read_product(product),
            product,
        )
        self.desk = DesktopApp(folders, ROOT / "sample_apps", start_server=self._start_server)
        self.window = self.desk.window
        self.window.show()
        self.desk.fill("")
        self.wait(self.desk.open())

    def close(self) -> None:
        self.window.leave()
        self.wait(self.desk.close())
        self.window.deleteLater()

    def kill_app_server(self) -> None:
        """End the App Server as a crash would."""
        os.kill(self._sidecars[-1].pid, signal.SIGKILL)

    # The window.

    def says(self, key: str, **values: object) -> str:
        """The host's words in the language of now."""
        return self.desk.services.look.texts(key, **values)

    def sees(self, words: str) -> bool:
        shown = [*self.window.findChildren(QLabel), *self.window.findChildren(QAbstractButton)]
        return any(words in each.text() for each in shown if each.isVisible())

    def wait_to_see(self, words: str) -> None:
        self.until(lambda: self.sees(words))

    def press(self, name: str, role: type[QAbstractButton] = QAbstractButton) -> None:
        """Click the thing of this name, once it is there and takes clicks; what it is about may follow a colon."""
        self.until(lambda: bool(self._buttons(name, role)))
        self._click(self._buttons(name, role)[-1])

    def _buttons(
        self, name: str, role: type[QAbstractButton] = QAbstractButton
    ) -> list[QAbstractButton]:
        """Of this window alone: another test may have left one behind."""
        return [each for each in self.window.findChildren(role) if _is_named(each, name)]

    def _click(self, found: QAbstractButton) -> None:
        QTest.mouseClick(found, Qt.MouseButton.LeftButton, pos=_click_point(found))

    def save_dialog_at(self, path: Path) -> None:
        """Type where a file goes, and agree."""
        self.until(lambda: any(map(QWidget.isVisible, self.window.findChildren(QFileDialog))))
        [dialog] = self.window.findChildren(QFileDialog)
        name, buttons = dialog.findChild(QLineEdit), dialog.findChild(QDialogButtonBox)
        assert isinstance(name, QLineEdit)
        assert isinstance(buttons, QDialogButtonBox)
        name.setText(str(path))
        QTest.mouseClick(buttons.buttons()[0], Qt.MouseButton.LeftButton)
        self.until(path.exists)

    # The app's page.

    def page_press(self, name: str) -> None:
        """Click the thing of this name in the page with a real mouse."""
        place: list[int] = []

        def look() -> bool:
            found = self._run(
                f"{_NAMED} const it = named({json.dumps(name)}); it?.scrollIntoView({{block: 'nearest'}});"
                "const r = it?.getBoundingClientRect(); r ? `${r.x + r.width / 2} ${r.y + r.height / 2}` : ''"
            )
            place[:] = [int(float(each)) for each in str(found).split()]
            return bool(place)

        self.until(look)
        engine = self._tab()._view.findChild(QWebEngineView)
        assert isinstance(engine, QWebEngineView)
        target = engine.focusProxy()
        assert target is not None
        QTest.mouseClick(target, Qt.MouseButton.LeftButton, pos=QPoint(*place))

    def page_type(self, name: str, text: str) -> None:
        """Type into the field of this name."""
        self.page_press(name)
        self.until(
            lambda: self._run(f"{_NAMED} named({json.dumps(name)}) === d.activeElement") is True
        )
        self._run(
            f"d.execCommand('selectAll'); d.execCommand('insertText', false, {json.dumps(text)})"
        )

    def page_sees(self, words: str) -> None:
        self.until(lambda: self._run(f"d.body.innerText.includes({json.dumps(words)})") is True)

    def page_field(self, name: str) -> object:
        """What stands in a field."""
        return self._run(f"{_NAMED} named({json.dumps(name)})?.value ?? null")

    # Time.

    def until(self, condition: Callable[[], bool]) -> None:
        self._qtbot.waitUntil(condition, timeout=LONGEST_MS)

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """Wait for something on Qt's own loop."""
        task = self._loop.create_task(work)
        self.until(task.done)
        return task.result()

    async def _start_server(self) -> Sidecar:
        command = app_server_command(self.data / "app-server")
        sidecar = await Sidecar.start((*command, "--test-scripts", str(self._scripts)))
        self._sidecars.append(sidecar)
        return sidecar

    def _tab(self) -> AppTab:
        surface = self.window.workspace.current
        assert isinstance(surface, AppTab)
        # What is asked of a page that is still loading is never answered.
        self.until(lambda: surface.session.is_ready)
        return surface

    def _run(self, expression: str) -> object:
        answers: list[object] = []
        script = f"{{ const d = document.querySelector('iframe').contentDocument; {expression} }}"
        self._tab()._view.page().runJavaScript(script, 0, answers.append)
        self.until(lambda: bool(answers))
        return answers[0]


def _is_named(widget: QAbstractButton, name: str) -> bool:
    if not widget.isVisible() or not widget.isEnabled():
        return False
    spoken = QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)
    return spoken == name or spoken.startswith(f"{name}: ")


def _click_point(widget: QAbstractButton) -> QPoint:
    """The mark of a box, which is all of it that takes a click everywhere; the middle of anything else."""
    is_box = isinstance(widget, QCheckBox | QRadioButton)
    return QPoint(10, widget.height() // 2) if is_box else widget.rect().center()
