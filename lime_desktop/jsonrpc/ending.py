"""How a conversation ends: what is due is sent, and an other side that neither talks nor reads is cut off."""

import asyncio
from collections.abc import Awaitable, Callable

from lime_desktop.jsonrpc.outbox import Outbox


class Ending:
    """Begun once, by either side; `lost` is done when the connection is gone."""

    transport: asyncio.Transport | None = None

    def __init__(
        self,
        outbox: Outbox,
        lost: asyncio.Future[None],
        limit_s: float,
        settle: Callable[[float, float], Awaitable[None]],
        lose: Callable[[], None],
    ) -> None:
        """`settle` lets running answers finish, `lose` ends a conversation that never had a transport."""
        self._outbox = outbox
        self._lost = lost
        self._limit_s = limit_s
        self._settle = settle
        self._lose = lose
        self.closing: asyncio.Task[None] | None = None
        """The end, once it has begun."""
        self._stalling: asyncio.Task[None] | None = None

    def begin(self, grace_s: float) -> None:
        """Stop answering after a while, send what is due, and end the connection."""
        if self.closing is None and not self._lost.done():
            self.closing = asyncio.get_running_loop().create_task(self._finish(grace_s))

    def begin_when_stalled(self) -> None:
        """End it as soon as the other side has stopped reading."""
        if self._stalling is None and not self._is_closing:
            self._stalling = asyncio.get_running_loop().create_task(self._await_stall())

    @property
    def _is_closing(self) -> bool:
        return self.closing is not None or self._lost.done()

    async def _await_stall(self) -> None:
        """Go on for as long as the other side reads, however slowly: one that neither talks nor reads is gone."""
        while not self._is_closing:
            before = self._outbox.progress
            await asyncio.wait({self._lost}, timeout=self._limit_s)
            if self._outbox.progress == before and not self._is_closing and self.transport:
                self.transport.abort()
                return

    async def _finish(self, grace_s: float) -> None:
        await self._settle(grace_s, self._limit_s)
        if self.transport is None:
            self._lose()
            return
        self._outbox.empty_into_transport()
        # A transport sends what it has before it goes; a reader who never reads is cut off.
        self.transport.close()
        await asyncio.wait({self._lost}, timeout=self._limit_s)
        if not self._lost.done():
            self.transport.abort()
