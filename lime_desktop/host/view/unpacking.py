"""Writing what an archive holds into a new folder, at a place that a person chose. Nothing that is there is touched.

The archive may be any that an app holds, so nothing in it is trusted: names are made fit, links and folders are left
out, and what it says of its sizes is measured.
"""

import shutil
import zipfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import IO

from lime_desktop.file_names import shown_name
from lime_desktop.protocol.errors import HostActionFailed

MOST_FILES = 10_000
MOST_BYTES = 256 * 1024 * 1024
_DEEPEST = 16
_PART = 1024 * 1024


def unpack(archive_path: Path, place: Path, name: str) -> Path:
    """The new folder. Blocks. What was begun is taken away where it cannot be finished.

    Raises:
        HostActionFailed: it is no archive, holds too much, or cannot be written there.
    """
    folder = _new_folder(place, shown_name(name, otherwise="files"))
    try:
        with zipfile.ZipFile(archive_path) as archive:
            _write_all(archive, folder)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError):
        # A password and an unknown compression are told by the last two.
        shutil.rmtree(folder, ignore_errors=True)
        raise HostActionFailed("The archive cannot be read") from None
    except (OSError, HostActionFailed):
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return folder


def _new_folder(place: Path, name: str) -> Path:
    """A folder that was not there, with a number where its name is taken."""
    for number in count(1):
        folder = place / (name if number == 1 else f"{name} {number}")
        try:
            folder.mkdir()
        except FileExistsError:
            continue
        return folder
    raise AssertionError("numbers do not end")


def _write_all(archive: zipfile.ZipFile, folder: Path) -> None:
    files = [each for each in archive.infolist() if not each.is_dir()]
    if len(files) > MOST_FILES:
        raise HostActionFailed("The archive holds too many files")
    left = MOST_BYTES
    for entry in files:
        target = folder.joinpath(*_parts(entry.filename))
        target.parent.mkdir(parents=True, exist_ok=True)
        # `x`: two entries of one name must not become one file, nor a link that came before be followed.
        with archive.open(entry) as source, target.open("xb") as out:
            for part in _bounded(source, left):
                out.write(part)
                left -= len(part)


def _bounded(source: IO[bytes], left: int) -> Iterator[bytes]:
    while part := source.read(_PART):
        if len(part) > left:
            raise HostActionFailed("The archive holds too much")
        left -= len(part)
        yield part


def _parts(name: str) -> list[str]:
    parts = [part for part in name.replace("\\", "/").split("/") if part.strip(" .")]
    return [shown_name(part) for part in parts[-_DEEPEST:]] or [shown_name("")]
