"""One change at a time: each after what an earlier one left unfinished, and with nothing left lying about."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from lime_desktop.host.app_center.changes.parts import CenterParts
from lime_desktop.host.app_center.changes.rolling_back import finish_restore
from lime_desktop.host.app_center.changes.uninstalling import finish_removal
from lime_desktop.host.app_center.packages.progress import InstallProgress
from lime_desktop.host.app_center.records.unfinished import (
    Unfinished,
    UnfinishedRemoval,
    UnfinishedRestore,
)
from lime_desktop.protocol.errors import AppServerUnavailable


class Turns:
    """Whose turn it is to change what is installed."""

    def __init__(self, parts: CenterParts) -> None:
        self._parts = parts
        self.alone = asyncio.Lock()
        """Held by whoever changes something; enough for what copies nothing and leaves nothing."""

    @asynccontextmanager
    async def changing(self, app_id: str, *, copies_data: bool) -> AsyncGenerator[None]:
        """Take a turn to change one app, and clear away after it."""
        async with self.alone:
            unfinished = self._parts.ledger.state.unfinished
            mine = tuple(each for each in unfinished if each.app_id == app_id)
            await self._finish(mine, InstallProgress())
            try:
                yield
            finally:
                await self._sweep(copies_data=copies_data)

    async def settle(self, progress: InstallProgress) -> None:
        """Finish what was decided before an earlier end, and let go of copies that nothing refers to.

        Raises:
            AppServerUnavailable: there is nobody to ask yet.
        """
        async with self.alone:
            await self._finish(self._parts.ledger.state.unfinished, progress)
            await self._parts.data.keep_points(self._parts.ledger.state.point_ids)

    async def _finish(self, unfinished: tuple[Unfinished, ...], progress: InstallProgress) -> None:
        for work in unfinished:
            match work:
                case UnfinishedRestore():
                    await finish_restore(self._parts, work, progress)
                case UnfinishedRemoval():
                    await finish_removal(self._parts, work, progress)

    async def _sweep(self, *, copies_data: bool) -> None:
        state = self._parts.ledger.state
        await asyncio.to_thread(self._parts.store.keep_only, state.package_hashes)
        if not copies_data:
            return
        try:
            await self._parts.data.keep_points(state.point_ids)
        except AppServerUnavailable:
            # Copies that nobody refers to wait for `settle`.
            return
