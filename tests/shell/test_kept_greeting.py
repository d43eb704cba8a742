"""Hello Lime as a person meets it: a real view, a real App Server, and a greeting that stays (the goal of the sample)."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from lime_desktop.host.app_server_client.sidecar import Sidecar, app_server_command
from lime_desktop.host.app_server_client.supervisor import AppServerSupervisor, Running
from lime_desktop.host.proxy.access import ProxyAccess
from lime_desktop.host.settings import HostSettings
from lime_desktop.shell.app_tab import AppTab
from lime_desktop.shell.app_view.profiles import AppProfiles
from lime_desktop.shell.surroundings import Folders, Surroundings

ROOT = Path(__file__).parents[2]
WAIT_MS = 60_000

pytestmark = pytest.mark.system


class OpenDesktop:
    """A desktop from its start to its end, with Hello Lime open in it."""

    def __init__(self, data: Path, qtbot: QtBot, loop: asyncio.AbstractEventLoop) -> None:
        self._qtbot = qtbot
        self._loop = loop
        folders = Folders(ROOT / "resources", data, data / "settings.json")
        self._around = Surroundings(folders, HostSettings(locale="en", theme_mode="light"))
        [self._app] = self._around.shelf.add([ROOT / "sample_apps/hello-lime"])
        self._around.shelf.grant(self._app.app_id, "keep-greeting")
        self.server = AppServerSupervisor(
            lambda: Sidecar.start(app_server_command(data / "app-server"))
        )
        self.tab = AppTab(
            self._around,
            self._app,
            "greeting",
            self.server.call,
            AppProfiles(folders.views, ProxyAccess()),
        )
        self.tab.resize(900, 640)
        self.tab.show()

    def start_server(self) -> None:
        self.server.start()
        self._wait(lambda: isinstance(self.server.state, Running))

    def close(self) -> None:
        with self._qtbot.waitSignal(self.tab._view.page().destroyed, timeout=WAIT_MS):
            self.tab.shut()
        self.tab.close()
        self.tab.deleteLater()
        self._finish(self.server.stop())

    def run(self, expression: str) -> object:
        # What is asked of a page that is still loading is never answered.
        self._wait(lambda: self.tab.session.is_ready)
        answers: list[object] = []
        script = f"{{ const d = document.querySelector('iframe')?.contentDocument; {expression} }}"
        self.tab._view.page().runJavaScript(script, 0, answers.append)
        self._wait(lambda: bool(answers))
        return answers[0]

    def sees(self, element: str, text: str) -> None:
        shown = f"d?.getElementById('{element}')?.textContent.includes({json.dumps(text)})"
        self._wait(lambda: self.run(shown) is True)

    def save(self, greeting: str) -> None:
        self._wait(lambda: self.run("d?.getElementById('text')?.disabled === false") is True)
        typed = json.dumps(greeting)
        self.run(
            f"d.getElementById('text').value = {typed}; d.getElementById('form').requestSubmit()"
        )

    def _wait(self, condition: Callable[[], bool]) -> None:
        self._qtbot.waitUntil(condition, timeout=WAIT_MS)

    def _finish(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work, loop=self._loop)
        self._wait(task.done)
        task.result()


OpenAgain = Callable[[], OpenDesktop]


@pytest.fixture
def open_desktop(
    qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop
) -> Iterator[OpenAgain]:
    opened: list[OpenDesktop] = []

    def open_again() -> OpenDesktop:
        if opened:
            opened.pop().close()
        opened.append(OpenDesktop(tmp_path, qtbot, loop))
        return opened[-1]

    yield open_again
    opened.pop().close()


def test_a_greeting_is_still_there_when_everything_was_closed(open_desktop: OpenAgain) -> None:
    desktop = open_desktop()
    desktop.start_server()
    desktop.tab.reload()
    desktop.save("Bonjour, 你好")
    desktop.sees("status", "Saved")
    desktop = open_desktop()
    desktop.start_server()
    desktop.tab.reload()
    desktop.sees("greeting", "Bonjour, 你好")


def test_without_an_app_server_the_page_says_so_and_offers_to_try_again(
    open_desktop: OpenAgain,
) -> None:
    desktop = open_desktop()
    desktop.sees("problem-code", "capability_unavailable")
    desktop.start_server()
    desktop.run("d.getElementById('retry').click()")
    desktop.save("Hi")
    desktop.sees("status", "Saved")
