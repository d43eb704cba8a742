"""Which table does a statement make, and with which columns? Asked of SQLite itself, in a database that is thrown away."""

import re
import sqlite3
from contextlib import closing
from dataclasses import dataclass

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
