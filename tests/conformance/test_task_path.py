"""From a turn to what is told of it: what the runtime profile demands on this way, over a scripted engine.

What the App Server's own tests show already is cited there.
"""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from lime_desktop.app_server.execution.scripted import Hold, Script
from lime_desktop.protocol.calls.sessions import AppendEventsParams
from lime_desktop.protocol.ids import AppId, SessionId
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.runtime_views.session import project
from lime_desktop.runtime_views.task_stream import task_events
from tests.app_server.runtime_core.runtime import CONTEXT, DONE, Runtime, event, open_runtime

Scenario = Callable[[Runtime], Awaitable[None]]


def play(folder: Path, script: Script, scenario: Scenario) -> None:
    """Play a scenario in which every turn called `go` follows the script."""

    async def whole() -> None:
        runtime = await open_runtime(folder, {"go": script})
        try:
            await runtime.session()
            await scenario(runtime)
        finally:
            await runtime.core.close()

    asyncio.run(whole())


async def append(runtime: Runtime, *events: ProposedEvent) -> None:
    params = AppendEventsParams(session_id=SessionId("session_1"), runtime_events=events)
    await runtime.core.sessions.append(params, CONTEXT)


def said(text: str) -> Script:
    return [event("model.requested", {"model": "m"}), event("model.completed", {"text": text})]


PROSE = "tool.failed: publish. I asked for permission (action_1), it was approved. Task {}."


@pytest.mark.requirement("RT-48")
@pytest.mark.parametrize(
    ("claim", "end", "status"),
    [
        ("failed", DONE, "completed"),
        ("completed", event("turn.failed", {"failureCategory": "engine"}), "failed"),
    ],
)
def test_what_a_model_says_of_its_work_is_text_and_no_status(
    tmp_path: Path, claim: str, end: ProposedEvent, status: str
) -> None:
    async def scenario(runtime: Runtime) -> None:
        await runtime.run("session_1", "go", "turn_1")
        thread = (await runtime.read("session_1")).snapshot.threads[0]
        assert (thread.status, thread.tool_calls, thread.pending_actions) == (status, (), ())
        views = project(runtime.events)
        assert (views.runtime.status, dict(views.tool_calls), views.actions) == (status, {}, ())

    play(tmp_path, [*said(PROSE.format(claim)), end], scenario)


@pytest.mark.requirement("RT-21", "RT-49")
def test_a_sandbox_is_shown_by_its_facts_alone(tmp_path: Path) -> None:
    async def scenario(runtime: Runtime) -> None:
        await runtime.turn("session_1", "go", "turn_1")
        await runtime.saw("tool.started")
        claimed = (await runtime.read("session_1")).snapshot.permission_sandbox_summary
        assert (claimed.mode, claimed.sandbox_profile, claimed.decisions) == (None, None, ())
        applied = event("sandbox.applied", {"mode": "read-only"}, tool_call_id="call_1")
        await append(runtime, applied)
        proven = (await runtime.read("session_1")).snapshot.permission_sandbox_summary
        assert proven.sandbox_profile == {"mode": "read-only"}
        await runtime.cancel("session_1", "turn_1")

    boast = {"toolName": "write", "sandboxed": True, "sandbox": "read-only"}
    play(tmp_path, [event("tool.started", boast, tool_call_id="call_1"), Hold("gate")], scenario)


@pytest.mark.requirement("RT-23", "RT-51")
def test_compacting_in_the_middle_of_a_turn_keeps_the_open_question_and_the_failed_tool(
    tmp_path: Path,
) -> None:
    async def scenario(runtime: Runtime) -> None:
        await runtime.turn("session_1", "go", "turn_1")
        await runtime.saw("action.required")
        before = (await runtime.read("session_1")).snapshot.threads[0]
        await append(
            runtime,
            event("context.compaction.started"),
            event("context.compaction.completed", {"summaryRef": "sidecar://summary"}),
        )
        after = (await runtime.read("session_1")).snapshot.threads[0]
        assert [action.action_id for action in after.pending_actions] == ["action_1"]
        assert after.pending_actions == before.pending_actions
        assert after.incidents == before.incidents
        assert [call.status for call in after.tool_calls] == ["failed", "waiting"]
        assert [action.action_id for action in project(runtime.events).actions] == ["action_1"]
        await runtime.cancel("session_1", "turn_1")

    failed = event("tool.failed", {"failureCategory": "flaky"}, tool_call_id="call_1")
    asked = event(
        "action.required",
        {"actionType": "tool_confirmation", "prompt": "Go on?"},
        action_id="action_1",
        tool_call_id="call_2",
    )
    play(
        tmp_path,
        [
            event("tool.started", {"toolName": "read"}, tool_call_id="call_1"),
            failed,
            event("tool.started", {"toolName": "write"}, tool_call_id="call_2"),
            asked,
            Hold("gate"),
        ],
        scenario,
    )


@pytest.mark.requirement("RT-45")
def test_views_hold_no_raw_payload_and_change_no_fact(tmp_path: Path) -> None:
    async def scenario(runtime: Runtime) -> None:
        await runtime.run("session_1", "go", "turn_1")
        facts = [fact.to_json() for fact in runtime.events]
        assert sum("private-detail" in fact for fact in facts) == len(raw_types)
        views = project(runtime.events)
        task_id = next(fact.task_id for fact in runtime.events if fact.type == "turn.started")
        assert task_id is not None
        story = task_events(AppId("app_1"), task_id, tuple(runtime.events))
        assert "private-detail" not in views.to_json()
        assert not any("private-detail" in told.to_json() for told in story)
        assert [fact.to_json() for fact in runtime.events] == facts

    raw = {"raw": {"response": "private-detail"}, "diagnostics": ["private-detail"]}
    raw_types: Script = [
        event("model.requested", {"model": "m", **raw}),
        event("model.completed", {"text": "Hello", **raw}),
        event("tool.started", {"toolName": "read", **raw}, tool_call_id="call_1"),
        event("tool.result", {"preview": "ok", **raw}, tool_call_id="call_1"),
        event("artifact.changed", {"title": "Report", **raw}, artifact_id="artifact_1"),
        event("runtime.warning", {"code": "slow", **raw}),
    ]
    play(tmp_path, [*raw_types, DONE], scenario)


@pytest.mark.requirement("APP-11")
def test_what_an_app_is_told_of_a_task_names_the_app_it_belongs_to(tmp_path: Path) -> None:
    async def scenario(runtime: Runtime) -> None:
        await runtime.run("session_1", "go", "turn_1")
        session_id = (await runtime.read("session_1")).session.session_id
        assert await runtime.core.sessions.owner_of(session_id) == "app_1"
        joined = [
            fact for fact in runtime.events if fact.type in {"tool.result", "artifact.changed"}
        ]
        assert {(fact.session_id, fact.turn_id, bool(fact.task_id)) for fact in joined} == {
            ("session_1", "turn_1", True)
        }

    play(
        tmp_path,
        [
            event("tool.started", {"toolName": "read"}, tool_call_id="call_1"),
            event("tool.result", {"preview": "ok"}, tool_call_id="call_1"),
            event("artifact.changed", {"title": "Report"}, artifact_id="artifact_1"),
            DONE,
        ],
        scenario,
    )
