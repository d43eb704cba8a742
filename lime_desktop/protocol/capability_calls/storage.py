"""lime.storage: keys and values of the calling app. Tables are in `storage_tables`."""

from typing import Annotated, Literal

from pydantic import Field

from lime_desktop.protocol.capability_calls.call import (
    Call,
    CallParams,
    Effect,
    Limit,
    ResultValue,
)
from lime_desktop.protocol.capability_calls.storage_tables import (
    TABLE_CALLS,
    DeleteRowOperation,
    InsertRowOperation,
    UpdateRowOperation,
    UpsertRowOperation,
)
from lime_desktop.protocol.errors import (
    CredentialRefused,
    FileReferenceUnknown,
    StorageConflict,
    StorageKeyNotFound,
    StorageQuotaExceeded,
)
from lime_desktop.protocol.errors.of_calls import KEPT_VALUES, TABLES
from lime_desktop.protocol.ids import AppId, NonEmpty, ParsedJson, Timestamp
from lime_desktop.protocol.provenance import Provenance
from lime_desktop.protocol.wire import Empty, Maybe, WireModel

NAME = "lime.storage"
WHOLE_S = 60.0
"""All of an app's data at once takes its time."""

StorageKey = Annotated[str, Field(min_length=1, max_length=512)]


class StorageKeyParams(CallParams):
    """The key to read or delete."""

    key: StorageKey


class ListValuesParams(CallParams):
    """Which values to read: all of them, or some in the order of their keys."""

    after: Maybe[StorageKey] = None
    """Only keys that come after this one."""
    limit: Maybe[Limit] = None
    """So many at most; fewer where they are large."""


class StorageSetParams(CallParams):
    """The value to keep under a key."""

    key: StorageKey
    value: ParsedJson


class StorageEntry(WireModel):
    """A stored value with its origin."""

    app_id: AppId
    key: StorageKey
    value: ParsedJson
    updated_at: Timestamp
    provenance: Provenance


class StorageGetResult(ResultValue[ParsedJson]):
    """The value, or null where there is none."""


class StorageListResult(ResultValue[tuple[StorageEntry, ...]]):
    """Every key of the app, in order."""


class StorageDeleteResult(ResultValue[bool]):
    """Whether there was something to delete."""


class SetOperation(WireModel):
    """Keep a value."""

    op: Literal["set"]
    key: StorageKey
    value: ParsedJson


class DeleteOperation(WireModel):
    """Delete a value."""

    op: Literal["delete"]
    key: StorageKey


StorageOperation = Annotated[
    SetOperation
    | DeleteOperation
    | InsertRowOperation
    | UpdateRowOperation
    | UpsertRowOperation
    | DeleteRowOperation,
    Field(discriminator="op"),
]


class TransactionParams(CallParams):
    """Changes that happen together or not at all."""

    operations: tuple[StorageOperation, ...] = Field(min_length=1, max_length=1_000)


class TransactionResult(WireModel):
    """The outcome of each operation, in order."""

    results: tuple[ParsedJson, ...]


class StorageUsageResult(WireModel):
    """How much space the app uses."""

    used_bytes: int
    quota_bytes: int
    keys: int
    rows: int


class ExportDataParams(CallParams):
    """What to export."""

    tables: Maybe[tuple[str, ...]] = None
    """Only these; keys and all tables otherwise."""
    format: Literal["json", "sqlite"] = "json"


class ExportDataResult(WireModel):
    """The export by file reference."""

    ref: str
    size_bytes: int
    sha256: str


class ImportDataParams(CallParams):
    """An earlier export to read back."""

    ref: NonEmpty[str]
    mode: Literal["merge", "replace"] = "merge"


class ImportDataResult(WireModel):
    """What was read."""

    keys: int
    rows: int


GET_VALUE = Call(
    NAME,
    "get",
    StorageKeyParams,
    StorageGetResult,
    Effect.READ,
    "Read a value.",
    by="server",
    errors=(CredentialRefused,),
)
SET_VALUE = Call(
    NAME,
    "set",
    StorageSetParams,
    StorageEntry,
    Effect.WRITE,
    "Keep a value.",
    by="server",
    can_be_undone=True,
    errors=KEPT_VALUES,
)
LIST_VALUES = Call(
    NAME,
    "list",
    ListValuesParams,
    StorageListResult,
    Effect.READ,
    "Every key with its value.",
    by="server",
    errors=(CredentialRefused,),
)
DELETE_VALUE = Call(
    NAME,
    "delete",
    StorageKeyParams,
    StorageDeleteResult,
    Effect.WRITE,
    "Delete a value.",
    by="server",
    can_be_undone=True,
    errors=(CredentialRefused,),
)
CHANGE_DATA = Call(
    NAME,
    "transaction",
    TransactionParams,
    TransactionResult,
    Effect.WRITE,
    "Change several values and rows together or not at all.",
    by="server",
    errors=(StorageKeyNotFound, StorageConflict, *TABLES, *KEPT_VALUES),
)
READ_USAGE = Call(
    NAME,
    "getUsage",
    Empty,
    StorageUsageResult,
    Effect.READ,
    "Space used and allowed.",
    by="server",
)
EXPORT_DATA = Call(
    NAME,
    "exportData",
    ExportDataParams,
    ExportDataResult,
    Effect.READ,
    "Write the app's data to a file.",
    by="server",
    timeout_s=WHOLE_S,
    is_done_once=True,
    errors=(StorageQuotaExceeded, *TABLES),
)
IMPORT_DATA = Call(
    NAME,
    "importData",
    ImportDataParams,
    ImportDataResult,
    Effect.WRITE,
    "Read an export back.",
    by="server",
    timeout_s=WHOLE_S,
    errors=(FileReferenceUnknown, *TABLES, *KEPT_VALUES),
)

CALLS = (
    GET_VALUE,
    SET_VALUE,
    LIST_VALUES,
    DELETE_VALUE,
    *TABLE_CALLS,
    CHANGE_DATA,
    READ_USAGE,
    EXPORT_DATA,
    IMPORT_DATA,
)
