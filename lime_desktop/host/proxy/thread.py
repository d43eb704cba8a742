"""Runs the proxy on a thread and a loop of its own: what an app downloads must not hold up the window."""

import asyncio
import logging
from concurrent.futures import Future
from pathlib import Path
from threading import Thread

from lime_desktop.host.proxy.access import ProxyAccess
from lime_desktop.host.proxy.ledger import CarriedConnection, NetworkLedger, open_ledger
from lime_desktop.host.proxy.server import Dial, start_proxy
from lime_desktop.network.destinations import LookUp
from lime_desktop.protocol.errors import AppError

_log = logging.getLogger(__name__)


class ProxyThread:
    """The proxy from `start` to `stop`."""

    def __init__(
        self,
        access: ProxyAccess,
        ledger_file: Path,
        look_up: LookUp | None = None,
        dial: Dial | None = None,
    ) -> None:
        self._access = access
        self._ledger_file = ledger_file
        self._ledger: NetworkLedger | None = None
        self._look_up = look_up
        self._dial = dial
        self._bound: Future[tuple[asyncio.AbstractEventLoop, asyncio.Event, int]] = Future()
        self._thread = Thread(target=self._main, name="network-proxy", daemon=True)

    def start(self) -> int:
        """Open the ledger, start the thread, and give the port once it listens. Blocks for a moment."""
        self._ledger = open_ledger(self._ledger_file)
        self._thread.start()
        return self._bound.result()[2]

    def stop(self) -> None:
        """End every connection, then close the ledger. Blocks."""
        if self._thread.is_alive():
            loop, stopping, _ = self._bound.result()
            loop.call_soon_threadsafe(stopping.set)
            self._thread.join()
        if self._ledger is not None:
            self._ledger.close()

    @property
    def ledger(self) -> NetworkLedger:
        """What every app sent and fetched; there once it was started."""
        if self._ledger is None:
            raise RuntimeError("the proxy was not started")
        return self._ledger

    def _main(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        stopping = asyncio.Event()
        try:
            server = await start_proxy(self._access, self._record, self._look_up, self._dial)
        except OSError as error:
            self._bound.set_exception(error)
            return
        port: int = server.sockets[0].getsockname()[1]
        self._bound.set_result((asyncio.get_running_loop(), stopping, port))
        await stopping.wait()
        server.close()

    async def _record(self, connection: CarriedConnection) -> None:
        try:
            # Not cancelled with its connection: what was carried is recorded, however it ended.
            await asyncio.shield(self.ledger.record(connection))
        except AppError as error:
            _log.warning("a connection is missing from the ledger: %s", error.message)
