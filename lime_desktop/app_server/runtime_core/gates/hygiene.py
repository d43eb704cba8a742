"""Hygiene gate: no field that looks like a key, no body that belongs in the content store."""

from lime_desktop.app_server.runtime_core.gates.verdict import Lookup, Origin, Rejection
from lime_desktop.app_server.runtime_core.state import SessionState
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import EventScope, ProposedEvent
from lime_desktop.protocol.runtime.payload_rules import is_oversized, key_like_paths

_OBJECT_FIELDS = frozenset(
    name for name, field in EventScope.model_fields.items() if "dict" in repr(field.annotation)
)


def check_hygiene(
    _state: SessionState, event: ProposedEvent, _origin: Origin, _lookup: Lookup
) -> Rejection | None:
    """The payload, and every open object beside it, holds no key-like name and is small enough."""
    objects = _objects(event)
    leaks = tuple(
        f"{name}.{path}" for name, value in objects.items() for path in key_like_paths(value)
    )
    if leaks:
        return Rejection("secret_leak_risk", leaks)
    oversized = tuple(name for name, value in objects.items() if is_oversized(value))
    return Rejection("large_payload_inline", oversized) if oversized else None


def _objects(event: ProposedEvent) -> dict[str, JsonObject]:
    found = {"payload": event.payload}
    for name in event.model_fields_set & _OBJECT_FIELDS:
        if (value := getattr(event, name)) is not None:
            found[name] = value
    return found
