"""Looks through the data that an app keeps. Whether it may is decided before."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from lime_desktop.app_server.storage.files import AppFiles, own_tables
from lime_desktop.database.connection import Connection, offer_text_search
from lime_desktop.protocol.ids import AppId

_SNIPPET = 200


@dataclass(frozen=True, slots=True)
class FoundValue:
    """A key, or a row by its table and id."""

    name: str
    snippet: str


class DataSearch:
    """The data of every app."""

    def __init__(self, files: AppFiles) -> None:
        self._files = files

    async def find(self, app_id: AppId, query: str, limit: int) -> list[FoundValue]:
        """Find keys and rows that hold a text, whatever its case, in the order of keys and ids."""
        text = query.casefold()
        async with self._files.use(app_id) as database:
            return await database.read(lambda connection: list(_matching(connection, text, limit)))


def _matching(connection: Connection, text: str, limit: int) -> Iterator[FoundValue]:
    offer_text_search(connection)
    sources: Mapping[str, str] = {
        "": "SELECT key, value_json FROM lime_entry WHERE holds_text(key || ' ' || value_json, ?) LIMIT ?",
        **{
            name: f'SELECT id, body FROM "{name}" WHERE holds_text(body, ?) LIMIT ?'  # noqa: S608 - SQLite's own list
            for name in own_tables(connection)
            if _has_rows_of_json(connection, name)
        },
    }
    for table, query in sources.items():
        for row_id, body in connection.execute(query, (text, limit)):
            if limit <= 0:
                return
            limit -= 1
            yield _found(table, row_id, cast("str", body), text)


def _has_rows_of_json(connection: Connection, name: str) -> bool:
    columns = {row[1] for row in connection.execute(f'PRAGMA table_info("{name}")')}
    return columns >= {"id", "body"}


def _found(table: str, row_id: Any, body: str, text: str) -> FoundValue:
    start = max(0, body.casefold().find(text) - _SNIPPET // 4)
    name = f"{table}/{row_id}" if table else str(row_id)
    return FoundValue(name, body[start : start + _SNIPPET])
