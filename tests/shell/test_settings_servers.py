"""Tool servers and model providers from the settings, with a real App Server behind them."""

import asyncio
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QComboBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from lime_desktop.host.app_server_client.sidecar import Sidecar, app_server_command
from lime_desktop.host.app_server_client.supervisor import AppServerSupervisor, Running
from lime_desktop.host.user_profile.settings import HostSettings
from lime_desktop.protocol.calls.model_providers import LIST_PROVIDERS, ListProvidersParams
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.wire import Method, WireModel
from lime_desktop.shell.notices.notices import Notices
from lime_desktop.shell.notices.undo import Removals
from lime_desktop.shell.settings import models, providers, tools
from lime_desktop.shell.settings.section import EngineFacts, SectionContext
from lime_desktop.shell.startup.composition import Composition
from lime_desktop.shell.widgets.resource_folders import Folders
from lime_desktop.shell.widgets.work import Work
from tests.app_server.model_server import ModelServer, model_list
from tests.app_server.tools.mcp.conftest import command_of
from tests.shell.services import for_settings

ROOT = Path(__file__).parents[2]
WAIT_MS = 90_000

pytestmark = pytest.mark.system


class Settings:
    """One section, shown."""

    def __init__(self, folder: Path, qtbot: QtBot, loop: asyncio.AbstractEventLoop) -> None:
        self._qtbot = qtbot
        self._loop = loop
        self.said: list[str] = []
        self.failed: list[AppError] = []
        self.server = AppServerSupervisor(
            lambda: Sidecar.start(app_server_command(folder / "app-server"))
        )
        self._services = Composition(
            Folders(ROOT / "resources", folder, folder / "settings.json"), HostSettings(locale="en")
        )
        self.holder = QWidget()
        self.notices = Notices(self._services.look, self._services.folders, self._services.registry)
        self.notices.float_over(self.holder)
        self.removals = Removals(self.holder, self.notices)
        self.server.start()
        self.wait(lambda: isinstance(self.server.state, Running))

    def show(self, build: Callable[[SectionContext], QWidget]) -> None:
        context = SectionContext(
            self._services.look,
            for_settings(self._services),
            EngineFacts(lambda: ("", "")),
            self.server.call,
            Work(self.holder, self.failed.append),
            lambda words, _level: self.said.append(words),
            lambda _app_id: None,
            lambda _app_id: None,
            self.notices.offer_undo,
            self.removals,
            QScrollArea(self.holder),
        )
        made = build(context)
        made.setParent(self.holder)
        self.holder.show()
        made.show()

    def kept(self, method: Method[Any, Any], params: WireModel) -> Any:
        """What the App Server has on record."""
        asking = asyncio.ensure_future(self.server.call(method, params), loop=self._loop)
        self.wait(asking.done)
        return asking.result()

    def wait(self, condition: Callable[[], bool]) -> None:
        self._qtbot.waitUntil(condition, timeout=WAIT_MS)

    def sees(self, words: str) -> bool:
        labels = self.holder.findChildren(QLabel)
        return any(words in each.text() for each in labels if each.isVisible())

    def field(self, name: str) -> QLineEdit:
        [found] = [
            each for each in self.holder.findChildren(QLineEdit) if each.accessibleName() == name
        ]
        return found

    def type(self, name: str, text: str) -> None:
        self.field(name).setText(text)

    def enter(self, name: str) -> None:
        """Press Enter in a field: a form is sent from wherever one writes last."""
        QTest.keyClick(self.field(name), Qt.Key.Key_Return)

    def choose(self, name: str, words: str) -> None:
        [box] = [
            each for each in self.holder.findChildren(QComboBox) if each.accessibleName() == name
        ]
        box.setCurrentIndex(box.findText(words))
        assert box.currentText() == words
        box.activated.emit(box.currentIndex())

    def click(self, words: str) -> None:
        [found] = [
            each
            for each in self.holder.findChildren(QPushButton)
            if words in (each.text(), each.accessibleName()) and each.isVisible()
        ]
        QTest.mouseClick(found, Qt.MouseButton.LeftButton)

    def press_away(self) -> None:
        """Put the notice away: what it says can no longer be undone."""
        [closing] = [
            each
            for each in self.notices.findChildren(QToolButton)
            if each.accessibleName() == "Dismiss" and each.isVisible()
        ]
        QTest.mouseClick(closing, Qt.MouseButton.LeftButton)

    def close(self) -> None:
        ending = asyncio.ensure_future(self.server.stop(), loop=self._loop)
        self.wait(ending.done)
        self.holder.deleteLater()


@pytest.fixture
def settings(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Settings]:
    opened = Settings(tmp_path, qtbot, loop)
    yield opened
    opened.close()


def test_a_tool_server_is_added_tried_and_removed(settings: Settings) -> None:
    pytest.importorskip("mcp", reason="the mcp package is not installed")
    settings.show(tools.build)
    settings.wait(lambda: settings.sees("No tool servers yet"))
    settings.type("Name", "raw")
    settings.type("Program or address", shlex.join(command_of("raw_server.py")))
    settings.type("Secret name", "DESK_TOKEN")
    settings.type("Secret value", "planted-token-123456")
    settings.click("Add")
    settings.wait(lambda: settings.sees("Secret values: DESK_TOKEN"))
    assert "planted-token" not in "".join(
        each.text() for each in settings.holder.findChildren(QLineEdit)
    )
    settings.click("Test: raw")
    settings.wait(lambda: settings.sees("Running"))
    settings.click("Remove: raw")
    settings.wait(lambda: settings.sees("No tool servers yet"))
    settings.click("Undo")
    settings.wait(lambda: not settings.sees("No tool servers yet"))
    settings.click("Remove: raw")
    settings.wait(lambda: settings.sees("No tool servers yet"))
    settings.press_away()
    settings.wait(lambda: not settings.removals.is_removed("mcp-server/raw"))
    settings.wait(lambda: settings.sees("No tool servers yet"))
    assert settings.failed == []


def test_what_is_no_server_is_told_at_once(settings: Settings) -> None:
    settings.show(tools.build)
    settings.type("Name", "Not A Name")
    settings.click("Add")
    [said] = settings.said
    assert said.startswith("Enter a short lowercase name and a program or address")


def test_a_provider_is_added_with_its_key_and_removed(settings: Settings) -> None:
    settings.show(providers.build)
    settings.wait(lambda: settings.sees("No providers yet"))
    choice = settings.holder.findChild(QComboBox)
    assert choice is not None
    settings.wait(lambda: choice.count() > 0)
    # One on this machine: nothing of a test goes elsewhere.
    choice.setCurrentIndex(choice.findText("Ollama", Qt.MatchFlag.MatchContains))
    title = choice.currentText()
    assert "Ollama" in title
    settings.type("API key", "planted-key-123456")
    settings.click("Add and test")
    settings.wait(lambda: settings.sees(title) and bool(settings.said or settings.failed))
    told = " ".join(each.text() for each in settings.holder.findChildren(QLabel))
    assert "planted-key" not in told + " ".join(settings.said)
    settings.wait(lambda: settings.sees("This month"))
    settings.click(f"Remove: {title}")
    settings.wait(lambda: settings.sees("No providers yet"))
    settings.click("Undo")
    settings.wait(lambda: settings.sees(title))
    settings.click(f"Remove: {title}")
    settings.wait(lambda: settings.sees("No providers yet"))
    settings.press_away()
    settings.wait(lambda: not settings.removals.is_removed("provider/ollama"))
    settings.show(providers.build)
    settings.wait(lambda: settings.sees("No providers yet"))


def test_a_server_of_ones_own_is_added_limited_and_preferred(
    settings: Settings,
) -> None:
    """The issue: who has a model server picks it in settings; its limits and the way there are set there, too."""
    with ModelServer(otherwise=model_list("text-embedding-x", "first", "second")) as server:
        settings.show(providers.build)
        settings.wait(lambda: settings.sees("No providers yet"))
        settings.choose("Provider", "Other…")
        settings.type("Name", "My server")
        settings.type("Address", "http://models.example.com/v1")
        settings.click("Add and test")
        assert settings.said.pop().startswith("Enter a name and an https address")
        settings.type("Address", server.url)
        settings.enter("Address")
        settings.wait(lambda: settings.sees("first, second"))
        settings.click("More: My server")
        settings.wait(lambda: settings.sees("Monthly limit (USD)"))
        settings.type("Monthly limit (USD)", "much")
        settings.enter("Monthly limit (USD)")
        assert settings.said.pop() == "These values are not valid: Monthly limit (USD)"
        settings.type("Monthly limit (USD)", "12.5")
        settings.type("Proxy", f"http://127.0.0.1:{server.port}")
        settings.choose("Default model", "second")
        settings.click("Save")
        settings.wait(lambda: settings.sees("Limit: 12.5 USD"))
        settings.wait(lambda: settings.sees("second, first"))
        assert server.asked[-1].target.startswith("http://127.0.0.1"), "it went by the proxy"
        settings.show(models.build)
        settings.wait(lambda: settings.sees("Current model: second."))
        settings.choose("Preferred model or agent", "first · My server")
        settings.wait(lambda: settings.sees("Current model: first."))
    assert settings.failed == []


def test_a_provider_is_added_once_though_its_button_is_pressed_twice(settings: Settings) -> None:
    """A bug: the second press met the provider that the first had just made, and failed with APP_E905."""
    with ModelServer(otherwise=model_list("tiny")) as server:
        settings.show(providers.build)
        settings.wait(lambda: settings.sees("No providers yet"))
        settings.choose("Provider", "Other…")
        settings.type("Name", "Desk")
        settings.type("Address", server.url)
        settings.click("Add and test")
        settings.click("Add and test")
        settings.enter("Address")
        settings.wait(lambda: settings.sees("tiny"))
    settings.wait(lambda: bool(settings.said))
    assert settings.failed == []
    assert len(settings.said) == 1, "what had moved on to the empty form was not refused either"
    assert len(settings.kept(LIST_PROVIDERS, ListProvidersParams()).providers) == 1
