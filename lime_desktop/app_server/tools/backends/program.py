"""Which program is a service's, on this machine? Looks, and starts nothing."""

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lime_desktop.app_package.backends import NETWORKS, words_of
from lime_desktop.app_package.files.tree import PackageTree
from lime_desktop.app_package.manifest.services import Service

_ARCHIVE = "It lies in an archive. Install the app, or open its folder."
_NO_COMMAND = "It needs a `command`, a `binary` of the package, or a `path` to a .py or .js file."
_NO_FILE = "The package has no file {name}."
_NOT_EXECUTABLE = "The package's file {name} may not be run: it is not executable."
_NO_PROGRAM = "The program {name} is not installed."
_NO_NETWORK = (
    "It wants `network: {name}`, which no backend on this computer is given. Use `host-mediated`."
)


_INTERPRETERS = frozenset({"node", "python", "python3"})


@dataclass(frozen=True, slots=True)
class FoundProgram:
    """What would be started."""

    words: tuple[str, ...]
    """As the system is told."""
    shown: tuple[str, ...]
    """As the author wrote it and a person reads it: no path of this machine."""
    package: Path
    libraries: tuple[Path, ...] = ()
    """What it reads beside the system's programs, where it lies elsewhere itself."""


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why nothing could be started."""

    reason: str
    missing_program: str | None = None
    """The program that somebody would have to install."""


def find_program(service: Service, tree: PackageTree, package: Path) -> FoundProgram | Obstacle:
    """The program of a service, or what it lacks. Looks at the disk."""
    if service.network not in NETWORKS:
        return Obstacle(_NO_NETWORK.format(name=service.network))
    shown = words_of(service)
    if not shown:
        return Obstacle(_NO_COMMAND)
    if not package.is_dir():
        return Obstacle(_ARCHIVE)
    first = _first(shown[0], tree, package)
    if isinstance(first, Obstacle):
        return first
    absent = (
        service.path if service.path in shown and _plain(service.path) not in tree.files else None
    )
    if absent:
        return Obstacle(_NO_FILE.format(name=absent))
    rest = (
        str(package / _plain(word)) if _plain(word) in tree.files else word for word in shown[1:]
    )
    return FoundProgram((first, *rest), shown, package, _libraries(Path(first)))


def _first(word: str, tree: PackageTree, package: Path) -> str | Obstacle:
    """A program of the package by its path, or one of the machine by its plain name."""
    entry = tree.files.get(_plain(word))
    if entry is None:
        if "/" in word:
            return Obstacle(_NO_FILE.format(name=word))
        found = next(_interpreters(word), None) if word in _INTERPRETERS else shutil.which(word)
        return found or Obstacle(_NO_PROGRAM.format(name=word), missing_program=word)
    if not entry.is_executable:
        return Obstacle(_NOT_EXECUTABLE.format(name=word))
    return str(package / entry.path)


def _interpreters(name: str) -> Iterator[str]:
    """The machine's own, by its real place; the small scripts of version managers choose one outside the wall, and find none inside."""
    for folder in os.get_exec_path():
        path = Path(folder) / name
        if path.is_file() and os.access(path, os.X_OK) and not _is_script(path):
            yield str(path.resolve())


def _is_script(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(2) == b"#!"
    except OSError:
        return True


def _libraries(program: Path) -> tuple[Path, ...]:
    """The library of a Python that somebody installed for themselves; never the whole folder, which may be their home."""
    if not program.name.startswith("python"):
        return ()
    place = program.parent.parent
    return (*sorted(place.glob("lib*/python3.*")), *sorted(place.glob("lib/libpython3*")))


def _plain(word: str) -> str:
    return word.removeprefix("./")
