"""How fast somebody may talk: a store of lines and of bytes that fills up again with time. Knows no clock."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rates:
    """What is heard in a second, and in a burst before it."""

    lines_per_s: float = 1_000
    burst_lines: float = 10_000
    bytes_per_s: float = 16 * 1024**2
    burst_bytes: float = 64 * 1024**2


class Pace:
    """Says how long to listen no more, so that who talks without end costs little."""

    def __init__(self, rates: Rates, now_s: float) -> None:
        self._rates = rates
        self._lines = rates.burst_lines
        self._bytes = rates.burst_bytes
        self._seen_s = now_s

    def spend(self, lines: int, size: int, now_s: float) -> float:
        """Count what was heard; how many seconds to rest, or 0."""
        rates, passed_s = self._rates, now_s - self._seen_s
        self._seen_s = now_s
        self._lines = min(rates.burst_lines, self._lines + passed_s * rates.lines_per_s) - lines
        self._bytes = min(rates.burst_bytes, self._bytes + passed_s * rates.bytes_per_s) - size
        owed = max(-self._lines / rates.lines_per_s, -self._bytes / rates.bytes_per_s)
        return max(owed, 0.0)
