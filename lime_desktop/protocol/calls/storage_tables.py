"""storage/*: what the host does to an app's data as a whole, and how it hears of changes."""

from typing import Literal

from pydantic import Field

from lime_desktop.protocol.capability_calls.storage_tables import RowId
from lime_desktop.protocol.ids import AppId, NonEmpty
from lime_desktop.protocol.wire import HostOnlyParams, Maybe, Method, Notification, WireModel


class RunMigrationsParams(HostOnlyParams):
    """Bring an app's data to the newest migration of its package: tried on a copy first."""

    app_id: NonEmpty[AppId]


class RunMigrationsResult(WireModel):
    """What was done."""

    applied: tuple[str, ...]
    """The migrations that ran now, in order."""


class ListMigrationsParams(HostOnlyParams):
    """Which migrations has an app's data, and which does its package bring?"""

    app_id: NonEmpty[AppId]


class ListMigrationsResult(WireModel):
    """How the data stands against the package."""

    applied: tuple[str, ...]
    pending: tuple[str, ...]


class StorageChange(WireModel):
    """One change, without the value."""

    op: Literal["set", "delete", "insert", "update", "upsert", "deleteRow", "import"]
    key: Maybe[str] = None
    table: Maybe[str] = None
    id: Maybe[RowId] = None
    version: Maybe[int] = None


class StorageChangedNotification(WireModel):
    """An app's data changed; the changes were made together."""

    app_id: AppId
    changes: tuple[StorageChange, ...] = Field(max_length=1_000)


LIST_MIGRATIONS = Method("storage/migration/list", ListMigrationsParams, ListMigrationsResult)
RUN_MIGRATIONS = Method("storage/migration/run", RunMigrationsParams, RunMigrationsResult)

STORAGE_CHANGED = Notification("storage/changed", StorageChangedNotification)
