"""Where the files that ship with the program lie: beside the package in a checkout, inside it once installed.

In a frozen release, a folder beside the executable wins over what is inside: so a branded shell brings its own. Whoever
can write there can replace the executable as well.
"""

import sys
from pathlib import Path

from lime_desktop.executables import is_frozen

_PACKAGE = Path(__file__).parent


def resources_folder() -> Path:
    """The folder that holds `theme/`, `locales/`, `view/`, `sdk/` and the rest."""
    return _first_there(
        *_adjacent("resources"), _PACKAGE / "_resources", _PACKAGE.parent / "resources"
    )


def sample_apps_folder() -> Path:
    """The folder of apps that come with the program."""
    return _first_there(
        *_adjacent("sample_apps"), _PACKAGE / "sample_apps", _PACKAGE.parent / "sample_apps"
    )


def _adjacent(name: str) -> tuple[Path, ...]:
    return (Path(sys.executable).with_name(name),) if is_frozen() else ()


def _first_there(*folders: Path) -> Path:
    return next((folder for folder in folders if folder.is_dir()), folders[-1])
