"""What one view may ask, through the whole way from text to text (the standard: declared, ready, allowed, done)."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from lime_desktop.host.app_center.review.install_review import InstallReview
from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.app_server_client.sidecar import Sidecar
from lime_desktop.host.app_server_client.supervisor import AppServerSupervisor
from lime_desktop.host.approvals.approvals import Approvals
from lime_desktop.host.approvals.calls import CallApprovals
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.host.requests.view_bridge import ViewBridge, ViewParts
from lime_desktop.host.view.bodies import ViewBodies
from lime_desktop.host.view.shell_port import (
    AppRoute,
    FileQuestion,
    SecretQuestion,
    SkillQuestion,
    Undo,
)
from lime_desktop.host.view.shown_artifact import ShownArtifact
from lime_desktop.host.view.subscriptions import TopicHub
from lime_desktop.policy.decision import Decision, Denied
from lime_desktop.policy.facts import Grant, PolicyFacts, Readiness
from lime_desktop.policy.manifest_rules import declared_by
from tests.host.bridge.test_session import snapshot

SAMPLE = Path(__file__).parents[3] / "sample_apps/hello-lime"


class Window:
    """What a window was asked to do."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []
        self.links: asyncio.Queue[str] = asyncio.Queue()
        self.is_seen = True
        self.is_asking = False
        # What the person will do, once a test says so.
        self.choice: asyncio.Future[tuple[Path, ...]]
        self.typed: asyncio.Future[SecretStr | None]
        self.save_path: Path | None = None
        self.dropped: tuple[Path, ...] = ()
        self.is_pressed = False
        self.says_yes = False
        self.undos: list[Undo] = []
        self.may_save: asyncio.Event | None = None
        self.shown_run: str | None = None

    def show_toast(self, message: str, level: str) -> None:
        self.asked.append((f"toast {level}", message))

    def open_route(self, route: str) -> None:
        self.asked.append(("route", route))

    def open_entry(self, entry_key: str) -> None:
        self.asked.append(("entry", entry_key))

    def offer_route(self, route: AppRoute) -> None:
        self.asked.append((f"offer {route.title}", route.path))

    def show_artifact(self, artifact: ShownArtifact) -> None:
        if artifact.viewer is None:
            self.asked.append(("artifact", artifact.title))
        else:
            self.asked.append(("viewer", artifact.viewer.address_of(artifact.artifact_id)))

    def show_run(self, session_id: str) -> None:
        self.shown_run = session_id
        self.asked.append(("run", session_id))

    def close_run(self) -> None:
        self.asked.append(("close", self.shown_run or ""))
        self.shown_run = None

    def show_review(self, review: InstallReview) -> None:
        self.asked.append(("review", review.projection.manifest.version))

    def offer_rollback(self, version: str) -> None:
        self.asked.append(("back", version))

    def offer_link(self, url: str) -> None:
        self.asked.append(("link", url))
        self.links.put_nowait(url)

    async def choose_files(self, question: FileQuestion) -> tuple[Path, ...]:
        self.asked.append(("files", ",".join(question.accept)))
        return await self.choice

    def take_dropped(self) -> tuple[Path, ...]:
        taken, self.dropped = self.dropped, ()
        return taken

    def take_press(self) -> bool:
        was_pressed, self.is_pressed = self.is_pressed, False
        return was_pressed

    def offer_undo(self, action: str, undo: Undo) -> None:
        self.asked.append(("undo", action))
        self.undos.append(undo)

    async def choose_save_path(self, file_name: str) -> Path | None:
        self.asked.append(("save", file_name))
        if self.may_save is not None:
            await self.may_save.wait()
        return self.save_path

    async def ask_skill(self, question: SkillQuestion) -> bool:
        self.asked.append(("skill", question.skill))
        return self.says_yes

    async def ask_secret(self, question: SecretQuestion) -> SecretStr | None:
        self.asked.append(("secret", question.slot))
        return await self.typed


def _nobody_there() -> CallApprovals:
    """Asks, and has nobody to wait for."""
    calls = Approvals().calls
    calls.wait_s = 0
    return calls


class Page:
    """Hello Lime's page, with its permission granted unless told otherwise."""

    def __init__(
        self,
        call: CallServer | None = None,
        grants: tuple[str, ...] = ("keep-greeting",),
    ) -> None:
        self.window = Window()
        self.heard: list[dict[str, Any]] = []
        [app] = AppRegistry("en").add([SAMPLE])
        facts = PolicyFacts(
            declared=declared_by(app.package.manifest),
            now_ms=0,
            readiness=Readiness(state="ready"),
            grants=tuple(Grant(permission=key) for key in grants),
        )
        parts = ViewParts(
            app=lambda: app,
            entry_key="greeting",
            snapshot=snapshot,
            facts=lambda: facts,
            call=call or AppServerSupervisor(lambda: Sidecar.start(())).call,
            shell=self.window,
            approvals=_nobody_there(),
            view_id="view",
            topics=TopicHub(),
            bodies=ViewBodies(),
            post=lambda text: self.heard.append(json.loads(text)),
        )
        self.bridge = ViewBridge(parts)
        self._session = self.bridge.session

    def ask(self, kind: str, payload: object) -> dict[str, Any]:
        self._send(kind, payload)
        return self.heard[-1]["payload"]

    async def invoke_and_wait(
        self, capability: str, method: str, **arguments: object
    ) -> dict[str, Any]:
        """The same for a call that is answered later; whoever runs the test bounds the wait."""
        before = len(self.heard)
        call = {"capability": capability, "method": method, "input": arguments}
        self._send("capability:invoke", call)
        while len(self.heard) == before:  # noqa: ASYNC110 - the page only hears, nothing signals
            await asyncio.sleep(0.001)
        return self.heard[-1]["payload"]

    def _send(self, kind: str, payload: object) -> None:
        self.say(kind, payload, "r")

    def say(self, kind: str, payload: object, request_id: str | None) -> None:
        """Send a message; without a request id nobody is answered."""
        envelope = {
            "protocol": "lime.agentApp.bridge",
            "version": 1,
            "type": kind,
            "appId": "hello-lime",
        }
        if request_id is not None:
            envelope["requestId"] = request_id
        self._session.receive(json.dumps({**envelope, "payload": payload}))

    def invoke(self, capability: str, method: str, **arguments: object) -> dict[str, Any]:
        return self.ask(
            "capability:invoke", {"capability": capability, "method": method, "input": arguments}
        )


@pytest.fixture
def page() -> Page:
    return Page()


def test_a_notice_reaches_the_window(page: Page) -> None:
    assert page.ask("host:toast", {"message": "Hi", "level": "success"})["accepted"] is True
    assert page.window.asked == [("toast success", "Hi")]


@pytest.mark.parametrize("route", ["/about", "/deep/er?x=1#y", "lime-app://hello-lime/about"])
def test_an_app_goes_where_it_likes_within_itself(page: Page, route: str) -> None:
    expected = route.removeprefix("lime-app://hello-lime")
    assert page.ask("host:navigate", {"route": route})["navigatedTo"] == expected
    assert page.window.asked == [("route", expected)]


@pytest.mark.parametrize(
    "target",
    [
        "https://example.com/",
        "//example.com/",
        "lime-app://other/",
        "javascript:alert(1)",
        "about",
        "/__lime__/frame.html",
        "/\\example.com",
        "http://[",
    ],
)
def test_an_app_cannot_navigate_elsewhere(page: Page, target: str) -> None:
    assert page.ask("host:navigate", {"url": target})["stableCode"] == "policy_denied"
    assert page.window.asked == []


def test_an_unknown_entry_is_refused(page: Page) -> None:
    assert (
        page.ask("host:navigate", {"entryKey": "nowhere"})["details"]["appErrorCode"] == "APP_E008"
    )


@pytest.mark.requirement("APP-20", "APP-22")
def test_a_link_is_offered_to_the_person(page: Page) -> None:
    page.ask("host:openExternal", {"url": "https://example.com/x"})
    assert page.window.asked == [("link", "https://example.com/x")]


@pytest.mark.requirement("APP-22")
@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "javascript:alert(1)",
        "https://user:pw@example.com/",
        "https:///x",
        "lime://x",
        "x",
    ],
)
def test_other_addresses_are_not_even_offered(page: Page, url: str) -> None:
    assert page.ask("host:openExternal", {"url": url})["stableCode"] == "policy_denied"
    assert page.window.asked == []


@pytest.mark.requirement("APP-26")
def test_what_there_is_can_be_asked_without_declaring_it(page: Page) -> None:
    listed = {
        row["name"]: row["enabled"] for row in page.invoke("lime.capabilities", "list")["value"]
    }
    assert listed["lime.ui"] is True
    assert listed["lime.browser"] is False


def test_the_language_can_be_asked(page: Page) -> None:
    assert page.invoke("lime.ui", "getLocale")["value"]["locale"] == "en-US"


@pytest.mark.requirement("APP-20", "APP-52")
def test_an_undeclared_capability_is_refused_before_its_arguments_are_read(page: Page) -> None:
    refused = page.invoke("lime.secrets", "getRef", nonsense=1)
    assert refused["details"]["appErrorCode"] == "APP_E005"


def test_whoever_listens_hears_what_policy_said_under_the_trace_of_the_answer(page: Page) -> None:
    """Ours: the inspector shows the rule beside the message."""
    heard: list[tuple[str, str, Decision]] = []
    page.bridge.decisions.listen(
        lambda trace, call, decision: heard.append((trace, call.name, decision))
    )
    refused = page.invoke("lime.secrets", "getRef", nonsense=1)
    [(trace, call, decision)] = heard
    assert (trace, call) == (refused["traceId"], "lime.secrets.getRef")
    assert isinstance(decision, Denied)
    assert decision.rule.id == refused["details"]["rule"]


@pytest.mark.requirement("APP-25", "APP-33")
def test_a_capability_this_host_refuses_says_why(page: Page) -> None:
    async def scene() -> dict[str, Any]:
        # In a loop, as in the window: the app has a name of its own for this code, which is kept as evidence.
        return page.invoke("lime.browser", "open")

    refused = asyncio.run(scene())
    assert refused["stableCode"] == "capability_unavailable"
    assert refused["message"]


def test_an_unknown_method_is_refused(page: Page) -> None:
    assert page.invoke("lime.ui", "explode")["details"]["appErrorCode"] == "APP_E006"


def test_bad_arguments_are_named_by_field(page: Page) -> None:
    refused = page.invoke("lime.ui", "toast", message="")
    assert refused["stableCode"] == "schema_invalid"
