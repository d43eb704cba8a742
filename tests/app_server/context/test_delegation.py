"""An agent hands work to another one; people and policy see both."""

import asyncio
from pathlib import Path

import pytest

from lime_desktop.app_server.context.delegation import DelegateTools
from lime_desktop.app_server.execution.scripted import Ask, Hold, Raise, Script, ScriptedEngine
from lime_desktop.app_server.tools.answer_mailbox import AnswerMailbox
from lime_desktop.app_server.tools.broker import ToolBroker
from lime_desktop.app_server.tools.tooling import ToolCall
from lime_desktop.protocol.calls.sessions import StartSessionParams
from lime_desktop.protocol.errors import ProviderFailed
from lime_desktop.protocol.ids import AppId, SessionId
from lime_desktop.protocol.runtime.sessions import SessionSnapshot
from lime_desktop.protocol.task_events import AgentTaskResult
from lime_desktop.runtime_views.task_stream import task_events
from tests.app_server.apps.packages import registration, write_app
from tests.app_server.bounded import run
from tests.app_server.execution.rounds import RoundEngine, open_rounds
from tests.app_server.held_rules import check_everything
from tests.app_server.runtime_core.runtime import DONE, Runtime, event
from tests.app_server.tools.turns import CONTEXT, known_apps, turn_of

AGENT = '{ "lime.agent": "^0.10.0" }'
EAGER = "agentRuntime: { agentTask: { toolDiscovery: { mode: eager } } }"
SAID = [
    event("model.requested", {"messageId": "m"}),
    event("model.delta", {"messageId": "m", "delta": "Found "}),
    event("model.completed", {"messageId": "m", "text": "Found it."}),
]
CALL = ToolCall("call_1", "delegate", {"role": "researcher", "task": "Look it up"})


async def played(
    tmp_path: Path, script: Script, upstream_data: Path
) -> tuple[Runtime, RoundEngine, SessionSnapshot]:
    """A turn whose one call delegates to an agent that plays this script."""
    child = ScriptedEngine({"Look it up": script})
    apps = await known_apps(registration(write_app(tmp_path, capabilities=AGENT, more=EAGER)))
    broker = ToolBroker(apps, [DelegateTools(lambda: child)])
    engine = RoundEngine([CALL], broker.toolset_for(turn_of()), tooling=broker)
    runtime = await open_rounds(tmp_path / "data", engine)
    try:
        params = StartSessionParams(app_id=AppId("notes"), session_id=SessionId("session_1"))
        await runtime.core.sessions.start(params, CONTEXT)
        await runtime.turn("session_1", "go", "turn_1")
        asking = asyncio.create_task(answer_when_asked(runtime))
        await runtime.ended("turn_1")
        asking.cancel()
        await check_everything(runtime, upstream_data)
        snapshot = (await runtime.read("session_1")).snapshot
    finally:
        await runtime.core.close()
    return runtime, engine, snapshot


async def answer_when_asked(runtime: Runtime) -> None:
    asked = await runtime.saw("action.required")
    await runtime.respond("session_1", str(asked.action_id), decision="allow_once")


def test_a_subagents_last_words_are_the_result_and_its_edge_is_kept(
    tmp_path: Path, upstream_data: Path
) -> None:
    """The standard: subagents are facts with their parents."""
    runtime, engine, _ = run(played(tmp_path, [*SAID, DONE], upstream_data))
    assert engine.outcomes["call_1"].text == "Found it."
    spawned = next(e for e in runtime.events if e.type == "subagent.spawned")
    assert spawned.payload["role"] == "researcher"
    assert spawned.parent_task_id == spawned.payload["parentTaskId"]
    assert "subagent.completed" in runtime.types()
    # Its words are not the parent's: a reader of the conversation sees them once, as a tool's result.
    assert "model.delta" not in runtime.types()


def test_its_tools_and_questions_are_told_and_answered_in_the_parents_turn(
    tmp_path: Path, upstream_data: Path
) -> None:
    tool = {"tool_call_id": "child_call"}
    question = {"actionType": "tool_confirmation", "toolName": "mail"}
    script: Script = [
        event("tool.started", {"toolName": "mail"}, **tool),
        Ask(
            event("action.required", {**question}, action_id="ask_1", **tool),
            allowed=[event("tool.result", {"toolName": "mail", "output": "sent"}, **tool)],
        ),
        *SAID,
        DONE,
    ]
    runtime, engine, _ = run(played(tmp_path, script, upstream_data))
    started = [e for e in runtime.events if e.type == "tool.started"]
    assert [e.subagent_id for e in started] == [None, "subagent:call_1"]
    assert not engine.outcomes["call_1"].is_error


@pytest.mark.requirement("RT-43", "RT-47")
def test_handed_on_work_is_a_task_of_its_own_and_what_it_makes_keeps_its_ids(
    tmp_path: Path, upstream_data: Path
) -> None:
    """The provider specification: several agents in one turn are told apart by facts, never by prose."""
    question = {"actionType": "tool_confirmation", "toolName": "mail"}
    tool = {"tool_call_id": "child_call"}
    script: Script = [
        event("tool.started", {"toolName": "mail"}, **tool),
        Ask(
            event("action.required", {**question}, action_id="ask_1", **tool),
            allowed=[event("tool.result", {"toolName": "mail", "output": "sent"}, **tool)],
        ),
        event("artifact.changed", {"kind": "report", "title": "Found"}, artifact_id="artifact_1"),
        event("evidence.changed", {"packRef": "evidence://1"}, evidence_id="evidence_1"),
        event("cost.recorded", {"amount": 0.25, "currency": "USD", "isEstimated": False}),
        *SAID,
        DONE,
    ]
    runtime, _, snapshot = run(played(tmp_path, script, upstream_data))
    thread = snapshot.threads[0]
    [agent] = thread.subagents
    tasks = {task.task_id: task for task in snapshot.tasks}
    whole = next(task for task in tasks.values() if task.task_kind == "turn")
    assert agent.task_id is not None
    part = tasks[agent.task_id]
    assert (part.task_kind, part.parent_task_id, part.status) == (
        "subagent",
        whole.task_id,
        "completed",
    )
    assert [attempt.status for attempt in part.attempts] == ["completed"]
    assert [(edge.kind, edge.target_id) for edge in whole.relationships] == [
        ("child", part.task_id)
    ]
    assert (agent.artifact_refs, agent.evidence_refs) == (("artifact_1",), ("evidence_1",))
    assert agent.channel_ids == ("channel:call_1",)
    assert [each["artifactId"] for each in part.artifacts] == ["artifact_1"]
    assert (part.evidence_refs, whole.evidence_refs, whole.artifacts) == (("evidence_1",), (), ())
    told = [e for e in runtime.events if e.type.startswith(("channel.", "handoff.", "task.w"))]
    assert [e.type for e in told] == [
        "channel.connected",
        "handoff.requested",
        "channel.message",
        "channel.permission_forwarded",
        "task.waiting",
        "channel.permission_returned",
        "channel.message",
        "handoff.completed",
        "channel.disconnected",
    ]
    assert {e.turn_id for e in told} == {"turn_1"}


@pytest.mark.requirement("RT-47")
def test_an_app_hears_what_a_subagent_of_its_task_did_under_its_own_names(
    tmp_path: Path, upstream_data: Path
) -> None:
    """The standard: an app's task tells of its parts by `taskId` and `parentTaskId`, and its result sums them up."""
    script: Script = [
        event("tool.started", {"toolName": "search"}, tool_call_id="child_call"),
        event("tool.result", {"toolName": "search"}, tool_call_id="child_call"),
        event("artifact.changed", {"kind": "report", "title": "Found"}, artifact_id="artifact_1"),
        event("cost.recorded", {"amount": 0.25, "currency": "USD", "isEstimated": False}),
        *SAID,
        DONE,
    ]
    runtime, _, _ = run(played(tmp_path, script, upstream_data))
    whole = next(e.task_id for e in runtime.events if e.type == "turn.started")
    assert whole is not None
    story = task_events(AppId("notes"), whole, runtime.events)
    parts = [told for told in story if told.parent_task_id == whole]
    assert [told.type for told in parts] == ["tool:call", "tool:call", "artifact:created"]
    assert {told.task_id for told in parts} == {f"{whole}:call_1"}
    assert [told.sequence for told in story] == list(range(1, len(story) + 1))
    result = AgentTaskResult.model_validate(story[-1].payload)
    assert (result.subtype, result.artifacts) == ("success", ("artifact_1",))
    assert result.cost is not None
    assert result.cost.amount == 0.25


def test_a_turn_that_is_stopped_ends_the_parts_that_were_handed_on(
    tmp_path: Path, upstream_data: Path
) -> None:
    """We: no task is left running whose agent is gone."""

    async def scene() -> None:
        child = ScriptedEngine({"Look it up": [*SAID, Hold("never"), DONE]})
        apps = await known_apps(registration(write_app(tmp_path, capabilities=AGENT, more=EAGER)))
        broker = ToolBroker(apps, [DelegateTools(lambda: child)])
        engine = RoundEngine([CALL], broker.toolset_for(turn_of()), tooling=broker)
        runtime = await open_rounds(tmp_path / "data", engine)
        try:
            params = StartSessionParams(app_id=AppId("notes"), session_id=SessionId("session_1"))
            await runtime.core.sessions.start(params, CONTEXT)
            await runtime.turn("session_1", "go", "turn_1")
            await runtime.saw("subagent.input")
            await runtime.cancel("session_1", "turn_1")
            await check_everything(runtime, upstream_data)
            snapshot = (await runtime.read("session_1")).snapshot
        finally:
            await runtime.core.close()
        assert {task.status for task in snapshot.tasks} == {"cancelled"}
        assert [agent.status for agent in snapshot.threads[0].subagents] == ["cancelled"]
        assert [channel.status for channel in snapshot.threads[0].channels] == ["disconnected"]

    run(scene())


def test_a_subagent_that_fails_fails_its_call_and_not_the_turn(
    tmp_path: Path, upstream_data: Path
) -> None:
    for number, script in enumerate(
        ([event("turn.failed", {"message": "No."})], [Raise(ProviderFailed("No model"))])
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        runtime, engine, _ = run(played(folder, script, upstream_data))
        assert engine.outcomes["call_1"].category == "subagent_failed"
        assert "subagent.failed" in runtime.types()
        assert "turn.completed" in runtime.types()


def test_a_subagent_has_no_subagents_and_nothing_of_its_parents_past(tmp_path: Path) -> None:
    async def scene() -> None:
        child = ScriptedEngine({"Look it up": [DONE]})
        apps = await known_apps(registration(write_app(tmp_path, capabilities=AGENT, more=EAGER)))
        source = DelegateTools(lambda: child)
        tool = (await source.tools_for(apps.get("notes"), turn_of()))[0]
        told = [each async for each in tool.run(CALL, AnswerMailbox())]
        assert told
        request = child.requests[0]
        assert (request.history, request.summary_ref) == ((), None)
        assert await source.tools_for(apps.get("notes"), request) == []

    run(scene())
