"""lime.storage tables: rows of the tables that storage/schema.json declares, and how to query them."""

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias, cast

from pydantic import BeforeValidator, ConfigDict, Field

from lime_desktop.protocol.capability_calls.call import Call, CallParams, Effect, Limit, ResultValue
from lime_desktop.protocol.errors import StorageConflict, StorageKeyNotFound
from lime_desktop.protocol.errors.of_calls import KEPT_VALUES, TABLES
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.wire import Maybe, WireModel

NAME = "lime.storage"

SMALLEST_INTEGER, LARGEST_INTEGER = -(2**63), 2**63 - 1

TableName = Annotated[str, Field(min_length=1, max_length=128)]
StoredInteger = Annotated[int, Field(ge=SMALLEST_INTEGER, le=LARGEST_INTEGER)]
"""An integer that a database keeps."""
RowId = Annotated[str | StoredInteger, Field(union_mode="left_to_right")]
Scalar: TypeAlias = str | StoredInteger | float | bool | None


class FieldFilter(WireModel):
    """What a field of a row must be; all given conditions hold together."""

    # A misspelt condition must not silently match every row.
    model_config = ConfigDict(extra="forbid")

    eq: Scalar = None
    """Equal; null finds rows without a value."""
    ne: Scalar = None
    lt: Maybe[str | StoredInteger | float] = None
    lte: Maybe[str | StoredInteger | float] = None
    gt: Maybe[str | StoredInteger | float] = None
    gte: Maybe[str | StoredInteger | float] = None
    any_of: Maybe[tuple[Scalar, ...]] = Field(None, alias="in")
    """One of these."""
    starts_with: Maybe[str] = None
    contains: Maybe[str] = None
    """Holds this text, ignoring case."""


def _bare_value(value: object) -> object:
    is_condition = isinstance(value, dict | FieldFilter)
    return cast("object", value) if is_condition else {"eq": value}


Where = Mapping[
    str,
    Annotated[
        FieldFilter, BeforeValidator(_bare_value, json_schema_input_type=Scalar | FieldFilter)
    ],
]
"""Field → condition; a bare value means `eq`."""


class OrderBy(WireModel):
    """A field to sort by."""

    field: str
    direction: Literal["asc", "desc"] = "asc"


class RowParams(CallParams):
    """The row to read or delete."""

    table: TableName
    id: RowId


class InsertRowParams(CallParams):
    """A new row; its primary key may be left to the host."""

    table: TableName
    row: JsonObject


class UpdateRowParams(CallParams):
    """Fields of a row to change."""

    table: TableName
    id: RowId
    changes: JsonObject
    if_version: Maybe[int] = None
    """Refuse with a conflict unless the row still has this version."""


class QueryRowsParams(CallParams):
    """Rows to find."""

    table: TableName
    where: Where = Field(default_factory=dict)
    order_by: tuple[OrderBy, ...] = Field((), max_length=8)
    limit: Limit = 100
    cursor: Maybe[str] = None
    """Goes on where an earlier page ended."""


class StorageRow(WireModel):
    """A stored row."""

    table: str
    id: RowId
    row: JsonObject
    version: int
    """Grows by one with every change."""
    updated_at: str


class RowResult(ResultValue[StorageRow | None]):
    """The row, or null where there is none."""


class DeleteRowResult(ResultValue[bool]):
    """Whether there was a row to delete."""


class QueryRowsResult(WireModel):
    """A page of rows."""

    rows: tuple[StorageRow, ...]
    next_cursor: Maybe[str] = None
    """Present where more rows follow."""


class InsertRowOperation(InsertRowParams):
    """Insert a row, within a transaction."""

    op: Literal["insert"]


class UpdateRowOperation(UpdateRowParams):
    """Change a row, within a transaction."""

    op: Literal["update"]


class UpsertRowOperation(InsertRowParams):
    """Insert or replace a row, within a transaction."""

    op: Literal["upsert"]


class DeleteRowOperation(RowParams):
    """Delete a row, within a transaction."""

    op: Literal["deleteRow"]


GET_ROW = Call(
    NAME, "tableGet", RowParams, RowResult, Effect.READ, "Read a row.", by="server", errors=TABLES
)
INSERT_ROW = Call(
    NAME,
    "tableInsert",
    InsertRowParams,
    StorageRow,
    Effect.WRITE,
    "Add a row; one with the same key is a conflict.",
    by="server",
    can_be_undone=True,
    errors=(StorageConflict, *TABLES, *KEPT_VALUES),
)
UPDATE_ROW = Call(
    NAME,
    "tableUpdate",
    UpdateRowParams,
    StorageRow,
    Effect.WRITE,
    "Change fields of a row.",
    by="server",
    can_be_undone=True,
    errors=(StorageKeyNotFound, StorageConflict, *TABLES, *KEPT_VALUES),
)
UPSERT_ROW = Call(
    NAME,
    "tableUpsert",
    InsertRowParams,
    StorageRow,
    Effect.WRITE,
    "Add a row, or replace the one with the same key.",
    by="server",
    can_be_undone=True,
    errors=(*TABLES, *KEPT_VALUES),
)
DELETE_ROW = Call(
    NAME,
    "tableDelete",
    RowParams,
    DeleteRowResult,
    Effect.WRITE,
    "Delete a row.",
    by="server",
    can_be_undone=True,
    errors=TABLES,
)
QUERY_ROWS = Call(
    NAME,
    "tableQuery",
    QueryRowsParams,
    QueryRowsResult,
    Effect.READ,
    "Find rows by condition, in order, page by page.",
    by="server",
    errors=TABLES,
)

TABLE_CALLS = (GET_ROW, INSERT_ROW, UPDATE_ROW, UPSERT_ROW, DELETE_ROW, QUERY_ROWS)
