"""What a host and a backend say to each other: JSON-RPC 2.0, one message a line. Version 1, published in writing-apps.md.

The standard names the protocol and no method of it: these are ours.
"""

from typing import Literal, cast

import msgspec

from lime_desktop.app_package.manifest.services import Service
from lime_desktop.protocol.ids import JsonObject

CONTRACT = 1

INITIALIZE: Literal["initialize"] = "initialize"
CALL: Literal["call"] = "call"
EVENT: Literal["event"] = "event"
CANCEL: Literal["cancel"] = "cancel"
HEALTH: Literal["health"] = "health"
SHUTDOWN: Literal["shutdown"] = "shutdown"
REVERSE_CALL: Literal["lime/call"] = "lime/call"

BACKEND_ERROR = -32030
"""What `lime/call` is refused with; `data` says more, as an answer of the bridge does."""

_MEBIBYTE = 1024**2
_LEAST_MEMORY, _MOST_MEMORY, _USUAL_MEMORY = 16 * _MEBIBYTE, 8192 * _MEBIBYTE, 1024 * _MEBIBYTE
_MOST_CALL_S, _USUAL_CALL_S = 3_600.0, 600.0


class Event(msgspec.Struct, frozen=True):
    """How far a call is."""

    call: str = msgspec.field(name="callId")
    progress: float | None = None
    total: float | None = None
    message: str | None = None


class ReverseCall(msgspec.Struct, frozen=True):
    """What a backend wants done in its app's name."""

    call: str
    params: dict[str, object] = {}


def read_event(params: object) -> Event | None:
    """An event as it is meant; None for what is none."""
    try:
        return msgspec.convert(params, Event)
    except msgspec.ValidationError:
        return None


def contract_of(answer: object) -> object:
    """The version that a backend says it speaks."""
    return cast("JsonObject", answer).get("contract") if isinstance(answer, dict) else None


def memory_bytes_of(service: Service) -> int:
    """How much memory each of its processes may have."""
    wanted = _number(service, "memoryMb")
    if wanted is None:
        return _USUAL_MEMORY
    return int(min(max(wanted * _MEBIBYTE, _LEAST_MEMORY), _MOST_MEMORY))


def call_seconds_of(service: Service) -> float:
    """How long one call may take."""
    wanted = _number(service, "timeoutMs")
    return _USUAL_CALL_S if wanted is None else min(max(wanted / 1_000, 0.001), _MOST_CALL_S)


def _number(service: Service, name: str) -> float | None:
    value = (service.resource_limits or {}).get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if value > 0 else None
