"""Read and write the rows of declared tables. Functions of a connection; quotas and events are decided elsewhere."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, cast

import msgspec
from pydantic import JsonValue

from lime_desktop.app_server.storage.app_tables import AppTable
from lime_desktop.app_server.storage.conditions import (
    Condition,
    Ordering,
    after_cursor,
    conditions_of,
    orderings_of,
    write_cursor,
)
from lime_desktop.database.connection import Connection, offer_text_search
from lime_desktop.protocol.capability_calls.storage_tables import QueryRowsParams, RowId
from lime_desktop.protocol.errors import StorageConflict, StorageKeyNotFound

PAGE_BYTES = 1024 * 1024
"""How much one page of a query holds, beyond its first row."""

_COLUMNS = "id, body, version, updated_at"
_ROW_TEXT = "json_object('table', ?, 'id', id, 'row', json(body), 'version', version, 'updatedAt', updated_at)"


class StoredRow(NamedTuple):
    """One row as it is kept."""

    table: str
    id: RowId
    body: str
    """Its fields as JSON."""
    version: int
    updated_at: str


def read_row(connection: Connection, table: AppTable, row_id: RowId) -> StoredRow | None:
    """The row of an id."""
    query = f"SELECT {_COLUMNS} FROM {table.quoted} WHERE id = ?"  # noqa: S608 - a checked name
    row = connection.execute(query, (row_id,)).fetchone()
    return _stored(table, row) if row else None


def add_row(connection: Connection, table: AppTable, new: StoredRow) -> StoredRow:
    """Insert a row.

    Raises:
        StorageConflict: the id is taken.
    """
    statement = (
        f"INSERT INTO {table.quoted} ({_COLUMNS}) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"  # noqa: S608 - a checked name
    )
    values = (new.id, new.body, new.version, new.updated_at)
    if connection.execute(statement, values).rowcount == 0:
        raise StorageConflict("A row of this id exists", details={"table": table.name})
    return new


def replace_row(connection: Connection, table: AppTable, new: StoredRow) -> StoredRow:
    """Put a row in the place of the one with its id."""
    statement = f"UPDATE {table.quoted} SET body = ?, version = ?, updated_at = ? WHERE id = ?"  # noqa: S608 - a checked name
    connection.execute(statement, (new.body, new.version, new.updated_at, new.id))
    return new


def delete_row(connection: Connection, table: AppTable, row_id: RowId) -> bool:
    """Delete a row, and say whether there was one."""
    statement = f"DELETE FROM {table.quoted} WHERE id = ?"  # noqa: S608 - a checked name
    return connection.execute(statement, (row_id,)).rowcount > 0


def row_to_change(
    connection: Connection, table: AppTable, row_id: RowId, if_version: int | None
) -> StoredRow:
    """The row as it is before a change.

    Raises:
        StorageKeyNotFound: there is none.
        StorageConflict: it changed since the caller read it.
    """
    row = read_row(connection, table, row_id)
    if row is None:
        raise StorageKeyNotFound("There is no row of this id", details={"table": table.name})
    if if_version is not None and row.version != if_version:
        raise StorageConflict("The row changed", details={"version": row.version})
    return row


def query_rows(connection: Connection, table: AppTable, query: QueryRowsParams) -> str:
    """One page of a query and where the next begins: the text of a `QueryRowsResult`.

    SQLite writes it. Nobody on the way to the app looks into a row, and reading each into an object, to write it down
    again, took most of the time.
    """
    page: list[str] = []
    filled = 0
    last: tuple[Any, ...] = ()
    for row in _found(connection, table, query):
        filled += len(row[0])
        if page and (len(page) == query.limit or filled > PAGE_BYTES):
            return f'{{"rows":[{",".join(page)}],"nextCursor":"{write_cursor(last[1:])}"}}'
        page.append(row[0])
        last = row
    return f'{{"rows":[{",".join(page)}]}}'


def _found(
    connection: Connection, table: AppTable, query: QueryRowsParams
) -> Iterator[tuple[Any, ...]]:
    """Each row as the text of a `StorageRow`, with what it is sorted by."""
    orderings = orderings_of(query.order_by)
    conditions = conditions_of(query.where)
    if query.cursor is not None:
        conditions += after_cursor(query.cursor, orderings)
    if any("holds_text(" in condition.sql for condition in conditions):
        offer_text_search(connection)
    return connection.execute(*_statement(table, conditions, orderings, query.limit + 1))


def _statement(
    table: AppTable, conditions: list[Condition], orderings: list[Ordering], limit: int
) -> tuple[str, list[Any]]:
    keys = ", ".join(ordering.expression for ordering in orderings)
    where = " AND ".join(f"({condition.sql})" for condition in conditions) or "1"
    order = ", ".join(ordering.sql for ordering in orderings)
    sql = f"SELECT {_ROW_TEXT}, {keys} FROM {table.quoted} WHERE {where} ORDER BY {order} LIMIT ?"  # noqa: S608 - checked names
    return sql, [table.name, *(value for each in conditions for value in each.values), limit]


def _stored(table: AppTable, row: Any) -> StoredRow:
    row_id, body, version, updated_at = row
    return StoredRow(table.name, row_id, body, version, updated_at)


class _RowText(msgspec.Struct, rename="camel", gc=False):
    """A `StorageRow` to the letter: its fields are JSON already, and are not read again."""

    table: str
    id: RowId
    row: msgspec.Raw
    version: int
    updated_at: str


_encode = msgspec.json.Encoder().encode


def write_row(row: StoredRow) -> bytes:
    """The text of a `StorageRow`."""
    return _encode(_RowText(row.table, row.id, msgspec.Raw(row.body), row.version, row.updated_at))


def fields_of(row: StoredRow) -> Mapping[str, JsonValue]:
    """A row's own fields."""
    return cast("Mapping[str, JsonValue]", json.loads(row.body))
