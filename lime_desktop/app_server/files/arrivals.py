"""Which files have arrived in the folders that a person opened to an app for good. Remembers what it has seen, in a file of its own.

Folders are looked at again and again: systems tell of changes in too many ways, and some drives tell nothing. A file has
arrived once it stays the same from one look to the next, so that none is taken that is still being written.
"""

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from lime_desktop.app_server.runtime_core.identities import new_id
from lime_desktop.database.connection import Connection
from lime_desktop.database.database import Database
from lime_desktop.protocol.ids import AppId

_log = logging.getLogger(__name__)
MOST_FILES = 10_000
"""Of one folder that are looked at."""
_UNFINISHED = (".part", ".partial", ".crdownload", ".download", ".tmp")


class OpenedFolder(NamedTuple):
    """A folder, and the reference by which the app reads it."""

    ref: str
    path: Path


class Arrived(NamedTuple):
    """A file that arrived and was not dealt with yet."""

    id: str
    ref: str
    """Of its folder."""
    name: str
    size_bytes: int
    at_ms: int
    """When it was seen."""


class _Found(NamedTuple):
    name: str
    mark: str
    size_bytes: int


class FolderArrivals:
    """Looks at the folders of apps. Within one app, one look at a time."""

    def __init__(
        self,
        database: Database,
        folders: Callable[[AppId], Awaitable[Sequence[OpenedFolder]]],
    ) -> None:
        self._database = database
        self.folders = folders
        """The folders of an app that are open now."""
        self._unsteady: dict[tuple[str, str], str] = {}

    async def begin(self, app_id: AppId) -> None:
        """What is there now has not arrived: a person only now wants to know of what comes."""
        for folder in await self.folders(app_id):
            found = await asyncio.to_thread(_look_into, folder.path)
            await self._database.write(
                lambda connection, ref=folder.ref, found=found: _begin(connection, ref, found)
            )

    async def look(self, app_id: AppId, now_ms: int) -> tuple[Arrived, ...]:
        """Everything that has arrived and was not dealt with, the oldest first."""
        arrived: list[Arrived] = []
        for folder in await self.folders(app_id):
            found = await asyncio.to_thread(_look_into, folder.path)
            steady = [each for each in found if self._is_steady(folder.ref, each)]
            arrived += await self._database.write(
                lambda connection, ref=folder.ref, seen=(found, steady): _see(
                    connection, ref, *seen, now_ms
                )
            )
        return tuple(sorted(arrived, key=lambda each: (each.at_ms, each.name)))

    async def dealt(self, event_id: str) -> None:
        """It need not be told again."""
        await self._database.write(
            lambda connection: connection.execute(
                "UPDATE seen_file SET is_dealt = 1 WHERE id = ?", (event_id,)
            )
        )

    def _is_steady(self, ref: str, found: _Found) -> bool:
        place = (ref, found.name)
        if self._unsteady.get(place) == found.mark:
            return True
        self._unsteady[place] = found.mark
        return False


def _look_into(folder: Path) -> tuple[_Found, ...]:
    """The files right in a folder; a folder that cannot be read holds nothing for now."""
    found: list[_Found] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if len(found) >= MOST_FILES:
                    _log.warning("a folder holds more files than are looked at")
                    break
                if _is_meant(entry):
                    facts = entry.stat(follow_symlinks=False)
                    mark = f"{facts.st_size}:{facts.st_mtime_ns}"
                    found.append(_Found(entry.name, mark, facts.st_size))
    except OSError as error:
        _log.warning("a folder cannot be looked at: %s", error.strerror)
    return tuple(found)


def _is_meant(entry: os.DirEntry[str]) -> bool:
    """A file by itself, not hidden and not on its way; a link leads out of the folder."""
    is_finished = not entry.name.startswith(".") and not entry.name.lower().endswith(_UNFINISHED)
    return is_finished and entry.is_file(follow_symlinks=False)


def _begin(connection: Connection, ref: str, found: Sequence[_Found]) -> None:
    connection.execute("DELETE FROM seen_file WHERE ref = ?", (ref,))
    connection.execute("INSERT OR IGNORE INTO seen_folder VALUES (?)", (ref,))
    connection.executemany(
        "INSERT INTO seen_file (id, ref, name, mark, size_bytes, at_ms, is_dealt) VALUES (?, ?, ?, ?, ?, 0, 1)",
        [(new_id("file"), ref, each.name, each.mark, each.size_bytes) for each in found],
    )


def _see(
    connection: Connection,
    ref: str,
    found: Sequence[_Found],
    steady: Sequence[_Found],
    now_ms: int,
) -> list[Arrived]:
    known = connection.execute("SELECT 1 FROM seen_folder WHERE ref = ?", (ref,)).fetchone()
    if known is None:
        # Opened just now: what is in it was there before.
        _begin(connection, ref, found)
        return []
    names = {each.name for each in found}
    rows = connection.execute("SELECT name, mark FROM seen_file WHERE ref = ?", (ref,)).fetchall()
    marks: dict[str, str] = dict(rows)
    gone = [(ref, name) for name in marks if name not in names]
    connection.executemany("DELETE FROM seen_file WHERE ref = ? AND name = ?", gone)
    for each in steady:
        if marks.get(each.name) != each.mark:
            connection.execute(
                "INSERT OR REPLACE INTO seen_file (id, ref, name, mark, size_bytes, at_ms, is_dealt)"
                " VALUES (?, ?, ?, ?, ?, ?, 0)",
                (new_id("file"), ref, each.name, each.mark, each.size_bytes, now_ms),
            )
    waiting = connection.execute(
        "SELECT id, ref, name, size_bytes, at_ms FROM seen_file WHERE ref = ? AND is_dealt = 0",
        (ref,),
    )
    return [Arrived(*row) for row in waiting.fetchall()]
