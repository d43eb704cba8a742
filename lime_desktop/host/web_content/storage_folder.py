"""Where does the web engine keep what an app's pages store? One folder per app, removed with the app."""

import shutil
from collections.abc import Iterable
from pathlib import Path

from lime_desktop.host.web_content.origin import host_of


def view_storage(folder: Path, app_id: str) -> Path:
    """The folder of one app's local storage, databases and cache, below the folder of all views."""
    return folder / host_of(app_id)


def remove_view_storage(folder: Path, app_id: str) -> None:
    """Remove what an app's pages stored. Its views must be closed: an open engine would write it again."""
    kept = view_storage(folder, app_id)
    if kept.exists():
        shutil.rmtree(kept)


def remove_empty_view_storage(folder: Path, kept: Iterable[str]) -> None:
    """Remove the folders without a file that no app of these has: an engine that ends late makes its own once more."""
    known = {host_of(app_id) for app_id in kept}
    for path in tuple(folder.iterdir()) if folder.is_dir() else ():
        if path.name not in known and path.is_dir() and is_without_files(path):
            shutil.rmtree(path, ignore_errors=True)


def is_without_files(folder: Path) -> bool:
    """Whether a folder holds nothing but folders."""
    return all(path.is_dir() and not path.is_symlink() for path in folder.rglob("*"))
