"""Bound many waits of one length by one timer.

On Qt's loop a timer that was called off still lives until it is due: a timer for each of thousands of short calls would
leave as many behind, each to be looked at again.
"""

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

T = TypeVar("T")


class Patience:
    """How long to wait for each of many things. As exact as a timer of its own for each."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        # All waits are of one length: whoever came first is due first.
        self._waiting: dict[asyncio.Timeout, float] = {}
        self._timer: asyncio.TimerHandle | None = None

    async def wait_for(self, work: Awaitable[T]) -> T:
        """Wait for something.

        Raises:
            TimeoutError: it took too long, and was cancelled.
        """
        loop = asyncio.get_running_loop()
        timeout = asyncio.timeout(None)
        self._waiting[timeout] = loop.time() + self._seconds
        if self._timer is None:
            self._timer = loop.call_later(self._seconds, self._end_overdue, loop)
        try:
            async with timeout:
                return await work
        finally:
            del self._waiting[timeout]

    def _end_overdue(self, loop: asyncio.AbstractEventLoop) -> None:
        self._timer = None
        now = loop.time()
        for timeout, due in self._waiting.items():
            if due > now:
                self._timer = loop.call_at(due, self._end_overdue, loop)
                return
            if not timeout.expired():
                timeout.reschedule(now)
