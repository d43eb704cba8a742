"""How much may one view ask? Past a limit the answer is a stable error, never a hang."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BridgeLimits:
    """The limits of one view. Generous for an app, tight enough for the window to stay alive."""

    in_flight_calls: int = 1_024
    messages_per_second: int = 5_000
    burst_messages: int = 5_000
    subscriptions: int = 64


class MessageRate:
    """A bucket that fills with time: a burst is fine, a flood is not."""

    def __init__(self, limits: BridgeLimits) -> None:
        self._per_ms = limits.messages_per_second / 1_000
        self._capacity = float(limits.burst_messages)
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
