"""Write a planned migration to disk: all files or none, with the old bytes kept beside the package."""

import os
import shutil
import tempfile
from pathlib import Path

from lime_desktop.app_package.migration.steps import Migration


class PackageChanged(Exception):
    """A file is no longer what the plan was made for."""


def write_migration(folder: Path, migration: Migration) -> Path | None:
    """Apply a plan; returns where the old files are kept, or None if nothing was to be written.

    OSError or PackageChanged leave every file as it was.
    """
    if not migration.files:
        return None
    targets = {folder / file: versions for file, versions in migration.files.items()}
    for path, versions in targets.items():
        if path.is_symlink() or path.read_bytes() != versions.before:
            raise PackageChanged(str(path))
    backup = _new_backup_folder(folder)
    try:
        _back_up(folder, backup, migration)
        _replace_all({path: versions.after for path, versions in targets.items()}, folder, backup)
    except OSError:
        shutil.rmtree(backup, ignore_errors=True)
        raise
    return backup


def _back_up(folder: Path, backup: Path, migration: Migration) -> None:
    for file in migration.files:
        kept = backup / file
        kept.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(folder / file, kept)


def _new_backup_folder(folder: Path) -> Path:
    # Beside the package, not in it: there it would be hashed, packed and shipped.
    number = 1
    while True:
        suffix = "" if number == 1 else f"-{number}"
        backup = folder.with_name(f"{folder.name}.before-migration{suffix}")
        try:
            backup.mkdir()
        except FileExistsError:
            number += 1
        else:
            return backup


def _replace_all(contents: dict[Path, bytes], folder: Path, backup: Path) -> None:
    staged: dict[Path, Path] = {}
    replaced: list[Path] = []
    try:
        for path, data in contents.items():
            staged[path] = _stage(path, data)
        for path, temporary in staged.items():
            temporary.replace(path)
            replaced.append(path)
    except OSError:
        for path in replaced:
            shutil.copy2(backup / path.relative_to(folder), path)
        raise
    finally:
        for temporary in staged.values():
            temporary.unlink(missing_ok=True)


def _stage(path: Path, data: bytes) -> Path:
    """Write the new bytes beside the old ones, down to the disk, so that only a rename is left to do."""
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    shutil.copymode(path, name)
    return Path(name)
