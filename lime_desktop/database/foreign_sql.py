"""Run SQL that somebody else wrote, on one file and nothing else, for a bounded time.

SQLite itself asks `_Guard` about every table, function and pragma while it compiles a statement, so no way of writing
one gets around it. The caller owns the transaction: a statement that would end it is refused as well.
"""

import re
import sqlite3
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field

from lime_desktop.database.connection import Connection
from lime_desktop.database.foreign_functions import ALLOWED_FUNCTIONS, bound_functions

_GAP = r"(?>\s|--[^\n]*\n|/\*.*?\*/)"
"""Comments may stand anywhere. Atomic: a script of a stranger's must not make the search go back and forth."""
_CREATES_TABLE = re.compile(rf"{_GAP}*+CREATE{_GAP}++TABLE\b", re.IGNORECASE | re.DOTALL)
_LONGEST = 100_000


@dataclass(frozen=True, slots=True)
class CreatedTable:
    """A table as its author wrote it."""

    name: str
    columns: tuple[str, ...]


def created_table(statement: str) -> CreatedTable | None:
    """The table that a statement makes; None for every other statement, and for one that fills its table by a query."""
    if len(statement) > _LONGEST or not _CREATES_TABLE.match(statement):
        return None
    with closing(sqlite3.connect(":memory:")) as scratch:
        scratch.set_authorizer(_without_queries)
        try:
            scratch.execute(statement)
        except (sqlite3.Error, sqlite3.Warning):
            return None
        scratch.set_authorizer(None)
        made = scratch.execute("SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'")
        [name] = [str(row[0]) for row in made] or [""]
        columns = scratch.execute("SELECT name FROM pragma_table_xinfo(?)", (name,)).fetchall()
        return CreatedTable(name, tuple(str(row[0]) for row in columns)) if name else None


def _without_queries(action: int, *_: str | None) -> int:
    # A table that is filled as it is made says nothing of rows that exist; and a query could take for ever.
    is_query = action in {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_ATTACH, sqlite3.SQLITE_PRAGMA}
    return sqlite3.SQLITE_DENY if is_query else sqlite3.SQLITE_OK


_READABLE_PRAGMAS = frozenset({"table_info", "table_xinfo", "index_list", "index_info"})
_REFUSED_ACTIONS = {
    sqlite3.SQLITE_ATTACH: "ATTACH",
    sqlite3.SQLITE_DETACH: "DETACH",
    sqlite3.SQLITE_TRANSACTION: "BEGIN, COMMIT and ROLLBACK",
    sqlite3.SQLITE_SAVEPOINT: "SAVEPOINT",
    sqlite3.SQLITE_CREATE_TRIGGER: "CREATE TRIGGER",
    sqlite3.SQLITE_DROP_TRIGGER: "DROP TRIGGER",
    sqlite3.SQLITE_CREATE_VIEW: "CREATE VIEW",
    sqlite3.SQLITE_CREATE_VTABLE: "CREATE VIRTUAL TABLE",
    sqlite3.SQLITE_CREATE_TEMP_INDEX: "TEMP",
    sqlite3.SQLITE_CREATE_TEMP_TABLE: "TEMP",
    sqlite3.SQLITE_CREATE_TEMP_TRIGGER: "TEMP",
    sqlite3.SQLITE_CREATE_TEMP_VIEW: "TEMP",
}
_TABLE_ACTIONS = frozenset(
    {
        sqlite3.SQLITE_CREATE_TABLE,
        sqlite3.SQLITE_DELETE,
        sqlite3.SQLITE_DROP_TABLE,
        sqlite3.SQLITE_INSERT,
        sqlite3.SQLITE_READ,
        sqlite3.SQLITE_UPDATE,
    }
)
_INDEX_ACTIONS = frozenset({sqlite3.SQLITE_CREATE_INDEX, sqlite3.SQLITE_DROP_INDEX})
# One instruction may make or search a value of a megabyte: many between two looks at the clock would outlast any deadline.
_INSTRUCTIONS_BETWEEN_CHECKS = 100
# Twice what one row of an app may have. A pattern is tried at every character of a value.
_LONGEST_VALUE_BYTES = 1024 * 1024
_LONGEST_PATTERN_BYTES = 64
_TOO_LONG = "It took too long"
# Whatever is opened and never closed goes to the end, so that no place is looked at twice.
_QUOTED_OR_END = re.compile(
    r"""'[^']*(?:'|\Z)|"[^"]*(?:"|\Z)|`[^`]*(?:`|\Z)|\[[^\]]*(?:\]|\Z)|--[^\n]*|/\*.*?(?:\*/|\Z)|;""",
    re.DOTALL,
)


class ForeignSqlRefused(Exception):
    """The SQL asks for more than its author may have, is not SQL, or takes too long."""


@dataclass(slots=True)
class _Guard:
    """Answers SQLite's questions, and remembers why it said no."""

    is_reserved: "Reserved"
    refused: str | None = field(default=None)

    def __call__(
        self, action: int, first: str | None, second: str | None, _: str | None, inside: str | None
    ) -> int:
        # What a trigger of ours does on behalf of a statement is ours.
        if inside is not None and self.is_reserved(inside):
            return sqlite3.SQLITE_OK
        self.refused = self._objection(action, first or "", second or "") or self.refused
        return sqlite3.SQLITE_OK if self.refused is None else sqlite3.SQLITE_DENY

    def _objection(self, action: int, first: str, second: str) -> str | None:
        if action in _REFUSED_ACTIONS:
            return f"{_REFUSED_ACTIONS[action]} is not allowed"
        if action == sqlite3.SQLITE_PRAGMA and first.lower() not in _READABLE_PRAGMAS:
            return f"PRAGMA {first} is not allowed"
        if action == sqlite3.SQLITE_FUNCTION and second.lower() not in ALLOWED_FUNCTIONS:
            return f"The function {second} is not allowed"
        return self._table_objection(action, first, second)

    def _table_objection(self, action: int, first: str, second: str) -> str | None:
        named = (first,) if action in _TABLE_ACTIONS else ()
        if action in _INDEX_ACTIONS or action == sqlite3.SQLITE_ALTER_TABLE:
            named = (first, second)
        reserved = [name for name in named if self.is_reserved(name)]
        return f"{reserved[0]} belongs to the host" if reserved else None


@dataclass(frozen=True, slots=True)
class Reserved:
    """Which names are not the author's to touch."""

    prefix: str
    names: frozenset[str]

    def __call__(self, name: str) -> bool:
        """Whether a table, index or trigger is ours."""
        return name.lower().startswith(self.prefix) or name.lower() in self.names


def run_foreign_sql(
    connection: Connection,
    script: str,
    reserved: Reserved,
    deadline_s: float,
    makes: Callable[[CreatedTable], bool] = lambda _: False,
) -> None:
    """Run a script inside the caller's transaction.

    `makes` is asked about every table that the script creates, and may make it itself; the statement is then done.

    Raises:
        ForeignSqlRefused: it was stopped; the caller rolls back.
    """
    if "\0" in script:
        raise ForeignSqlRefused("It holds a character that ends texts")
    ends_at = time.monotonic() + deadline_s
    bound_functions(connection, _LONGEST_VALUE_BYTES)
    for statement in _statements(script):
        if time.monotonic() > ends_at:
            raise ForeignSqlRefused(_TOO_LONG)
        table = created_table(statement)
        if table is None or not makes(table):
            _run(connection, statement, _Guard(reserved), ends_at)


def _run(connection: Connection, statement: str, guard: _Guard, ends_at: float) -> None:
    before = _reserved_names(connection, guard.is_reserved)
    with _guarded(connection, guard, ends_at):
        try:
            connection.execute(statement).fetchall()
        except (sqlite3.Error, sqlite3.Warning) as error:
            raise ForeignSqlRefused(guard.refused or _reason(error)) from error
    # SQLite says which table is renamed, and not to what.
    if new := _reserved_names(connection, guard.is_reserved) ^ before:
        raise ForeignSqlRefused(f"{min(new)} belongs to the host")


def _reserved_names(connection: Connection, is_reserved: Reserved) -> frozenset[str]:
    rows = connection.execute("SELECT name FROM sqlite_schema")
    return frozenset(name for (name,) in rows if is_reserved(name))


@contextmanager
def _guarded(connection: Connection, guard: _Guard, ends_at: float) -> Generator[None]:
    longest = connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_VALUE_BYTES)
    pattern = connection.setlimit(sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, _LONGEST_PATTERN_BYTES)
    connection.set_authorizer(guard)
    connection.set_progress_handler(
        lambda: int(time.monotonic() > ends_at), _INSTRUCTIONS_BETWEEN_CHECKS
    )
    try:
        yield
    finally:
        connection.set_progress_handler(None, 0)
        connection.set_authorizer(None)
        connection.setlimit(sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, pattern)
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, longest)


def _reason(error: sqlite3.Error | sqlite3.Warning) -> str:
    if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_INTERRUPT:
        return _TOO_LONG
    return str(error)


def _statements(script: str) -> Iterator[str]:
    """Each statement of a script; a semicolon inside a text or a comment ends none."""
    begun = 0
    for found in _QUOTED_OR_END.finditer(script):
        if found.group() == ";":
            yield script[begun : found.end()]
            begun = found.end()
    if script[begun:].strip():
        yield script[begun:]
