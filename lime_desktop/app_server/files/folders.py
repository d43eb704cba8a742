"""Inside a folder that a person opened: which place is meant, and what lies there. Nothing leads out of it. Blocks."""

from pathlib import Path, PurePosixPath, PureWindowsPath

from lime_desktop.app_server.runtime_core.identities import moment
from lime_desktop.database.failures import catalogued
from lime_desktop.protocol.capability_calls.files import FolderEntry
from lime_desktop.protocol.errors import FileReferenceUnknown, InvalidInput

_MOST_ENTRIES = 1_000


def place_inside(folder: Path, inside: str) -> Path:
    """The real place of something in a folder.

    Raises:
        InvalidInput: the path is not one that stays inside.
        FileReferenceUnknown: there is nothing, or a link that leads out.
    """
    parts = PurePosixPath(inside).parts
    if ".." in parts or "\0" in inside or "\\" in inside or PureWindowsPath(inside).anchor:
        raise InvalidInput.at_fields([("path", "leads_out")])
    real = folder.joinpath(*parts).resolve()
    if not real.is_relative_to(folder) or not real.exists():
        raise FileReferenceUnknown("There is nothing of that name in the folder")
    return real


def list_folder(folder: Path, inside: str) -> tuple[tuple[FolderEntry, ...], bool]:
    """What lies in a folder by name, and whether that is all of it."""
    try:
        found = sorted(path for path in folder.iterdir() if not path.is_symlink())
        entries = tuple(_entry(path, inside) for path in found[:_MOST_ENTRIES])
    except OSError as error:
        raise catalogued(error) from error
    return entries, len(found) <= _MOST_ENTRIES


def _entry(path: Path, inside: str) -> FolderEntry:
    facts, is_folder = path.stat(), path.is_dir()
    return FolderEntry(
        path=str(PurePosixPath(inside) / path.name),
        name=path.name,
        is_folder=is_folder,
        size_bytes=0 if is_folder else facts.st_size,
        modified_at=moment(int(facts.st_mtime * 1_000)),
    )
