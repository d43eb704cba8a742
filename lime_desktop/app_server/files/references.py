"""Which reference stands for which file or folder, and for whom. A reference is a random name: it can't be guessed or made up."""

import asyncio
import mimetypes
import secrets
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from lime_desktop.app_server.files.arrivals import FolderArrivals, OpenedFolder
from lime_desktop.app_server.files.folders import place_inside
from lime_desktop.app_server.runtime_core.identities import moment
from lime_desktop.database.connection import Connection
from lime_desktop.database.database import Database, open_database
from lime_desktop.database.failures import catalogued
from lime_desktop.database.migrations import Migration, Schema, statements
from lime_desktop.file_names import plain_name, shown_name, stored_name
from lime_desktop.protocol.capability_calls.files import FileRef
from lime_desktop.protocol.errors import FileReferenceUnknown, StorageQuotaExceeded
from lime_desktop.protocol.ids import AppId

WRITTEN_BYTES = 1024**3
"""What the product keeps of files it wrote for one app."""

_SCHEME = "file-ref:"
_FOLDER_TYPE = "inode/directory"
FILE_REFERENCES = Schema(
    "file-references",
    (
        Migration(
            "references that last",
            statements(
                "CREATE TABLE reference (ref TEXT PRIMARY KEY, app_id TEXT NOT NULL, path TEXT NOT NULL)",
                "CREATE INDEX reference_of_app ON reference (app_id)",
            ),
        ),
        Migration(
            "files that were seen in folders",
            statements(
                "CREATE TABLE seen_folder (ref TEXT PRIMARY KEY)",
                """
                CREATE TABLE seen_file (
                    id TEXT NOT NULL, ref TEXT NOT NULL, name TEXT NOT NULL, mark TEXT NOT NULL,
                    size_bytes INTEGER NOT NULL, at_ms INTEGER NOT NULL, is_dealt INTEGER NOT NULL,
                    PRIMARY KEY (ref, name)
                )
                """,
                "CREATE INDEX seen_file_by_id ON seen_file (id)",
                # With the reference goes what was remembered of its folder, whichever way it goes.
                """
                CREATE TRIGGER reference_gone AFTER DELETE ON reference BEGIN
                    DELETE FROM seen_folder WHERE ref = old.ref;
                    DELETE FROM seen_file WHERE ref = old.ref;
                END
                """,
            ),
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class HeldFile:
    """A file that an app may read, or a folder it may read everything of."""

    ref: str
    app_id: AppId
    path: Path
    is_persistent: bool


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """A file that the product wrote for an app."""

    ref: str
    path: Path
    place: str
    """The name of the folder that it lies in alone."""
    kept_at: Path | None = None
    """Where a copy of it lies, if this tells of one."""


class FileReferences:
    """Made by `open_references`. References for one view live in memory, those that last in a file of their own."""

    def __init__(self, database: Database, folder: Path) -> None:
        self._database = database
        self._folder = folder
        self._passing: dict[str, HeldFile] = {}
        self.arrivals = FolderArrivals(database, self._lasting_folders)
        """What comes into the folders that a person opened for good."""

    async def _lasting_folders(self, app_id: AppId) -> tuple[OpenedFolder, ...]:
        kept = await self._database.read(lambda connection: _list(connection, app_id))
        return await asyncio.to_thread(
            lambda: tuple(
                OpenedFolder(each.ref, each.path)
                for each in kept
                if each.path.is_dir() and not each.path.is_symlink()
            )
        )

    async def grant(self, app_id: AppId, path: Path, *, is_persistent: bool) -> HeldFile:
        """Let an app read a file, or everything in a folder.

        Raises:
            FileReferenceUnknown: there is nothing.
        """
        real = await asyncio.to_thread(path.resolve)
        if not await asyncio.to_thread(lambda: real.is_file() or real.is_dir()):
            raise FileReferenceUnknown("What was chosen is not there")
        return await self._hold(app_id, real, is_persistent=is_persistent)

    async def write(self, app_id: AppId, name: str, body: bytes) -> HeldFile:
        """Keep a file that the product made for an app, and let it read it.

        Raises:
            StorageQuotaExceeded: the app has too many of them; releasing one makes room.
        """
        folder = self.written_folder(app_id)
        path = await asyncio.to_thread(_write, folder, name, body)
        return await self._hold(app_id, path, is_persistent=True)

    async def find(self, app_id: AppId, ref: str, inside: str | None = None) -> HeldFile:
        """The file behind a reference, or a file inside the folder behind it.

        Raises:
            FileReferenceUnknown: it was never given to this app, was given back, or there is no such file.
        """
        found = await self._find(app_id, ref, inside)
        if not await asyncio.to_thread(found.path.is_file):
            raise FileReferenceUnknown("This reference opens no file of this app")
        return found

    async def find_opened(self, app_id: AppId, ref: str) -> HeldFile:
        """The file or folder behind a reference.

        Raises:
            FileReferenceUnknown: likewise.
        """
        return await self._find(app_id, ref)

    async def find_folder(self, app_id: AppId, ref: str, inside: str | None) -> HeldFile:
        """The folder behind a reference, or one inside it.

        Raises:
            FileReferenceUnknown: likewise.
        """
        found = await self._find(app_id, ref, inside)
        if not await asyncio.to_thread(found.path.is_dir):
            raise FileReferenceUnknown("This reference opens no folder of this app")
        return found

    async def list(self, app_id: AppId) -> tuple[HeldFile, ...]:
        """Every reference of an app that still opens something."""
        kept = await self._database.read(lambda connection: _list(connection, app_id))
        passing = [held for held in self._passing.values() if held.app_id == app_id]
        return await asyncio.to_thread(
            lambda: tuple(held for held in (*kept, *passing) if _is_there(held))
        )

    async def release(self, app_id: AppId, ref: str) -> bool:
        """Take a reference back, and say whether there was one."""
        try:
            held = await self._find(app_id, ref)
        except FileReferenceUnknown:
            return False
        self._passing.pop(ref, None)
        await self._database.write(
            lambda connection: connection.execute("DELETE FROM reference WHERE ref = ?", (ref,))
        )
        if held.path.is_relative_to(self.written_folder(app_id)):
            await asyncio.to_thread(shutil.rmtree, held.path.parent, ignore_errors=True)
        return True

    async def release_all(self, app_id: AppId) -> None:
        """Take every reference of an app back, and delete what was written for it."""
        self._passing = {ref: held for ref, held in self._passing.items() if held.app_id != app_id}
        await self._database.write(
            lambda connection: connection.execute(
                "DELETE FROM reference WHERE app_id = ?", (app_id,)
            )
        )
        await asyncio.to_thread(shutil.rmtree, self.written_folder(app_id), ignore_errors=True)

    async def written(self, app_id: AppId) -> tuple[WrittenFile, ...]:
        """The files that the product wrote for an app and that are still there."""
        folder = self.written_folder(app_id)
        return tuple(
            WrittenFile(held.ref, held.path, held.path.parent.name)
            for held in await self.list(app_id)
            if held.is_persistent and held.path.parent.parent == folder
        )

    async def bring_back(self, app_id: AppId, file: WrittenFile) -> None:
        """Put a copy in the place of a file that was given back, under its old reference."""
        # Both are names that were made here; a damaged list must not lead elsewhere all the same.
        place = self.written_folder(app_id) / plain_name(file.place)
        path = place / shown_name(file.path.name, otherwise="file")
        await asyncio.to_thread(_put_back, file.kept_at, path)
        held = HeldFile(file.ref, app_id, path, is_persistent=True)
        await self._database.write(lambda connection: _keep(connection, held))

    def written_folder(self, app_id: AppId) -> Path:
        """Where the files lie that the product wrote for an app."""
        return self._folder / stored_name(app_id)

    def close(self) -> None:
        """Finish and close. Blocks."""
        self._database.close()

    async def _find(self, app_id: AppId, ref: str, inside: str | None = None) -> HeldFile:
        held = self._passing.get(ref) or await self._database.read(
            lambda connection: _find(connection, ref)
        )
        if held is None or held.app_id != app_id or not await asyncio.to_thread(_is_there, held):
            raise FileReferenceUnknown("This reference opens nothing of this app")
        if inside is None:
            return held
        return replace(held, path=await asyncio.to_thread(place_inside, held.path, inside))

    async def _hold(self, app_id: AppId, path: Path, *, is_persistent: bool) -> HeldFile:
        held = HeldFile(f"{_SCHEME}{secrets.token_urlsafe(18)}", app_id, path, is_persistent)
        if is_persistent:
            await self._database.write(lambda connection: _keep(connection, held))
        else:
            self._passing[held.ref] = held
        return held


def open_references(data_dir: Path) -> FileReferences:
    """Open the references that last. Blocks."""
    database = open_database(data_dir / "file-references.db", FILE_REFERENCES)
    return FileReferences(database, (data_dir / "app-files").resolve())


def describe(held: HeldFile) -> FileRef:
    """What an app may know of a file. Touches the disk."""
    facts = held.path.stat()
    is_folder = held.path.is_dir()
    guessed = mimetypes.guess_type(held.path.name)[0] or "application/octet-stream"
    return FileRef(
        ref=held.ref,
        name=held.path.name,
        size_bytes=0 if is_folder else facts.st_size,
        media_type=_FOLDER_TYPE if is_folder else guessed,
        modified_at=moment(int(facts.st_mtime * 1_000)),
        is_persistent=held.is_persistent,
        is_folder=is_folder,
    )


def _is_there(held: HeldFile) -> bool:
    # A link in the place of the file was not what the person chose.
    return (held.path.is_file() or held.path.is_dir()) and not held.path.is_symlink()


def _write(folder: Path, name: str, body: bytes) -> Path:
    try:
        used = sum(path.stat().st_size for path in folder.glob("*/*"))
        if used + len(body) > WRITTEN_BYTES:
            raise StorageQuotaExceeded("The product keeps too many files for this app")
        place = folder / secrets.token_hex(8)
        place.mkdir(parents=True)
        # Written into a new folder, under a last name: whatever was asked for, nothing that is there is touched.
        path = place / shown_name(name, otherwise="file")
        path.write_bytes(body)
    except OSError as error:
        raise catalogued(error) from error
    return path


def _put_back(copy: Path | None, path: Path) -> None:
    if copy is None:
        raise FileReferenceUnknown("No copy of this file is kept")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(copy, path)
    except OSError as error:
        raise catalogued(error) from error


def _keep(connection: Connection, held: HeldFile) -> None:
    connection.execute(
        "INSERT INTO reference VALUES (?, ?, ?)", (held.ref, held.app_id, str(held.path))
    )


def _find(connection: Connection, ref: str) -> HeldFile | None:
    row = connection.execute("SELECT app_id, path FROM reference WHERE ref = ?", (ref,)).fetchone()
    return HeldFile(ref, AppId(row[0]), Path(row[1]), is_persistent=True) if row else None


def _list(connection: Connection, app_id: AppId) -> list[HeldFile]:
    rows = connection.execute(
        "SELECT ref, path FROM reference WHERE app_id = ? ORDER BY rowid", (app_id,)
    )
    return [HeldFile(ref, app_id, Path(path), is_persistent=True) for ref, path in rows]
