"""One SQLite file as its owner holds it: written by one thread, read by several, closed in order."""

import logging
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from lime_desktop.database.backups import back_up_before
from lime_desktop.database.connection import Connection, open_for_writing
from lime_desktop.database.creation import create, refuse_empty
from lime_desktop.database.failures import opening_failure
from lime_desktop.database.incidents import Incident, incidents
from lime_desktop.database.integrity import back_up, complaints_about
from lime_desktop.database.migrations import Schema, migrate
from lime_desktop.database.private_files import make_private_folder
from lime_desktop.database.readers import Readers
from lime_desktop.database.restoring import finish_restore
from lime_desktop.database.wal import commits_in_log, lost_commits
from lime_desktop.database.writer import Head, Writer, head_path, missing_commits
from lime_desktop.protocol.errors import DatabaseDamaged

T = TypeVar("T")

_log = logging.getLogger(__name__)


class Database:
    """Made by `open_database`. `write` and `read` take functions of a connection."""

    def __init__(self, path: Path, writer: Writer, readers: Readers, lost_commits: int):
        self.path = path
        self.lost_commits = lost_commits
        """Commits that a damaged or vanished log had held and opening could not save. 0 unless a disk failed, somebody
        took the log away, or power failed while something passing was written."""
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
        with self._naming_damage():
            return await self._writer.run(work, then, is_passing=is_passing)

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run `work` on a reader thread over one consistent snapshot that holds every finished write."""
        with self._naming_damage():
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
        try:
            self._readers.close()
        finally:
            self._writer.close()

    @contextmanager
    def _naming_damage(self) -> Generator[None]:
        """Whoever hears that a file is damaged has to know which."""
        try:
            yield
        except DatabaseDamaged as error:
            error.details.setdefault("database", self.path.name)
            raise


def open_database(
    path: Path, schema: Schema, on_lost_commit: Callable[[], None] | None = None
) -> Database:
    """Open or create `path`, bring it to `schema`'s newest version, and start its threads.

    Refuses, leaving the file as it was: a newer version than this program knows, a file of another
    kind, a damaged file, a folder that cannot be written. Only the list of tables is read here: a full
    check costs the whole file, and damage further in stops what it touches when it is read.
    """
    try:
        if not path.parent.is_dir():
            make_private_folder(path.parent)
        finish_restore(path)
        if not path.exists():
            create(path)
        refuse_empty(path)
        commits = commits_in_log(path)
        connection = open_for_writing(path, trusts_schema=schema.trusts_expressions)
    except Exception as error:
        raise opening_failure(error, path) from error
    try:
        lost = max(lost_commits(connection, commits), missing_commits(path, connection))
        migrate(connection, schema, lambda: back_up_before(connection, path))
    except Exception as error:
        connection.close()
        raise opening_failure(error, path) from error
    readers = Readers(path, trusts_schema=schema.trusts_expressions)
    if lost:
        _log.error("acknowledged commits are missing", extra={"names": path.name, "count": lost})
        incidents.publish(Incident("commits_lost", path.name, lost))
    return Database(path, Writer(connection, on_lost_commit, Head(head_path(path))), readers, lost)
