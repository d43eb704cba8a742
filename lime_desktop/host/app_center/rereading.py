"""Reads the organisation's document again from time to time: what it says now holds without a restart."""

import asyncio
import logging

from lime_desktop.host.app_center.membership import Membership
from lime_desktop.protocol.errors import AppError

EVERY_S = 1_800.0
_log = logging.getLogger(__name__)


class Rereading:
    """Looks once at the start and then every half hour. A document that cannot be read leaves the last good one in force."""

    def __init__(self, membership: Membership) -> None:
        self._membership = membership
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
                await self._membership.refresh()
            except AppError as error:
                _log.warning("the organisation's document was not read: %s", error.code)
            await asyncio.sleep(EVERY_S)
