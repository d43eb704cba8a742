"""The open runs of an app, as a part of its data: they end when the data go, so that nobody is asked for an app that is gone."""

from collections.abc import Awaitable, Callable
from pathlib import Path

from lime_desktop.app_server.apps.data_holder import HeldAmount
from lime_desktop.protocol.ids import AppId


class OpenRuns:
    """Holds nothing that could be counted or copied: what runs have come to is on record with the other facts."""

    name = "workflowRuns"

    def __init__(self) -> None:
        self.stop_all: Callable[[AppId], Awaitable[None]] | None = None
        """Set once there are workflows."""

    async def amount(self, app_id: AppId) -> HeldAmount:
        """Nothing."""
        del app_id
        return HeldAmount(0, 0)

    async def copy_to(self, app_id: AppId, folder: Path) -> None:
        """Nothing."""

    async def replace_from(self, app_id: AppId, folder: Path) -> None:
        """Nothing: they stay as they are."""

    async def remove(self, app_id: AppId) -> None:
        """End them."""
        if self.stop_all is not None:
            await self.stop_all(app_id)
