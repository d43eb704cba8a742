"""Nothing is shown before it can work: a tab waits for its App Server, says so calmly, and is never lost (ours)."""

import asyncio
import os
import shutil
import signal
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from lime_desktop.host.app_server_client.connection import AppServerConnection
from lime_desktop.host.app_server_client.sidecar import Sidecar, app_server_command
from lime_desktop.host.app_server_client.supervisor import AppServerSupervisor, Down, Running
from lime_desktop.host.apps.registration import AppRegistration
from lime_desktop.protocol.errors import AppServerUnavailable, DatabaseDamaged
from lime_desktop.readiness.flow_chart import Status
from lime_desktop.shell.app_view.view import AppView
from lime_desktop.shell.pages.app_page import AppPage
from lime_desktop.shell.surfaces.waiting import Skeleton, WaitingSurface
from lime_desktop.shell.surfaces.workflow import WorkflowSurface
from lime_desktop.shell.widgets.focus import first_stop
from lime_desktop.shell.window.app_tab.app_tab import AppTab
from tests.shell.hands import ask, focused, press_window
from tests.shell.stage import Stage, set_stage

Finish = Callable[[Coroutine[Any, Any, None]], None]
WAIT_MS = 110_000


class Desktop:
    """A window whose App Server starts when it is let."""

    def __init__(self, folder: Path, qtbot: QtBot, hold_s: float = WAIT_MS / 1_000) -> None:
        self._qtbot = qtbot
        self._folder = folder
        self._let = asyncio.Event()
        self.sidecars: list[Sidecar] = []
        # A machine that is busy with other tests starts a server in more than the usual time.
        self.server = AppServerSupervisor(
            self._start, prepare=self._prepare, jitter=lambda: 0.0, hold_s=hold_s
        )
        self.stage: Stage = set_stage(folder, "light", self.server)
        self._registration = AppRegistration(
            self.stage.services.registry, self.stage.services.setup.was_registered
        )
        self.server.watch(self.stage.window.show_server)
        self.server.expect()
        self.stage.services.registry.expect_setup()

    async def _start(self) -> Sidecar:
        await self._let.wait()
        self.sidecars.append(await Sidecar.start(app_server_command(self._folder / "app-server")))
        return self.sidecars[-1]

    async def _prepare(self, connection: AppServerConnection) -> None:
        await self._registration.introduce(connection)
        self.stage.services.models.introduce(connection)

    def let_server_start(self) -> None:
        self._let.set()

    def lose_server(self) -> None:
        """End the server; the next one does not start before it is let."""
        self._let.clear()
        os.kill(self.sidecars[-1].pid, signal.SIGKILL)
        self.wait(lambda: not isinstance(self.server.state, Running))

    def add(self, *names: str) -> None:
        registry = self.stage.services.registry
        for app in registry.add([self.stage.samples / name for name in names]):
            registry.grant(app.app_id, *(each.key for each in app.package.manifest.permissions))

    def wait(self, condition: Callable[[], bool]) -> None:
        self._qtbot.waitUntil(condition, timeout=WAIT_MS)

    def page(self) -> AppTab:
        self.wait(lambda: isinstance(self.stage.window.workspace.current, AppTab))
        tab = self.stage.window.workspace.current
        assert isinstance(tab, AppTab)
        self.wait(lambda: tab.session.is_ready)
        return tab

    def waiting(self) -> WaitingSurface:
        surface = self.stage.window.workspace.current
        assert isinstance(surface, WaitingSurface)
        return surface

    def words(self) -> str:
        labels = self.stage.window.findChildren(QLabel)
        return "\n".join(each.text() for each in labels if each.isVisible())

    def press(self, words: str) -> None:
        found = [
            each
            for each in self.stage.window.findChildren(QPushButton)
            if each.isVisible() and each.text() == words
        ]
        QTest.mouseClick(found[-1], Qt.MouseButton.LeftButton)

    def answered(self, tab: AppTab, after: int) -> str:
        records = list(tab.session.timeline)[after:]
        return " ".join(each.call or "" for each in records if each.outcome == "ok")

    def refusals(self, tab: AppTab) -> list[str]:
        outcomes = (each.outcome for each in tab.session.timeline)
        return [outcome for outcome in outcomes if outcome is not None and outcome != "ok"]


@pytest.fixture
def desktop(
    qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop, finish: Finish
) -> Iterator[Desktop]:
    del loop
    made = Desktop(tmp_path, qtbot)
    yield made
    made.stage.window.shut()
    finish(made.server.stop())
    finish(made.stage.leave())
    made.stage.window.deleteLater()


@pytest.fixture
def impatient(
    qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop, finish: Finish
) -> Iterator[Desktop]:
    """One where a call is not held for long."""
    del loop
    made = Desktop(tmp_path, qtbot, hold_s=0.3)
    made.stage.window.activateWindow()
    qtbot.waitUntil(made.stage.window.isActiveWindow)
    yield made
    made.stage.window.shut()
    finish(made.server.stop())
    finish(made.stage.leave())
    made.stage.window.deleteLater()


def test_a_tab_that_waits_and_then_opens_is_never_a_window_of_its_own(
    desktop: Desktop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bug: at every start with open tabs a small empty window came up for a moment."""
    shown: list[tuple[str, bool]] = []

    def note(widget: QWidget, event: QShowEvent) -> None:
        del event
        shown.append((type(widget).__name__, widget.isWindow()))

    for kind in (Skeleton, AppView):
        monkeypatch.setattr(kind, "showEvent", note, raising=False)
    desktop.add("hello-lime")
    desktop.stage.window.open_entry("hello-lime", "greeting")
    desktop.wait(lambda: bool(shown))
    desktop.let_server_start()
    desktop.server.start()
    desktop.page()
    assert set(shown) == {("Skeleton", False), ("AppView", False)}


def test_that_there_are_no_runs_is_said_once_it_is_known(desktop: Desktop) -> None:
    """A bug: whoever had never run anything was told that none of their runs was selected."""
    desktop.stage.window.toggle_drawer()
    assert "No run selected" in desktop.words()
    desktop.let_server_start()
    desktop.server.start()
    desktop.wait(lambda: "No runs yet" in desktop.words())
    assert "No run selected" not in desktop.words()


def test_a_page_that_was_refused_for_want_of_a_server_comes_by_itself_when_there_is_one(
    impatient: Desktop, qtbot: QtBot
) -> None:
    """A bug: it went on showing its error until somebody loaded it anew."""
    desktop = impatient
    desktop.add("hello-lime")
    desktop.stage.window.open_entry("hello-lime", "greeting")
    desktop.let_server_start()
    desktop.server.start()
    tab = desktop.page()
    desktop.lose_server()
    tab.reload()
    desktop.wait(lambda: "is waiting for agents and storage" in desktop.words())
    retry = focused()
    assert isinstance(retry, QPushButton)
    assert retry.text() == "Try again"
    desktop.let_server_start()
    press_window(desktop.stage, Qt.Key.Key_Return)
    desktop.wait(lambda: isinstance(desktop.server.state, Running))
    desktop.wait(lambda: tab.session.is_ready)
    desktop.wait(lambda: ask(tab, qtbot, "field.disabled") is False)
    assert ask(tab, qtbot, "d.getElementById('problem').hidden") is True
    assert "is waiting for agents and storage" not in desktop.words()
    qtbot.waitUntil(lambda: tab.isAncestorOf(focused()))


_READER = """
import { getLimeRuntime } from "/__lime__/sdk/index.js";
const lime = await getLimeRuntime();
const [field, answer] = [document.getElementById("text"), document.getElementById("greeting")];
field.addEventListener("input", async () => {
  answer.textContent = "asked";
  try {
    answer.textContent = `read ${await lime.storage.get({ key: "greeting" })}`;
  } catch (error) {
    answer.textContent = error.appErrorCode;
  }
});
field.disabled = false;
"""
"""A page that reads something as somebody types, by the SDK that the host serves."""


def test_what_was_typed_into_a_page_outlives_a_server_that_was_away_for_long(
    impatient: Desktop, qtbot: QtBot, tmp_path: Path
) -> None:
    desktop = impatient
    package = shutil.copytree(desktop.stage.samples / "hello-lime", tmp_path / "reader")
    (package / "dist/ui/app.js").write_text(_READER, encoding="utf-8")
    registry = desktop.stage.services.registry
    [app] = registry.add([package])
    registry.grant(app.app_id, "keep-greeting")
    desktop.stage.window.open_entry("hello-lime", "greeting")
    desktop.let_server_start()
    desktop.server.start()
    tab = desktop.page()
    desktop.wait(lambda: ask(tab, qtbot, "field.disabled") is False)
    # The first view of all makes the window anew, which then has to be turned to again.
    desktop.stage.window.activateWindow()
    desktop.wait(desktop.stage.window.isActiveWindow)
    tab.setFocus()
    ask(tab, qtbot, "field.focus(); 0")
    desktop.wait(lambda: ask(tab, qtbot, "d.activeElement === field && d.hasFocus()") is True)
    desktop.lose_server()
    press_window(desktop.stage, Qt.Key.Key_X)
    desktop.wait(lambda: "capability_unavailable" in desktop.refusals(tab))
    answer = "d.getElementById('greeting').textContent"
    assert ask(tab, qtbot, answer) == "asked"
    assert "is waiting for agents and storage" not in desktop.words(), "the text stays in sight"

    desktop.let_server_start()
    desktop.server.retry()

    desktop.wait(lambda: ask(tab, qtbot, answer) == "read null")
    assert ask(tab, qtbot, "field.value") == "x"


_OWN_CLIENT = """
const field = document.getElementById("text"), answer = document.getElementById("greeting");
let asked = 0;
const post = (type, payload, requestId) => parent.postMessage(
  { protocol: "lime.agentApp.bridge", version: 1, appId: "hello-lime", type, requestId, payload }, "*");
addEventListener("message", ({ data }) => {
  if (data?.requestId === undefined) return;
  answer.textContent = data.type === "host:error" || data.payload?.ok === false ? "failed" : "read";
});
field.addEventListener("input", () => post(
  "capability:invoke", { capability: "lime.storage", method: "get", input: { key: "greeting" } }, `own-${++asked}`));
post("app:ready");
field.disabled = false;
"""
"""A page that asks by a client of its own, which leaves it at a refusal."""


@pytest.mark.parametrize(("client", "is_left"), [(_OWN_CLIENT, True), (_READER, False)])
def test_a_page_that_leaves_it_at_a_refusal_is_offered_to_be_loaded_anew(
    impatient: Desktop,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    client: str,
    *,
    is_left: bool,
) -> None:
    """A bug: one that somebody had typed into went on showing its error, and nobody said what helps."""
    monkeypatch.setattr("lime_desktop.shell.window.app_tab.app_tab._CATCHING_UP_MS", 1_000)
    desktop = impatient
    package = shutil.copytree(desktop.stage.samples / "hello-lime", tmp_path / "reader")
    (package / "dist/ui/app.js").write_text(client, encoding="utf-8")
    registry = desktop.stage.services.registry
    [app] = registry.add([package])
    registry.grant(app.app_id, "keep-greeting")
    desktop.stage.window.open_entry("hello-lime", "greeting")
    desktop.let_server_start()
    desktop.server.start()
    tab = desktop.page()
    desktop.wait(lambda: ask(tab, qtbot, "field.disabled") is False)
    desktop.stage.window.activateWindow()
    desktop.wait(desktop.stage.window.isActiveWindow)
    tab.setFocus()
    ask(tab, qtbot, "field.focus(); 0")
    desktop.wait(lambda: ask(tab, qtbot, "d.activeElement === field && d.hasFocus()") is True)
    desktop.lose_server()
    press_window(desktop.stage, Qt.Key.Key_X)
    desktop.wait(lambda: "capability_unavailable" in desktop.refusals(tab))
    told = "Hello Lime could not reach its data while Lime was starting."
    assert told not in desktop.words(), "there is nothing yet that it could reach"

    desktop.let_server_start()
    desktop.server.retry()
    desktop.wait(lambda: isinstance(desktop.server.state, Running))
    desktop.wait(lambda: told in desktop.words() or not tab._catching_up.isActive())

    assert (told in desktop.words()) is is_left
    assert ask(tab, qtbot, "field.value") == "x"
    if is_left:
        desktop.press("Reload")
        desktop.wait(lambda: told not in desktop.words())
        desktop.wait(lambda: ask(tab, qtbot, "field?.value === '' && !field.disabled") is True)


def test_an_app_is_shown_once_the_app_server_can_answer_it(desktop: Desktop) -> None:
    """A bug: its page asked at once, was refused with APP_E901, and went on showing it."""
    desktop.add("hello-lime")
    desktop.stage.window.open_entry("hello-lime", "greeting")
    desktop.server.start()
    waiting = desktop.waiting()
    assert any(each.isVisible() for each in waiting.findChildren(Skeleton))
    assert "APP_E" not in desktop.words()
    desktop.let_server_start()
    tab = desktop.page()
    desktop.wait(lambda: any(each.outcome == "ok" for each in tab.session.timeline))
    assert desktop.refusals(tab) == []


def test_what_a_page_asks_while_the_server_is_away_is_answered_by_the_next(
    desktop: Desktop,
) -> None:
    desktop.add("hello-lime")
    desktop.stage.window.open_entry("hello-lime", "greeting")
    desktop.let_server_start()
    desktop.server.start()
    tab = desktop.page()
    os.kill(desktop.sidecars[0].pid, signal.SIGKILL)
    desktop.wait(lambda: not isinstance(desktop.server.state, Running))
    asked = len(list(tab.session.timeline))
    tab.reload()
    desktop.wait(lambda: tab.session.is_ready)
    desktop.wait(lambda: "lime.storage" in desktop.answered(tab, asked))
    assert desktop.refusals(tab) == []
    assert "not available" not in desktop.words(), "one that is back in a second was never missed"
    assert len(desktop.sidecars) == 2


def test_needs_that_only_the_app_server_knows_are_not_said_before_it_speaks(
    desktop: Desktop,
) -> None:
    """A bug: Notes was called "Needs setup" at every start."""
    desktop.add("notes")
    desktop.stage.window.show_home()
    desktop.wait(lambda: "Checking…" in desktop.words())
    assert "Needs setup" not in desktop.words()
    desktop.stage.window.show_details("notes")
    assert "Needs setup" not in desktop.words()
    desktop.stage.window.open_entry("notes", "notebook")
    assert desktop.waiting().words == ""
    desktop.stage.services.setup.work_on("notes")
    desktop.let_server_start()
    desktop.server.start()
    desktop.page()


def test_nothing_is_warned_of_that_only_the_app_server_knows(desktop: Desktop) -> None:
    """A bug: Draft Desk was "Ready with warnings" for a moment at every start."""
    desktop.add("draft-desk")
    app = desktop.stage.services.registry.app("draft-desk")
    assert app is not None
    assert app.readiness.status is Status.READY_DEGRADED
    desktop.stage.window.show_home()
    desktop.wait(lambda: "Checking…" in desktop.words())
    assert "Ready with warnings" not in desktop.words()
    desktop.stage.window.show_details("draft-desk")
    desktop.wait(lambda: "Permissions" in desktop.words())
    assert "Ready with warnings" not in desktop.words()
    desktop.let_server_start()
    desktop.server.start()
    desktop.wait(lambda: "Checking" not in desktop.words())


def test_what_really_needs_setup_keeps_its_tab_and_leads_there(desktop: Desktop) -> None:
    desktop.add("notes")
    desktop.stage.window.open_entry("notes", "notebook")
    desktop.let_server_start()
    desktop.server.start()
    desktop.wait(lambda: desktop.waiting().words == "setup")
    assert "Notes needs setup" in desktop.words()
    desktop.press("View")
    assert desktop.stage.window.workspace.surfaces != ()
    assert "Needs setup" in desktop.words()


def test_one_that_waits_long_says_so_calmly_and_still_opens_by_itself(desktop: Desktop) -> None:
    desktop.add("hello-lime")
    desktop.stage.window.open_entry("hello-lime", "greeting")
    desktop.server.start()
    desktop.waiting().late.emit()
    assert "is waiting for agents and storage" in desktop.words()
    assert "APP_E" not in desktop.words()
    desktop.let_server_start()
    desktop.press("Try again")
    desktop.page()


def test_who_does_not_want_to_wait_opens_it_as_things_stand(desktop: Desktop) -> None:
    desktop.add("hello-lime")
    desktop.stage.window.open_entry("hello-lime", "greeting")
    desktop.server.start()
    desktop.waiting().late.emit()
    desktop.press("Open anyway")
    desktop.page()


def test_only_what_is_looked_at_is_made(desktop: Desktop) -> None:
    desktop.add("hello-lime")
    desktop.stage.add_every_kind()
    desktop.stage.window.open_entry("every-kind", "flow")
    desktop.stage.window.open_entry("hello-lime", "greeting")
    desktop.let_server_start()
    desktop.server.start()
    desktop.page()
    kinds = [type(each) for each in desktop.stage.window.workspace.surfaces]
    assert kinds == [WaitingSurface, AppTab]
    desktop.stage.window.workspace.step(-1)
    desktop.wait(lambda: isinstance(desktop.stage.window.workspace.current, WorkflowSurface))


def test_where_a_tab_was_asked_to_go_meanwhile_it_goes(desktop: Desktop) -> None:
    desktop.add("hello-lime")
    desktop.stage.window.open_entry("hello-lime", "greeting")
    desktop.waiting().open_route("/elsewhere")
    routes: list[str] = []

    def listen(tab: AppTab) -> None:
        tab.view.routed.connect(routes.append)

    desktop.stage.services.opened_tabs.opened.connect(listen)
    desktop.let_server_start()
    desktop.server.start()
    desktop.page()
    assert routes == ["/elsewhere"]


def test_a_first_failure_that_may_pass_alarms_nobody_and_a_second_does(desktop: Desktop) -> None:
    window, error = desktop.stage.window, AppServerUnavailable("It ended.")
    window.show_server(Down("It ended.", 0.5, failure=error))
    assert "can't start" not in desktop.words()
    window.show_server(Down("It ended.", 0.5, failure=error, attempts=2))
    assert "can't start" in desktop.words()
    assert "Lime tried 2 times" in desktop.words()
    assert "Starting agents" not in desktop.words()


def test_damage_does_not_pass_and_is_said_at_once_with_its_advice_as_the_strong_button(
    desktop: Desktop,
) -> None:
    error = DatabaseDamaged("Bad.", details={"database": "runtime.db"})
    desktop.stage.window.show_server(Down("Bad.", 0.5, failure=error))
    strong = [
        each.text()
        for each in desktop.stage.window.findChildren(QPushButton)
        if each.isVisible() and each.property("role") == "primary"
    ]
    assert strong == ["Restore a backup…"]


def test_the_keyboard_does_not_begin_at_revoke_while_an_app_is_still_checked(
    desktop: Desktop,
) -> None:
    """A bug: it stood there until *Open* came, so that Enter took a permission away."""
    desktop.add("setup-tour")
    desktop.stage.window.show_details("setup-tour")
    desktop.wait(lambda: "Permissions" in desktop.words())
    page = desktop.stage.window.findChildren(AppPage)[0]
    revoking = [each for each in page.findChildren(QPushButton) if each.text() == "Revoke"]
    assert revoking
    assert first_stop(page) is page
