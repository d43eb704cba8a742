"""Asking a person without making the app wait: published clients give up after 15 s, and people take longer.

The first call asks and waits a little. When nobody has answered by then it says so, the question stays open, and the same
call made again picks the answer up.
"""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")

TIMEOUT_S = 10.0
"""How long a call waits for a person; the refusal must reach a client before it gives up."""


class DeferredPrompts(Generic[T]):
    """The questions of one view, each asked once however often the app repeats the call."""

    def __init__(self, timeout_s: float = TIMEOUT_S) -> None:
        self._timeout_s = timeout_s
        self._open: dict[Hashable, asyncio.Future[T]] = {}

    async def ask(self, key: Hashable, question: Callable[[], Awaitable[T]]) -> T | None:
        """The answer, or None while there is none. An answer is given out once."""
        waiting = self._open.get(key)
        if waiting is None:
            waiting = self._open[key] = asyncio.ensure_future(question())
        # Not cancelled by the wait's end: that must not close what the person is looking at.
        await asyncio.wait({waiting}, timeout=self._timeout_s)
        if not waiting.done():
            return None
        self._open.pop(key, None)
        return waiting.result()
