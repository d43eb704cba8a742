"""Where does the web engine keep what an app's pages store? One folder per app, removed with the app."""

import shutil
from pathlib import Path

from lime_desktop.host.app_origin import host_of


def view_storage(folder: Path, app_id: str) -> Path:
    """The folder of one app's local storage, databases and cache, below the folder of all views."""
    return folder / host_of(app_id)


def remove_view_storage(folder: Path, app_id: str) -> None:
    """Remove what an app's pages stored. Its views must be closed: an open engine would write it again."""
    kept = view_storage(folder, app_id)
    if kept.exists():
        shutil.rmtree(kept)
