"""One SQLite file as its owner holds it: written by one thread, read by several, closed in order."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from lime_desktop.database.connection import Connection, open_for_writing
from lime_desktop.database.creation import create, refuse_empty
from lime_desktop.database.failures import catalogued
from lime_desktop.database.integrity import back_up, complaints_about
from lime_desktop.database.migrations import Schema, migrate
from lime_desktop.database.readers import Readers
from lime_desktop.database.wal import commits_in_log, lost_commits
from lime_desktop.database.writer import Writer

T = TypeVar("T")


class Database:
    """Made by `open_database`. `write` and `read` take functions of a connection."""

    def __init__(self, path: Path, writer: Writer, readers: Readers, lost_commits: int):
        self.path = path
        self.lost_commits = lost_commits
        """Commits that a damaged log had held and opening could not save. 0 unless a disk failed, or power
        did while something passing was written."""
        self._writer = writer
        self._readers = readers

    async def write(
        self,
        work: Callable[[Connection], T],
        then: Callable[[T], None] | None = None,
        *,
        is_passing: bool = False,
    ) -> T:
        """Run `work` on the writer thread, all or nothing; returns when its commit is on disk.

        `then` hears the result on the loop, in commit order, even if the caller was cancelled meanwhile.
        What `is_passing` need not wait for the disk: see the package docstring.
        """
        return await self._writer.run(work, then, is_passing=is_passing)

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run `work` on a reader thread over one consistent snapshot that holds every finished write."""
        return await self._readers.run(work)

    def look_up(self, work: Callable[[Connection], T]) -> T:
        """Run `work` as `read` does, but here and now. For what is found by its key alone: another thread takes longer
        to wake than SQLite to find it.
        """
        return self._readers.look_up(work)

    async def back_up(self, destination: Path) -> None:
        """Write a sound copy of the present state to `destination` while work goes on."""
        await self._readers.run(lambda connection: back_up(connection, destination))

    async def complaints(self) -> tuple[str, ...]:
        """What a thorough check finds wrong with the file; empty when it is sound."""
        return await self._readers.run(complaints_about)

    def close(self) -> None:
        """Finish the writes handed in so far, then close. Blocks for at most those; idempotent."""
        # The writer last: only a connection that may write can fold the log into the file as it leaves,
        # and a log left behind is read again by the next to open.
        self._readers.close()
        self._writer.close()


def open_database(
    path: Path, schema: Schema, on_lost_commit: Callable[[], None] | None = None
) -> Database:
    """Open or create `path`, bring it to `schema`'s newest version, and start its threads.

    Refuses, leaving the file as it was: a newer version than this program knows, a file of another
    kind, a damaged file, a folder that cannot be written. Only the list of tables is read here: a full
    check costs the whole file, and damage further in stops what it touches when it is read.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            create(path)
        refuse_empty(path)
        commits = commits_in_log(path)
        connection = open_for_writing(path, trusts_schema=schema.trusts_expressions)
    except Exception as error:
        raise catalogued(error) from error
    try:
        lost = lost_commits(connection, commits)
        migrate(connection, schema)
    except Exception as error:
        connection.close()
        raise catalogued(error) from error
    readers = Readers(path, trusts_schema=schema.trusts_expressions)
    return Database(path, Writer(connection, on_lost_commit), readers, lost)
