"""The facts of one hook, from its start to its end. Pure: nothing here decides or runs anything."""

from typing import Any

import msgspec

from lime_desktop.app_package.lifecycle import LifecycleHook
from lime_desktop.protocol.hook_points import HOLDS_BACK
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.protocol.runtime.payload_rules import without_keys

_MOST_SHOWN = 2_000
_AGAIN = {
    "nobody_to_ask": "Enable the app in the window, where you can be asked.",
    "permission_denied": "Enable the app again and allow it, or change the rule that refuses it.",
    "timeout": "Try again. If it happens again, ask the app's author.",
    "cancelled": "Enable the app again.",
}
_ELSE = "See what the tool said, mend that, and enable the app again."
_LEFT = "What the hook was to clear away outside may still be there."
"""Of an app that is disabled or removed all the same."""


def started(hook: LifecycleHook, limit_s: float) -> ProposedEvent:
    """A hook runs; its input is shown without what looks like a key."""
    shown = msgspec.json.encode(without_keys(given(hook))).decode()
    payload: JsonObject = {
        **_named(hook),
        "timeoutMs": int(limit_s * 1_000),
        "preview": shown[:_MOST_SHOWN],
    }
    return ProposedEvent(type="hook.started", payload=payload)


def completed(hook: LifecycleHook, duration_ms: int) -> ProposedEvent:
    """It came to its end: whatever goes on with the app may go on. It adds nothing and changes nothing else."""
    payload: JsonObject = {
        **_named(hook),
        "status": "completed",
        "decision": "continue",
        "durationMs": duration_ms,
    }
    return ProposedEvent(type="hook.completed", payload=payload)


def failed(hook: LifecycleHook, category: str, message: str, duration_ms: int) -> ProposedEvent:
    """It did not: at some moments that holds the app back, at the others it is told and nothing more."""
    holds = hook.point in HOLDS_BACK
    payload: JsonObject = {
        **_named(hook),
        "errorCategory": category,
        "message": message[:_MOST_SHOWN],
        "recoveryHint": remedy(hook, category),
        "retryable": holds,
        "durationMs": duration_ms,
        "failClosed" if holds else "failOpen": True,
    }
    return ProposedEvent(type="hook.failed", payload=payload)


def remedy(hook: LifecycleHook, category: str) -> str:
    """What can be done about a failure."""
    return _AGAIN.get(category, _ELSE) if hook.point in HOLDS_BACK else _LEFT


def given(hook: LifecycleHook) -> JsonObject:
    """The input of a hook as JSON; that it can be one was checked with the package."""
    return msgspec.json.decode(msgspec.json.encode(hook.input), type=dict[str, Any])


def _named(hook: LifecycleHook) -> JsonObject:
    handler = f"{hook.tool}/{hook.action}" if hook.action else hook.tool
    return {"hookPoint": hook.point, "handlerRef": f"tool:{handler}"}
