"""appData/*: everything the App Server keeps of one app, as the host copies, brings back, hands out and removes it."""

from typing import Annotated

from pydantic import Field

from lime_desktop.protocol.ids import AppId, NonEmpty
from lime_desktop.protocol.provenance import Provenance
from lime_desktop.protocol.wire import Empty, HostOnlyParams, Method, WireModel

_ID = r"^[0-9a-f]{16,64}$"
_TABLE = r"^[A-Za-z][A-Za-z0-9_-]{0,127}$"
Days = Annotated[int, Field(ge=1, le=36_500)]


class OwnDataParams(WireModel):
    """Whose data a call is about. A connection bound to an app may name that app only."""

    app_id: NonEmpty[AppId]


class HeldPart(WireModel):
    """What one service keeps of the app."""

    name: str
    """The service: `storage`, `secrets` and so on."""
    items: int
    size_bytes: int


class AppDataParams(HostOnlyParams):
    """Whose data a call is about."""

    app_id: NonEmpty[AppId]


class DescribeAppDataParams(AppDataParams):
    """Say what is kept of an app, service by service."""


class DescribeAppDataResult(WireModel):
    """The parts that hold something, and the snapshots that lie beside them."""

    parts: tuple[HeldPart, ...]
    snapshot_ids: tuple[str, ...]


class SnapshotAppDataParams(AppDataParams):
    """Copy an app's data as they are now. The same id again replaces the copy."""

    snapshot_id: str = Field(pattern=_ID)
    """Chosen by the host, so that a copy whose answer was lost can be found and removed."""


class SnapshotAppDataResult(WireModel):
    """What the copy holds; secrets are in no copy."""

    parts: tuple[HeldPart, ...]


class RestoreAppDataParams(AppDataParams):
    """Put the data of a snapshot in the place of what is there. Doing it twice does no harm."""

    snapshot_id: str = Field(pattern=_ID)


class RemoveAppDataParams(AppDataParams):
    """Remove everything that is kept of an app, its secrets and snapshots too. Doing it twice does no harm."""


class RemoveAppDataResult(WireModel):
    """What was removed."""

    parts: tuple[HeldPart, ...]
    snapshot_ids: tuple[str, ...]


class ExportAppDataParams(AppDataParams):
    """Write an app's data into one archive for the person to keep; secrets stay out."""

    target_path: str = Field(min_length=1)
    """A file that does not exist yet, in a folder that does."""


class ExportAppDataResult(WireModel):
    """The archive as it lies there."""

    size_bytes: int
    sha256: str
    parts: tuple[HeldPart, ...]


class KeepSnapshotsParams(HostOnlyParams):
    """Remove every snapshot but these: what the host no longer knows of, nobody will ask for."""

    snapshot_ids: tuple[str, ...]


class KeepSnapshotsResult(WireModel):
    """The snapshots that were removed."""

    removed_ids: tuple[str, ...]


class RetentionTerms(WireModel):
    """For how many days what is kept of an app stays after its last change. What is not named stays for ever."""

    values: Days | None = None
    tables: dict[Annotated[str, Field(pattern=_TABLE)], Days] = Field(
        default_factory=dict[str, Days]
    )
    artifacts: dict[str, Days] = Field(default_factory=dict[str, Days])


class ApplyRetentionParams(AppDataParams):
    """Remove what is older than a person agreed to. Doing it twice does no harm."""

    terms: RetentionTerms
    provenance: Provenance
    only_counts: bool = False
    """Say how much would go, and remove nothing."""


class ApplyRetentionResult(WireModel):
    """How much was removed, or would be."""

    values: int = 0
    rows: int = 0
    artifacts: int = 0
    is_clock_behind: bool = False
    """The clock went back since the last time, and nothing was looked at."""

    @property
    def removed(self) -> int:
        """Everything together."""
        return self.values + self.rows + self.artifacts


DESCRIBE_APP_DATA = Method("appData/describe", DescribeAppDataParams, DescribeAppDataResult)
SNAPSHOT_APP_DATA = Method("appData/snapshot", SnapshotAppDataParams, SnapshotAppDataResult)
RESTORE_APP_DATA = Method("appData/restore", RestoreAppDataParams, Empty)
REMOVE_APP_DATA = Method("appData/remove", RemoveAppDataParams, RemoveAppDataResult)
EXPORT_APP_DATA = Method("appData/export", ExportAppDataParams, ExportAppDataResult)
KEEP_SNAPSHOTS = Method("appData/keepSnapshots", KeepSnapshotsParams, KeepSnapshotsResult)
APPLY_RETENTION = Method("appData/retain", ApplyRetentionParams, ApplyRetentionResult)
