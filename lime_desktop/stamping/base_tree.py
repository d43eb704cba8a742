"""The frozen Lime Desktop that products are stamped on: found, and known to be whole. Never changed."""

import sys
from dataclasses import dataclass
from pathlib import Path

from lime_desktop import __version__
from lime_desktop.app_package.problems import Place, Problem
from lime_desktop.executables import WITHOUT_WINDOW, is_frozen
from lime_desktop.product import BRANDING_FILE, LIME
from lime_desktop.stamping import problem_kinds as kinds

_LIBRARIES = "_internal"
_ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Base:
    """A tree to stamp on."""

    folder: Path
    version: str
    program: str
    """The window's executable in it."""

    @property
    def suffix(self) -> str:
        """What executables end with there."""
        return ".exe" if self.program.endswith(".exe") else ""

    @property
    def epoch(self) -> int:
        """The time that everything made from it bears."""
        return int((self.folder / self.program).stat().st_mtime)


def find_base(named: Path | None) -> Base | Problem:
    """The base that was named, or this program itself where it is frozen, or what a release of this checkout left."""
    folder = named or _usual_base()
    if folder is None:
        return kinds.BASE_MISSING.found(kinds.BASE_MISSING.meaning)
    program = next((each for each in (LIME.id, f"{LIME.id}.exe") if (folder / each).is_file()), "")
    suffix = ".exe" if program.endswith(".exe") else ""
    lacks = [
        name
        for name, is_there in {
            LIME.id: bool(program),
            WITHOUT_WINDOW: (folder / f"{WITHOUT_WINDOW}{suffix}").is_file(),
            _LIBRARIES: (folder / _LIBRARIES).is_dir(),
        }.items()
        if not is_there
    ]
    if lacks:
        return _unusable(folder, f"It lacks {', '.join(lacks)}.")
    if (folder / BRANDING_FILE).exists():
        return _unusable(folder, f"It has a {BRANDING_FILE}: it is a product already.")
    version = _version_of(folder)
    if version is None:
        return _unusable(folder, "It does not say which version of Lime Desktop it is.")
    return Base(folder, version, program)


def _usual_base() -> Path | None:
    if is_frozen():
        return Path(sys.executable).parent
    made = _ROOT / "dist" / LIME.id
    return made if made.is_dir() else None


def _version_of(folder: Path) -> str | None:
    if is_frozen() and folder == Path(sys.executable).parent:
        return __version__
    found = sorted((folder / _LIBRARIES).glob("lime_desktop-*.dist-info"))
    return found[0].name.removeprefix("lime_desktop-").removesuffix(".dist-info") if found else None


def _unusable(folder: Path, message: str) -> Problem:
    return kinds.BASE_UNUSABLE.found(message, Place(str(folder)))
