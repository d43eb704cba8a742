"""The seven provider fixtures.

Each proves: events are valid (`play` checks that), the read model alone restores the first screen, and
replaying neither duplicates, guesses nor loses references.
"""

from collections.abc import Sequence

import pytest

from lime_desktop.app_server.execution.script_files import script_of
from lime_desktop.app_server.execution.scripted import Script
from lime_desktop.app_server.runtime_core.log.draft import refold
from lime_desktop.app_server.runtime_core.log.records import Address, Placed, Records
from lime_desktop.app_server.runtime_core.state import SessionState
from lime_desktop.developer.provider_fixtures.fixture import read_fixtures
from lime_desktop.protocol.ids import ActionId, TaskId
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.runtime.threads import ThreadReadModel
from lime_desktop.resources import resources_folder
from tests.app_server.conftest import Play
from tests.app_server.runtime_core.runtime import Runtime

FIXTURES: dict[str, Script] = {
    fixture.id: script_of(fixture.steps)
    for fixture in read_fixtures(resources_folder() / "provider_fixtures")
}


def folded(events: Sequence[RuntimeEvent]) -> dict[Address, Placed]:
    records = Records(load=lambda _: None)
    state = SessionState(session_id="session_1")
    for fact in events:
        state = refold(state, records, fact, 0)
    return records.changed


async def first_screen(runtime: Runtime, name: str) -> ThreadReadModel:
    session_id = await runtime.session()
    await runtime.run(session_id, name, "turn_1")
    await assert_replay_is_clean(runtime, session_id)
    return (await runtime.read(session_id)).snapshot.threads[0]


async def assert_replay_is_clean(runtime: Runtime, session_id: str) -> None:
    """Reading the events back gives the same events, and folding them the same records."""
    told = [fact for fact in runtime.events if fact.session_id == session_id]
    stored = (await runtime.read(session_id, afterSequence=0)).events
    assert list(stored) == told
    assert folded(stored) == folded(told)


@pytest.mark.requirement("APP-32", "RT-03", "RT-15", "RT-25", "RT-59")
def test_text_basic(play: Play) -> None:
    async def scenario(runtime: Runtime) -> None:
        thread = await first_screen(runtime, "text-basic")
        result = await runtime.read("session_1")
        assistant = [m for m in result.snapshot.history.messages if m.role == "assistant"]
        assert [(m.text, m.final) for m in assistant] == [("Good day", True)]
        assert (thread.status, thread.last_outcome and thread.last_outcome.status) == (
            "completed",
            "completed",
        )

    play(FIXTURES, scenario)


@pytest.mark.requirement("APP-32", "RT-18", "RT-22", "RT-59")
def test_tool_success(play: Play) -> None:
    async def scenario(runtime: Runtime) -> None:
        thread = await first_screen(runtime, "tool-success")
        call = thread.tool_calls[0]
        assert (call.status, call.tool_name) == ("completed", "search")
        assert call.output_ref is not None
        assert runtime.core.store.read(call.output_ref).decode() == "lime " * 4_000
        result = next(e for e in runtime.events if e.type == "tool.result")
        assert len(str(result.payload["output"])) == 1_200
        assert (result.payload["outputTruncated"], result.payload["outputBytes"]) == (True, 20_000)
        assert runtime.types().index("output.spilled") < runtime.types().index("tool.result")

    play(FIXTURES, scenario)


@pytest.mark.requirement("RT-20", "RT-59")
def test_tool_failure(play: Play) -> None:
    async def scenario(runtime: Runtime) -> None:
        thread = await first_screen(runtime, "tool-failure")
        assert thread.status == "failed"
        assert thread.tool_calls[0].failure_category == "permission_denied"
        incident = thread.incidents[0]
        assert (incident.kind, incident.recovery_hint) == ("tool.failed", "Choose another folder.")
        assert thread.last_outcome is not None
        assert thread.last_outcome.recovery_hint == "Choose another folder."

    play(FIXTURES, scenario)


@pytest.mark.requirement("APP-32", "RT-22", "RT-59")
def test_hitl_action(play: Play) -> None:
    async def scenario(runtime: Runtime) -> None:
        session_id = await runtime.session()
        await runtime.turn(session_id, "hitl-action", "turn_1")
        await runtime.saw("action.required")
        waiting = await runtime.read(session_id)
        assert waiting.session.status == "waitingAction"
        thread = waiting.snapshot.threads[0]
        assert thread.status == "blocked"
        assert thread.pending_actions == thread.pending_requests
        assert [action.action_id for action in thread.pending_actions] == ["action_1"]
        assert thread.tool_calls[0].status == "waiting"
        assert waiting.snapshot.permission_sandbox_summary.pending_approvals == (
            ActionId("action_1"),
        )
        await runtime.respond(session_id, "action_1", decision="allow_once")
        await runtime.ended("turn_1")
        await assert_replay_is_clean(runtime, session_id)
        done = (await runtime.read(session_id)).snapshot.threads[0]
        assert (done.status, done.pending_actions) == ("completed", ())

    play(FIXTURES, scenario)


@pytest.mark.requirement("APP-32", "APP-35", "RT-59")
def test_artifact_evidence(play: Play) -> None:
    async def scenario(runtime: Runtime) -> None:
        thread = await first_screen(runtime, "artifact-evidence")
        artifact = thread.artifacts[0]
        assert (artifact.artifact_id, artifact.turn_id, artifact.path) == (
            "artifact_1",
            "turn_1",
            "out/report.md",
        )
        snapshot = (await runtime.read("session_1")).snapshot
        assert snapshot.evidence_refs == ("evidence_1",)
        assert snapshot.evidence_summary.pack_refs == ("evidence://pack_1",)
        assert [(o.name, o.status) for o in snapshot.evidence_summary.verification_outcomes] == [
            ("links", "passed")
        ]
        assert snapshot.tasks[0].evidence_refs == ("evidence_1",)

    play(FIXTURES, scenario)


@pytest.mark.requirement("APP-35", "RT-15", "RT-23", "RT-59")
def test_stream_repair(play: Play) -> None:
    """A client that lost the middle of the stream gets snapshot and tail, and nothing twice."""

    async def scenario(runtime: Runtime) -> None:
        await first_screen(runtime, "stream-repair")
        seen = next(e.sequence for e in runtime.events if e.payload.get("delta") == "one ")
        repair = await runtime.read("session_1", afterSequence=seen, limit=2)
        assert [e.sequence for e in repair.events] == [seen + 1, seen + 2]
        assert (repair.next_sequence, repair.has_more, repair.gap) == (seen + 2, True, None)
        rest = await runtime.read("session_1", afterSequence=repair.next_sequence)
        assert (rest.events[-1].sequence, rest.has_more) == (runtime.events[-1].sequence, False)
        text = [m.text for m in repair.snapshot.history.messages if m.role == "assistant"]
        assert text == ["one two three"]
        ahead = await runtime.read("session_1", afterSequence=10_000)
        assert ahead.gap is not None
        assert (ahead.gap.reason, ahead.events) == ("unknown_sequence", ())

    play(FIXTURES, scenario)


@pytest.mark.requirement("RT-43", "RT-47", "RT-59")
def test_subagent_handoff(play: Play) -> None:
    async def scenario(runtime: Runtime) -> None:
        thread = await first_screen(runtime, "subagent-handoff")
        agent = thread.subagents[0]
        assert (agent.status, agent.role, agent.task_id) == (
            "completed",
            "researcher",
            "task_child",
        )
        assert agent.artifact_refs == ("artifact_1",)
        assert agent.evidence_refs == ("evidence_1",)
        assert agent.channel_ids == ("chan_1",)
        assert thread.artifacts[0].subagent_id == "sub_1"
        types = runtime.types()
        assert types.index("subagent.spawned") + 1 == types.index("subagent.started")
        tasks = {task.task_id: task for task in (await runtime.read("session_1")).snapshot.tasks}
        own = next(task for task in tasks.values() if task.task_kind == "turn")
        assert [(edge.kind, edge.target_id) for edge in own.relationships] == [
            ("child", "task_child")
        ]
        assert tasks[TaskId("task_child")].status == "completed"

    play(FIXTURES, scenario)
