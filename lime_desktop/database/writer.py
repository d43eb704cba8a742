"""One thread that writes, and one commit for every write that waits at the same moment.

Knows nothing of tables: a unit of work is a function of the connection. Units run in the order they
were handed in. Each is all or nothing by itself (a savepoint); a unit that raises takes nothing else
with it. Nobody, not even a unit that raised, hears its outcome before the commit it belongs to is on
disk, because an answer may rest on what an earlier unit of the same group wrote.

A unit may say that it is passing: a part of something that is still being written. A commit of nothing
else is heard when the operating system has it, and reaches the disk with the next one that lasts.
"""

import asyncio
import contextlib
import os
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from lime_desktop.database.connection import Connection
from lime_desktop.database.failures import catalogued, is_damage
from lime_desktop.protocol.errors import ServerOverloaded, ShuttingDown

_SPAN = 1 << 31
"""SQLite keeps the number in 31 bits and a sign; ours begin again at 0."""
_WIDTH = 10


class Head:
    """Counts the commits of one open file in a number beside it, written by the thread that writes the file.

    SQLite forgets a log that is gone without a word: what was only in it never happened. Every commit that was promised
    to last therefore counts one up, in the file itself (`user_version`) and, once it is on disk, in a small file beside
    it. Whoever opens the file and finds a smaller number in it than beside it knows how many commits are missing.

    The number beside is handed to the operating system and not synced: it outlives every crash of ours, and after a
    power cut it is at most too small, which claims no loss. A file that was closed in order has none.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None

    def count(self, connection: Connection) -> int:
        """Count the commit that the connection is about to make. Another process may have counted meanwhile."""
        commits = (_counted(connection) + 1) % _SPAN
        connection.execute(f"PRAGMA user_version={commits}")
        return commits

    def record(self, commits: int) -> None:
        """Write down a commit that is on disk."""
        # A disk without room for ten bytes takes the warning from us, never the work.
        with contextlib.suppress(OSError):
            if self._descriptor is None:
                self._descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT, 0o600)
            os.pwrite(self._descriptor, f"{commits:0{_WIDTH}}".encode(), 0)

    def close(self, *, is_folded: bool) -> None:
        """Let go; where everything is in the file itself, nothing has to be remembered."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
        if is_folded:
            with contextlib.suppress(OSError):
                self._path.unlink(missing_ok=True)


def head_path(database: Path) -> Path:
    """Where the number of a file lies."""
    return database.with_name(f"{database.name}-head")


def missing_commits(database: Path, connection: Connection) -> int:
    """How many promised commits are not in a file that was just opened."""
    promised = _read(head_path(database))
    ahead = 0 if promised is None else (promised - _counted(connection)) % _SPAN
    # More than half the span ahead is behind: a power cut left the number beside too small.
    return ahead if ahead < _SPAN // 2 else 0


def _counted(connection: Connection) -> int:
    return connection.execute("PRAGMA user_version").fetchone()[0] % _SPAN


def _read(path: Path) -> int | None:
    try:
        written = path.read_bytes()
    except OSError:
        return None
    return int(written) if len(written) == _WIDTH and written.isdigit() else None


T = TypeVar("T")
Work = Callable[[Connection], T]

MAX_WAITING = 20_000
"""Writes that may wait; one more is refused, so that a flood cannot eat the memory."""

MAX_GROUP = 1_000
"""Writes in one commit: bounds how long the first of them waits for the last."""

MAX_UNSYNCED_S = 1.0
"""How much of what passes a power cut may take: the next commit after this is synced whatever it holds."""


@dataclass(slots=True)
class _Unit:
    work: Work[Any]
    loop: asyncio.AbstractEventLoop
    answer: "asyncio.Future[Any]"
    then: Callable[[Any], None]
    is_passing: bool
    result: Any = None
    error: BaseException | None = None


class Writer:
    """Owns the only writing connection. `run` returns when the work's commit is on disk."""

    def __init__(
        self,
        connection: Connection,
        on_lost_commit: Callable[[], None] | None = None,
        head: Head | None = None,
    ):
        """Take over `connection`. `on_lost_commit` runs on the writer thread when a group is undone.

        It is for whoever keeps a memory of what its own earlier units wrote: that memory is wrong now.
        `head` counts the commits, so that a log that vanishes is noticed.
        """
        self._connection = connection
        self._head = head
        self._on_lost_commit = on_lost_commit or _nothing
        self._waiting: deque[_Unit] = deque()
        self._changed = threading.Condition()
        self._closing = False
        self._stopped_by: BaseException | None = None
        self._is_syncing = True
        self._synced_at = time.monotonic()
        self._thread = threading.Thread(target=self._main, name="database-writer", daemon=True)
        self._thread.start()

    async def run(
        self, work: Work[T], then: Callable[[T], None] | None = None, *, is_passing: bool = False
    ) -> T:
        """Run `work` in a transaction and return its result once that is durable.

        What `is_passing` outlives this process at once, and a power cut once the next lasting write returned.

        Cancelling the caller does not undo the work. `then` is for whoever must hear of it all the same:
        it is called on the loop with the result, in the order of the commits, before the caller goes on.
        """
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[T] = loop.create_future()
        self._hand_in(_Unit(work, loop, answer, then or _ignore, is_passing))
        return await answer

    def close(self) -> None:
        """Finish what was handed in, then close. Blocks; idempotent."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        self._thread.join()

    def _hand_in(self, unit: _Unit) -> None:
        with self._changed:
            if self._closing or self._stopped_by is not None:
                raise ShuttingDown("The database is closed.") from self._stopped_by
            if len(self._waiting) >= MAX_WAITING:
                raise ServerOverloaded(f"{MAX_WAITING} writes are already waiting.")
            self._waiting.append(unit)
            self._changed.notify()

    def _main(self) -> None:
        group: Sequence[_Unit] = ()
        try:
            while group := self._next_group():
                self._commit(group)
                _deliver(group)
        except BaseException as error:  # noqa: BLE001 - a thread's edge: waiters must hear of any bug
            self._stopped_by = error
            self._fail_everyone(group, error)
        finally:
            self._fold()

    def _next_group(self) -> Sequence[_Unit]:
        with self._changed:
            while not self._waiting and not self._closing:
                self._changed.wait()
            size = min(len(self._waiting), MAX_GROUP)
            return [self._waiting.popleft() for _ in range(size)]

    def _commit(self, group: Sequence[_Unit]) -> None:
        while group:
            group = self._try_commit(group)

    def _try_commit(self, group: Sequence[_Unit]) -> Sequence[_Unit]:
        """Run a group and commit it; gives those who have to be run again without the one that broke it."""
        changes = self._connection.total_changes
        try:
            self._sync(is_needed=not all(unit.is_passing for unit in group))
            self._connection.execute("BEGIN IMMEDIATE")
            for unit in group:
                self._run_unit(unit)
            # A commit of nothing syncs nothing, and counts for nothing.
            has_changed = self._connection.total_changes > changes
            commits = self._head.count(self._connection) if self._head and has_changed else None
            self._connection.execute("COMMIT")
            if self._is_syncing and has_changed:
                self._synced_at = time.monotonic()
            if self._head is not None and commits is not None and self._is_syncing:
                self._head.record(commits)
        except sqlite3.Error as error:
            self._undo()
            return _settle(group, catalogued(error.__cause__ or error))
        return ()

    def _fold(self) -> None:
        """Close the file with everything in it: until then, what the head says is still of use."""
        is_folded = False
        with contextlib.suppress(sqlite3.Error):
            is_busy, *_ = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            is_folded = not is_busy
        if self._head is not None:
            self._head.close(is_folded=is_folded)
        with contextlib.suppress(sqlite3.Error):
            self._connection.close()

    def _sync(self, *, is_needed: bool) -> None:
        """Choose, before the transaction, whether its commit waits for the disk."""
        is_needed = is_needed or time.monotonic() - self._synced_at >= MAX_UNSYNCED_S
        if is_needed != self._is_syncing:
            self._connection.execute(f"PRAGMA synchronous={'FULL' if is_needed else 'NORMAL'}")
            self._is_syncing = is_needed

    def _run_unit(self, unit: _Unit) -> None:
        self._connection.execute("SAVEPOINT unit")
        try:
            unit.result = unit.work(self._connection)
        except BaseException as error:
            unit.error = catalogued(error)
            if not self._connection.in_transaction:
                # SQLite itself threw the whole transaction away (disk full, I/O error): so do we.
                raise sqlite3.OperationalError("The transaction was rolled back.") from error
            if _found_damage(error):
                # Once a page was found broken SQLite commits nothing any more, though the others never touched it.
                raise sqlite3.DatabaseError("A page of the file is broken.") from error
            self._connection.execute("ROLLBACK TO unit")
        self._connection.execute("RELEASE unit")

    def _undo(self) -> None:
        with contextlib.suppress(sqlite3.Error):
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        self._on_lost_commit()

    def _fail_everyone(self, group: Sequence[_Unit], error: BaseException) -> None:
        with self._changed:
            rest = [*group, *self._waiting]
            self._waiting.clear()
        failure = ShuttingDown("The database writer stopped.")
        failure.__cause__ = error
        for unit in rest:
            unit.error = failure
        _deliver(rest)


def _settle(group: Sequence[_Unit], failure: BaseException) -> Sequence[_Unit]:
    """Fail a group that was undone; where one of it met a broken page, that one alone, and the rest goes on."""
    hurt = next((unit for unit in group if _found_damage(unit.error)), None)
    if hurt is None:
        for unit in group:
            unit.error = failure
        return ()
    unhurt = [unit for unit in group if unit is not hurt]
    for unit in unhurt:
        unit.result, unit.error = None, None
    return unhurt


def _found_damage(error: BaseException | None) -> bool:
    return error is not None and (is_damage(error) or _found_damage(error.__cause__))


def _deliver(group: Sequence[_Unit]) -> None:
    by_loop: dict[asyncio.AbstractEventLoop, list[_Unit]] = {}
    for unit in group:
        by_loop.setdefault(unit.loop, []).append(unit)
    for loop, units in by_loop.items():
        # A loop that is gone has nobody left to tell.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(_answer, units)


def _answer(units: Sequence[_Unit]) -> None:
    for unit in units:
        if unit.error is None:
            unit.then(unit.result)
        if unit.answer.done():
            continue
        if unit.error is not None:
            unit.answer.set_exception(unit.error)
        else:
            unit.answer.set_result(unit.result)


def _nothing() -> None:
    pass


def _ignore(_result: object) -> None:
    pass
