"""Every kind of question, answered by real keys in a whole window, with a real page and a real App Server (ours).

What counts is what was recorded: in the app's storage, in its evidence, in a session's facts, among what is refused for good.
"""

import asyncio
import json
import os
import signal
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar, cast

import pytest
from PySide6.QtCore import QObject, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from lime_desktop.host.app_server_client.connection import AppServerConnection
from lime_desktop.host.app_server_client.sidecar import Sidecar, app_server_command
from lime_desktop.host.app_server_client.supervisor import AppServerSupervisor, Running
from lime_desktop.host.apps.registration import AppRegistration
from lime_desktop.protocol.calls.secrets import LIST_SECRETS, ListSecretsParams
from lime_desktop.protocol.calls.sessions import (
    LIST_SESSIONS,
    READ_SESSION,
    ListSessionsParams,
    ReadSessionParams,
)
from lime_desktop.protocol.capability_calls.evidence import LIST_EVIDENCE
from lime_desktop.protocol.capability_calls.storage import GET_VALUE
from lime_desktop.protocol.ids import AppId
from lime_desktop.shell.approvals.panel import ApprovalsPanel
from lime_desktop.shell.dialogs.choosers import SecretDialog
from lime_desktop.shell.dialogs.question_dialog import QuestionDialog
from lime_desktop.shell.window.app_tab.app_tab import AppTab
from tests.app_server.apps.packages import write_app
from tests.app_server.for_apps import ask
from tests.shell.stage import Stage, set_stage

pytestmark = pytest.mark.system

T = TypeVar("T")
WAIT_MS = 60_000
APP = AppId("notes")
CAPABILITIES = "{lime.storage: '*', lime.agent: '*', lime.review: '*', lime.secrets: '*'}"
MORE = """\
entries: [{key: home, kind: page, title: Home, route: /}]
runtimePackage: {ui: {path: ./dist/ui}}
storage: {namespace: notes}
secrets: [{key: api, title: Key, required: false}]
permissions:
  - {key: keep, scope: storage, access: read-write, reason: To keep notes.}
  - {key: think, scope: model, reason: To think.}
  - {key: key, scope: secret, reason: To sign in.}
"""
PAGE = """<!doctype html><meta charset="utf-8"><title>Decisions</title><p>Page</p>
<script type="module" src="/app.js"></script>"""
SCRIPT = """
import { getLimeRuntime } from "/__lime__/sdk/index.js";
const lime = await getLimeRuntime();
window.outcomes = {};
window.make = (name, capability, method, input) => {
  lime[capability][method](input).then(
    (value) => { window.outcomes[name] = { ok: true, value: value ?? null }; },
    (error) => { window.outcomes[name] = { ok: false, code: error.appErrorCode ?? error.code }; },
  );
};
window.isReady = true;
"""
_TOOL = {"stepId": "step_1", "toolCallId": "call_1"}


def asking(kind: str, **more: Any) -> list[dict[str, Any]]:
    """A turn in which an agent asks one thing."""
    ask = {
        "type": "action.required",
        "actionId": "action_1",
        **_TOOL,
        "payload": {"actionType": kind, "toolName": "post_article", **more},
    }
    ends = {
        "allowed": [{"type": "tool.result", **_TOOL, "payload": {"preview": "posted"}}],
        "denied": [{"type": "tool.failed", **_TOOL, "payload": {"failureCategory": "denied"}}],
    }
    return [
        {"type": "model.requested", "payload": {"messageId": "m1", "model": "script"}},
        {"type": "tool.started", **_TOOL, "payload": {"toolName": "post_article"}},
        {"ask": ask, **ends},
        {"type": "model.completed", "payload": {"messageId": "m1", "text": "Done"}},
        {"type": "turn.completed", "payload": {}},
    ]


TOOL: dict[str, Any] = {
    "decisionKind": "allow_or_deny",
    "availableDecisions": ["allow_once", "decline"],
    "arguments": {"title": "Spring"},
    "effects": ["external_publish"],
    "supportsUpdatedInput": True,
    "risk": "high",
}
FORM: dict[str, Any] = {
    "prompt": "How many?",
    "requestedSchema": {
        "type": "object",
        "properties": {"people": {"type": "integer", "title": "People"}},
        "required": ["people"],
    },
}
RULE: dict[str, Any] = {
    **TOOL,
    "reasons": [
        {"ruleId": "organisation.x", "text": "No posts on Mondays.", "layer": "organisation"}
    ],
}
SCRIPTS = {
    "tool": asking("tool_confirmation", **TOOL),
    "form": asking("elicitation", **FORM),
    "rule": asking("policy_exception", **RULE),
    "words": asking("ask_user", prompt="Which one?"),
    "strict": asking(
        "tool_confirmation",
        **{**TOOL, "supportsUpdatedInput": False, "risk": "low"},
        supportsDefer=False,
        rememberPolicy="never",
    ),
}


class Browser(QObject):
    """Stands where the system's browser would."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []

    @Slot(QUrl)
    def open(self, url: QUrl) -> None:
        self.opened.append(url.toString())


class Person:
    """Somebody with a keyboard before a window, and what was recorded of what they did."""

    def __init__(self, stage: Stage, qtbot: QtBot, sidecars: list[Sidecar]) -> None:
        self.stage = stage
        self.qtbot = qtbot
        self.sidecars = sidecars
        self.queue = stage.services.approvals.queue
        panel = stage.window.findChild(ApprovalsPanel)
        assert panel is not None
        self.panel = panel
        tab = stage.window.workspace.current
        assert isinstance(tab, AppTab)
        self.tab = tab

    def until(self, condition: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(condition, timeout=WAIT_MS)

    # The page.

    def js(self, expression: str) -> Any:
        answers: list[object] = []
        frame = "const w = document.querySelector('iframe')?.contentWindow"
        script = f"{{ {frame}; JSON.stringify({expression}) ?? 'null' }}"
        self.tab.view.page().runJavaScript(script, 0, answers.append)
        self.until(lambda: bool(answers))
        return json.loads(str(answers[0]) or "null")

    def make(self, name: str, call: str, given: object) -> None:
        """Have the page call the host; what comes of it is kept under a name."""
        capability, _, method = call.partition(".")
        words = ", ".join(map(json.dumps, (name, capability, method, given)))
        self.js(f"w.make({words}) ?? null")

    def outcome(self, name: str) -> Any:
        self.until(lambda: self.js(f"w.outcomes[{json.dumps(name)}] ?? null") is not None)
        return self.js(f"w.outcomes[{json.dumps(name)}]")

    # The keyboard.

    def key(self, key: Qt.Key) -> None:
        QTest.keyClick(QGuiApplication.focusWindow(), key)

    def type(self, words: str) -> None:
        for each in words:
            cast("Any", QTest).keyClick(QGuiApplication.focusWindow(), each)

    def wait_asked(self, count: int = 1, by: str = "Later") -> None:
        """Wait until something is asked, and until keys are taken: what is pressed before is kept from the question."""
        self.until(lambda: len(self.queue.open) == count)
        self.until(self.panel.isVisible)
        self.until(lambda: any(each.isEnabled() for each in self._buttons(by)))

    def enter_panel(self) -> None:
        """Go round the window until the keyboard is at the question."""
        for _ in range(8):
            if self._has_focus(self.panel):
                return
            self.key(Qt.Key.Key_F6)
            self.qtbot.wait(50)
        raise AssertionError("F6 never came to the question")

    def press(self, words: str) -> None:
        """Walk to a button with Tab, once answers are taken, and press it."""

        def is_ready() -> bool:
            return any(each.isEnabled() for each in self._buttons(words))

        self.until(is_ready)
        self.enter_panel()
        for _ in range(40):
            self.until(is_ready)
            # A card that is drawn anew while somebody walks gives the keyboard back to the page.
            self.enter_panel()
            if QApplication.focusWidget() in self._buttons(words):
                self.key(Qt.Key.Key_Space)
                return
            self.key(Qt.Key.Key_Tab)
        raise AssertionError(f"Tab never came to {words}")

    def _buttons(self, words: str) -> list[QPushButton]:
        buttons = self.panel.findChildren(QPushButton)
        return [each for each in buttons if each.isVisible() and each.text() == words]

    def go_to(self, wanted: QWidget) -> None:
        """Walk to a field with Tab."""
        self.enter_panel()
        for _ in range(40):
            if QApplication.focusWidget() is wanted:
                return
            self.key(Qt.Key.Key_Tab)
        raise AssertionError("Tab never came to the field")

    def line(self, name: str) -> QLineEdit:
        lines = self.panel.findChildren(QLineEdit)
        return next(each for each in lines if each.accessibleName() == name)

    def _has_focus(self, widget: QWidget) -> bool:
        focused = QApplication.focusWidget()
        return focused is not None and (widget is focused or widget.isAncestorOf(focused))

    # What was recorded.

    def ask(self, work: Coroutine[Any, Any, T]) -> T:
        task = asyncio.ensure_future(work)
        self.until(task.done)
        return task.result()

    def kept(self, key: str) -> object:
        return self.ask(ask(self.stage.server.call, APP, GET_VALUE, key=key)).root

    def evidence(self) -> list[str]:
        found = self.ask(ask(self.stage.server.call, APP, LIST_EVIDENCE)).root
        return [each.message for each in found]

    def resolved(self) -> dict[str, Any]:
        """What the only session has recorded of the answer to its question."""

        async def read() -> dict[str, Any]:
            call = self.stage.server.call
            listed = await call(LIST_SESSIONS, ListSessionsParams(limit=10))
            for each in listed.sessions:
                params = ReadSessionParams(session_id=each.session_id, after_sequence=0)
                events = (await call(READ_SESSION, params)).events
                found = [event.payload for event in events if event.type == "action.resolved"]
                if found:
                    return dict(found[0])
            return {}

        found: list[dict[str, Any]] = []

        def look() -> bool:
            found[:] = [self.ask(read())]
            return bool(found[0])

        self.until(look)
        return found[0]


@pytest.fixture
def person(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Person]:
    files = {"dist/ui/index.html": PAGE, "dist/ui/app.js": SCRIPT}
    package = write_app(tmp_path, capabilities=CAPABILITIES, more=MORE, files=files)
    yield from seat_person(qtbot, tmp_path, loop, package, ("think", "key"))


def seat_person(
    qtbot: QtBot,
    tmp_path: Path,
    loop: asyncio.AbstractEventLoop,
    package: Path,
    grants: tuple[str, ...],
) -> Iterator[Person]:
    """Somebody before a window in which an app is open at its home."""
    scripts = tmp_path / "scripts.json"
    scripts.write_text(json.dumps(SCRIPTS))
    command = (*app_server_command(tmp_path / "app-server"), "--test-scripts", str(scripts))
    sidecars: list[Sidecar] = []

    async def start() -> Sidecar:
        sidecars.append(await Sidecar.start(command))
        return sidecars[-1]

    async def prepare(connection: AppServerConnection) -> None:
        await AppRegistration(stage.services.registry).introduce(connection)
        stage.services.approvals.agents.introduce(connection)

    server = AppServerSupervisor(start, prepare=prepare)
    stage = set_stage(tmp_path, "light", server)
    qtbot.addWidget(stage.window)
    stage.services.settings.change(opens_without_sandbox=True)
    [app] = stage.services.registry.add([package])
    for permission in grants:
        stage.services.registry.grant(app.app_id, permission)
    server.start()
    qtbot.waitUntil(lambda: isinstance(server.state, Running), timeout=WAIT_MS)
    stage.window.activateWindow()
    stage.window.open_entry(app.app_id, "home")
    made = Person(stage, qtbot, sidecars)
    made.until(lambda: made.tab.session.is_ready)
    made.until(lambda: made.js("w?.isReady ?? null") is True)
    yield made
    stage.window.shut()
    stopping = asyncio.ensure_future(server.stop(), loop=loop)
    qtbot.waitUntil(stopping.done, timeout=WAIT_MS)


def test_a_call_of_a_page_gets_its_yes_its_no_and_what_was_put_off(person: Person) -> None:
    """An unmodified page: it calls once, and has its answer."""
    person.make("yes", "storage.set", {"key": "a", "value": "one"})
    person.wait_asked()
    person.press("Save")
    assert person.outcome("yes")["ok"]
    assert person.kept("a") == "one"

    person.make("no", "storage.set", {"key": "b", "value": "two"})
    person.wait_asked()
    person.press("Don't allow")
    assert person.outcome("no") == {"ok": False, "code": "APP_E027"}
    assert person.kept("b") is None

    person.make("later", "storage.set", {"key": "c", "value": "three"})
    person.wait_asked()
    person.press("Later")
    person.until(lambda: not person.panel.isVisible())
    assert len(person.queue.open) == 1
    assert person.kept("c") is None
    person.panel.open()
    person.press("Save")
    assert person.outcome("later")["ok"]
    assert person.kept("c") == "three"
    said = person.evidence()
    assert sum("is about to be carried out" in each for each in said) == 2
    assert person.queue.open == ()


def test_two_calls_at_once_are_decided_each_for_itself(person: Person) -> None:
    person.make("first", "storage.set", {"key": "a", "value": 1})
    person.make("second", "storage.delete", {"key": "z"})
    person.wait_asked(2)
    person.press("Don't allow")
    person.wait_asked(1)
    person.press("Delete")
    assert person.outcome("first") == {"ok": False, "code": "APP_E027"}
    assert person.outcome("second")["ok"]
    assert person.kept("a") is None


def test_one_answer_decides_every_identical_call_that_waits(person: Person) -> None:
    """A bug: they came one after the other, and nobody was told that there were more."""
    texts = person.stage.services.look.texts
    for key, button, message in (("a", "Save", "about to be"), ("b", "Don't allow", "declined")):
        for name in "123":
            person.make(key + name, "storage.set", {"key": key, "value": "one"})
        person.wait_asked()
        person.until(lambda: person.queue.waiting == 3)
        [tick] = person.panel.findChildren(QCheckBox)
        assert tick.text() == texts("approval.alike", count=3)
        person.go_to(tick)
        person.key(Qt.Key.Key_Space)
        person.press(button)
        outcomes = [person.outcome(key + name)["ok"] for name in "123"]
        assert outcomes == [button == "Save"] * 3
        assert person.queue.open == ()
        person.until(lambda said=message: sum(said in each for each in person.evidence()) == 3)
    # No yes is left over for the next such call; a no answers what is made again at once.
    person.make("a", "storage.set", {"key": "a", "value": "one"})
    person.wait_asked()
    person.press("Don't allow")
    assert person.outcome("a") == {"ok": False, "code": "APP_E027"}
    person.make("b", "storage.set", {"key": "b", "value": "one"})
    assert person.outcome("b") == {"ok": False, "code": "APP_E027"}
    assert person.queue.open == ()
    assert (person.kept("a"), person.kept("b")) == ("one", None)


def test_an_answer_without_the_tick_decides_one_of_the_identical_calls(person: Person) -> None:
    for name in "12":
        person.make(name, "storage.set", {"key": "a", "value": "one"})
    person.until(lambda: person.queue.waiting == 2)
    person.wait_asked()
    person.press("Don't allow")
    assert person.outcome("1") == {"ok": False, "code": "APP_E027"}
    person.wait_asked()
    assert person.queue.waiting == 1
    assert not person.panel.findChildren(QCheckBox)
    person.press("Save")
    assert person.outcome("2")["ok"]
    assert person.kept("a") == "one"


def test_what_a_closed_app_asked_is_nobodys_question(person: Person) -> None:
    person.make("gone", "storage.set", {"key": "a", "value": 1})
    person.wait_asked()
    person.stage.window.tabs.close()
    person.until(lambda: person.queue.open == ())
    person.until(lambda: not person.panel.isVisible())
    assert person.kept("a") is None


def test_never_is_kept_and_asked_no_more(person: Person) -> None:
    center = person.ask(person.stage.open_center())
    person.stage.services.approvals.follow(center)
    person.make("never", "storage.set", {"key": "a", "value": 1})
    person.wait_asked()
    person.press("Never allow")
    assert person.outcome("never")["ok"] is False
    person.until(lambda: len(center.permissions.refusals(APP)) == 1)
    [refused] = center.permissions.refusals(APP)
    assert refused.action.startswith("lime.storage.set")
    assert person.kept("a") is None
    person.ask(person.stage.leave())


@pytest.mark.parametrize(
    ("script", "button", "decision"),
    [
        ("tool", "Publish", "allow"),
        ("tool", "Don't allow", "deny"),
        ("tool", "edit", "allow"),
        ("rule", "Publish", "allow"),
        ("rule", "Don't allow", "deny"),
    ],
)
def test_an_agents_tool_and_an_exception_are_recorded_as_they_were_decided(
    person: Person, script: str, button: str, decision: str
) -> None:
    person.make("task", "agent.startTask", {"prompt": script})
    person.wait_asked()
    if button == "edit":
        person.press("Edit…")
        person.go_to(person.line("Title"))
        person.key(Qt.Key.Key_End)
        person.type(" news")
        button = "Publish"
    person.press(button)
    said = person.resolved()
    assert said["decision"] == decision
    assert said["resolvedBy"] == "user"
    changed = {"title": "Spring news"} if "updatedInput" in said else None
    assert said.get("updatedInput") == changed


def test_a_request_that_can_be_neither_changed_nor_put_off_offers_neither(person: Person) -> None:
    """The standard: `supportsUpdatedInput`, `supportsDefer`; whoever asks can warn, and never reassure (ours)."""
    person.make("task", "agent.startTask", {"prompt": "strict"})
    person.wait_asked(by="Publish")
    offered = {each.text() for each in person.panel.findChildren(QPushButton) if each.isVisible()}
    assert "Publish" in offered
    assert not offered & {"Edit…", "Later"}
    [question] = person.queue.open
    assert (question.risk, question.remember_scopes) == ("medium", ())
    person.press("Publish")
    assert person.resolved()["decision"] == "allow"


@pytest.mark.parametrize(("script", "is_said"), [("tool", True), ("strict", False)])
def test_the_risk_that_a_request_states_is_on_its_card(
    person: Person, script: str, *, is_said: bool
) -> None:
    """The standard: a request has its `risk`; high is said, and less is not (ours)."""
    person.make("task", "agent.startTask", {"prompt": script})
    person.wait_asked(by="Publish")
    words = person.stage.services.look.texts("approval.risk.high")
    shown = [each.text() for each in person.panel.findChildren(QLabel) if each.isVisible()]
    assert (words in shown) is is_said


def test_a_form_is_filled_and_recorded(person: Person) -> None:
    person.make("task", "agent.startTask", {"prompt": "form"})
    person.wait_asked()
    person.go_to(person.line("People"))
    person.type("4")
    person.press("Send")
    assert person.resolved()["userData"] == {"people": 4}


def test_a_question_in_words_is_answered_in_words_or_not_at_all(person: Person) -> None:
    person.make("task", "agent.startTask", {"prompt": "words"})
    person.wait_asked()
    person.go_to(person.line(person.stage.services.look.texts("approval.answer")))
    person.type("the short one")
    person.press("Send")
    said = person.resolved()
    assert (said["response"], said["decision"]) == ("the short one", "allow")


def test_a_review_changed_while_the_server_is_killed_is_recorded_by_the_next(
    person: Person,
) -> None:
    asked = {"subject": "Letter", "payload": {"text": "Hi"}}
    person.make("review", "review.requestDecision", asked)
    person.wait_asked()
    person.press("Edit…")
    person.go_to(person.line("Text"))
    person.key(Qt.Key.Key_End)
    person.type(" all")
    person.go_to(person.line(person.stage.services.look.texts("reviewing.note")))
    person.type("warmer")
    os.kill(person.sidecars[-1].pid, signal.SIGKILL)
    person.until(lambda: not isinstance(person.stage.server.state, Running))
    assert len(person.queue.open) == 1
    person.press("Approve with changes")
    person.until(lambda: isinstance(person.stage.server.state, Running))
    assert person.resolved()["message"] == "warmer"
    # The page's own call may have met no server; made again, it has the decision.
    person.make("again", "review.requestDecision", asked)
    told = person.outcome("again")["value"]
    decided = (told["decision"], told["payload"], told["note"])
    assert decided == ("modify", {"text": "Hi all"}, "warmer")


def test_a_review_is_rejected_with_its_note(person: Person) -> None:
    person.make("review", "review.requestDecision", {"subject": "Letter", "payload": "Hi"})
    person.wait_asked()
    person.go_to(person.line(person.stage.services.look.texts("reviewing.note")))
    person.type("too short")
    person.press("Reject")
    told = person.outcome("review")["value"]
    assert (told["decision"], told["note"]) == ("reject", "too short")


def test_a_secret_is_kept_as_it_was_typed_and_a_no_keeps_none(person: Person) -> None:
    def dialog() -> SecretDialog:
        person.until(lambda: bool(person.tab.findChildren(SecretDialog)))
        found = person.tab.findChildren(SecretDialog)[-1]
        person.until(lambda: QGuiApplication.focusWindow() is found.windowHandle())
        person.until(found.answers[0].isEnabled)
        return found

    def slots() -> list[str]:
        asked = ListSecretsParams(app_id=APP)
        found = person.ask(person.stage.server.call(LIST_SECRETS, asked)).bindings
        return [each.slot for each in found]

    person.make("no", "secrets.requestBinding", {"key": "api"})
    dialog()
    person.key(Qt.Key.Key_Escape)
    assert person.outcome("no")["value"]["status"] == "denied"
    assert slots() == []
    person.until(lambda: not person.tab.findChildren(SecretDialog))
    person.make("yes", "secrets.requestBinding", {"key": "api"})
    dialog()
    person.type("s3cret")
    person.key(Qt.Key.Key_Return)
    assert person.outcome("yes")["value"]["status"] == "bound"
    assert slots() == ["api"]


def test_a_link_is_opened_by_its_button_and_by_nothing_else(person: Person) -> None:
    browser = Browser()
    QDesktopServices.setUrlHandler("https", browser, "open")  # pyright: ignore[reportCallIssue, reportArgumentType] - Qt's stub wants bytes
    try:
        for walks, opened in ((False, []), (True, ["https://example.org/x"])):
            person.make("link", "ui.openExternal", {"url": "https://example.org/x"})
            person.until(lambda: bool(person.tab.findChildren(QuestionDialog)))
            found = person.tab.findChildren(QuestionDialog)[-1]
            person.until(lambda at=found: QGuiApplication.focusWindow() is at.windowHandle())
            person.until(found.answers[0].isEnabled)
            for _ in range(10 * walks):
                if QApplication.focusWidget() is found.answers[0]:
                    break
                person.key(Qt.Key.Key_Tab)
            # Enter takes the way out, which has the keyboard first.
            person.key(Qt.Key.Key_Space if walks else Qt.Key.Key_Return)
            person.until(lambda: not person.tab.findChildren(QuestionDialog))
            assert browser.opened == opened
        assert not person.stage.services.settings.current.link_sites
    finally:
        QDesktopServices.unsetUrlHandler("https")
