"""Reads again, from time to time, what others wrote: what it says now holds without a restart."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from lime_desktop.protocol.errors import AppError

ORGANISATION_S = 1_800.0
WORKSPACE_S = 2.0
"""A file on this machine: whoever saves it looks for what it does."""
_log = logging.getLogger(__name__)


class PeriodicRefresh:
    """Reads once at the start and then at every interval. What cannot be read leaves its mark in the log alone."""

    def __init__(self, read: Callable[[], Awaitable[object]], every_s: float) -> None:
        self._read = read
        self._every_s = every_s
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
        while True:
            try:
                await self._read()
            except AppError as error:
                _log.warning("what others wrote was not read again: %s", error.code)
            except Exception:  # noqa: BLE001 - what others write may fail us in any way; the next reading may not
                _log.exception("what others wrote was not read again")
            await asyncio.sleep(self._every_s)
