"""Permission, sandbox, routing, cost, quota and hooks are facts, and their summaries say only what applies."""

from typing import Any

import pytest

from lime_desktop.app_server.execution.scripted import Script
from tests.app_server.conftest import Play
from tests.app_server.runtime_core.runtime import DONE, Runtime, event

CALL: dict[str, Any] = {"tool_call_id": "call_1"}
GOVERNED: Script = [
    event(
        "task.profile.resolved", {"kind": "chat"}, task_profile={"kind": "chat", "source": "app"}
    ),
    event("routing.candidates.resolved", {"candidateCount": 2}, candidate_model_set={"count": 2}),
    event(
        "routing.decided",
        {"selectedModel": "m1", "selectedProvider": "p1", "decisionSource": "policy"},
        routing_decision={"selectedModel": "m1"},
    ),
    event("routing.fallback.applied", {"selectedModel": "m2"}),
    event("cost.estimated", {"usd": 0.1}),
    event("cost.recorded", {"usd": 0.2}, cost_state={"usd": 0.2}),
    event("rate_limit.hit", {"retryAfterS": 3}),
    event("quota.low", {"remaining": 5}),
    event("limit.changed", {"budget": 1}, limit_state={"budget": 1}),
    event("hook.started", {"hookPoint": "pre_tool_use"}),
    event("hook.completed", {"hookPoint": "pre_tool_use", "decision": "allow"}),
    event("tool.started", {"toolName": "write"}, **CALL),
    event("permission.evaluated", {"mode": "on_request", "decision": "sandboxed"}, **CALL),
    event("sandbox.applied", {"mode": "read-only"}, sandbox_profile={"mode": "read-only"}, **CALL),
    event(
        "sandbox.violation",
        {"boundary": "file", "target": "outside", "reasonCode": "write"},
        **CALL,
    ),
    event("tool.failed", {"failureCategory": "sandbox"}, **CALL),
    event("policy.changed", {"level": "session", "mode": "never"}),
    DONE,
]


@pytest.mark.requirement("RT-19")
def test_governance_is_summed_up_from_facts(play: Play) -> None:
    """The standard: permission, sandbox, routing, quota, cost and retry must be runtime facts."""

    async def scenario(runtime: Runtime) -> None:
        await runtime.session()
        await runtime.run("session_1", "governed", "turn_1")
        snapshot = (await runtime.read("session_1")).snapshot
        routing = snapshot.routing_limit_summary
        assert routing.to_wire() == {
            "taskProfile": {"kind": "chat", "source": "app"},
            "candidateCount": 2,
            "selectedModel": "m2",
            "selectedProvider": "p1",
            "decisionSource": "policy",
            "fallbackApplied": True,
            "noCandidate": False,
            "cost": {"usd": 0.2},
            "rateLimit": {"retryAfterS": 3},
            "quota": {"remaining": 5, "state": "low"},
            "limit": {"budget": 1},
        }
        governed = snapshot.permission_sandbox_summary
        assert governed.mode == "never"
        assert [fact.decision for fact in governed.decisions] == ["sandboxed"]
        assert governed.sandbox_profile == {"mode": "read-only"}
        assert [(v.boundary, v.reason_code) for v in governed.violations] == [("file", "write")]
        thread = snapshot.threads[0]
        assert thread.model_routing == {"selectedModel": "m1"}
        assert [incident.kind for incident in thread.incidents] == [
            "sandbox.violation",
            "tool.failed",
        ]
        turn = thread.turns[0]
        assert (turn.cost_state, turn.task_profile) == (
            {"usd": 0.2},
            {"kind": "chat", "source": "app"},
        )
        told = {"hookPoint": "pre_tool_use", "decision": "allow"}
        assert turn.hook_runs == ({"type": "hook.completed", **told},)

    play({"governed": GOVERNED}, scenario)


@pytest.mark.requirement("RT-41", "RT-49")
def test_what_does_not_apply_is_left_out(play: Play) -> None:
    """The standard: no generic gaps."""

    async def scenario(runtime: Runtime) -> None:
        await runtime.session()
        snapshot = (await runtime.read("session_1")).snapshot.to_wire()
        assert snapshot["routingLimitSummary"] == {}
        assert "benchmarkSummary" not in snapshot
        assert "activeTurnId" not in str(snapshot)

    play({}, scenario)


@pytest.mark.requirement("RT-19")
def test_a_single_candidate_and_none_at_all_are_told_apart(play: Play) -> None:
    async def scenario(runtime: Runtime) -> None:
        await runtime.session()
        await runtime.run("session_1", "single", "turn_1")
        routing = (await runtime.read("session_1")).snapshot.routing_limit_summary
        assert (routing.single_candidate, routing.candidate_count) == (True, 1)
        await runtime.run("session_1", "none", "turn_2")
        assert (await runtime.read("session_1")).snapshot.routing_limit_summary.no_candidate

    single = event("routing.single_candidate", {"candidateCount": 1, "selectedModel": "m"})
    none = event("routing.not_possible", {"candidateCount": 0, "reasonCode": "no_provider"})
    play(
        {
            "single": [single, DONE],
            "none": [none, event("turn.failed", {"failureCategory": "route"})],
        },
        scenario,
    )


def test_a_long_answer_is_kept_whole_by_reference_and_short_in_the_history(play: Play) -> None:
    async def scenario(runtime: Runtime) -> None:
        await runtime.session()
        await runtime.run("session_1", "long", "turn_1")
        message = (await runtime.read("session_1")).snapshot.history.messages[-1]
        assert message.content_ref is not None
        assert runtime.core.store.read(message.content_ref).decode() == "word " * 3_000
        assert len(message.text or "") == 1_200

    deltas = [event("model.delta", {"delta": "word " * 100}) for _ in range(30)]
    play({"long": [*deltas, event("model.completed", {"text": "word " * 3_000}), DONE]}, scenario)
