"""An App Server that is started by the first call and ended with its user: for commands, which mostly need none."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.app_server_client.connection import CALL_S
from lime_desktop.host.app_server_client.sidecar import Sidecar
from lime_desktop.protocol.wire import Method, ParamsT, ResultT


class _OnDemand:
    def __init__(self, start: Callable[[], Awaitable[Sidecar]]) -> None:
        self._start = start
        self._starting = asyncio.Lock()
        self._sidecar: Sidecar | None = None

    async def __call__(
        self, method: Method[ParamsT, ResultT], params: ParamsT, *, timeout_s: float = CALL_S
    ) -> ResultT:
        async with self._starting:
            self._sidecar = self._sidecar or await self._start()
        return await self._sidecar.connection.call(method, params, timeout_s=timeout_s)

    async def stop(self) -> None:
        if self._sidecar is not None:
            await self._sidecar.stop()


@asynccontextmanager
async def server_on_demand(
    start: Callable[[], Awaitable[Sidecar]],
) -> AsyncGenerator[CallServer]:
    """Give a way to call the server; it runs only if somebody does."""
    server = _OnDemand(start)
    try:
        yield server
    finally:
        await server.stop()
