"""One view's conversation: text in, text out (the standard: Host Bridge v1)."""

import asyncio
import json
import logging
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lime_desktop.host.bridge.limits import BridgeLimits
from lime_desktop.host.bridge.session import Answer, BridgeSession
from lime_desktop.host.bridge.timeline import Record
from lime_desktop.protocol.bridge.from_app import AppMessage, Invoke
from lime_desktop.protocol.bridge.from_host import ResponsePayload
from lime_desktop.protocol.bridge.snapshot import (
    AppContext,
    CapabilitySummary,
    HostContext,
    HostSnapshot,
    ReadinessSummary,
    Theme,
)
from lime_desktop.protocol.errors import PermissionDenied, WorkspaceUnknown
from lime_desktop.protocol.ids import AppId

APP = AppId("notes")


def snapshot() -> HostSnapshot:
    return HostSnapshot(
        app=AppContext(
            app_id=APP, display_name="Notes", runtime_origin="lime-app://notes", version="1.0.0"
        ),
        host=HostContext(
            version="0.1.0", locale="en-US", timezone="UTC", sent_at="2026-01-01T00:00:00Z"
        ),
        theme=Theme(
            theme_mode="light",
            effective_theme_mode="light",
            color_scheme_id="lime-light",
            tokens={},
        ),
        capabilities=CapabilitySummary(available=("lime.storage",)),
        readiness=ReadinessSummary(status="ready"),
    )


class Echo:
    """Answers each call with its arguments; `lime.storage.slow` only when told to."""

    def __init__(self) -> None:
        self.slow: asyncio.Future[ResponsePayload] | None = None

    def answer(self, message: AppMessage) -> Answer:
        if not isinstance(message, Invoke):
            return ResponsePayload.of_host_action({"accepted": True})
        match message.payload.method:
            case "refuse":
                raise PermissionDenied("Not granted")
            case "get" if message.payload.arguments == "undeclared":
                raise WorkspaceUnknown("No call of lime.storage says so")
            case "crash":
                raise ZeroDivisionError("secret of the host")
            case "slow":
                self.slow = asyncio.get_running_loop().create_future()
                return self.slow
            case _:
                return ResponsePayload.of(message.payload.arguments)


class Page:
    """The app's side: sends envelopes, keeps what comes back."""

    def __init__(self, limits: BridgeLimits | None = None) -> None:
        self.heard: list[dict[str, Any]] = []
        self.requests = Echo()
        self.session = BridgeSession(
            APP, self.requests, snapshot, lambda text: self.heard.append(json.loads(text)), limits
        )

    def send(self, kind: str, **fields: object) -> list[dict[str, Any]]:
        before = len(self.heard)
        envelope = {
            "protocol": "lime.agentApp.bridge",
            "version": 1,
            "type": kind,
            "appId": APP,
            **fields,
        }
        self.session.receive(json.dumps(envelope))
        return self.heard[before:]

    def invoke(self, method: str, request_id: str = "r1", **fields: object) -> list[dict[str, Any]]:
        payload = {"capability": "lime.storage", "method": method, **fields}
        return self.send("capability:invoke", requestId=request_id, payload=payload)


def test_ready_is_answered_with_a_snapshot() -> None:
    (message,) = Page().send("app:ready")
    assert message["type"] == "host:snapshot"
    assert "entryKey" not in message
    assert message["payload"]["app"]["appId"] == "notes"


def test_a_snapshot_that_was_asked_for_echoes_request_and_entry() -> None:
    (message,) = Page().send("host:getSnapshot", requestId="r9", entryKey="dashboard")
    assert (message["requestId"], message["entryKey"]) == ("r9", "dashboard")


@pytest.mark.requirement("APP-21")
@pytest.mark.parametrize("fields", [{"input": {"key": "a"}}, {"args": {"key": "a"}}])
def test_a_call_is_answered_under_its_id_in_every_published_shape(
    fields: dict[str, object],
) -> None:
    (message,) = Page().invoke("get", "r7", **fields)
    assert (message["type"], message["requestId"]) == ("host:response", "r7")
    trace_id = message["payload"].pop("traceId")
    assert len(trace_id) == 32
    assert message["payload"] == {"ok": True, "value": {"key": "a"}, "result": {"key": "a"}}


@pytest.mark.requirement("APP-21", "APP-27")
def test_an_expected_failure_goes_to_the_app_with_its_codes() -> None:
    (message,) = Page().invoke("refuse")
    assert message["type"] == "host:error"
    assert message["payload"]["stableCode"] == "permission_denied"
    assert message["payload"]["details"]["appErrorCode"] == "APP_E002"


def test_a_code_that_is_not_declared_for_a_call_is_told_and_noted_as_our_fault(
    undeclared_codes: list[logging.LogRecord],
) -> None:
    """Ours: what a call may fail with stands in its declaration, and in the reference that is made of it."""
    (message,) = Page().invoke("get", input="undeclared")
    assert message["payload"]["details"]["appErrorCode"] == "APP_E023"
    [noted] = undeclared_codes
    assert (noted.__dict__["call"], noted.__dict__["code"]) == ("lime.storage.get", "APP_E023")
    undeclared_codes.clear()


@pytest.mark.requirement("APP-28")
def test_a_bug_says_nothing_of_itself(caplog: pytest.LogCaptureFixture) -> None:
    (message,) = Page().invoke("crash")
    assert message["payload"]["details"]["appErrorCode"] == "APP_E900"
    assert "secret" not in json.dumps(message)
    assert caplog.records[0].__dict__["traceId"] == message["payload"]["traceId"]


@pytest.mark.requirement("APP-24")
def test_another_apps_name_is_refused() -> None:
    (message,) = Page().send("host:toast", requestId="r1", appId="mail", payload={"message": "hi"})
    assert message["payload"]["stableCode"] == "source_unverified"


@pytest.mark.requirement("APP-24")
def test_a_message_of_another_protocol_is_not_answered() -> None:
    page = Page()
    page.session.receive('{"protocol":"other","version":1,"type":"app:ready","appId":"notes"}')
    assert page.heard == []


@pytest.mark.parametrize("broken", ["\ud800", {"a\udfff": 1}, ["\udc00b"]])
def test_half_a_surrogate_pair_is_refused_under_the_id_of_its_call(broken: object) -> None:
    (message,) = Page().invoke("set", input={"value": broken})
    assert (message["type"], message["requestId"]) == ("host:error", "r1")
    assert Page().invoke("set", "r\ud800", input={}) == []


def test_a_flood_is_refused_and_not_queued() -> None:
    page = Page(BridgeLimits(messages_per_second=1, burst_messages=3))
    outcomes = [page.invoke("get", f"r{n}")[0]["type"] for n in range(5)]
    assert outcomes == ["host:response"] * 3 + ["host:error"] * 2


def run(scenario: Callable[[Page], object], limits: BridgeLimits | None = None) -> Page:
    """Run a scenario inside a loop, and let what it started come to its end."""

    async def main() -> Page:
        page = Page(limits)
        scenario(page)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        return page

    return asyncio.run(main())


def test_calls_past_the_limit_in_flight_are_refused() -> None:
    def scenario(page: Page) -> None:
        assert page.invoke("slow", "r1") == []
        (refused,) = page.invoke("slow", "r2")
        assert refused["payload"]["details"]["appErrorCode"] == "APP_E019"

    run(scenario, BridgeLimits(in_flight_calls=1))


def test_a_slow_call_is_answered_when_it_is_done() -> None:
    def scenario(page: Page) -> None:
        page.invoke("slow", "r1")
        assert page.requests.slow is not None
        page.requests.slow.set_result(ResponsePayload.of(1))

    assert run(scenario).heard[-1]["payload"]["value"] == 1


def test_a_page_that_was_reloaded_hears_nothing_of_its_old_calls() -> None:
    def scenario(page: Page) -> None:
        page.invoke("slow", "r1")
        page.session.restart()

    assert run(scenario).heard == []


def test_nothing_is_pushed_before_the_app_is_ready() -> None:
    page = Page()
    page.session.push_theme()
    page.session.push_visibility(visible=False)
    assert page.heard == []
    page.send("app:ready")
    page.session.push_visibility(visible=False)
    assert page.heard[-1]["payload"] == {"visible": False, "visibilityState": "hidden"}


def test_a_closed_session_is_silent() -> None:
    page = Page()
    page.send("app:ready")
    page.session.close()
    page.session.push_snapshot()
    assert page.send("host:getSnapshot", requestId="r1") == []
    assert len(page.heard) == 1


def test_the_timeline_joins_request_and_answer() -> None:
    page = Page()
    page.invoke("get", "r1")
    request, answer = page.session.timeline
    assert (request.direction, request.call) == ("from-app", "lime.storage.get")
    assert (answer.direction, answer.call, answer.outcome) == ("to-app", "lime.storage.get", "ok")


@given(st.text() | st.binary().map(lambda raw: raw.decode("latin-1")))
def test_any_text_leaves_the_session_alive(text: str) -> None:
    page = Page()
    page.session.receive(text)
    assert page.invoke("get")[0]["type"] == "host:response"


def test_whoever_listens_hears_each_message_with_its_text_until_it_ends_that() -> None:
    """Ours: the inspector and recordings live on this."""
    page = Page()
    heard: list[tuple[Record, str]] = []
    stop = page.session.timeline.listen(lambda record, text: heard.append((record, text)))
    page.invoke("echo", input={"key": "a"})
    stop()
    page.invoke("echo", "r2")
    (asked, sent), (answered, told) = heard
    assert (asked.direction, asked.call) == ("from-app", "lime.storage.echo")
    assert (answered.direction, answered.outcome) == ("to-app", "ok")
    assert asked.trace_id == answered.trace_id == json.loads(told)["payload"]["traceId"]
    assert json.loads(sent)["payload"]["input"] == {"key": "a"}
