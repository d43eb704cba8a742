"""Where the files that ship with the program lie: beside the package in a checkout, inside it once installed."""

from pathlib import Path

_INSTALLED = Path(__file__).parent / "_resources"
_CHECKOUT = Path(__file__).parent.parent / "resources"


def resources_folder() -> Path:
    """The folder that holds `theme/`, `locales/`, `view/`, `sdk/` and the rest."""
    return _INSTALLED if _INSTALLED.is_dir() else _CHECKOUT


def sample_apps_folder() -> Path:
    """The folder of apps that come with the program."""
    return resources_folder().parent / "sample_apps"
