"""Finishes what an earlier end left unfinished, whenever an App Server has come up."""

import logging

from lime_desktop.background.tasks import BackgroundTasks
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_server_client.supervisor import Running, ServerState
from lime_desktop.protocol.errors import AppError

_log = logging.getLogger(__name__)


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
