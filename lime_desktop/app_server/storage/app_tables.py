"""The tables that an app declares in storage/schema.json. Knows names, no file.

The published schema has no column types, so a row is a JSON object; an index is over fields of it.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from lime_desktop.database.foreign_sql import Reserved
from lime_desktop.protocol.errors import InvalidInput, StorageSchemaMismatch, StorageTableUnknown

RESERVED = Reserved("lime_", frozenset({"schema_version"}))
"""What is the host's own in an app's file."""

_TABLE = re.compile(r"[^\W\d][\w-]{0,127}")
# Goes into the text of a statement: an index is only used where its expression is repeated letter by letter.
_FIELD = re.compile(r"[^\W\d][\w-]{0,63}(\.[^\W\d][\w-]{0,63}){0,7}")


@dataclass(frozen=True, slots=True)
class AppTable:
    """One declared table."""

    name: str
    primary_key: str
    indexes: tuple[tuple[str, ...], ...] = ()

    @property
    def quoted(self) -> str:
        """Its name in a statement."""
        return f'"{self.name}"'

    def index_name(self, fields: tuple[str, ...]) -> str:
        """The same name for the same fields, whatever their order among the others."""
        digest = hashlib.sha256("\x00".join((self.name, *fields)).encode()).hexdigest()[:16]
        return f"lime_index_{digest}"


@dataclass(frozen=True, slots=True)
class AppTables:
    """Every declared table by its name."""

    by_name: Mapping[str, AppTable]

    def named(self, name: str) -> AppTable:
        """The table of this name.

        Raises:
            StorageTableUnknown: the schema declares none.
        """
        table = self.by_name.get(name)
        if table is None:
            raise StorageTableUnknown("The app's schema declares no table of this name")
        return table


def is_field(name: str) -> bool:
    """Whether a column may be called so: the name of one field, and of nothing inside it."""
    return _FIELD.fullmatch(name) is not None and "." not in name


def field_expression(field: str) -> str:
    """A field of a row in a statement.

    Raises:
        InvalidInput: no field can be called so.
    """
    if not _FIELD.fullmatch(field):
        raise InvalidInput.at_fields([("field", "field_name")])
    path = "".join(f'."{part}"' for part in field.split("."))
    return f"json_extract(body, '${path}')"


def read_tables(schema: Mapping[str, object] | None) -> AppTables:
    """The tables of a schema file.

    Raises:
        StorageSchemaMismatch: it declares what cannot be kept.
    """
    if schema is None:
        return AppTables({})
    indexes = tuple(_indexes(schema.get("indexes")))
    tables = [_table(raw, indexes) for raw in _objects(schema.get("tables"))]
    spellings = {table.name.lower() for table in tables}
    if len(spellings) < len(tables):
        raise StorageSchemaMismatch("Two tables have the same name")
    return AppTables({table.name: table for table in tables})


def _table(
    raw: Mapping[str, object], indexes: Sequence[tuple[object, tuple[str, ...]]]
) -> AppTable:
    name, key = raw.get("name"), _only(raw.get("primaryKey", "id"))
    if not isinstance(name, str) or not _TABLE.fullmatch(name) or _is_taken(name):
        raise StorageSchemaMismatch("A table has a name that cannot be used")
    if not isinstance(key, str) or not _FIELD.fullmatch(key) or "." in key:
        raise StorageSchemaMismatch(f"The primary key of {name} is not the name of one field")
    return AppTable(name, key, tuple(fields for table, fields in indexes if table == name))


def _only(written: object) -> object:
    """The one name in a list of one; a key of several fields stays what it is, and is refused."""
    match written:
        case [str() as name]:
            return name
        case _:
            return written


def _is_taken(name: str) -> bool:
    return RESERVED(name) or name.lower().startswith("sqlite_")


def _indexes(raw: object) -> Iterator[tuple[object, tuple[str, ...]]]:
    for index in _objects(raw):
        written = index.get("fields")
        fields = cast("Sequence[object]", written) if isinstance(written, Sequence) else ()
        names = tuple(field for field in fields if isinstance(field, str))
        if not names or not all(_FIELD.fullmatch(name) for name in names):
            raise StorageSchemaMismatch("An index names no field that can be used")
        yield index.get("table"), names


def _objects(raw: object) -> Iterator[Mapping[str, object]]:
    rows = cast("Sequence[object]", raw) if isinstance(raw, Sequence) else ()
    for row in rows:
        if isinstance(row, Mapping):
            yield cast("Mapping[str, object]", row)
