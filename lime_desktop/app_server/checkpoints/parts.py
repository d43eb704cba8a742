"""What a checkpoint copies of an app, scope by scope, and what bringing it back would change."""

import asyncio
import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Protocol, cast

from lime_desktop.app_server.app_data.service_parts import ArtifactsPart, StoragePart, read_versions
from lime_desktop.app_server.artifacts.rows import list_all
from lime_desktop.app_server.artifacts.service import AppArtifacts
from lime_desktop.app_server.checkpoints.differences import Kept, differences
from lime_desktop.app_server.files.references import FileReferences, WrittenFile
from lime_desktop.app_server.storage.files import APP_STORAGE, AppFiles, own_tables
from lime_desktop.database.connection import Connection
from lime_desktop.database.database import open_database
from lime_desktop.file_names import plain_name
from lime_desktop.protocol.calls.artifacts import StoredArtifact
from lime_desktop.protocol.calls.checkpoints import CheckpointScopeName, RollbackChange
from lime_desktop.protocol.ids import AppId, SessionId

_FILES = "files.json"


class CheckpointPart(Protocol):
    """One scope."""

    scope: CheckpointScopeName
    """What manifests call it."""

    async def copy_to(self, app_id: AppId, folder: Path) -> None:
        """Write a copy into an empty folder."""
        ...

    async def replace_from(self, app_id: AppId, folder: Path) -> None:
        """Make what is kept equal to a copy."""
        ...

    async def changes(self, app_id: AppId, folder: Path) -> Iterable[RollbackChange]:
        """What that would change."""
        ...

    async def stand_still(self, app_id: AppId, folder: Path) -> None:
        """Before anything is brought back: end what would go on working on it."""

    async def worked_in(self, app_id: AppId, since: str) -> Iterable[SessionId]:
        """The sessions in which somebody worked for this scope since a moment: what they did elsewhere is told."""
        del app_id, since
        return ()


class StorageScope(StoragePart, CheckpointPart):
    """Keys and rows."""

    scope: CheckpointScopeName = "appStorage"

    def __init__(self, files: AppFiles) -> None:
        super().__init__(files)
        self._own = files

    async def changes(self, app_id: AppId, folder: Path) -> Iterable[RollbackChange]:
        """Named by key, or by table and row."""
        copied = await asyncio.to_thread(_read_copy, self.copy_in(folder))
        now: Mapping[str, Kept] = {}
        if await asyncio.to_thread(self._own.path_of(app_id).exists):
            async with self._own.use(app_id) as database:
                now = await database.read(_contents)
        return differences(self.scope, copied, now)


class ArtifactsScope(ArtifactsPart, CheckpointPart):
    """Versions of deliverables; their bytes are named by their hash and stay where they are."""

    scope: CheckpointScopeName = "artifacts"

    async def changes(self, app_id: AppId, folder: Path) -> Iterable[RollbackChange]:
        """Named by title and version."""
        copied = await asyncio.to_thread(read_versions, folder)
        now = await self.database.read(lambda connection: list_all(connection, app_id))
        return differences(self.scope, _versions(copied), _versions(now))


class FilesScope(CheckpointPart):
    """Files that the product wrote for the app: they are never changed, only made and given back."""

    scope: CheckpointScopeName = "files"

    def __init__(self, references: FileReferences) -> None:
        self._references = references

    async def copy_to(self, app_id: AppId, folder: Path) -> None:
        """Keep each file under its own name, and which reference opens it."""
        written = await self._references.written(app_id)
        await asyncio.to_thread(_keep_files, written, folder)

    async def replace_from(self, app_id: AppId, folder: Path) -> None:
        """Bring back what was given back since, and give back what was made since."""
        kept = await asyncio.to_thread(_kept_files, folder)
        now = {each.ref for each in await self._references.written(app_id)}
        for each in kept.values():
            if each.ref not in now:
                await self._references.bring_back(app_id, each)
        for ref in now - kept.keys():
            await self._references.release(app_id, ref)

    async def changes(self, app_id: AppId, folder: Path) -> Iterable[RollbackChange]:
        """Named as they are shown."""
        kept = await asyncio.to_thread(_kept_files, folder)
        now = {each.ref: each for each in await self._references.written(app_id)}
        return differences(self.scope, _names(kept), _names(now))


def scopes_of(
    files: AppFiles, artifacts: AppArtifacts, references: FileReferences
) -> tuple[CheckpointPart, ...]:
    """All of them, in the order in which they are brought back."""
    return (StorageScope(files), ArtifactsScope(artifacts), FilesScope(references))


def _read_copy(path: Path) -> Mapping[str, Kept]:
    if not path.exists():
        return {}
    copy = open_database(path, APP_STORAGE)
    try:
        return copy.look_up(_contents)
    finally:
        copy.close()


def _contents(connection: Connection) -> Mapping[str, Kept]:
    """Every key and row, by a digest of what it holds."""
    entries = connection.execute("SELECT key, value_json FROM lime_entry")
    found = {f"key {key}": Kept(key, _digest(value)) for key, value in entries}
    for table in own_tables(connection):
        # As many columns as an app's own migration gave it.
        rows = connection.execute(f'SELECT * FROM "{table}"')  # noqa: S608 - SQLite's own list
        for row in rows:
            found[f"row {table} {row[0]!r}"] = Kept(f"{table} · {row[0]}", _digest(repr(row)))
    return found


def _versions(artifacts: Iterable[StoredArtifact]) -> Mapping[str, Kept]:
    return {
        f"{each.artifact_id} {each.version}": Kept(
            f"{each.title} ({each.version})", each.content_ref
        )
        for each in artifacts
    }


def _names(files: Mapping[str, WrittenFile]) -> Mapping[str, Kept]:
    return {ref: Kept(each.path.name, each.place) for ref, each in files.items()}


def _keep_files(written: Iterable[WrittenFile], folder: Path) -> None:
    listed: list[dict[str, str]] = []
    for number, each in enumerate(written):
        kept = folder / f"{number}"
        try:
            # Never written to again, so both names may stand for the same bytes.
            kept.hardlink_to(each.path)
        except OSError:
            kept.write_bytes(each.path.read_bytes())
        listed.append(
            {"ref": each.ref, "place": each.place, "name": each.path.name, "kept": kept.name}
        )
    (folder / _FILES).write_text(json.dumps(listed), "utf-8")


def _kept_files(folder: Path) -> dict[str, WrittenFile]:
    try:
        listed = cast("list[dict[str, Any]]", json.loads((folder / _FILES).read_text("utf-8")))
    except FileNotFoundError:
        return {}
    return {
        each["ref"]: WrittenFile(
            each["ref"], Path(each["name"]), each["place"], folder / plain_name(str(each["kept"]))
        )
        for each in listed
    }


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
