"""Carries out what a person chose on the page of troubles: restores, begins anew, tries again."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from lime_desktop.database.backups import Backup, databases_in, is_named
from lime_desktop.database.restoring import restore, set_aside
from lime_desktop.host.app_server_client.supervisor import AppServerSupervisor
from lime_desktop.protocol.errors import InvalidInput
from lime_desktop.shell.pages.trouble_page import Source


class Recovering:
    """Nobody opens a file while it is replaced: the App Server is not tried again before that is done."""

    def __init__(
        self, server: AppServerSupervisor, data: Path, reopen_center: Callable[[], object]
    ) -> None:
        self._server = server
        self._data = data
        self._reopen_center = reopen_center

    def retry(self, source: Source) -> None:
        """Try again at once."""
        if source == "server":
            self._server.retry()
        else:
            self._reopen_center()

    async def restore(self, source: Source, backup: Backup) -> None:
        """Put a backup in the place of what is there, then try again.

        Raises:
            AppError: nothing was changed.
        """
        await self._apart(source, lambda: restore(self._data, backup))

    async def begin_anew(self, source: Source, name: str) -> None:
        """Set a database aside, then try again.

        Raises:
            AppError: nothing was changed.
        """
        places = [path.relative_to(self._data).as_posix() for path in databases_in(self._data)]
        place = next((each for each in places if is_named(each, name)), None)
        if place is None:
            raise InvalidInput("There is no database of this name.")
        await self._apart(source, lambda: set_aside(self._data, place))

    async def _apart(self, source: Source, work: Callable[[], object]) -> None:
        if source == "center":
            await asyncio.to_thread(work)
            self._reopen_center()
            return
        await self._server.stop()
        # What is asked meanwhile waits for the server on the restored data.
        self._server.expect()
        try:
            await asyncio.to_thread(work)
        finally:
            self._server.start()
