"""What the run view of the published SDK shows of a task: read as that view reads it, off the events and the record alone."""

from pathlib import Path
from typing import Any

import pytest

from lime_desktop.app_server.execution.scripted import Ask, Script
from tests.app_server.agent_tasks.tasks_at_work import of_agent, run, tasks_at_work
from tests.app_server.runtime_core.runtime import DONE, event

_STATUSES = {
    "queued": "queued",
    "running": "running",
    "streaming": "running",
    "blocked": "needs_input",
    "completed": "completed",
    "succeeded": "completed",
    "created": "completed",
    "recorded": "completed",
    "failed": "failed",
    "cancelled": "cancelled",
}

SCRIPT: Script = [
    event("model.requested", {"messageId": "m1", "model": "large", "provider": "maker"}),
    event("reasoning.summary", {"messageId": "m1", "summary": "First search."}),
    event("model.delta", {"messageId": "m1", "delta": "Good "}),
    event("model.delta", {"messageId": "m1", "delta": "day"}),
    event("model.completed", {"messageId": "m1", "text": "Good day"}),
    event("tool.started", {"toolName": "search"}, tool_call_id="call_1"),
    event("tool.result", {"toolName": "search", "output": "found"}, tool_call_id="call_1"),
    event("tool.started", {"toolName": "publish"}, tool_call_id="call_2"),
    Ask(
        event(
            "action.required",
            {
                "actionType": "tool_confirmation",
                "toolName": "publish",
                "prompt": "Publish now?",
                "risk": "high",
                "availableDecisions": ["allow_once", "allow_for_task", "allow_for_session"],
            },
            action_id="action_1",
            tool_call_id="call_2",
        ),
        allowed=[event("tool.failed", {"message": "No network."}, tool_call_id="call_2")],
    ),
    event("artifact.changed", {"kind": "note", "title": "Report"}, artifact_id="artifact_1"),
    event("evidence.changed", {"packRef": "evidence://1"}, evidence_id="evidence_1"),
    event("cost.recorded", {"amount": 0.5, "currency": "USD", "isEstimated": False}),
    event("turn.completed", {"usage": {"inputTokens": 3, "outputTokens": 4, "totalTokens": 7}}),
]


def shown(events: list[dict[str, Any]]) -> dict[str, Any]:
    """The published view's reading: `eventType`, `status`, `message` and `payload.streamKind`, and nothing else."""
    view: dict[str, Any] = {"answer": "", "thoughts": "", "tools": {}, "status": "unknown"}
    for told in events:
        payload: dict[str, Any] = told.get("payload") or {}
        kind = payload.get("streamKind")
        if kind == "text_delta":
            view["answer"] += payload["delta"]
        elif kind == "thinking_delta":
            view["thoughts"] += payload["delta"]
        elif told["eventType"] == "task:toolCall":
            view["tools"][payload["toolCallId"]] = (payload.get("toolName"), told["status"])
        elif told["eventType"] == "task:reviewRequested":
            view["question"] = (payload["requestId"], told["message"])
        elif told["eventType"] == "artifact:created":
            view["artifact"] = (payload["artifact"]["artifactId"], payload["artifactRef"])
        elif told["eventType"] == "evidence:recorded":
            view["evidence"] = payload["evidenceId"]
        view["status"] = _STATUSES[told["status"]]
        assert told["occurredAt"] == told["at"]
    return view


@pytest.mark.requirement("APP-35")
def test_the_published_run_view_shows_a_whole_run(tmp_path: Path) -> None:
    """The client that apps vendor: its run view has no other words than these."""

    async def scene() -> None:
        async with tasks_at_work(tmp_path, {"go": SCRIPT}) as tasks:
            task = await tasks.start("go")
            assert task["taskKind"] == "agent_task"
            question = await tasks.question(task["taskId"])
            assert (question["risk"], question["rememberPolicy"]) == ("high", "session")
            await tasks.ask(
                "agentSession/action/respond",
                sessionId=task["sessionId"],
                requestId="action_1",
                actionType="tool_confirmation",
                decision="allow_once",
            )
            told = await tasks.events(task["taskId"])
            assert shown(told) == {
                "answer": "Good day",
                "thoughts": "First search.",
                "tools": {"call_1": ("search", "completed"), "call_2": (None, "failed")},
                "question": ("action_1", "Publish now?"),
                "artifact": ("artifact_1", "artifact://artifact_1"),
                "evidence": "evidence_1",
                "status": "completed",
            }
            assert told[-1]["usage"]["totalTokens"] == 7
            assert told[-1]["cost"]["amount"] == 0.5
            process = (await tasks.task(task["taskId"]))["runtimeProcess"]
            assert (process["model"]["provider"], process["model"]["model"]) == ("maker", "large")
            assert (process["cost"]["totalCost"], process["usage"]["totalTokens"]) == (0.5, 7)
            tools = [step for step in process["timeline"] if step["kind"] == "tool"]
            assert tools[0]["toolName"] == "search"

    run(scene)


@pytest.mark.parametrize(
    ("script", "status"),
    [([DONE], "completed"), ([event("turn.failed", {"message": "No."})], "failed")],
)
def test_the_published_run_view_shows_how_a_run_ended(
    tmp_path: Path, script: Script, status: str
) -> None:
    async def scene() -> None:
        async with tasks_at_work(tmp_path, {"go": script}) as tasks:
            task = await tasks.ask("app/call", **of_agent("startTask", prompt="go"))
            assert shown(await tasks.events(task["taskId"]))["status"] == status

    run(scene)
