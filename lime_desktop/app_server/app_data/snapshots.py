"""Copies of apps' data on disk: one folder each, there as a whole or not at all. Every function blocks."""

import hashlib
import json
import os
import shutil
import zipfile
from pathlib import Path
from typing import NamedTuple, cast

from lime_desktop.durable_files.writing import settle, write_durably
from lime_desktop.file_names import plain_name
from lime_desktop.protocol.errors import StorageKeyNotFound
from lime_desktop.protocol.ids import AppId

_PARTIAL = ".partial"
_LABEL = "app.json"


class Snapshots:
    """The snapshots of every app, by id."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def begin(self, snapshot_id: str, app_id: AppId) -> Path:
        """Make room for a copy that nobody sees yet."""
        partial = self._folder / plain_name(f"{snapshot_id}{_PARTIAL}")
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True, mode=0o700)
        write_durably(partial / _LABEL, json.dumps({"appId": app_id}).encode())
        return partial

    def finish(self, snapshot_id: str) -> None:
        """Let the copy be seen, now that it is whole."""
        whole = self._folder / plain_name(snapshot_id)
        partial = self._folder / plain_name(f"{snapshot_id}{_PARTIAL}")
        if whole.exists():
            shutil.rmtree(whole)
        settle(partial, whole)

    def find(self, snapshot_id: str, app_id: AppId) -> Path:
        """Where a snapshot of an app lies.

        Raises:
            StorageKeyNotFound: there is none of this id, or it is another app's.
        """
        folder = self._folder / plain_name(snapshot_id)
        if _owner(folder) != app_id:
            raise StorageKeyNotFound("There is no such snapshot of this app")
        return folder

    def ids_of(self, app_id: AppId) -> tuple[str, ...]:
        """The snapshots of one app."""
        return tuple(path.name for path in self._all() if _owner(path) == app_id)

    def size_of(self, app_id: AppId) -> int:
        """How much room an app's snapshots take; what has another name as well takes none."""
        files = (path for each in self._all() if _owner(each) == app_id for path in each.rglob("*"))
        found = (path.stat() for path in files if path.is_file())
        return sum(each.st_size for each in found if each.st_nlink == 1)

    def keep_only(self, snapshot_ids: frozenset[str]) -> tuple[str, ...]:
        """Remove the others, and what was begun and never finished."""
        surplus = [path for path in self._all() if path.name not in snapshot_ids]
        for path in surplus:
            shutil.rmtree(path)
        return tuple(path.name for path in surplus)

    def keep_newest(self, app_id: AppId, count: int) -> None:
        """Remove an app's oldest, by their ids: these sort by the time they were made."""
        mine = [path for path in self._all() if _owner(path) == app_id]
        for path in mine[: max(0, len(mine) - count)]:
            shutil.rmtree(path)

    def remove_of(self, app_id: AppId) -> tuple[str, ...]:
        """Remove an app's snapshots, whole or not."""
        mine = [path for path in self._all() if _owner(path) == app_id]
        for path in mine:
            shutil.rmtree(path)
        return tuple(path.name for path in mine)

    def _all(self) -> list[Path]:
        return sorted(self._folder.iterdir()) if self._folder.is_dir() else []


def _owner(folder: Path) -> str | None:
    try:
        label = json.loads((folder / _LABEL).read_bytes())
    except (OSError, ValueError):
        return None
    named = cast("dict[str, object]", label).get("appId") if isinstance(label, dict) else None
    return named if isinstance(named, str) else None


class Archive(NamedTuple):
    """A finished archive."""

    size_bytes: int
    sha256: str


def write_archive(folder: Path, target: Path) -> Archive:
    """Pack a snapshot into one zip, which appears only when it is whole.

    Raises:
        FileExistsError: something lies there already.
    """
    partial = target.with_name(f".{target.name}{_PARTIAL}")
    try:
        with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(each for each in folder.rglob("*") if each.is_file()):
                archive.write(path, path.relative_to(folder).as_posix())
        with partial.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            os.fsync(file.fileno())
        _move_without_replacing(partial, target)
    finally:
        partial.unlink(missing_ok=True)
    return Archive(target.stat().st_size, f"sha256:{digest}")


def _move_without_replacing(source: Path, target: Path) -> None:
    # A link fails where a rename would replace what somebody keeps there.
    if hasattr(os, "link"):
        try:
            os.link(source, target)
        except OSError as error:
            if isinstance(error, FileExistsError):
                raise
        else:
            return
    if target.exists():
        raise FileExistsError(target)
    source.rename(target)
