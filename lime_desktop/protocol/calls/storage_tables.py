"""storage/*: the tables of one app, changes that happen together, and what the host does to its data as a whole.

Rows, queries and operations travel as JSON text: a null inside must stay a null.
"""

from typing import Literal

from pydantic import Field

from lime_desktop.protocol.calls.host_only import HostOnlyParams
from lime_desktop.protocol.calls.own_data import OwnDataParams
from lime_desktop.protocol.capability_calls.storage_tables import RowId, TableName
from lime_desktop.protocol.ids import AppId, NonEmpty, Timestamp
from lime_desktop.protocol.provenance import Provenance
from lime_desktop.protocol.wire import Maybe, Method, Notification, WireModel


class StoredRow(WireModel):
    """One row as it is kept."""

    table: TableName
    id: RowId
    row_json: str
    version: int
    updated_at: Timestamp


class GetRowParams(OwnDataParams):
    """Read one row."""

    table: TableName
    id: RowId


class GetRowResult(WireModel):
    """The row, where there is one."""

    row: StoredRow | None = None


class QueryRowsParams(OwnDataParams):
    """Find rows."""

    query_json: str
    """The input of lime.storage.tableQuery."""


class QueryRowsResult(WireModel):
    """One page; it may end before `limit` where rows are large."""

    page_json: str
    """The answer to lime.storage.tableQuery."""


class ChangeDataParams(OwnDataParams):
    """Change keys and rows together or not at all."""

    operations_json: str
    """A list of the operations that lime.storage.transaction takes."""
    provenance: Provenance
    """Who caused the change; it names the same app."""


class ChangeDataResult(WireModel):
    """The outcome of each operation, in order."""

    results_json: str


class ReadUsageParams(OwnDataParams):
    """How much space does an app use?"""


class ReadUsageResult(WireModel):
    """The space an app uses, and may use."""

    used_bytes: int
    quota_bytes: int
    keys: int
    rows: int


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


GET_ROW = Method("storage/row/get", GetRowParams, GetRowResult)
QUERY_ROWS = Method("storage/row/query", QueryRowsParams, QueryRowsResult)
CHANGE_DATA = Method("storage/change", ChangeDataParams, ChangeDataResult)
READ_USAGE = Method("storage/usage/read", ReadUsageParams, ReadUsageResult)
LIST_MIGRATIONS = Method("storage/migration/list", ListMigrationsParams, ListMigrationsResult)
RUN_MIGRATIONS = Method("storage/migration/run", RunMigrationsParams, RunMigrationsResult)

STORAGE_CHANGED = Notification("storage/changed", StorageChangedNotification)
