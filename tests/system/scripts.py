"""Small turns for the scripted engine, as its files write them."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

Step = dict[str, Any]


def saying(*pieces: str) -> list[Step]:
    """A turn in which the agent says something, piece by piece."""
    deltas = [
        {"type": "model.delta", "payload": {"messageId": "m1", "delta": piece}} for piece in pieces
    ]
    whole = {"messageId": "m1", "text": "".join(pieces)}
    return [
        {"type": "model.requested", "payload": {"messageId": "m1", "model": "script"}},
        *deltas,
        {"type": "model.completed", "payload": whole},
        {"type": "turn.completed", "payload": {}},
    ]


TEXT = saying("Hello ", "there")

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


def write_scripts(folder: Path, scripts: Mapping[str, list[Step]]) -> Path:
    """A file that the App Server's scripted engine plays from."""
    path = folder / "scripts.json"
    path.write_text(json.dumps(scripts), encoding="utf-8")
    return path
