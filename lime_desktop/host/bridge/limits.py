"""How much may one view ask? Past a limit the answer is a stable error, never a hang."""

from dataclasses import dataclass

from lime_desktop.protocol.bridge.from_host import ErrorMessage, ErrorPayload, write_host_message
from lime_desktop.protocol.errors import RateLimited
from lime_desktop.protocol.ids import AppId


@dataclass(frozen=True, slots=True)
class BridgeLimits:
    """The limits of one view. Generous for an app, tight enough for the window to stay alive."""

    in_flight_calls: int = 1_024
    messages_per_second: int = 5_000
    burst_messages: int = 5_000
    subscriptions: int = 64


def too_fast() -> RateLimited:
    """What an app is told that sends faster than it may."""
    return RateLimited("This app sends messages faster than the host takes them")


@dataclass(frozen=True, slots=True)
class Floodgate:
    """How much the relay carries to the host, and what it answers to the rest by itself.

    It does so inside the page's own process: there a flood costs the window nothing.
    """

    messages_per_second: int
    burst_messages: int
    refusal: str
    """A message to the app, complete but for the request's id and entry."""


def floodgate_of(app_id: AppId, limits: BridgeLimits | None = None) -> Floodgate:
    """The gate before one app's bridge: the same limits, one step earlier."""
    limits = limits or BridgeLimits()
    refusal = ErrorMessage(app_id=app_id, request_id="-", payload=ErrorPayload.of(too_fast()))
    return Floodgate(limits.messages_per_second, limits.burst_messages, write_host_message(refusal))


class MessageRate:
    """A bucket that fills with time: a burst is fine, a flood is not."""

    def __init__(self, per_second: float, burst: int) -> None:
        self._per_ms = per_second / 1_000
        self._capacity = float(burst)
        self._tokens = self._capacity
        self._filled_at_ms = 0.0

    def admits(self, now_ms: float) -> bool:
        """Take one message out of the bucket, if there is one."""
        elapsed_ms = max(0.0, now_ms - self._filled_at_ms)
        self._filled_at_ms = now_ms
        self._tokens = min(self._capacity, self._tokens + elapsed_ms * self._per_ms)
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True
