"""Secrets for whoever in the App Server needs one: filled by a person, used by reference, opened at the last moment."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import TypeVar

from pydantic import SecretStr

from lime_desktop.app_server.runtime_core.identities import new_id, now
from lime_desktop.app_server.secrets import index
from lime_desktop.app_server.secrets.index import SECRET_INDEX, SecretRecord
from lime_desktop.app_server.secrets.place import PlaceName, SecretPlace
from lime_desktop.app_server.secrets.sealed_file import SealedFile
from lime_desktop.background.observers import Observers
from lime_desktop.database.database import Database, open_database
from lime_desktop.protocol.errors import HostActionFailed, InvalidInput, SecretRequired, TimedOut

T = TypeVar("T")
FindKeyring = Callable[[], SecretPlace | None]

MAX_CHARACTERS = 16_384
"""Room for a private key in text form; more is a file, not a secret."""

KEYRING_S = 20.0
"""How long a keyring may take. One that waits for a person to unlock it must not hold a turn for ever."""


class SecretStore:
    """Made by `open_secret_store`. Values are `SecretStr`: they print as stars."""

    def __init__(self, database: Database, sealed: SecretPlace, find_keyring: FindKeyring) -> None:
        self._database = database
        self._sealed = sealed
        self._find_keyring = find_keyring
        self.changed = Observers[str]()
        """Told whose slot was filled anew or emptied."""
        # One thread: neither place promises anything about two.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="secrets")

    async def place(self) -> PlaceName:
        """Where new values go."""
        return (await self._run(self._find_keyring) or self._sealed).name

    async def put(self, owner: str, slot: str, value: SecretStr) -> SecretRecord:
        """Fill a slot; what was in it is forgotten.

        Raises:
            InvalidInput: the value is empty or larger than a secret is.
            HostActionFailed: the keyring did not take it; the slot is as it was.
        """
        text = value.get_secret_value()
        if not 0 < len(text) <= MAX_CHARACTERS:
            raise InvalidInput.at_fields([("value", "secret_length")])
        # A new id each time: the old value stays readable until the index points to the new one.
        record = SecretRecord(new_id("secret"), owner, slot, await self.place(), now())
        await self._in_place(record.place, lambda place: place.write(record.id, text))
        # Asked in the same step: another process may have filled the slot since.
        before = await self._database.write(lambda connection: index.keep(connection, record))
        if before is not None:
            await self._in_place(before.place, lambda place: place.delete(before.id))
        self.changed.notify(owner)
        return record

    async def find(self, owner: str, slot: str) -> SecretRecord | None:
        """The record of a slot, if it is filled."""
        return await self._database.read(lambda connection: index.find(connection, owner, slot))

    async def list(self, owner: str) -> tuple[SecretRecord, ...]:
        """Every filled slot of an owner."""
        return await self._database.read(lambda connection: index.list_of(connection, owner))

    async def open(self, ref: str, owner: str) -> SecretStr:
        """The value behind a reference, for its owner only.

        Raises:
            SecretRequired: there is no such secret of this owner, or its value is gone.
        """
        secret_id = ref.removeprefix("secret://")
        record = await self._database.read(
            lambda connection: index.find_by_id(connection, secret_id)
        )
        if record is None or record.owner != owner:
            raise SecretRequired("There is no secret behind this reference")
        value = await self._in_place(record.place, lambda place: place.read(record.id))
        if value is None:
            raise SecretRequired(f"The value of {record.slot} is gone; enter it again")
        return SecretStr(value)

    async def remove(self, owner: str, slot: str) -> bool:
        """Empty a slot, and say whether it was filled."""
        record = await self.find(owner, slot)
        if record is None:
            return False
        await self._in_place(record.place, lambda place: place.delete(record.id))
        await self._database.write(lambda connection: index.remove(connection, record.id))
        self.changed.notify(owner)
        return True

    def close(self) -> None:
        """Wait for what is under way, then close. Blocks."""
        try:
            self._thread.shutdown(wait=True)
        finally:
            self._database.close()

    async def _in_place(self, name: PlaceName, work: Callable[[SecretPlace], T]) -> T:
        return await self._run(lambda: work(self._place_named(name)))

    def _place_named(self, name: PlaceName) -> SecretPlace:
        place = self._sealed if name == self._sealed.name else self._find_keyring()
        if place is None:
            raise HostActionFailed("The keyring that holds this secret does not run")
        return place

    async def _run(self, work: Callable[[], T]) -> T:
        waiting = asyncio.get_running_loop().run_in_executor(self._thread, work)
        try:
            async with asyncio.timeout(KEYRING_S):
                return await waiting
        except TimeoutError:
            raise TimedOut("The keyring did not answer; it may be waiting to be unlocked") from None


def open_secret_store(folder: Path, find_keyring: FindKeyring) -> SecretStore:
    """Open the index. Blocks."""
    database = open_database(folder / "secrets.db", SECRET_INDEX)
    # Looked for once, at its first use: that talks to the session's bus, and most starts need no secret.
    return SecretStore(database, SealedFile(folder), cache(find_keyring))
