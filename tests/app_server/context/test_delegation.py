"""An agent hands work to another one; people and policy see both."""

import asyncio
from pathlib import Path

from lime_desktop.app_server.context.delegation import DelegateTools
from lime_desktop.app_server.execution.scripted import Ask, Raise, Script, ScriptedEngine
from lime_desktop.app_server.tools.answer_mailbox import AnswerMailbox
from lime_desktop.app_server.tools.broker import ToolBroker
from lime_desktop.app_server.tools.tooling import ToolCall
from lime_desktop.protocol.calls.sessions import StartSessionParams
from lime_desktop.protocol.errors import ProviderFailed
from lime_desktop.protocol.ids import AppId, SessionId
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
) -> tuple[Runtime, RoundEngine]:
    """A turn whose one call delegates to an agent that plays this script."""
    child = ScriptedEngine({"Look it up": script})
    apps = await known_apps(registration(write_app(tmp_path, capabilities=AGENT, more=EAGER)))
    broker = ToolBroker(apps, [DelegateTools(lambda: child)])
    engine = RoundEngine([CALL], broker.toolset_for(turn_of()))
    runtime = await open_rounds(tmp_path / "data", engine)
    try:
        params = StartSessionParams(app_id=AppId("notes"), session_id=SessionId("session_1"))
        await runtime.core.sessions.start(params, CONTEXT)
        await runtime.turn("session_1", "go", "turn_1")
        asking = asyncio.create_task(answer_when_asked(runtime))
        await runtime.ended("turn_1")
        asking.cancel()
        await check_everything(runtime, upstream_data)
    finally:
        await runtime.core.close()
    return runtime, engine


async def answer_when_asked(runtime: Runtime) -> None:
    asked = await runtime.saw("action.required")
    await runtime.respond("session_1", str(asked.action_id), decision="allow_once")


def test_a_subagents_last_words_are_the_result_and_its_edge_is_kept(
    tmp_path: Path, upstream_data: Path
) -> None:
    """The standard: subagents are facts with their parents."""
    runtime, engine = run(played(tmp_path, [*SAID, DONE], upstream_data))
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
    runtime, engine = run(played(tmp_path, script, upstream_data))
    started = [e for e in runtime.events if e.type == "tool.started"]
    assert [e.subagent_id for e in started] == [None, "subagent:call_1"]
    assert not engine.outcomes["call_1"].is_error


def test_a_subagent_that_fails_fails_its_call_and_not_the_turn(
    tmp_path: Path, upstream_data: Path
) -> None:
    for number, script in enumerate(
        ([event("turn.failed", {"message": "No."})], [Raise(ProviderFailed("No model"))])
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        runtime, engine = run(played(folder, script, upstream_data))
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
