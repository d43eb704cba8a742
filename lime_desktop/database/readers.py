"""Reading beside the writer: a few threads, each borrowing a connection that cannot write."""

import asyncio
import queue
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from lime_desktop.database.connection import Connection, open_for_reading
from lime_desktop.database.failures import catalogued
from lime_desktop.protocol.errors import ShuttingDown

T = TypeVar("T")

THREADS = 4


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
