"""Small turns for the scripted engine, as its files write them."""

from typing import Any

Step = dict[str, Any]

TEXT: list[Step] = [
    {"type": "model.requested", "payload": {"messageId": "m1", "model": "script"}},
    {"type": "model.delta", "payload": {"messageId": "m1", "delta": "Hello "}},
    {"type": "model.delta", "payload": {"messageId": "m1", "delta": "there"}},
    {"type": "model.completed", "payload": {"messageId": "m1", "text": "Hello there"}},
    {"type": "turn.completed", "payload": {}},
]

_TOOL = {"stepId": "step_1", "toolCallId": "call_1"}

APPROVAL: list[Step] = [
    {"type": "model.requested", "payload": {"messageId": "m1", "model": "script"}},
    {"type": "tool.started", **_TOOL, "payload": {"toolName": "write_file"}},
    {
        "ask": {
            "type": "action.required",
            "actionId": "action_1",
            **_TOOL,
            "payload": {
                "actionType": "tool_permission",
                "toolName": "write_file",
                "decisionKind": "allow_or_deny",
                "prompt": "May write_file change report.md?",
            },
        },
        "allowed": [
            {"type": "tool.result", **_TOOL, "payload": {"preview": "written"}},
            {
                "type": "artifact.changed",
                "artifactId": "artifact_1",
                "payload": {"kind": "document", "title": "Report", "path": "report.md"},
            },
        ],
        "denied": [
            {"type": "tool.failed", **_TOOL, "payload": {"failureCategory": "permission_denied"}}
        ],
    },
    {"type": "model.completed", "payload": {"messageId": "m1", "text": "Done"}},
    {"type": "turn.completed", "payload": {}},
]

HOLD: list[Step] = [
    {"type": "model.requested", "payload": {"messageId": "m1", "model": "script"}},
    {"hold": "for ever"},
]

SCRIPTS = {"text": TEXT, "approval": APPROVAL, "hold": HOLD}
