"""What time is it, and who wants to be called when? The one clock of all runs, so that a test can turn it on."""

import asyncio
import heapq
import time
from collections.abc import Callable
from typing import Protocol

_LONGEST_NAP_S = 60.0
"""The machine may sleep, and its clock may be set: a moment is looked at anew after this time at most."""


class Clock(Protocol):
    """Tells the time in milliseconds, and calls back."""

    def now_ms(self) -> int:
        """This moment."""
        ...

    def call_at(self, moment_ms: int, call: Callable[[], None]) -> None:
        """Call once the moment has come: soon, if it is over."""
        ...

    def close(self) -> None:
        """Call nobody any more."""
        ...


class SystemClock:
    """The machine's clock; one timer of the loop serves every moment."""

    def __init__(self) -> None:
        self._moments: list[tuple[int, int, Callable[[], None]]] = []
        self._count = 0
        self._timer: asyncio.TimerHandle | None = None

    def now_ms(self) -> int:
        """This moment."""
        return time.time_ns() // 1_000_000

    def call_at(self, moment_ms: int, call: Callable[[], None]) -> None:
        """Call once the moment has come."""
        self._count += 1
        heapq.heappush(self._moments, (moment_ms, self._count, call))
        self._arm()

    def close(self) -> None:
        """Call nobody any more."""
        self._moments.clear()
        if self._timer is not None:
            self._timer.cancel()

    def _arm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._moments:
            left_s = (self._moments[0][0] - self.now_ms()) / 1_000
            nap_s = min(max(left_s, 0.0), _LONGEST_NAP_S)
            self._timer = asyncio.get_running_loop().call_later(nap_s, self._ring)

    def _ring(self) -> None:
        self._timer = None
        now = self.now_ms()
        due: list[Callable[[], None]] = []
        while self._moments and self._moments[0][0] <= now:
            due.append(heapq.heappop(self._moments)[2])
        for call in due:
            call()
        self._arm()
