"""A file that another process owns, looked at while it is in use: read as its owner last left it, never written.

SQLite lets readers of other processes in beside the one that writes; each read sees one whole commit.
"""

from collections.abc import Callable
from pathlib import Path
from typing import NoReturn, TypeVar

from lime_desktop.database.connection import Connection
from lime_desktop.database.migrations import Schema
from lime_desktop.database.readers import Readers
from lime_desktop.protocol.errors import DatabaseBusy

T = TypeVar("T")


class ForeignDatabase:
    """Has of a `Database` what only reads."""

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
