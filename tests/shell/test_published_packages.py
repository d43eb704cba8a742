"""Packages of the shapes that others publish are installed in the window, and each of their entries opens or says what it lacks.

Ours: whoever has an app of another host must learn here, in their own language, what works and how to get the rest. The
packages are made for this test; their manifests use what published ones use: old versions, words of other hosts, files that
are not there, workflows in tables and drawings, a bundle without a page.
"""

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QCheckBox, QLabel, QWidget
from pytestqt.qtbot import QtBot

from lime_desktop.host.app_center.opening import open_center
from lime_desktop.host.app_server_client.connection import AppServerConnection
from lime_desktop.host.app_server_client.sidecar import Sidecar, app_server_command
from lime_desktop.host.app_server_client.supervisor import AppServerSupervisor, Running
from lime_desktop.host.apps.registration import AppRegistration
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.shell.window.app_tab.app_tab import AppTab
from tests.shell.app_center.person import Person
from tests.shell.conftest import WAIT_MS
from tests.shell.stage import Stage, set_stage

pytestmark = pytest.mark.system

PACKAGES = Path(__file__).parent / "packages/published"
LANGUAGES = ("light", "chinese")
_INTERNAL = re.compile(r"\b[A-Z]+(?:_[A-Z0-9]+)+\b|stdio-jsonrpc|Traceback|\{\w+\}")
"""What says nothing to a person: codes, protocols, holes in sentences."""


class Newcomer(Person):
    """Somebody in front of a window with a server of its own, who reads it in one language."""

    def __init__(self, stage: Stage, qtbot: QtBot, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(qtbot, loop)
        self.stage = stage

    def widget(self) -> QWidget:
        return self.stage.window

    def say(self, key: str) -> str:
        return self.stage.services.look.texts(key)

    def install(self, package: Path) -> RegisteredApp:
        """Install it as a person does: read, accept that nobody signed it, agree."""
        self.stage.window.install_package(package)
        self.wait_to_see(self.say("review.accept"))
        boxes = self.widget().findChildren(QCheckBox)
        [accept] = [each for each in boxes if self.say("review.accept") in each.text()]
        accept.setChecked(True)
        self.press(self.say("review.install"))
        self.wait_to_see(self.say("manage.title"))
        return self.app(package.name)

    def app(self, name: str) -> RegisteredApp:
        found = self.stage.services.registry.app(name)
        assert found is not None
        assert found.installed is not None
        return found

    def page(self, name: str, entry_key: str) -> AppTab:
        """Open a page of an app, and wait until it has said hello to its host."""
        self.stage.window.open_entry(name, entry_key)
        self.until(lambda: isinstance(self.stage.window.workspace.current, AppTab))
        tab = self.stage.window.workspace.current
        assert isinstance(tab, AppTab)
        self.until(lambda: self.run(tab, "d?.getElementById('state')?.textContent") == "ready")
        return tab

    def run(self, tab: AppTab, expression: str) -> object:
        answers: list[object] = []
        script = f"{{ const d = document.querySelector('iframe')?.contentDocument; {expression} }}"
        tab._view.page().runJavaScript(script, 0, answers.append)
        self.until(lambda: bool(answers))
        return answers[0]

    def words(self) -> list[str]:
        labels = self.widget().findChildren(QLabel)
        return [each.text() for each in labels if each.isVisible() and each.text()]


@pytest.fixture(params=LANGUAGES)
def newcomer(
    request: pytest.FixtureRequest, tmp_path: Path, qtbot: QtBot, loop: asyncio.AbstractEventLoop
) -> Iterator[Newcomer]:
    command = app_server_command(tmp_path / "app-server")

    async def prepare(connection: AppServerConnection) -> None:
        await registration.introduce(connection)

    server = AppServerSupervisor(lambda: Sidecar.start(command), prepare=prepare)
    stage = set_stage(tmp_path, request.param, server)
    services = stage.services
    registration = AppRegistration(services.registry, services.setup.was_registered)
    server.start()
    qtbot.waitUntil(lambda: isinstance(server.state, Running), timeout=WAIT_MS)
    made = Newcomer(stage, qtbot, loop)
    center = made.wait(open_center(tmp_path, server.call))
    services.brand.follow(center)
    made.wait(services.registry.follow(center))
    yield made
    stage.window.shut()
    made.wait(services.setup.close())
    made.wait(server.stop())
    made.wait(services.registry.close())
    made.wait(center.close())
    stage.window.deleteLater()


LACKS = {
    "story-works": {
        "light": (
            "Choose knowledge: house facts",
            "Add the skill source-reader",
            "Lime Desktop can't run the app's service “press worker”: programs of its kind can't be started here.",
            "“plan table” needs a connection that the package does not describe: it has no OpenAPI document for it.",
            "The package declares ui but does not contain it: ./dist/ui/index.html",
            "Ask the publisher for a complete package",
        ),
        "chinese": (
            "选择知识来源：house facts",
            "此版本的 Lime Desktop 无法运行应用服务“press worker”：这里无法启动此类程序。",
            "“plan table”需要的连接在应用包中没有说明：缺少它的 OpenAPI 文档。",
            "向发布者索取带有连接说明的版本",
            "向发布者索取完整的应用包",
        ),
    },
    "help-replies": {
        "light": (
            "Choose knowledge: house facts",
            "Choose knowledge: promises",
            "The app's quality check “keeps promises” can't be run: the package does not say what is checked.",
            "Ask the publisher for a version that says what is checked",
        ),
        "chinese": (
            "应用的质量检查“keeps promises”无法运行：应用包没有说明检查内容。",
            "向发布者索取说明了检查内容的版本",
        ),
    },
    "draft-room": {
        "light": (
            "“records” needs a connection that the package does not describe: it has no OpenAPI document for it.",
            "Ask the publisher for a version that describes the connection",
            "Ask the publisher for a complete package",
        ),
        "chinese": (
            "“records”需要的连接在应用包中没有说明：缺少它的 OpenAPI 文档。",
            "向发布者索取带有连接说明的版本",
            "向发布者索取完整的应用包",
        ),
    },
}


@pytest.mark.parametrize("name", LACKS)
def test_an_entry_that_cannot_open_says_what_it_lacks_and_how_to_get_it(
    newcomer: Newcomer, name: str, request: pytest.FixtureRequest
) -> None:
    app = newcomer.install(PACKAGES / name)
    language = request.node.callspec.params["newcomer"]
    for entry in app.projection.entries:
        newcomer.stage.window.show_home()
        newcomer.stage.window.open_entry(name, entry.key)
        newcomer.wait_to_see(newcomer.say("fix.title"))
        shown = "\n".join(newcomer.words())
        assert [words for words in LACKS[name][language] if words not in shown] == []
        assert newcomer.stage.window.workspace.open_at(name, entry.key) is None
        told_to_authors = {each.code for each in app.package.problems}
        internal = [each for each in newcomer.words() if _INTERNAL.search(each)]
        assert [each for each in internal if each not in told_to_authors] == []
        lacking = [each for each in app.readiness.checks if each.blocking]
        assert [each.key for each in lacking if each.message not in shown] == []


def test_every_page_of_an_app_in_words_of_another_host_works(newcomer: Newcomer) -> None:
    """Its status and kind are no words of the standard, its steps are texts, and its own server is not here."""
    newcomer.install(PACKAGES / "launch-pad")
    assert newcomer.sees("Run trial")
    for key, route in (("dashboard", "/dashboard"), ("cli_start", "/cli")):
        tab = newcomer.page("launch-pad", key)
        assert newcomer.run(tab, "d.getElementById('place').textContent") == route


def test_what_such_a_page_cannot_have_it_hears_in_plain_words(newcomer: Newcomer) -> None:
    newcomer.install(PACKAGES / "launch-pad")
    tab = newcomer.page("launch-pad", "dashboard")
    state = "d.getElementById('state').textContent"
    newcomer.run(tab, "d.getElementById('trial').click()")
    newcomer.until(lambda: newcomer.run(tab, state) == "no service")
    newcomer.run(tab, "d.getElementById('sign-in').click()")
    newcomer.until(lambda: str(newcomer.run(tab, state)).startswith("refused: "))
    assert not _INTERNAL.search(str(newcomer.run(tab, state)))
