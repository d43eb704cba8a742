"""Which origin does an app live at, and where does the web engine keep what its pages store? One per app, stable while it keeps its id.

An app's id is already a plain name, but a URL's host is read by rules of its own: `1` would become an
address, `a_b` is refused by some parsers. Such ids are spelled in letters that every parser leaves alone.
"""

import base64
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

SCHEME = "lime-app"
REFUSED_SCHEME = "lime-refused"
"""Where requests lead that fail: nobody serves it, and no page may go there. What follows says why."""
NOT_IN_THE_APP = "not-in-the-app"
ONLY_GET_AND_HEAD = "only-get-and-head"
_PLAIN_HOST = re.compile(r"[a-z](?:[a-z0-9-]*[a-z0-9])?\Z")
_SPELLED = "x--"


def host_of(app_id: str) -> str:
    """The host part of an app's origin; different ids never share one."""
    if _PLAIN_HOST.match(app_id) and not app_id.startswith(_SPELLED) and len(app_id) <= 63:
        return app_id
    letters = base64.b32encode(app_id.encode()).decode().rstrip("=").lower()
    labels = [letters[start : start + 60] for start in range(0, len(letters), 60)]
    return ".".join(f"{_SPELLED}{label}" for label in labels)


def origin_of(app_id: str) -> str:
    """The origin, as `event.origin` gives it to a page."""
    return f"{SCHEME}://{host_of(app_id)}"


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
