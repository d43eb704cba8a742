"""How much one view may send and have under way: told to the relay in front of the bridge, and held behind it."""

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
class RelayRateLimit:
    """How much the relay carries to the host, and what it answers to the rest by itself.

    It does so inside the page's own process: there a flood costs the window nothing.
    """

    messages_per_second: int
    burst_messages: int
    refusal: str
    """A message to the app, complete but for the request's id and entry."""


def relay_rate_limit_of(app_id: AppId, limits: BridgeLimits | None = None) -> RelayRateLimit:
    """The gate before one app's bridge: the same limits, one step earlier."""
    limits = limits or BridgeLimits()
    refusal = ErrorMessage(app_id=app_id, request_id="-", payload=ErrorPayload.of(too_fast()))
    return RelayRateLimit(
        limits.messages_per_second, limits.burst_messages, write_host_message(refusal)
    )
