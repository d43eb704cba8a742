"""Tasks, subagents, jobs, channels and benchmarks as facts with attempts and edges; compaction and paging."""

from typing import Any

import pytest
from pydantic import ValidationError

from lime_desktop.app_server.execution.scripted import Hold, Script
from lime_desktop.protocol.calls.sessions import (
    AppendEventsParams,
    CompactParams,
    ListSessionsParams,
)
from lime_desktop.protocol.errors import EventRejected, InvalidInput, TurnAlreadyActive
from lime_desktop.protocol.ids import SessionId
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.protocol.runtime.sessions import SessionSnapshot
from lime_desktop.protocol.runtime.tasks import TaskSnapshot
from lime_desktop.protocol.runtime.threads import ThreadReadModel
from tests.app_server.conftest import Play
from tests.app_server.runtime_core.runtime import CONTEXT, DONE, Runtime, event

SAY: Script = [
    event("model.delta", {"delta": "hi"}),
    event("model.completed", {"text": "hi"}),
    DONE,
]


async def told(runtime: Runtime, *events: ProposedEvent) -> SessionSnapshot:
    """The session after somebody outside has reported these facts."""
    params = AppendEventsParams(session_id=SessionId("session_1"), runtime_events=events)
    await runtime.core.sessions.append(params, CONTEXT)
    return (await runtime.read("session_1")).snapshot


async def task_after(runtime: Runtime, *events: ProposedEvent) -> TaskSnapshot:
    return (await told(runtime, *events)).tasks[0]


async def thread_after(runtime: Runtime, *events: ProposedEvent) -> ThreadReadModel:
    return (await told(runtime, *events)).threads[0]


@pytest.mark.requirement("APP-35", "APP-42", "RT-32")
def test_a_retry_is_a_new_run_beside_the_failed_one(play: Play) -> None:
    """The standard: tasks leave attempts, and a retry never overwrites one."""

    async def scenario(runtime: Runtime) -> None:
        await runtime.session()
        progress = event("task.progress", {"progress": {"completedSteps": 1}}, task_id="task_1")
        first = event("task.attempt.started", task_id="task_1", run_id="run_1")
        running = await task_after(
            runtime, event("task.created", {"objective": "Do"}, task_id="task_1"), first, progress
        )
        assert (running.status, running.current_run_id) == ("running", "run_1")
        why = {"failureCategory": "flaky", "retryable": True}
        failed = await task_after(
            runtime,
            event("task.attempt.failed", why, task_id="task_1", run_id="run_1"),
            event("task.failed", why, task_id="task_1", run_id="run_1"),
        )
        assert failed.last_error
        assert (failed.status, failed.last_error["failureCategory"]) == ("failed", "flaky")
        for refused in (progress, first):
            with pytest.raises(EventRejected):
                await told(runtime, refused)
        end = {"evidenceRefs": ["evidence_1"], "deliveryState": {"state": "delivered"}}
        task = await task_after(
            runtime,
            event("task.retrying", task_id="task_1"),
            event("task.attempt.started", task_id="task_1", run_id="run_2"),
            event("task.attempt.completed", task_id="task_1", run_id="run_2"),
            event("task.completed", end, task_id="task_1", run_id="run_2"),
        )
        assert [(a.run_id, a.status) for a in task.attempts] == [
            ("run_1", "failed"),
            ("run_2", "completed"),
        ]
        assert (task.status, task.evidence_refs) == ("completed", ("evidence_1",))
        assert task.delivery_state == {"state": "delivered"}
        summary = (await runtime.read("session_1")).snapshot.task_summary
        assert (summary.active, summary.completed, summary.failed) == (0, 1, 0)
        assert (await task_after(runtime, event("task.archived", task_id="task_1"))).status == (
            "archived"
        )

    play({}, scenario)


@pytest.mark.requirement("RT-27", "RT-32")
def test_a_task_waits_pauses_goes_on_and_is_cancelled(play: Play) -> None:
    async def scenario(runtime: Runtime) -> None:
        await runtime.session()
        await told(runtime, event("task.created", {"title": "First"}, task_id="task_1"))
        statuses: list[str] = []
        for waits_for in ("input", "permission", "resource", "dependency"):
            wait = event("task.waiting", {"waitsFor": waits_for}, task_id="task_1")
            statuses.append((await task_after(runtime, wait)).status)
        assert statuses == ["waiting_input", "waiting_permission", "waiting_resource", "blocked"]
        paused = event("task.paused", task_id="task_1")
        assert (await task_after(runtime, paused)).status == "paused"
        resumed = event("task.resumed", task_id="task_1")
        assert (await task_after(runtime, resumed)).status == "running"
        renamed = event("task.updated", {"title": "Renamed", "priority": "high"}, task_id="task_1")
        assert (await task_after(runtime, renamed)).title == "Renamed"
        asked = event("task.cancel_requested", task_id="task_1")
        cancelled = event("task.cancelled", task_id="task_1")
        assert (await task_after(runtime, asked, cancelled)).status == "cancelled"

    play({}, scenario)


@pytest.mark.requirement("RT-32")
def test_the_edges_of_a_task_come_and_go(play: Play) -> None:
    async def scenario(runtime: Runtime) -> None:
        await runtime.session()
        child = {"kind": "child", "targetId": "b", "status": "active"}
        blocker = {"kind": "blocked_by", "targetId": "c", "status": "active"}
        task = await task_after(
            runtime,
            event("task.created", task_id="a"),
            event("task.dependency.updated", task_id="a", task_relationship=child),
            event("task.dependency.updated", task_id="a", task_relationship=blocker),
        )
        edges = [(edge.kind, edge.target_id) for edge in task.relationships]
        assert edges == [("child", "b"), ("blocked_by", "c")]
        gone = {**child, "status": "removed"}
        task = await task_after(
            runtime, event("task.dependency.updated", task_id="a", task_relationship=gone)
        )
        assert [edge.target_id for edge in task.relationships] == ["c"]
        with pytest.raises(EventRejected):
            await told(runtime, event("task.created", task_id="a"))

    play({}, scenario)


def test_a_running_turns_own_task_can_only_end_with_its_turn(play: Play) -> None:
    async def scenario(runtime: Runtime) -> None:
        await runtime.session()
        await runtime.turn("session_1", "held", "turn_1")
        task = (await runtime.read("session_1")).snapshot.tasks[0]
        with pytest.raises(EventRejected):
            await told(runtime, event("task.cancelled", task_id=task.task_id))
        await runtime.cancel("session_1", "turn_1")

    play({"held": [Hold("gate")]}, scenario)


def test_subagents_are_facts_with_lineage(play: Play) -> None:
    async def scenario(runtime: Runtime) -> None:
        await runtime.session()
        ids: dict[str, Any] = {"subagent_id": "sub_1", "task_id": "child", "parent_task_id": "root"}
        thread = await thread_after(runtime, event("subagent.spawned", {"role": "writer"}, **ids))
        [agent] = thread.subagents
        assert (agent.status, agent.role, agent.parent_task_id) == ("running", "writer", "root")
        made = {"artifactRefs": ["artifact_1"]}
        thread = await thread_after(
            runtime,
            event("subagent.status", {"status": "waiting"}, **ids),
            event("subagent.completed", made, **ids),
            event("subagent.closed", **ids),
        )
        [agent] = thread.subagents
        assert (agent.status, agent.artifact_refs) == ("completed", ("artifact_1",))

    play({}, scenario)


def test_a_jobs_status_is_not_its_items(play: Play) -> None:
    async def scenario(runtime: Runtime) -> None:
        await runtime.session()
        counts = {"title": "Batch", "counts": {"items": 2}}
        await told(
            runtime,
            event("job.created", counts, job_id="job_1"),
            event("job.started", job_id="job_1"),
        )
        items = [
            event("job.item.started", job_id="job_1", job_item_id="a"),
            event("job.item.completed", job_id="job_1", job_item_id="a"),
            event("job.item.started", job_id="job_1", job_item_id="b"),
            event("job.item.failed", job_id="job_1", job_item_id="b"),
        ]
        [job] = (await thread_after(runtime, *items)).jobs
        assert job.status == "running"
        assert job.counts == {"items": 2, "started": 2, "completed": 1, "failed": 1}
        [job] = (await thread_after(runtime, event("job.cancelled", job_id="job_1"))).jobs
        assert job.status == "cancelled"

    play({}, scenario)


def test_a_lost_channel_is_neither_an_end_nor_a_failure(play: Play) -> None:
    async def scenario(runtime: Runtime) -> None:
        await runtime.session()
        peer = {"transport": "websocket", "peerRole": "peer_agent"}
        statuses: list[str] = []
        for fact in (
            event("channel.connected", peer, channel_id="channel_1"),
            event("channel.disconnected", channel_id="channel_1"),
            event("channel.resumed", channel_id="channel_1"),
        ):
            thread = await thread_after(runtime, fact)
            statuses.extend(channel.status for channel in thread.channels)
        assert statuses == ["connected", "disconnected", "resumed"]
        assert (await runtime.read("session_1")).snapshot.threads[0].incidents == ()

    play({}, scenario)


@pytest.mark.requirement("RT-54", "RT-56")
def test_a_benchmark_trial_joins_its_run_and_keeps_its_references(play: Play) -> None:
    async def scenario(runtime: Runtime) -> None:
        await runtime.session()
        await runtime.run("session_1", "say", "turn_1")
        read = await runtime.read("session_1")
        turn = read.snapshot.threads[0].turns[0]
        ids: dict[str, Any] = {"task_id": turn.task_id, "run_id": turn.run_id}
        scope = {
            "datasetId": "d",
            "datasetVersion": "1",
            "taskId": "dataset-task",
            "trialId": "trial_1",
            "configurationId": "c1",
            "harborJobRef": "harbor://job",
            "harborTrialRef": "harbor://trial",
        }
        reward = {"value": 0.75, "ref": "reward://1", "detailsRef": "reward://details"}
        compared = {"meanRewardDelta": 0.1, "p0QcGateRegressionCount": 0, "decision": "promote"}
        refs = {"artifactManifestRef": "m", "agentQcReportRef": "q"}
        here: dict[str, Any] = {"thread_id": read.session.thread_id, "turn_id": "turn_1"}
        snapshot = await told(
            runtime,
            event("benchmark.trial.started", benchmark=scope, refs=refs, **ids, **here),
            event(
                "benchmark.trial.completed",
                benchmark=scope,
                reward=reward,
                trajectory={"ref": "trajectory://1"},
                refs={},
                **ids,
            ),
            event("benchmark.comparison.completed", benchmark=scope, comparison=compared, refs={}),
        )
        summary = snapshot.benchmark_summary
        assert summary
        assert (summary.dataset_id, summary.dataset_version) == ("d", "1")
        assert (summary.decision, summary.qc_regression_count) == ("promote", 0)
        wire = summary.trials[0].to_wire()
        assert (wire["status"], wire["reward"], wire["benchmark"]) == ("completed", 0.75, scope)
        assert (wire["rewardRef"], wire["rewardDetailsRef"]) == ("reward://1", "reward://details")
        assert (wire["trajectoryRef"], wire["refs"]) == ("trajectory://1", refs)
        assert wire["ids"] == {"turnId": "turn_1", "taskId": turn.task_id, "runId": turn.run_id}

    play({"say": SAY}, scenario)


@pytest.mark.requirement("RT-44", "RT-51")
def test_compaction_is_a_fact_that_keeps_incidents_and_references(play: Play) -> None:
    """The standard: compaction must not drop unresolved actions or incidents."""

    async def scenario(runtime: Runtime) -> None:
        await runtime.session()
        await runtime.run("session_1", "fail", "turn_0")
        for number in range(1, 6):
            await runtime.run("session_1", "say", f"turn_{number}")
        wanted = CompactParams.model_validate({"sessionId": "session_1", "keepTurns": 2})
        compacted = await runtime.core.context.compact(wanted, CONTEXT)
        assert compacted.compacted_turn_ids == ("turn_0", "turn_1", "turn_2", "turn_3")
        assert compacted.summary_ref is not None
        assert runtime.core.store.read(compacted.summary_ref) == b"7 messages"
        assert runtime.types()[-5:] == [
            "context.compaction.started",
            "context.compaction.completed",
            "history.compacted",
            "context.attached",
            "snapshot.updated",
        ]
        thread = (await runtime.read("session_1")).snapshot.threads[0]
        assert len(thread.incidents) == 1
        assert len(thread.artifacts) == 1
        await runtime.run("session_1", "say", "turn_6")
        request = runtime.engine.requests[-1]
        assert request.summary_ref == compacted.summary_ref
        assert [message.turn_id for message in request.history] == [
            "turn_4",
            "turn_4",
            "turn_5",
            "turn_5",
        ]
        again = await runtime.core.context.compact(
            wanted.model_copy(update={"summary": "In short."}), CONTEXT
        )
        assert again.compacted_turn_ids == ("turn_4",)
        assert (await runtime.core.context.compact(wanted, CONTEXT)).compacted_turn_ids == ()

    failing: Script = [
        event("artifact.changed", {"title": "kept"}, artifact_id="artifact_1"),
        event("turn.failed", {"failureCategory": "oops"}),
    ]
    play({"say": SAY, "fail": failing}, scenario)


@pytest.mark.requirement("RT-51")
def test_a_running_turn_is_not_compacted_from_outside(play: Play) -> None:
    async def scenario(runtime: Runtime) -> None:
        await runtime.session()
        await runtime.run("session_1", "say", "turn_1")
        await runtime.turn("session_1", "held", "turn_2")
        with pytest.raises(TurnAlreadyActive):
            await runtime.core.context.compact(
                CompactParams.model_validate({"sessionId": "session_1", "keepTurns": 0}), CONTEXT
            )
        await runtime.cancel("session_1", "turn_2")

    play({"say": SAY, "held": [Hold("gate")]}, scenario)


def test_sessions_are_listed_most_recent_first_and_by_app(play: Play) -> None:
    async def scenario(runtime: Runtime) -> None:
        for number in range(3):
            await runtime.session(f"session_{number}")
        await runtime.run("session_0", "say", "turn_1")

        async def page(**more: object) -> tuple[list[str], str | None]:
            found = await runtime.core.sessions.list(
                ListSessionsParams.model_validate(more), CONTEXT
            )
            return [session.session_id for session in found.sessions], found.next_cursor

        first, cursor = await page(limit=2)
        assert first == ["session_0", "session_2"]
        assert await page(limit=2, cursor=cursor) == (["session_1"], None)
        assert await page(appId="another") == ([], None)
        for cursor in ("nonsense", f"{10**30}@x"):
            with pytest.raises(InvalidInput):
                await page(cursor=cursor)
        assert (
            await runtime.core.sessions.owner_of(
                (await runtime.read("session_0")).session.session_id
            )
            == "app_1"
        )

    play({"say": SAY}, scenario)


def test_history_is_read_in_pages_that_say_what_they_leave_out(play: Play) -> None:
    async def scenario(runtime: Runtime) -> None:
        await runtime.session()
        for number in range(4):
            await runtime.run("session_1", "say", f"turn_{number}")
        newest = (await runtime.read("session_1", historyLimit=3)).snapshot.history
        assert (len(newest.messages), newest.total_count, newest.truncated) == (3, 8, True)
        older = (
            await runtime.read(
                "session_1", historyLimit=3, historyBeforeMessageId=newest.oldest_message_id
            )
        ).snapshot.history
        assert (len(older.messages), older.truncated) == (3, True)
        skipped = (
            await runtime.read("session_1", historyLimit=3, historyOffset=3)
        ).snapshot.history
        assert skipped.messages == older.messages
        oldest = (await runtime.read("session_1", historyLimit=3, historyOffset=6)).snapshot.history
        with pytest.raises(ValidationError):
            await runtime.read("session_1", historyOffset=2**63)
        assert (len(oldest.messages), oldest.truncated) == (2, False)

    play({"say": SAY}, scenario)
