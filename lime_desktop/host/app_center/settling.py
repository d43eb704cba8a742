"""Finishes what an earlier end left unfinished, whenever an App Server has come up."""

import asyncio
import logging

from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_server_client.supervisor import Running, ServerState
from lime_desktop.protocol.errors import AppError

_log = logging.getLogger(__name__)


class Settling:
    """Hears of the App Server, and owns the work that its coming starts."""

    def __init__(self, center: AppCenter) -> None:
        self._center = center
        self._tasks: set[asyncio.Task[None]] = set()

    def hear(self, state: ServerState) -> None:
        """Begin once a server runs."""
        if isinstance(state, Running):
            task = asyncio.get_running_loop().create_task(self._settle())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def stop(self) -> None:
        """Let what was begun come to its end: the server is gone by now, so that is soon."""
        await asyncio.gather(*self._tasks)

    async def _settle(self) -> None:
        try:
            await self._center.settle()
        except AppError as error:
            # It stays written down, and the next server is asked again.
            _log.warning("unfinished work stays unfinished", extra={"code": error.code})
