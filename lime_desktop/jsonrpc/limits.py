"""How much a peer holds at most."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one connection, each with its refusal."""

    line_bytes: int = 8 * 1024 * 1024
    running_requests: int = 256
    """Requests of the other side being answered; one more is refused as overload."""
    queued_messages: int = 10_000
    """Outgoing messages that wait for a slow reader."""
    queued_bytes: int = 16 * 1024 * 1024
    closing_s: float = 5.0
    """How long running answers and unread output may delay the end; once there is no more input, how long output may stand still."""
