"""How much may an app's pages ask of their origin at a time? Counts requests and unread bytes; knows no web engine.

The engine takes every request that a page makes and keeps some 50 kB in our process for each, so a page that asks without
end is stopped at the door, before the engine begins. What was let in waits for its answer while too much of what was
answered is not read yet.
"""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RequestLimits:
    """What the pages of one app may have under way."""

    requests: int = 1_024
    """Requests that are not answered and read yet. Pages load some hundred files at a time."""
    unread_bytes: int = 128 * 1024 * 1024
    """Bytes of answers that the engine has not taken yet; past it, answers wait."""
    refusals: int = 2_048
    """So many refused requests since the page was loaded are no mistake any more but a flood."""
    arrival_s: float = 10.0
    """A request that was let in and has not come by then was given up on its way."""


class ViewRequests:
    """The requests of one app's pages."""

    def __init__(
        self, limits: RequestLimits | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._limits = limits or RequestLimits()
        self._clock = clock
        self._on_their_way: deque[float] = deque()
        self._under_way = 0
        self._unread_bytes = 0
        self._refusals = 0

    @property
    def count(self) -> int:
        """How many are let in and not over."""
        return len(self._on_their_way) + self._under_way

    @property
    def unread_bytes(self) -> int:
        """How many bytes of answers are held for the engine."""
        return self._unread_bytes

    @property
    def is_flood(self) -> bool:
        """Whether the page asks on and on, whatever it is told."""
        return self._refusals > self._limits.refusals

    @property
    def has_room(self) -> bool:
        """Whether one more answer may be made; a single one may be as large as it is."""
        return self._unread_bytes < self._limits.unread_bytes

    def admit(self) -> bool:
        """Let a request in, or refuse it: there are too many already."""
        now = self._clock()
        while self._on_their_way and self._on_their_way[0] < now - self._limits.arrival_s:
            self._on_their_way.popleft()
        if self.count >= self._limits.requests:
            self._refusals += 1
            return False
        self._on_their_way.append(now)
        return True

    def arrive(self) -> None:
        """A request has come to be answered."""
        if self._on_their_way:
            self._on_their_way.popleft()
        self._under_way += 1

    def hold(self, size: int) -> None:
        """So many bytes of an answer are given to the engine."""
        self._unread_bytes += size

    def end(self, size: int) -> None:
        """A request is over, and so many bytes with it."""
        self._under_way -= 1
        self._unread_bytes -= size

    def start_over(self) -> None:
        """The page is loaded anew: what it asked too much is forgotten."""
        self._refusals = 0
