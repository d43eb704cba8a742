"""What an inspector is shown in pictures: a few messages, and something that the content policy refused."""

import json

from lime_desktop.developer.inspection.violations import Violation
from lime_desktop.developer.recording.lines import (
    BeginLine,
    FromAppLine,
    InputLine,
    ToAppLine,
    write_line,
)
from tests.developer.test_recording import HEAD


def _message(kind: str, request_id: str, payload: object) -> str:
    return json.dumps(
        {
            "protocol": "lime.agentApp.bridge",
            "version": 1,
            "type": kind,
            "appId": "hello-lime",
            "requestId": request_id,
            "payload": payload,
        }
    )


def _call(request_id: str, capability: str, method: str, **arguments: object) -> str:
    payload = {"capability": capability, "method": method, "input": arguments}
    return _message("capability:invoke", request_id, payload)


MESSAGES = (
    _call("r-1", "lime.storage", "get", key="greeting"),
    _call("r-2", "lime.capabilities", "list"),
    _call("r-3", "lime.secrets", "getRef", key="crm"),
    _call("r-4", "lime.storage", "set", key="greeting", value="Hello", apiKey="sk-not-shown"),
)

VIOLATION = Violation(
    "connect-src", "https://api.example.com/notes", "lime-app://hello-lime/app.js", 14
)

_LINES = (
    HEAD.model_copy(update={"app_id": "hello-lime", "entry_key": "greeting"}),
    BeginLine(at=1.0, width=900, height=600),
    FromAppLine(message=json.loads(MESSAGES[0])),
    ToAppLine(at=2.0, message={"type": "host:response", "requestId": "r-1"}),
    InputLine(at=3.0, event={"type": "click", "path": ["#save"], "label": "Save"}),
    FromAppLine(message=json.loads(MESSAGES[3])),
)
RECORDING = "".join(map(write_line, _LINES))
