"""One SQLite file: as its owner holds it (written by one thread, read by several), or another process's, read only."""

import asyncio
import logging
import queue
import struct
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn, TypeVar

from lime_desktop.database.backups import back_up_before
from lime_desktop.database.connection import (
    Connection,
    create,
    open_for_reading,
    open_for_writing,
    refuse_empty,
)
from lime_desktop.database.failures import catalogued, opening_failure
from lime_desktop.database.incidents import Incident, incidents
from lime_desktop.database.integrity import back_up, complaints_about
from lime_desktop.database.migrations import Schema, migrate
from lime_desktop.database.private_files import make_private_folder
from lime_desktop.database.restoring import finish_restore
from lime_desktop.database.writer import Head, Writer, head_path, missing_commits
from lime_desktop.protocol.errors import DatabaseBusy, DatabaseDamaged, ShuttingDown

T = TypeVar("T")

_log = logging.getLogger(__name__)

THREADS = 4
_HEADER = struct.Struct(">8I")
_FRAME = struct.Struct(">6I")
_MAGICS = frozenset({0x377F0682, 0x377F0683})


class Readers:
    """Runs reads off the event loop. Each read sees one consistent snapshot, never a half commit."""

    def __init__(self, path: Path, *, trusts_schema: bool = False):
        self._path = path
        self._trusts_schema = trusts_schema
        self._idle: queue.SimpleQueue[Connection] = queue.SimpleQueue()
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="database-reader")
        self._closed = False

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Run `work` in a read transaction and return its result."""
        if self._closed:
            raise ShuttingDown("The database is closed.")
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._read, work)

    def look_up(self, work: Callable[[Connection], T]) -> T:
        """Run `work` at once on the caller's thread."""
        if self._closed:
            raise ShuttingDown("The database is closed.")
        return self._read(work)

    def close(self) -> None:
        """Wait for running reads, then close every connection. Idempotent."""
        self._closed = True
        self._threads.shutdown(wait=True)
        while not self._idle.empty():
            self._idle.get().close()

    def _read(self, work: Callable[[Connection], T]) -> T:
        try:
            connection = self._borrow()
        except Exception as error:
            raise catalogued(error) from error
        try:
            return _in_snapshot(connection, work)
        except Exception as error:
            raise catalogued(error) from error
        finally:
            self._idle.put(connection)

    def _borrow(self) -> Connection:
        try:
            return self._idle.get_nowait()
        except queue.Empty:
            return open_for_reading(self._path, trusts_schema=self._trusts_schema)


def _in_snapshot(connection: Connection, work: Callable[[Connection], T]) -> T:
    connection.execute("BEGIN")
    try:
        return work(connection)
    finally:
        connection.execute("ROLLBACK")


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


def commits_in_log(database: Path) -> list[int]:
    """The numbers of the frames that end a commit, sound or not, in a log that nobody has open."""
    path = database.with_name(f"{database.name}-wal")
    body = path.read_bytes() if path.is_file() else b""
    if len(body) < _HEADER.size or _HEADER.unpack_from(body)[0] not in _MAGICS:
        return []
    _, _, page_size, _, salt_1, salt_2, *_ = _HEADER.unpack_from(body)
    step = _FRAME.size + page_size
    ends: list[int] = []
    for number, start in enumerate(range(_HEADER.size, len(body) - step + 1, step), 1):
        _, size_after, frame_salt_1, frame_salt_2, *_ = _FRAME.unpack_from(body, start)
        if (frame_salt_1, frame_salt_2) != (salt_1, salt_2):
            break  # left over from before the last checkpoint
        if size_after:
            ends.append(number)
    return ends


def lost_commits(connection: Connection, ends: Sequence[int]) -> int:
    """How many of those commits SQLite did not find: it drops all from the first bad frame on, and says nothing.

    A torn last transaction is normal: nobody was told of it. But a commit is only begun after the one before it was
    written, so commits further *behind* a bad frame were acknowledged once, and somebody must be told.
    """
    if not ends:
        return 0
    # Its answer tells how far it could read the log; copying that part home is due anyway.
    _, recognised, _ = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    return max(sum(end > recognised for end in ends) - 1, 0)


class ForeignDatabase:
    """A file that another process owns, read as its owner last left it and never written.

    SQLite lets readers of other processes in beside the one that writes; each read sees one whole commit.
    """

    def __init__(self, path: Path, schema: Schema, held: DatabaseBusy) -> None:
        """Look at a file; `held` says who owns it."""
        self._held = held
        self._readers = Readers(path, trusts_schema=schema.trusts_expressions)

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run `work` over one consistent snapshot."""
        return await self._readers.run(work)

    async def write(
        self, work: Callable[[Connection], T], then: Callable[[T], None] | None = None
    ) -> NoReturn:
        """Refuse: the owner's memory of its file would be wrong from then on.

        Raises:
            DatabaseBusy: always, with the owner.
        """
        del work, then
        raise self._held

    def close(self) -> None:
        """Let go of the file."""
        self._readers.close()
