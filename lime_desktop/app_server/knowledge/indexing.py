"""Keeps an index as its sources are: what is new is read, what changed is read again, what is gone is forgotten."""

import asyncio
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lime_desktop.app_server.documents.parsing import DocumentParsing, is_readable
from lime_desktop.app_server.knowledge.passages import Passage, passages_of
from lime_desktop.app_server.knowledge.rows import (
    SourceFile,
    count_unread,
    finish_indexing,
    known_files,
    put_document,
    remove_document,
)
from lime_desktop.app_server.runtime_core.identities import now
from lime_desktop.database.database import Database
from lime_desktop.protocol.errors import AppError

MAX_FILES = 20_000
"""Files of one binding; a folder with more is indexed as far as this, and that is said."""


@dataclass(slots=True)
class Progress:
    """How far a binding is brought up to date."""

    pending: int | None = None
    """Files that are to be read; None while it is still looked for them."""


async def bring_up_to_date(
    database: Database,
    key: str,
    sources: tuple[str, ...],
    parsing: DocumentParsing,
    progress: Progress,
) -> None:
    """Make the index of a binding equal to its sources. Can be stopped and begun again at any point."""
    files, absent = await asyncio.to_thread(_look, sources)
    known = await database.read(lambda connection: known_files(connection, key))
    gone = [each for each in known.keys() - files.keys() if not _is_below(each, absent)]
    changed = [file for path, file in files.items() if known.get(path) != file]
    progress.pending = len(changed)
    for path in gone:
        await database.write(lambda connection, path=path: remove_document(connection, key, path))
    for file in changed:
        await _index(database, key, file, parsing)
        progress.pending -= 1
    unread = await database.read(lambda connection: count_unread(connection, key))
    message = _message(len(files), unread, absent)
    await database.write(lambda connection: finish_indexing(connection, key, now(), message))


def _look(sources: tuple[str, ...]) -> tuple[dict[str, SourceFile], tuple[str, ...]]:
    """The files of all sources, and the sources that are not there now: a disk that was taken out comes back."""
    absent = tuple(source for source in sources if not Path(source).exists())
    return dict(_walk(sources)), absent


def _is_below(path: str, folders: tuple[str, ...]) -> bool:
    return any(Path(path).is_relative_to(folder) for folder in folders)


async def _index(database: Database, key: str, file: SourceFile, parsing: DocumentParsing) -> None:
    passages: tuple[Passage, ...] = ()
    problem: str | None = None
    try:
        _, document = await parsing.parse(Path(file.path), file.name)
        passages = await asyncio.to_thread(lambda: tuple(passages_of(document)))
    except AppError as error:
        problem = error.code
    except OSError:
        problem = "unreadable"
    await database.write(lambda connection: put_document(connection, key, file, passages, problem))


def _message(files: int, unread: int, absent: tuple[str, ...]) -> str | None:
    said: list[str] = []
    if absent:
        said.append(f"{len(absent)} of the chosen places are not there now.")
    if files >= MAX_FILES:
        said.append(f"Only the first {MAX_FILES} files are indexed.")
    if unread:
        said.append(f"{unread} files could not be read.")
    return " ".join(said) or None


def _walk(sources: tuple[str, ...]) -> Iterator[tuple[str, SourceFile]]:
    found = 0
    for source in sources:
        for path in _files_in(Path(source)):
            if found == MAX_FILES:
                return
            try:
                facts = path.stat()
            except OSError:
                continue
            found += 1
            yield str(path), SourceFile(str(path), path.name, facts.st_size, facts.st_mtime_ns)


def _files_in(source: Path) -> Iterator[Path]:
    if source.is_file():
        yield source
        return
    # Links are not followed: a person opened this folder and not what somebody linked from it.
    for folder, folders, names in os.walk(source, followlinks=False):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(folder) / name
            if is_readable(name) and not name.startswith(".") and not path.is_symlink():
                yield path
