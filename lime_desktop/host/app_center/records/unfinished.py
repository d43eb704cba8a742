"""What was decided and is not done yet. It is written with the decision and carried out until it is true."""

from typing import Annotated, Literal

from pydantic import Field, RootModel

from lime_desktop.host.app_center.records.records import RollbackPoint
from lime_desktop.host.app_center.records.removal import Receipt
from lime_desktop.protocol.wire import WireModel


class UnfinishedRestore(WireModel):
    """An app was rolled back; its data are being brought back from the point."""

    kind: Literal["restore"] = "restore"
    work_id: str
    point: RollbackPoint

    @property
    def app_id(self) -> str:
        """The app it is about."""
        return self.point.app.app_id


class UnfinishedRemoval(WireModel):
    """An app was uninstalled; what it leaves behind is being removed."""

    kind: Literal["removal"] = "removal"
    work_id: str
    package_hashes: tuple[str, ...]
    offered_by: str | None = None
    """Where the app came from, for data that stay."""
    titles: dict[str, str] = Field(default_factory=dict[str, str])
    """What the app is called in other languages, likewise."""
    draft: Receipt
    """The receipt as it will be once the search has been made."""

    @property
    def app_id(self) -> str:
        """The app it is about."""
        return self.draft.app_id


Unfinished = UnfinishedRestore | UnfinishedRemoval


class UnfinishedRow(RootModel[Annotated[Unfinished, Field(discriminator="kind")]]):
    """Either of them, as a row holds it."""
