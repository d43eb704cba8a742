"""Folders and files that are for this user alone: made so, and narrowed where an earlier version left them open.

Only what belongs to us is changed: a folder that somebody else provides, such as a shared disk, stays as it is. Loads
nothing of weight. On Windows a person's folders are private by inheritance, and modes say nothing.
"""

import os
import stat
import sys
from pathlib import Path

_OTHERS = stat.S_IRWXG | stat.S_IRWXO

if sys.platform == "win32":

    def narrow(path: Path) -> None:
        """Take from everybody else what they may do with a file or folder of ours; what is not there is nobody's."""
        del path

else:

    def narrow(path: Path) -> None:
        """Take from everybody else what they may do with a file or folder of ours; what is not there is nobody's."""
        try:
            # Never through a link: it may lead to what is not ours to judge.
            found = path.lstat()
        except FileNotFoundError:
            return
        is_link = stat.S_ISLNK(found.st_mode)
        if not is_link and found.st_mode & _OTHERS and found.st_uid == os.geteuid():
            path.chmod(stat.S_IMODE(found.st_mode) & ~_OTHERS)


def make_private_file(path: Path) -> None:
    """Have a file that nobody else can read, from its first byte; its content stays as it is.

    One that is there is never opened: to close it would drop the locks that SQLite holds on it.
    """
    if path.exists():
        narrow(path)
    else:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))


def make_private_folder(folder: Path) -> None:
    """Have a folder that nobody else can look into. Folders above it are made as the system makes them.

    Raises:
        OSError: it cannot be made.
    """
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
    narrow(folder)


def make_private_from_now_on() -> None:
    """Let everything that this process makes without saying for whom be for its user alone."""
    os.umask(0o077)
