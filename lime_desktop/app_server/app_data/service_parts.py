"""What the other services keep of an app, as parts of its data. Secrets go with the app and are in no copy."""

import asyncio
import json
import shutil
from pathlib import Path

from lime_desktop.app_server.apps.data_holder import HeldAmount
from lime_desktop.app_server.artifacts.rows import list_all, measure, replace_all
from lime_desktop.app_server.artifacts.service import AppArtifacts
from lime_desktop.app_server.files.references import FileReferences
from lime_desktop.app_server.knowledge.indexes import KnowledgeIndexes
from lime_desktop.app_server.secrets.service import owner_of
from lime_desktop.app_server.secrets.store import SecretStore
from lime_desktop.app_server.storage.files import AppFiles, count_items
from lime_desktop.database.backups import kept_before_migrations
from lime_desktop.database.connection import files_beside
from lime_desktop.database.failures import catalogued
from lime_desktop.durable_files.writing import copy_durably, settle, sync
from lime_desktop.protocol.calls.artifacts import StoredArtifact
from lime_desktop.protocol.ids import AppId

_COPY = "storage.db"

_LIST = "artifacts.json"
_INDEX = "knowledge.db"


class ArtifactsPart:
    """Which deliverables there are. Their bytes are named by their hash and stay where they are."""

    name = "artifacts"

    def __init__(self, artifacts: AppArtifacts) -> None:
        self.database = artifacts.database

    async def amount(self, app_id: AppId) -> HeldAmount:
        """Count the versions."""
        found = await self.database.read(lambda connection: measure(connection, app_id))
        return HeldAmount(*found)

    async def copy_to(self, app_id: AppId, folder: Path) -> None:
        """Write the list of versions."""
        kept = await self.database.read(lambda connection: list_all(connection, app_id))
        if kept:
            text = json.dumps([artifact.to_wire() for artifact in kept], ensure_ascii=False)
            await asyncio.to_thread((folder / _LIST).write_text, text, "utf-8")

    async def replace_from(self, app_id: AppId, folder: Path) -> None:
        """Bring the list back."""
        kept = await asyncio.to_thread(read_versions, folder)
        await self.database.write(lambda connection: replace_all(connection, app_id, kept))

    async def remove(self, app_id: AppId) -> None:
        """Forget every deliverable."""
        await self.database.write(lambda connection: replace_all(connection, app_id, ()))


class KnowledgePart:
    """What an app's templates are bound to, and the index of it. The sources are the person's and stay."""

    name = "knowledge"

    def __init__(self, indexes: KnowledgeIndexes) -> None:
        self._indexes = indexes

    async def amount(self, app_id: AppId) -> HeldAmount:
        """Count the bindings, and measure the index."""
        path = self._indexes.path_of(app_id)
        if not await asyncio.to_thread(path.exists):
            return HeldAmount(0, 0)
        size = (await asyncio.to_thread(path.stat)).st_size
        return HeldAmount(len(await self._indexes.bindings(app_id)), size)

    async def copy_to(self, app_id: AppId, folder: Path) -> None:
        """Write a sound copy of the index."""
        if await asyncio.to_thread(self._indexes.path_of(app_id).exists):
            await (await self._indexes.database(app_id)).back_up(folder / _INDEX)

    async def replace_from(self, app_id: AppId, folder: Path) -> None:
        """Put the copied index in the place of the app's own."""
        await self.remove(app_id)
        copy = folder / _INDEX
        if await asyncio.to_thread(copy.exists):
            await asyncio.to_thread(shutil.copyfile, copy, self._indexes.path_of(app_id))

    async def remove(self, app_id: AppId) -> None:
        """Delete the index."""
        path = await self._indexes.forget(app_id)
        for left in (path, *files_beside(path), *kept_before_migrations(path)):
            left.unlink(missing_ok=True)


class FilesPart:
    """What was opened to an app and written for it. A copy holds neither: both are made again on request."""

    name = "files"

    def __init__(self, references: FileReferences) -> None:
        self._references = references

    async def amount(self, app_id: AppId) -> HeldAmount:
        """Count the references, and measure what was written."""
        held = await self._references.list(app_id)
        folder = self._references.written_folder(app_id)
        size = await asyncio.to_thread(
            lambda: sum(path.stat().st_size for path in folder.glob("*/*"))
        )
        return HeldAmount(len(held), size)

    async def copy_to(self, app_id: AppId, folder: Path) -> None:
        """Nothing: see the class."""

    async def replace_from(self, app_id: AppId, folder: Path) -> None:
        """Nothing: see the class."""

    async def remove(self, app_id: AppId) -> None:
        """Take every reference back, and delete what was written."""
        await self._references.release_all(app_id)


class SecretsPart:
    """The filled slots of an app."""

    name = "secrets"

    def __init__(self, store: SecretStore) -> None:
        self._store = store

    async def amount(self, app_id: AppId) -> HeldAmount:
        """Count the slots; how long a secret is, is part of it."""
        return HeldAmount(len(await self._store.list(owner_of(app_id))), 0)

    async def copy_to(self, app_id: AppId, folder: Path) -> None:
        """Nothing: secrets are in no copy."""

    async def replace_from(self, app_id: AppId, folder: Path) -> None:
        """Nothing: they are as they were."""

    async def remove(self, app_id: AppId) -> None:
        """Empty every slot."""
        for record in await self._store.list(owner_of(app_id)):
            await self._store.remove(record.owner, record.slot)


def read_versions(folder: Path) -> tuple[StoredArtifact, ...]:
    """The versions that a copy lists. Blocks."""
    try:
        written = json.loads((folder / _LIST).read_text("utf-8"))
    except FileNotFoundError:
        return ()
    return tuple(StoredArtifact.model_validate(each) for each in written)


class StoragePart:
    """Copies and replaces whole files: what services put into them is their business."""

    name = "storage"

    def __init__(self, files: AppFiles) -> None:
        self._files = files

    async def amount(self, app_id: AppId) -> HeldAmount:
        """Count what the app keeps, and measure its file."""
        path = self._files.path_of(app_id)
        if not path.exists():
            return HeldAmount(0, 0)
        async with self._files.use(app_id) as database:
            items = await database.read(count_items)
        return HeldAmount(items, path.stat().st_size)

    async def copy_to(self, app_id: AppId, folder: Path) -> None:
        """Write a sound copy of the file while the app may go on using it."""
        if self._files.path_of(app_id).exists():
            async with self._files.use(app_id) as database:
                await database.back_up(self.copy_in(folder))

    def copy_in(self, folder: Path) -> Path:
        """Where the copy lies, if there was anything to copy."""
        return folder / _COPY

    async def replace_from(self, app_id: AppId, folder: Path) -> None:
        """Put the copied file in the place of the app's own."""
        copy = self.copy_in(folder)
        if not copy.exists():
            await self.remove(app_id)
            return
        async with self._files.apart(app_id) as path:
            await asyncio.to_thread(_put, copy, path)

    async def remove(self, app_id: AppId) -> None:
        """Delete the file."""
        async with self._files.apart(app_id) as path:
            await asyncio.to_thread(_delete, path)


def _put(copy: Path, path: Path) -> None:
    fresh = path.with_name(f"{path.name}.restored")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        copy_durably(copy, fresh)
        # The file was closed, so its log is folded in: what is left of it belongs to no one.
        _delete_beside(path)
        settle(fresh, path)
    except OSError as error:
        raise catalogued(error) from error


def _delete(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
        _delete_beside(path)
        path.with_name(f"{path.name}.restored").unlink(missing_ok=True)
        for copy in kept_before_migrations(path):
            copy.unlink(missing_ok=True)
        if path.parent.is_dir():
            sync(path.parent)
    except OSError as error:
        raise catalogued(error) from error


def _delete_beside(path: Path) -> None:
    for left in files_beside(path):
        left.unlink(missing_ok=True)
