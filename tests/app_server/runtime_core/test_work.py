"""Tasks, subagents, jobs, channels, benchmarks, compaction and checkpoints: facts with attempts and edges."""

import pytest
from pydantic import ValidationError

from lime_desktop.app_server.execution.scripted import Hold, Script
from lime_desktop.protocol.calls.benchmarks import (
    CompareRunsParams,
    ExportTrialParams,
    RecordRewardParams,
    StartTrialParams,
)
from lime_desktop.protocol.calls.channels import (
    ChannelMessageParams,
    ConnectChannelParams,
    DisconnectChannelParams,
    ListChannelsParams,
)
from lime_desktop.protocol.calls.jobs import (
    CreateJobParams,
    JobParams,
    ListJobsParams,
    ReportJobItemParams,
    ReportJobParams,
)
from lime_desktop.protocol.calls.sessions import (
    CheckpointParams,
    CompactParams,
    ListSessionsParams,
    ToolInventoryParams,
)
from lime_desktop.protocol.calls.subagents import (
    ListSubagentsParams,
    ReportSubagentParams,
    SpawnSubagentParams,
    SubagentInputParams,
    SubagentParams,
)
from lime_desktop.protocol.calls.tasks import (
    CompleteTaskParams,
    CreateTaskParams,
    FailTaskParams,
    LinkTaskParams,
    ListTasksParams,
    StartTaskParams,
    TaskParams,
    TaskProgressParams,
    UpdateTaskParams,
    WaitTaskParams,
)
from lime_desktop.protocol.errors import (
    Conflict,
    InvalidInput,
    RunNotFound,
    TaskFinished,
    TaskNotFound,
    TurnAlreadyActive,
)
from lime_desktop.protocol.runtime.tasks import TaskSnapshot
from tests.app_server.conftest import Play
from tests.app_server.runtime_core.runtime import CONTEXT, DONE, Runtime, event

SAY: Script = [
    event("model.delta", {"delta": "hi"}),
    event("model.completed", {"text": "hi"}),
    DONE,
]


async def create(runtime: Runtime, task_id: str, **more: object) -> TaskSnapshot:
    said = {"taskId": task_id, "objective": f"Do {task_id}", **more}
    wanted = CreateTaskParams.model_validate({"sessionId": "session_1", **said})
    return (await runtime.core.tasks.create(wanted, CONTEXT)).task


def named(task_id: str) -> TaskParams:
    return TaskParams.model_validate({"sessionId": "session_1", "taskId": task_id})


def run_of(task_id: str, run_id: str) -> StartTaskParams:
    return StartTaskParams.model_validate(
        {"sessionId": "session_1", "taskId": task_id, "runId": run_id}
    )


def link(task_id: str, kind: str, target: str) -> LinkTaskParams:
    return LinkTaskParams.model_validate(
        {"sessionId": "session_1", "taskId": task_id, "kind": kind, "targetId": target}
    )


@pytest.mark.requirement("APP-35", "APP-42", "RT-32")
def test_a_retry_is_a_new_run_beside_the_failed_one(play: Play) -> None:
    """The standard: task commands write attempts, and a retry never overwrites one."""

    async def scenario(runtime: Runtime) -> None:
        await runtime.session()
        tasks = runtime.core.tasks
        await create(runtime, "task_1")
        with pytest.raises(Conflict):
            await tasks.retry(run_of("task_1", "run_1"), CONTEXT)
        await tasks.start(run_of("task_1", "run_1"), CONTEXT)
        with pytest.raises(Conflict):
            await tasks.start(run_of("task_1", "run_2"), CONTEXT)
        progress = TaskProgressParams.model_validate(
            {
                "sessionId": "session_1",
                "taskId": "task_1",
                "progress": {"completedSteps": 1, "totalSteps": 3},
            }
        )
        assert (await tasks.progress(progress, CONTEXT)).task.status == "running"
        failing = FailTaskParams.model_validate(
            {
                "sessionId": "session_1",
                "taskId": "task_1",
                "failureCategory": "flaky",
                "retryable": True,
            }
        )
        failed = (await tasks.fail(failing, CONTEXT)).task
        assert (failed.status, failed.last_error and failed.last_error["failureCategory"]) == (
            "failed",
            "flaky",
        )
        with pytest.raises(TaskFinished):
            await tasks.progress(progress, CONTEXT)
        await tasks.retry(run_of("task_1", "run_2"), CONTEXT)
        done = CompleteTaskParams.model_validate(
            {
                "sessionId": "session_1",
                "taskId": "task_1",
                "evidenceRefs": ["evidence_1"],
                "deliveryState": {"state": "delivered"},
            }
        )
        task = (await tasks.complete(done, CONTEXT)).task
        assert [(a.run_id, a.status) for a in task.attempts] == [
            ("run_1", "failed"),
            ("run_2", "completed"),
        ]
        assert (task.status, task.current_run_id, task.evidence_refs) == (
            "completed",
            "run_2",
            ("evidence_1",),
        )
        assert task.delivery_state == {"state": "delivered"}
        summary = (await runtime.read("session_1")).snapshot.task_summary
        assert (summary.active, summary.completed, summary.failed) == (0, 1, 0)
        assert (await tasks.archive(named("task_1"), CONTEXT)).task.status == "archived"

    play({}, scenario)


@pytest.mark.requirement("RT-27", "RT-32")
def test_a_task_waits_pauses_goes_on_and_is_cancelled(play: Play) -> None:
    async def scenario(runtime: Runtime) -> None:
        await runtime.session()
        tasks = runtime.core.tasks
        await create(runtime, "task_1", title="First")
        statuses: list[str] = []
        for waits_for in ("input", "permission", "resource", "dependency"):
            wait = WaitTaskParams.model_validate(
                {
                    "sessionId": "session_1",
                    "taskId": "task_1",
                    "waitsFor": waits_for,
                    "reason": "because",
                }
            )
            statuses.append((await tasks.wait(wait, CONTEXT)).task.status)
        assert statuses == ["waiting_input", "waiting_permission", "waiting_resource", "blocked"]
        assert (await tasks.pause(named("task_1"), CONTEXT)).task.status == "paused"
        assert (await tasks.resume(named("task_1"), CONTEXT)).task.status == "running"
        with pytest.raises(Conflict):
            await tasks.archive(named("task_1"), CONTEXT)
        changed = UpdateTaskParams.model_validate(
            {"sessionId": "session_1", "taskId": "task_1", "title": "Renamed", "priority": "high"}
        )
        assert (await tasks.update(changed, CONTEXT)).task.title == "Renamed"
        cancelled = (await tasks.cancel(named("task_1"), CONTEXT)).task
        assert cancelled.status == "cancelled"
        assert runtime.types()[-2:] == ["task.cancel_requested", "task.cancelled"]
        assert (await tasks.read(named("task_1"), CONTEXT)).task == cancelled
        with pytest.raises(TaskNotFound):
            await tasks.read(named("task_9"), CONTEXT)

    play({}, scenario)


@pytest.mark.requirement("RT-32")
def test_dependencies_form_a_graph_without_circles(play: Play) -> None:
    async def scenario(runtime: Runtime) -> None:
        await runtime.session()
        tasks = runtime.core.tasks
        await create(runtime, "a")
        await create(runtime, "b", dependsOn=["a"], parentTaskId="a")
        await create(runtime, "c")
        await tasks.link(link("c", "blocked_by", "b"), CONTEXT)
        for circle in (
            link("a", "blocked_by", "c"),
            link("c", "blocks", "a"),
            link("a", "blocks", "a"),
        ):
            with pytest.raises(Conflict):
                await tasks.link(circle, CONTEXT)
        unlinked = await tasks.unlink(link("c", "blocked_by", "b"), CONTEXT)
        assert unlinked.task.relationships == ()
        await tasks.link(link("a", "blocked_by", "c"), CONTEXT)
        with pytest.raises(TaskNotFound):
            await create(runtime, "d", dependsOn=["nothing"])
        with pytest.raises(Conflict):
            await create(runtime, "a")
        parent = (await tasks.read(named("a"), CONTEXT)).task
        assert {(edge.kind, edge.target_id) for edge in parent.relationships} == {
            ("child", "b"),
            ("blocked_by", "c"),
        }

    play({}, scenario)


def test_tasks_are_listed_newest_first_in_pages(play: Play) -> None:
    async def scenario(runtime: Runtime) -> None:
        await runtime.session()
        for number in range(5):
            await create(runtime, f"task_{number}")
        await runtime.core.tasks.cancel(named("task_3"), CONTEXT)

        async def page(**more: object) -> tuple[list[str], str | None]:
            wanted = ListTasksParams.model_validate({"sessionId": "session_1", "limit": 2, **more})
            found = await runtime.core.tasks.list(wanted, CONTEXT)
            return [task.task_id for task in found.tasks], found.next_cursor

        first, cursor = await page()
        assert first == ["task_4", "task_3"]
        second, cursor = await page(cursor=cursor)
        assert second == ["task_2", "task_1"]
        assert await page(cursor=cursor) == (["task_0"], None)
        assert (await page(statuses=["cancelled"]))[0] == ["task_3"]
        with pytest.raises(InvalidInput):
            await page(cursor="nonsense")

    play({}, scenario)


def test_a_running_turns_own_task_can_only_end_with_its_turn(play: Play) -> None:
    async def scenario(runtime: Runtime) -> None:
        await runtime.session()
        await runtime.turn("session_1", "held", "turn_1")
        task = (await runtime.read("session_1")).snapshot.tasks[0]
        with pytest.raises(Conflict):
            await runtime.core.tasks.cancel(named(task.task_id), CONTEXT)
        await runtime.cancel("session_1", "turn_1")

    play({"held": [Hold("gate")]}, scenario)


def test_subagents_are_facts_with_lineage(play: Play) -> None:
    async def scenario(runtime: Runtime) -> None:
        await runtime.session()
        agents = runtime.core.subagents
        await create(runtime, "root")
        await create(runtime, "child", parentTaskId="root")
        for subagent_id, task_id, parent in (
            ("sub_1", "child", "root"),
            ("sub_2", "root", "child"),
        ):
            spawn = SpawnSubagentParams.model_validate(
                {
                    "sessionId": "session_1",
                    "role": "writer",
                    "taskId": task_id,
                    "subagentId": subagent_id,
                    "parentTaskId": parent,
                }
            )
            assert (await agents.spawn(spawn, CONTEXT)).subagent.status == "running"
        with pytest.raises(Conflict):
            await agents.spawn(spawn, CONTEXT)
        tell = SubagentInputParams.model_validate(
            {"sessionId": "session_1", "subagentId": "sub_1", "text": "go"}
        )
        await agents.send_input(tell, CONTEXT)
        report = ReportSubagentParams.model_validate(
            {
                "sessionId": "session_1",
                "subagentId": "sub_1",
                "status": "completed",
                "artifactRefs": ["artifact_1"],
            }
        )
        done = (await agents.report(report, CONTEXT)).subagent
        assert (done.status, done.artifact_refs) == ("completed", ("artifact_1",))
        close = SubagentParams.model_validate({"sessionId": "session_1", "subagentId": "sub_1"})
        assert (await agents.close(close, CONTEXT)).subagent.status == "completed"
        below = ListSubagentsParams.model_validate(
            {"sessionId": "session_1", "parentTaskId": "root"}
        )
        assert [a.subagent_id for a in (await agents.list(below, CONTEXT)).subagents] == [
            "sub_1",
            "sub_2",
        ]
        unknown = SubagentParams.model_validate({"sessionId": "session_1", "subagentId": "nobody"})
        with pytest.raises(RunNotFound):
            await agents.close(unknown, CONTEXT)

    play({}, scenario)


def test_a_jobs_status_is_not_its_items_and_nothing_is_counted_twice(play: Play) -> None:
    async def scenario(runtime: Runtime) -> None:
        await runtime.session()
        jobs = runtime.core.jobs
        make = CreateJobParams.model_validate(
            {
                "sessionId": "session_1",
                "jobId": "job_1",
                "title": "Batch",
                "items": [{"jobItemId": "a"}, {"jobItemId": "b"}],
            }
        )
        assert (await jobs.create(make, CONTEXT)).job.status == "queued"

        async def item(key: str, status: str) -> None:
            said = {
                "sessionId": "session_1",
                "jobId": "job_1",
                "jobItemId": key,
                "status": status,
                "outputRef": f"output://{key}",
            }
            await jobs.report_item(ReportJobItemParams.model_validate(said), CONTEXT)

        running = {"sessionId": "session_1", "jobId": "job_1", "status": "running"}
        await jobs.report(ReportJobParams.model_validate(running), CONTEXT)
        for key, status in (
            ("a", "running"),
            ("a", "completed"),
            ("a", "completed"),
            ("a", "running"),
            ("b", "running"),
            ("b", "failed"),
            ("b", "running"),
            ("b", "completed"),
        ):
            await item(key, status)
        named_job = JobParams.model_validate({"sessionId": "session_1", "jobId": "job_1"})
        job = (await jobs.read(named_job, CONTEXT)).job
        assert job.status == "running"
        assert job.counts == {"items": 2, "started": 3, "completed": 2, "failed": 1}
        assert [(i["jobItemId"], i["status"], i["attemptCount"]) for i in job.items] == [
            ("a", "completed", 1),
            ("b", "completed", 2),
        ]
        assert (await jobs.cancel(named_job, CONTEXT)).job.status == "cancelled"
        with pytest.raises(Conflict):
            await jobs.cancel(named_job, CONTEXT)
        everything = ListJobsParams.model_validate({"sessionId": "session_1"})
        assert len((await jobs.list(everything, CONTEXT)).jobs) == 1

    play({}, scenario)


def test_a_lost_channel_is_neither_an_end_nor_a_failure(play: Play) -> None:
    async def scenario(runtime: Runtime) -> None:
        await runtime.session()
        channels = runtime.core.channels
        connect = ConnectChannelParams.model_validate(
            {
                "sessionId": "session_1",
                "channelId": "channel_1",
                "transport": "websocket",
                "peerRole": "peer_agent",
            }
        )
        assert (await channels.connect(connect, CONTEXT)).channel.status == "connected"
        message = ChannelMessageParams.model_validate(
            {
                "sessionId": "session_1",
                "channelId": "channel_1",
                "remoteTaskId": "theirs",
                "content": {"text": "hello"},
            }
        )
        await channels.record(message, CONTEXT)
        lost = DisconnectChannelParams.model_validate(
            {"sessionId": "session_1", "channelId": "channel_1"}
        )
        assert (await channels.disconnect(lost, CONTEXT)).channel.status == "disconnected"
        assert (await channels.connect(connect, CONTEXT)).channel.status == "resumed"
        everything = ListChannelsParams.model_validate({"sessionId": "session_1"})
        assert len((await channels.list(everything, CONTEXT)).channels) == 1
        assert (await runtime.read("session_1")).snapshot.threads[0].incidents == ()

    play({}, scenario)


@pytest.mark.requirement("RT-12", "RT-54", "RT-56")
def test_a_benchmark_trial_joins_its_run_and_names_what_is_missing(play: Play) -> None:
    async def scenario(runtime: Runtime) -> None:
        await runtime.session()
        await runtime.run("session_1", "say", "turn_1")
        turn = (await runtime.read("session_1")).snapshot.threads[0].turns[0]
        ids = {"sessionId": "session_1", "taskId": turn.task_id, "runId": turn.run_id}
        scope = {
            "datasetId": "d",
            "datasetVersion": "1",
            "taskId": "dataset-task",
            "trialId": "trial_1",
            "configurationId": "c1",
            "harborJobRef": "harbor://job",
            "harborTrialRef": "harbor://trial",
        }
        thread_id = (await runtime.read("session_1")).session.thread_id
        start = StartTrialParams.model_validate(
            {
                **ids,
                "threadId": thread_id,
                "turnId": "turn_1",
                "benchmark": scope,
                "refs": {"artifactManifestRef": "m"},
            }
        )
        benchmarks = runtime.core.benchmarks
        started = await benchmarks.start_trial(start, CONTEXT)
        assert started.benchmark_summary.trials[0].status == "running"
        reward = RecordRewardParams.model_validate(
            {
                **ids,
                "benchmark": scope,
                "reward": {"value": 0.75, "ref": "reward://1", "detailsRef": "reward://details"},
                "trajectory": {"ref": "trajectory://1"},
                "refs": {},
            }
        )
        assert (await benchmarks.record_reward(reward, CONTEXT)).benchmark_summary.trials[
            0
        ].reward == 0.75
        compare = CompareRunsParams.model_validate(
            {
                "sessionId": "session_1",
                "benchmark": scope,
                "comparison": {
                    "meanRewardDelta": 0.1,
                    "p0QcGateRegressionCount": 0,
                    "decision": "promote",
                },
            }
        )
        summary = (await benchmarks.compare(compare, CONTEXT)).benchmark_summary
        assert (summary.decision, summary.qc_regression_count) == ("promote", 0)
        export = ExportTrialParams.model_validate({"sessionId": "session_1", "trialId": "trial_1"})
        pack = await benchmarks.export_trial(export, CONTEXT)
        assert pack.runtime_correlation.turn_id == "turn_1"
        assert pack.missing_refs == ("agentQcReportRef",)
        with pytest.raises(RunNotFound):
            await benchmarks.export_trial(export.model_copy(update={"trial_id": "none"}), CONTEXT)
        with pytest.raises(InvalidInput):
            await benchmarks.start_trial(
                start.model_copy(
                    update={"benchmark": start.benchmark.model_copy(update={"trial_id": None})}
                ),
                CONTEXT,
            )

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


@pytest.mark.requirement("APP-37", "RT-27")
def test_a_checkpoint_says_what_it_covers(play: Play) -> None:
    async def scenario(runtime: Runtime) -> None:
        await runtime.session()
        wanted = CheckpointParams.model_validate(
            {
                "sessionId": "session_1",
                "label": "before",
                "scopes": ["conversation", "externalSideEffects"],
            }
        )
        made = await runtime.core.sessions.checkpoint(wanted, CONTEXT)
        told = runtime.events[-1]
        assert (told.type, told.sequence) == ("checkpoint.created", made.sequence)
        assert told.payload["scopes"] == ["conversation", "externalSideEffects"]
        inventory = await runtime.core.context.tool_inventory(
            ToolInventoryParams.model_validate({"sessionId": "session_1"}), CONTEXT
        )
        assert (inventory.status, inventory.tools) == ("available", ())

    play({}, scenario)


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
