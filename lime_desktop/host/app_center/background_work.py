"""What the app center does by itself: it reads again what others wrote, and finishes what an earlier end left unfinished."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from lime_desktop.background.tasks import BackgroundTasks
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_server_client.supervisor import Running, ServerState
from lime_desktop.protocol.errors import AppError

_log = logging.getLogger(__name__)


ORGANISATION_S = 1_800.0
WORKSPACE_S = 2.0
"""A file on this machine: whoever saves it looks for what it does."""
CATALOGS_S = 4 * 3_600.0
CATALOGS_FIRST_S = 60.0
"""Home reads the catalogs at the start; what follows from them is not for the first minute."""


class PeriodicRefresh:
    """Reads once at the start, or a while after it, and then at every interval. What cannot be read leaves its mark in the log alone."""

    def __init__(
        self, read: Callable[[], Awaitable[object]], every_s: float, first_after_s: float = 0.0
    ) -> None:
        self._read = read
        self._every_s = every_s
        self._first_after_s = first_after_s
        self._keeper: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin."""
        self._keeper = asyncio.get_running_loop().create_task(self._follow())

    async def stop(self) -> None:
        """Look no more."""
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.wait({self._keeper})

    async def _follow(self) -> None:
        if self._first_after_s:
            await asyncio.sleep(self._first_after_s)
        while True:
            try:
                await self._read()
            except AppError as error:
                _log.warning("what others wrote was not read again: %s", error.code)
            except Exception:  # noqa: BLE001 - what others write may fail us in any way; the next reading may not
                _log.exception("what others wrote was not read again")
            await asyncio.sleep(self._every_s)


class PendingWork:
    """Hears of the App Server, and owns the work that its coming starts."""

    def __init__(self, center: AppCenter) -> None:
        self._center = center
        # What fails stays written down, and the next server is asked again.
        self._tasks = BackgroundTasks(_log, AppError)

    def on_state(self, state: ServerState) -> None:
        """Begin once a server runs."""
        if isinstance(state, Running):
            self._tasks.spawn(self._center.settle())

    async def stop(self) -> None:
        """Let what was begun come to its end: the server is gone by now, so that is soon."""
        await self._tasks.finish()
