"""host.db and what it says, held together: each change is on disk, then in memory, then told to whoever watches."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from lime_desktop.background.observers import Observers
from lime_desktop.database.connection import Connection
from lime_desktop.database.database import Database, ForeignDatabase, open_database
from lime_desktop.host.app_center.records.schema import HOST
from lime_desktop.host.app_center.records.state import CenterState, read_state
from lime_desktop.protocol.errors import DatabaseBusy

T = TypeVar("T")


class Ledger:
    """Made by `open_ledger`."""

    def __init__(self, database: Database | ForeignDatabase, state: CenterState) -> None:
        self._database = database
        self._state = state
        self._watchers = Observers[()]()

    @property
    def state(self) -> CenterState:
        """What the disk says."""
        return self._state

    def watch(self, watcher: Callable[[], None]) -> Callable[[], None]:
        """Hear of every change; the returned function ends it."""
        return self._watchers.subscribe(watcher)

    async def change(self, work: Callable[[Connection], None]) -> None:
        """Make one change, all of it or nothing; returns when it is on disk and told."""

        def apply(connection: Connection) -> CenterState:
            work(connection)
            return read_state(connection)

        await self._database.write(apply, self._take)

    async def count(self, work: Callable[[Connection], T]) -> T:
        """Write what is not kept in memory; nobody is told."""
        return await self._database.write(work)

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Read what is not kept in memory."""
        return await self._database.read(work)

    async def reread(self) -> None:
        """Take note of what another process wrote, where one holds the file."""
        self._take(await self._database.read(read_state))

    def close(self) -> None:
        """Finish what was begun and close the file."""
        self._database.close()

    def notify(self) -> None:
        """Say that something changed which is kept elsewhere."""
        self._watchers.notify()

    def _take(self, state: CenterState) -> None:
        self._state = state
        self.notify()


async def open_ledger(path: Path) -> Ledger:
    """Open host.db, making it where there is none."""
    return await _read(open_database(path, HOST))


async def look_at_ledger(path: Path, held: DatabaseBusy) -> Ledger:
    """Read host.db while another process holds it; every change is refused with who that is."""
    return await _read(ForeignDatabase(path, HOST, held))


async def _read(database: Database | ForeignDatabase) -> Ledger:
    try:
        return Ledger(database, await database.read(read_state))
    except BaseException:
        database.close()
        raise
