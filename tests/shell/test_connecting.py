"""*Connect* on an app's page, pressed: the browser is asked for, signed in with, and the step is gone without a restart (the issue)."""

import asyncio
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget
from pytestqt.qtbot import QtBot

from lime_desktop.app_server.secrets.keyring_place import SWITCH
from lime_desktop.host.app_server_client.connection import AppServerConnection
from lime_desktop.host.app_server_client.sidecar import Sidecar, app_server_command
from lime_desktop.host.app_server_client.supervisor import AppServerSupervisor
from lime_desktop.host.apps.app_access import read_given
from lime_desktop.host.apps.registration import AppRegistration
from lime_desktop.protocol.calls.approvals import GivenThing
from lime_desktop.shell.dialogs.question_dialog import QuestionDialog
from tests.app_server.tools.carried import a_site
from tests.conformance.packages import app_md, write_package
from tests.host.view.test_sign_in import ACCESS, DOCUMENT, HOST, MANIFEST, REFRESH, System, browse
from tests.security.planted import traces_below, traces_in
from tests.shell.conftest import WAIT_MS, Finish
from tests.shell.stage import Stage, set_stage

pytestmark = pytest.mark.system

NEEDED = MANIFEST.replace("role: contacts,", "role: contacts, required: true,")
STEP = "connectors/crm"


class Browser(QObject):
    """Stands where the system's browser would: goes where it is sent, and comes back with what it is told to."""

    def __init__(self, system: System) -> None:
        super().__init__()
        self._system = system
        self.answer = {"code": "good"}
        self.visits: list[asyncio.Task[int]] = []

    @Slot(QUrl)
    def open(self, url: QUrl) -> None:
        shown = url.toString(QUrl.ComponentFormattingOption.FullyEncoded)
        self.visits.append(asyncio.ensure_future(browse(self._system, shown, **self.answer)))


class Desk:
    """A window with one app that wants a sign-in, and the system that it is for."""

    def __init__(self, stage: Stage, qtbot: QtBot, browser: Browser, folder: Path) -> None:
        self.stage = stage
        self.browser = browser
        self.folder = folder
        self._qtbot = qtbot

    @property
    def steps(self) -> list[str]:
        [app] = self.stage.services.registry.apps
        return [each.target for each in app.readiness.setup_actions]

    @property
    def keyring(self) -> str:
        file = self.folder / "keyring.json"
        return file.read_text() if file.exists() else ""

    def until(self, condition: Callable[[], bool]) -> None:
        self._qtbot.waitUntil(condition, timeout=WAIT_MS)

    def sees(self, words: str) -> bool:
        labels = self.stage.window.findChildren(QLabel)
        return any(words in each.text() for each in labels if each.isVisible())

    def press(self, within: QWidget, words: str) -> None:
        """Press a button by its key, once it is there."""
        self.until(lambda: bool(_pressable(within, words)))
        found = _pressable(within, words)[0]
        found.setFocus()
        QTest.keyClick(found, Qt.Key.Key_Space)

    def connect(self) -> None:
        """Press the step on the app's page, and agree that the browser opens."""
        self.begin()
        self.until(lambda: bool(self.browser.visits) and self.browser.visits[-1].done())
        assert self.browser.visits[-1].result() == 200

    def begin(self, answer: str = "link.open") -> None:
        """Press the step, and the answer to whether the browser shall open."""
        texts = self.stage.services.look.texts
        self.stage.window.show_details("notes")
        self.press(self.stage.window, texts("fix.connect").rstrip("…"))
        self.until(lambda: bool(self._questions()))
        self.press(self._questions()[0], texts(answer))
        self.until(lambda: not self._questions())

    def _questions(self) -> list[QuestionDialog]:
        found = self.stage.window.findChildren(QuestionDialog)
        return [each for each in found if each.isVisible()]


def _pressable(within: QWidget, words: str) -> list[QAbstractButton]:
    found = within.findChildren(QAbstractButton)
    ready = [each for each in found if each.isVisible() and each.isEnabled()]
    # *Don't open* holds the word for *Open* in some languages.
    exact = [each for each in ready if words == each.text()]
    return exact or [each for each in ready if words in each.text()]


@pytest.fixture
def desk(
    request: pytest.FixtureRequest,
    qtbot: QtBot,
    tmp_path: Path,
    loop: asyncio.AbstractEventLoop,
    finish: Finish,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Desk]:
    del loop
    # The server finds a keyring, and it is the test's own: see keyring_server.
    monkeypatch.delenv(SWITCH, raising=False)
    stack, made = AsyncExitStack(), list[Desk]()
    manifest = getattr(request, "param", NEEDED)
    files = {"APP.md": app_md(manifest), "crm.json": json.dumps(DOCUMENT)}
    package = write_package(tmp_path / "package", files)
    words = app_server_command(tmp_path / "data")
    begin = (sys.executable, "-m", "tests.shell.keyring_server", str(tmp_path / "keyring.json"))
    command = (*begin, *words[words.index("app-server") :])

    async def open_desk() -> None:
        system = await stack.enter_async_context(a_site({}, System))
        assert isinstance(system, System)
        system.bodies, system.addresses = [], {HOST: ["127.0.0.1"]}
        prepared = asyncio.Event()

        async def prepare(connection: AppServerConnection) -> None:
            services = stage.services
            told = AppRegistration(services.registry, network=system.agents())
            await told.introduce(connection)
            await services.setup.read(connection.call, "notes")
            prepared.set()

        server = AppServerSupervisor(lambda: Sidecar.start(command), prepare=prepare)
        stage = set_stage(tmp_path / "window", "light", server)
        qtbot.addWidget(stage.window)
        stage.services.registry.add([package])
        stage.services.registry.grant("notes", "web")
        server.start()
        await prepared.wait()
        made.append(Desk(stage, qtbot, Browser(system), tmp_path))

    finish(open_desk())
    QDesktopServices.setUrlHandler("https", made[0].browser, "open")  # pyright: ignore[reportCallIssue, reportArgumentType] - Qt's stub wants bytes
    yield made[0]
    QDesktopServices.unsetUrlHandler("https")
    stage = made[0].stage
    stage.window.shut()

    async def end() -> None:
        await stage.services.setup.close()
        await stage.leave()
        await stage.server.stop()
        await stack.aclose()

    finish(end())


def test_connect_signs_in_keeps_the_token_in_the_keyring_and_is_no_step_any_more(
    desk: Desk, finish: Finish
) -> None:
    assert STEP in desk.steps
    desk.connect()
    desk.until(lambda: STEP not in desk.steps)
    desk.until(lambda: desk.sees("Connected."))
    assert not _pressable(desk.stage.window, "Connect")
    assert ACCESS in desk.keyring
    assert REFRESH in desk.keyring
    finish(_is_given(desk))
    (desk.folder / "keyring.json").rename(desk.folder.parent / f"{desk.folder.name}.keyring")
    assert traces_below(desk.folder) == {}
    shown = "".join(each.text() for each in desk.stage.window.findChildren(QLabel))
    assert traces_in(shown.encode()) == set()


@pytest.mark.parametrize("desk", [MANIFEST], indirect=True)
def test_what_an_app_works_without_is_connected_on_its_page_too(desk: Desk, finish: Finish) -> None:
    """A bug: *Connect* stood there only for what the app cannot do without."""
    texts = desk.stage.services.look.texts
    assert STEP not in desk.steps
    desk.connect()
    desk.until(lambda: desk.sees("Connected."))
    desk.until(lambda: not desk.sees(texts("fix.optional")))
    assert not _pressable(desk.stage.window, "Connect")
    assert ACCESS in desk.keyring
    finish(_is_given(desk))
    desk.until(lambda: desk.sees(texts("given.title")))


@pytest.mark.parametrize("locale", ["en", "zh-CN"])
def test_where_no_browser_opens_the_address_is_shown_at_once_and_waiting_can_end(
    desk: Desk, locale: str
) -> None:
    """A bug: without a browser on the machine nothing was said for five and a half minutes."""
    desk.stage.services.settings.change(locale=locale)
    texts = desk.stage.services.look.texts
    QDesktopServices.unsetUrlHandler("https")
    desk.begin()
    desk.until(lambda: desk.sees(texts("link.no-browser")))
    assert desk.sees(HOST)
    desk.press(desk.stage.window, texts("link.copy"))
    assert QGuiApplication.clipboard().text().startswith(f"https://{HOST}/")
    desk.press(desk.stage.window, texts("action.cancel"))
    desk.until(lambda: not desk.sees(texts("link.no-browser")))
    assert STEP in desk.steps
    assert desk.keyring == ""
    # It can be tried again, and given up before the browser is asked for.
    desk.begin("link.cancel")
    assert not desk.sees(texts("link.no-browser"))
    assert STEP in desk.steps


async def _is_given(desk: Desk) -> None:
    [given] = await read_given(desk.stage.server.call, "notes")
    assert given == GivenThing(kind="secret", key="oauth/crm")


def test_who_says_no_in_the_browser_is_told_and_the_step_stays(desk: Desk) -> None:
    desk.browser.answer = {"error": "access_denied"}
    desk.connect()
    desk.until(lambda: desk.sees("Not connected. Try again when you like."))
    assert STEP in desk.steps
    assert _pressable(desk.stage.window, "Connect")
    assert desk.keyring == ""
