"""A session told by its events, as the App Server would tell it: words, a tool, a question, an artifact, evidence."""

from typing import Any

from lime_desktop.runtime_views.session import project
from lime_desktop.runtime_views.stream import Delivery, parse_delivery
from lime_desktop.runtime_views.views import SessionViews

ANSWER = """Here is a plan for the week, with the **reason** for each post:

1. *Monday*: how the new index works. Readers asked for it twice.
2. *Wednesday*: a customer story, since it was the most shared kind last month.
3. *Friday*: what comes next, in plain words.

```
posts: 3
tone: plain
```

Shall I put it into the calendar?"""


def talk() -> SessionViews:
    """A turn that waits for the person."""
    told: list[tuple[str, dict[str, Any]]] = [
        ("turn.submitted", {"payload": {"text": "Plan three posts for next week."}}),
        ("turn.started", {}),
        (
            "tool.started",
            {"toolCallId": "call_1", "stepId": "step_1", "payload": {"toolName": "Read calendar"}},
        ),
        (
            "tool.result",
            {
                "toolCallId": "call_1",
                "stepId": "step_1",
                "payload": {"toolName": "Read calendar", "outputPreview": "5 entries this week"},
            },
        ),
        (
            "model.requested",
            {"payload": {"messageId": "m_1", "provider": "embedded", "model": "smollm2-135m"}},
        ),
        ("model.delta", {"payload": {"messageId": "m_1", "delta": ANSWER}}),
        ("model.completed", {"payload": {"messageId": "m_1", "text": ANSWER}}),
        (
            "artifact.changed",
            {"artifactId": "a_1", "payload": {"title": "Plan of the week", "path": "plan.md"}},
        ),
        ("evidence.changed", {"evidenceId": "e_1", "payload": {"title": "Read calendar"}}),
        (
            "action.required",
            {
                "actionId": "ask_1",
                "payload": {
                    "actionType": "tool_confirmation",
                    "title": "Write three entries into your calendar?",
                    "prompt": "Monday, Wednesday and Friday at 9:00. You can delete them later.",
                    "toolName": "calendar.write",
                },
            },
        ),
    ]
    return project([_event(at, kind, more) for at, (kind, more) in enumerate(told, 1)])


def _event(sequence: int, kind: str, more: dict[str, Any]) -> Delivery:
    raw: dict[str, Any] = {
        "schemaVersion": "lime-profile-0.4.0",
        "eventId": f"event_{sequence}",
        "sequence": sequence,
        "type": kind,
        "timestamp": f"2026-11-16T09:30:{sequence:02d}.000Z",
        "runtimeId": "runtime_1",
        "sessionId": "session_1",
        "threadId": "thread_1",
        "turnId": "turn_1",
        "taskId": "task_1",
        "runId": "run_1",
        "payload": {},
        **more,
    }
    delivery = parse_delivery(raw)
    assert delivery is not None
    return delivery
