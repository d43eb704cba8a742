"""A real engine without a screen. Its flags and scheme must be in place before the first application object."""

import asyncio
import json
import os
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import pytest
import qasync
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
if hasattr(os, "geteuid") and os.geteuid() == 0:
    # Chromium refuses its own sandbox as root; the security suite runs again as an ordinary user.
    os.environ.setdefault("QTWEBENGINE_DISABLE_SANDBOX", "1")

from lime_desktop.host.bridge.limits import BridgeLimits, relay_rate_limit_of
from lime_desktop.host.proxy.access import ProxyAccess
from lime_desktop.host.web_content.ui_bundle import UiBundle, host_files
from lime_desktop.policy.domain_grants import DomainGrants
from lime_desktop.protocol.ids import AppId
from lime_desktop.shell.app_view.engine import prepare_engine
from lime_desktop.shell.app_view.profile import AppProfiles
from lime_desktop.shell.app_view.view import AppView, ViewOf
from lime_desktop.shell.startup.first_frame import apply_fonts
from tests.shell.open_desktop import OpenDesktop, Shown

prepare_engine()

WAIT_MS = 45_000
"""Never the length of a test: only the bound after which a busy machine is given up."""
RESOURCES = Path(__file__).parents[2] / "resources"


Finish: TypeAlias = Callable[[Coroutine[Any, Any, object]], None]


class Files:
    """The files of a bundle, in memory."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = files

    def read(self, path: str) -> bytes:
        return self.files[path]


class ShownApp:
    """An app in a real view, and everything that came out of it."""

    def __init__(self, view: AppView, qtbot: QtBot) -> None:
        self.view = view
        self.received: list[str] = []
        self.oversized: list[tuple[str, int]] = []
        self.flooded: list[int] = []
        self.refused: list[tuple[str, str]] = []
        self.console: list[str] = []
        self.ended: list[tuple[int, int]] = []
        self.missed: list[str] = []
        self._is_closed = False
        self._qtbot = qtbot
        view.missed.connect(self.missed.append)
        view.received.connect(self.received.append)
        view.oversized.connect(self._keep_oversized)
        view.flooded.connect(self.flooded.append)
        view.refused.connect(self._keep_refused)
        view.console.connect(self._keep_console)
        view.renderer_ended.connect(self._keep_ended)

    def _keep_oversized(self, request_id: str, length: int) -> None:
        self.oversized.append((request_id, length))

    def _keep_refused(self, guard: str, address: str) -> None:
        self.refused.append((guard, address))

    def _keep_console(self, _level: int, message: str, _line: int, _source: str) -> None:
        self.console.append(message)

    def _keep_ended(self, status: int, code: int) -> None:
        self.ended.append((status, code))

    def close(self) -> None:
        """Let go of the page and its profile, and wait until they are gone."""
        if self._is_closed:
            return
        self._is_closed = True
        with self._qtbot.waitSignal(self.view.page().destroyed, timeout=WAIT_MS):
            self.view.shut()
        self.view.close()
        self.view.deleteLater()

    def waits_for_load(self) -> AbstractContextManager[object]:
        """What is done inside makes the page load, or try to; wait until that is over."""
        return self._qtbot.waitSignal(self.view.page().loadFinished, timeout=WAIT_MS)

    def wait(self, condition: Callable[[], bool]) -> None:
        """Wait until something is so, bounded."""
        self._qtbot.waitUntil(condition, timeout=WAIT_MS)

    def say(self, count: int = 1) -> Any:
        """What the app said last, once it has said so many things."""
        return json.loads(self.hear(count)[count - 1])

    def hear(self, count: int = 1) -> list[str]:
        """Wait until the app has said so many things."""
        self.wait(lambda: len(self.received) >= count)
        return self.received


class ShowApp(Protocol):
    """Opens an app made of a few files in a view of its own."""

    def __call__(
        self,
        files: Mapping[str, str | bytes],
        app_id: str = "demo",
        route: str = "/",
        domains: Iterable[str] = (),
        limits: BridgeLimits | None = None,
    ) -> ShownApp: ...


@pytest.fixture(scope="session")
def qapp(qapp: QApplication) -> QApplication:
    """The application with the fonts that the program gives it: a screen takes as much room here as anywhere."""
    apply_fonts(qapp, RESOURCES)
    return qapp


@pytest.fixture
def loop(qapp: QApplication) -> Iterator[asyncio.AbstractEventLoop]:
    """Run asyncio on Qt's own loop, as the program does; pytest-qt turns that loop while it waits."""
    loop = qasync.QEventLoop(qapp)
    # Not `already_running`: ending that would make Qt refuse every later loop of this process.
    asyncio._set_running_loop(loop)
    yield loop
    # What a test cancelled by closing its window must get to its end, or it ends as a warning in another test.
    for task in asyncio.all_tasks(loop):
        task.cancel()
    while asyncio.all_tasks(loop):
        qapp.processEvents()
    # And so must whoever waits for its end: a task's callbacks come a turn after it.
    turned: list[int] = []
    loop.call_soon(turned.append, 1)  # pyright: ignore[reportUnknownMemberType] - qasync has no types
    while not turned:
        qapp.processEvents()
    asyncio._set_running_loop(None)
    loop.close()


@pytest.fixture
def proxy_access() -> ProxyAccess:
    """Which apps the proxy knows; a test that wants the network starts a proxy over it."""
    return ProxyAccess()


@pytest.fixture
def finish(qtbot: QtBot, loop: asyncio.AbstractEventLoop) -> Finish:
    """Run a coroutine to its end while Qt's loop turns.

    Not `run_until_complete`: that ends Qt's own loop from inside, which now and then takes the process with it.
    """

    def run_to_end(work: Coroutine[Any, Any, object]) -> None:
        task = loop.create_task(work)
        qtbot.waitUntil(task.done, timeout=WAIT_MS * 2)
        task.result()

    return run_to_end


OpenApp: TypeAlias = Callable[[Shown], OpenDesktop]


@pytest.fixture
def open_app(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[OpenApp]:
    """Open a desktop with one app in it, closed with the test."""
    opened: list[OpenDesktop] = []

    def open_with(shown: Shown) -> OpenDesktop:
        opened.append(OpenDesktop(tmp_path / "data", qtbot, loop, shown))
        return opened[-1]

    yield open_with
    for each in opened:
        each.close()


@pytest.fixture
def show_app(qtbot: QtBot, tmp_path: Path, proxy_access: ProxyAccess) -> Iterator[ShowApp]:
    """Open an app made of a few files in a view of its own."""
    shown: list[ShownApp] = []
    profiles = AppProfiles(tmp_path / "views", proxy_access)

    def show(
        files: Mapping[str, str | bytes],
        app_id: str = "demo",
        route: str = "/",
        domains: Iterable[str] = (),
        limits: BridgeLimits | None = None,
    ) -> ShownApp:
        contents = {
            name: text.encode() if isinstance(text, str) else text for name, text in files.items()
        }
        bundle = UiBundle(
            Files({f"dist/ui/{name}": content for name, content in contents.items()}),
            "dist/ui",
            host_files(RESOURCES),
            DomainGrants.of(domains),
        )
        relay = (RESOURCES / "view/relay.js").read_text()
        rate_limit = relay_rate_limit_of(AppId(app_id), limits)
        view = AppView(ViewOf(app_id, "Demo", route, relay, rate_limit), profiles, bundle)
        shown.append(ShownApp(view, qtbot))
        view.resize(640, 480)
        view.show()
        view.load()
        return shown[-1]

    yield show
    for each in shown:
        each.close()
