"""The append-time gates: each refuses with its own code, and a refused batch leaves nothing behind."""

from typing import Any

import pytest

from lime_desktop.app_server.execution.scripted import Hold, Script
from lime_desktop.protocol.calls.sessions import AppendEventsParams
from lime_desktop.protocol.errors import EventRejected
from lime_desktop.protocol.ids import SessionId
from lime_desktop.protocol.runtime.events import ProposedEvent
from tests.app_server.conftest import Play
from tests.app_server.runtime_core.runtime import CONTEXT, DONE, Runtime, event

TOOL: dict[str, Any] = {"tool_call_id": "call_1"}
START = event("tool.started", {"toolName": "t", "messageId": "message_1"}, **TOOL)
ASK = event("action.required", {"actionType": "tool_permission"}, action_id="action_1", **TOOL)
CANCEL = event("action.resolved", {"decision": "cancelled"}, action_id="action_1")
FAILED = event("tool.failed", {"failureCategory": "x"}, **TOOL)
RESULT = event("tool.result", {"preview": "ok"}, **TOOL)

REFUSALS: list[tuple[str, list[ProposedEvent]]] = [
    ("missing_scope_id", [event("tool.started", {"toolName": "t"})]),
    ("missing_scope_id", [event("process.started")]),
    ("missing_scope_id", [event("artifact.changed")]),
    (
        "artifact_accepted_by_its_maker",
        [event("artifact.changed", {"acceptance": "accepted"}, artifact_id="a")],
    ),
    ("secret_leak_risk", [event("run.status", {"deep": [{"apiKey": "k"}]})]),
    ("secret_leak_risk", [event("run.status", refs={"accessToken": "k"})]),
    ("large_payload_inline", [event("run.status", {f"part{n}": "x" * 7_000 for n in range(5)})]),
    ("reserved_event_type", [event("turn.submitted", turn_id="turn_9")]),
    ("reserved_event_type", [event("turn.canceled")]),
    ("reserved_event_type", [event("queue.changed")]),
    ("reserved_event_type", [event("snapshot.repaired")]),
    ("turn_unknown", [event("model.requested", turn_id="turn_9")]),
    ("turn_unknown", [event("turn.completed", turn_id="turn_9")]),
    ("turn_not_started", [event("model.requested", turn_id="turn_2")]),
    ("tool_unclosed_at_turn_end", [START, DONE]),
    ("action_unresolved_at_turn_end", [START, ASK, DONE]),
    ("model_unclosed_at_turn_end", [event("model.requested"), DONE]),
    ("model_unclosed_at_turn_end", [event("model.delta", {"delta": "x"}), DONE]),
    ("tool_started_already_active", [START, START]),
    ("tool_call_id_reused", [START, RESULT, START]),
    ("tool_progress_without_start", [event("tool.progress", **TOOL)]),
    ("tool_progress_without_start", [event("tool.args", **TOOL)]),
    ("tool_result_without_start", [RESULT]),
    ("tool_failed_without_start", [FAILED]),
    ("tool_result_without_start", [START, RESULT, RESULT]),
    ("tool_output_without_start", [event("output.spilled", output_ref="sidecar://x", **TOOL)]),
    ("tool_policy_event_without_active_tool", [event("permission.evaluated", **TOOL)]),
    ("tool_policy_event_without_active_tool", [event("sandbox.applied", **TOOL)]),
    ("tool_policy_event_without_active_tool", [ASK]),
    ("tool_result_reports_failure", [START, event("tool.result", {"success": False}, **TOOL)]),
    (
        "tool_output_before_action_resolved",
        [START, ASK, event("tool.progress", {"preview": "x"}, **TOOL)],
    ),
    ("tool_result_before_action_resolved", [START, ASK, RESULT]),
    ("tool_failed_before_action_resolved", [START, ASK, FAILED]),
    ("tool_result_after_refusal", [START, ASK, CANCEL, RESULT]),
    ("tool_result_after_refusal", [START, event("sandbox.violation", **TOOL), RESULT]),
    (
        "tool_result_after_refusal",
        [START, event("permission.evaluated", {"decision": "deny"}, **TOOL), RESULT],
    ),
    (
        "permission_resolved_before_action_resolved",
        [START, ASK, event("permission.resolved", {"decision": "allow"}, **TOOL)],
    ),
    ("action_required_already_active", [START, ASK, ASK]),
    (
        "tool_already_waits_for_action",
        [START, ASK, ASK.model_copy(update={"action_id": "action_2"})],
    ),
    ("action_id_reused", [START, ASK, CANCEL, ASK]),
    ("action_resolved_without_request", [CANCEL]),
    (
        "action_answered_by_its_asker",
        [START, ASK, event("action.resolved", {"decision": "allow"}, action_id="action_1")],
    ),
    ("tool_owner_mismatch", [START, event("tool.result", {"messageId": "message_2"}, **TOOL)]),
    ("tool_step_mismatch", [START, event("tool.result", step_id="step_9", **TOOL)]),
    (
        "task_created_already",
        [event("task.created", task_id="t"), event("task.created", task_id="t")],
    ),
    (
        "task_ended_already",
        [
            event("task.created", task_id="t"),
            event("task.completed", task_id="t"),
            event("task.progress", task_id="t"),
        ],
    ),
    (
        "run_id_reused",
        [
            event("task.created", task_id="t"),
            *[event("task.attempt.started", task_id="t", run_id="r")] * 2,
        ],
    ),
    ("task_ends_with_its_turn", [event("task.completed")]),
    ("schema_mismatch", [event("task.created", task_id="t", task={"visibility": "no such word"})]),
]


async def append(runtime: Runtime, events: list[ProposedEvent]) -> None:
    params = AppendEventsParams(session_id=SessionId("session_1"), runtime_events=tuple(events))
    await runtime.core.sessions.append(params, CONTEXT)


async def busy_session(runtime: Runtime) -> None:
    await runtime.session()
    await runtime.turn("session_1", "held", "turn_1")
    await runtime.turn("session_1", "held", "turn_2", queueIfBusy=True)
    await runtime.saw("run.status", "turn_1")


HELD: dict[str, Script] = {"held": [Hold("gate"), DONE]}


@pytest.mark.requirement("RT-04", "RT-12", "RT-14", "RT-17", "RT-24", "RT-26")
@pytest.mark.parametrize(
    ("code", "batch"), REFUSALS, ids=[f"{n}-{r[0]}" for n, r in enumerate(REFUSALS)]
)
def test_an_event_that_breaks_a_rule_is_refused_with_its_whole_batch(
    play: Play, code: str, batch: list[ProposedEvent]
) -> None:
    """The standard: gates fail closed at the append boundary, and batches are atomic."""

    async def scenario(runtime: Runtime) -> None:
        await busy_session(runtime)
        before = len(runtime.events)
        good = event("run.status", {"phase": "working"})
        with pytest.raises(EventRejected) as refusal:
            await append(runtime, [good, *batch])
        assert refusal.value.details["reasonCode"] == code
        assert refusal.value.rpc_code == -32040
        assert len(runtime.events) == before
        await append(runtime, [good])
        assert runtime.events[-1].sequence == before + 1

    play(HELD, scenario)


@pytest.mark.requirement("RT-17")
def test_a_refusal_names_fields_and_never_values(play: Play) -> None:
    async def scenario(runtime: Runtime) -> None:
        await busy_session(runtime)
        with pytest.raises(EventRejected) as refusal:
            await append(runtime, [event("run.status", {"auth": {"password": "hunter2"}})])
        assert refusal.value.details["fields"] == ["payload.auth.password"]
        assert "hunter2" not in str(refusal.value.to_data())

    play(HELD, scenario)


def test_nothing_is_executed_after_the_end_of_a_turn_but_evidence_may_follow(play: Play) -> None:
    async def scenario(runtime: Runtime) -> None:
        await runtime.session()
        await runtime.run("session_1", "done", "turn_1")
        for late, code in (
            (event("model.delta", turn_id="turn_1"), "execution_after_turn_terminal"),
            (event("turn.completed", turn_id="turn_1"), "turn_terminal_repeated"),
        ):
            with pytest.raises(EventRejected) as refusal:
                await append(runtime, [late])
            assert refusal.value.details["reasonCode"] == code
        await append(
            runtime, [event("evidence.changed", evidence_id="evidence_1", turn_id="turn_1")]
        )
        assert (await runtime.read("session_1")).snapshot.evidence_refs == ("evidence_1",)

    play({"done": [DONE]}, scenario)


@pytest.mark.requirement("RT-23", "RT-25")
def test_saying_the_same_thing_twice_changes_nothing(play: Play) -> None:
    """The standard: an event id is never used again with another payload."""

    async def scenario(runtime: Runtime) -> None:
        await runtime.session()
        said = event("runtime.warning", {"code": "hm"}, event_id="event_1")
        await append(runtime, [said])
        before = len(runtime.events)
        await append(runtime, [said])
        assert len(runtime.events) == before
        with pytest.raises(EventRejected) as refusal:
            await append(runtime, [event("runtime.warning", {"code": "other"}, event_id="event_1")])
        assert refusal.value.details["reasonCode"] == "duplicate_event_id"
        with pytest.raises(EventRejected):
            await append(
                runtime,
                [
                    said.model_copy(update={"event_id": "event_2"}),
                    event("runtime.error", event_id="event_2"),
                ],
            )

    play({}, scenario)


@pytest.mark.requirement("RT-22", "RT-60")
def test_a_denied_permission_and_a_sandbox_block_are_told_in_both_spellings(play: Play) -> None:
    """Ours: the profile's name first, the provider specification's after it."""

    async def scenario(runtime: Runtime) -> None:
        await busy_session(runtime)
        await append(
            runtime,
            [
                START,
                event("permission.resolved", {"decision": "deny"}, **TOOL),
                event("sandbox.blocked", {"boundary": "network"}, **TOOL),
                FAILED,
            ],
        )
        assert runtime.types()[-6:] == [
            "tool.started",
            "permission.resolved",
            "permission.denied",
            "sandbox.violation",
            "sandbox.blocked",
            "tool.failed",
        ]

    play(HELD, scenario)


def test_a_tool_catalogue_is_joined_to_its_turn_by_its_own_ids(play: Play) -> None:
    async def scenario(runtime: Runtime) -> None:
        await busy_session(runtime)
        await append(runtime, [event("tool.catalog.resolved", {"tools": []})])
        found = runtime.events[-1]
        assert (found.step_id, found.tool_call_id) == ("catalog:turn_1", "catalog:turn_1")

    play(HELD, scenario)
