"""The shape of declared tables in an app's file: made where missing, indexes kept as declared, never a row lost.

A declared table has the columns ``id``, ``body`` (the row as JSON), ``version`` and ``updated_at``; an app's migrations may
rely on that. A declared table is the host's to make and is never dropped, so a migration's ``CREATE TABLE`` of it says what is
already so: the table is there in the host's shape, and no row is lost by saying it again. The columns that the author
named are there as well, read from the row (``title`` is ``body ->> '$.title'``), so that what follows may
query them and index them. They cannot be written: a row is written whole, as JSON, and a migration that tries
otherwise fails and changes nothing.
"""

from lime_desktop.app_server.storage.app_tables import (
    AppTable,
    AppTables,
    field_expression,
    is_field,
)
from lime_desktop.database.connection import Connection
from lime_desktop.database.foreign_sql import CreatedTable
from lime_desktop.protocol.errors import StorageSchemaMismatch

_COLUMNS = {"id", "body", "version", "updated_at"}

# Counted as bytes of text, by SQLite: rows that a migration changes are counted like any other.
_SIZE = "(length(CAST({row}.id AS BLOB)) + length(CAST({row}.body AS BLOB)))"


def shape_tables(connection: Connection, tables: AppTables) -> None:
    """Make what is declared and not there.

    Raises:
        StorageSchemaMismatch: a table of a declared name has another shape.
    """
    for table in tables.by_name.values():
        _make_table(connection, table)
        _make_indexes(connection, table)


def make_as_declared(connection: Connection, tables: AppTables, wanted: CreatedTable) -> bool:
    """Do what a migration's ``CREATE TABLE`` asks for, if the table is a declared one; says whether it is.

    Raises:
        StorageSchemaMismatch: a table of this name has another shape.
    """
    # SQLite takes two spellings of one name for the same.
    spelt = {table.name.lower(): table for table in tables.by_name.values()}
    table = spelt.get(wanted.name.lower())
    if table is None:
        return False
    _make_table(connection, table)
    _make_indexes(connection, table)
    _show_fields(connection, table, wanted.columns)
    return True


def _show_fields(connection: Connection, table: AppTable, fields: tuple[str, ...]) -> None:
    known = {row[1].lower() for row in connection.execute(f"PRAGMA table_xinfo({table.quoted})")}
    for field in fields:
        if field.lower() not in known and is_field(field):
            connection.execute(
                f'ALTER TABLE {table.quoted} ADD COLUMN "{field}" AS ({field_expression(field)}) VIRTUAL'
            )


def _make_table(connection: Connection, table: AppTable) -> None:
    columns = {row[1] for row in connection.execute(f"PRAGMA table_info({table.quoted})")}
    if columns:
        if not columns >= _COLUMNS:
            raise StorageSchemaMismatch(f"The table {table.name} has not the columns of a table")
    else:
        connection.execute(
            f"""
            CREATE TABLE {table.quoted} (
                id NOT NULL PRIMARY KEY,
                body TEXT NOT NULL CHECK (json_valid(body)),
                version INTEGER NOT NULL DEFAULT 1,
                updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
            )
            """
        )
    _count_size(connection, table)


def _count_size(connection: Connection, table: AppTable) -> None:
    new, old = _SIZE.format(row="new"), _SIZE.format(row="old")
    for event, change in {
        "INSERT": f"+ {new}",
        "UPDATE": f"+ {new} - {old}",
        "DELETE": f"- {old}",
    }.items():
        connection.execute(
            f"""
            CREATE TRIGGER IF NOT EXISTS "lime_{event.lower()}_{table.name}" AFTER {event} ON {table.quoted}
            BEGIN UPDATE lime_usage SET used_bytes = used_bytes {change}; END
            """  # noqa: S608 - a checked name and constants
        )


def _make_indexes(connection: Connection, table: AppTable) -> None:
    wanted = {table.index_name(fields): fields for fields in table.indexes}
    found = {row[1] for row in connection.execute(f"PRAGMA index_list({table.quoted})")}
    for name in found - wanted.keys():
        if name.startswith("lime_index_"):
            connection.execute(f'DROP INDEX "{name}"')
    for name in wanted.keys() - found:
        expressions = ", ".join(field_expression(field) for field in wanted[name])
        # The id behind the fields: a page then goes on where the last one ended, in the index alone.
        connection.execute(f'CREATE INDEX "{name}" ON {table.quoted} ({expressions}, id)')
