"""What a service must be able to do with the data it keeps of an app. `app_services` lists them."""

from pathlib import Path
from typing import NamedTuple, Protocol

from lime_desktop.protocol.ids import AppId


class HeldAmount(NamedTuple):
    """How much is kept."""

    items: int
    size_bytes: int


class DataHolder(Protocol):
    """A service that keeps data of apps, each app's apart from the others'."""

    @property
    def name(self) -> str:
        """What the part is called on the wire, and its folder in a snapshot."""
        ...

    async def amount(self, app_id: AppId) -> HeldAmount:
        """How much is kept of an app; all zero where there is nothing."""
        ...

    async def copy_to(self, app_id: AppId, folder: Path) -> None:
        """Write a whole and durable copy into an empty folder; nothing where nothing is kept."""
        ...

    async def replace_from(self, app_id: AppId, folder: Path) -> None:
        """Make what is kept equal to such a copy; an empty folder means that nothing is kept."""
        ...

    async def remove(self, app_id: AppId) -> None:
        """Keep nothing of the app any more. Removing nothing is no failure."""
        ...
