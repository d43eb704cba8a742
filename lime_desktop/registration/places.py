"""Where installed programs and products are registered, and whether only this person or the system's owner can write there.

    lime-desktop.json       which Lime Desktop is installed (`runtimes.py`)
    products/example-notes/ a product that runs on it (`products.py`)

The person's folder is that of the system's list of users, not of `HOME` or `XDG_DATA_HOME`: whoever sets a variable must
not choose the program that a product is started with.
"""

import os
import stat
import sys
from pathlib import Path

from lime_desktop.registration import written

SYSTEM = Path(written.SYSTEM)
OWN = Path(".local/share/lime-runtime")
"""Below the person's home, for what they installed themselves."""
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def own_home() -> Path:
    """This user's home, by the system's list of users."""
    import pwd  # noqa: PLC0415 - not on every system

    return Path(pwd.getpwuid(os.getuid()).pw_dir)


def registry_folders() -> tuple[Path, ...]:
    """The system's and the person's own, in this order; none where products without a runtime are not offered."""
    if not sys.platform.startswith("linux"):
        return ()
    try:
        return (SYSTEM, own_home() / OWN)
    except KeyError:
        return (SYSTEM,)


def why_untrusted(path: Path) -> str:
    """Who else could change a file or folder, or put another in its place; nothing where only root or this user can.

    Raises:
        OSError: it cannot be looked at.
    """
    found = path.lstat()
    if not (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)):
        return f"{path} is a link or no file"
    if not _is_owned(found):
        return f"{path} belongs to another user"
    if found.st_mode & _OTHERS_WRITE:
        return f"{path} can be changed by other users"
    reasons = (_why_way_untrusted(each) for each in path.resolve().parents)
    return next((reason for reason in reasons if reason), "")


def _why_way_untrusted(folder: Path) -> str:
    """A group may write on the way there, as in /usr/local; everybody only where nobody can take away what is another's."""
    found = folder.stat()
    if not _is_owned(found):
        return f"{folder} belongs to another user"
    is_open = found.st_mode & stat.S_IWOTH and not found.st_mode & stat.S_ISVTX
    return f"{folder} can be changed by other users" if is_open else ""


def _is_owned(found: os.stat_result) -> bool:
    return found.st_uid in {0, os.getuid()}
