"""A folder that stays the one it was: read through its descriptor, so no link put in later leads elsewhere.

A plain path is looked up anew each time; between two looks somebody can put a link in place of a folder on the way.
"""

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Self

from lime_desktop.app_package.files.tree import PIECE_BYTES, open_ordinary

CAN_HOLD = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")
"""Whether this system can look a name up inside an open folder. Windows cannot, and gets the careful path instead."""


class HeldFolder:
    """Reads files below one folder. A context: leaving it lets go of the folder."""

    def __init__(self, root: Path) -> None:
        self._root = root.resolve(strict=True)
        self._descriptor = _open_folder(str(self._root), None) if CAN_HOLD else -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def pieces(self, path: str) -> Iterator[bytes]:
        """Read a file piece by piece; OSError if anything on the way to it is a link."""
        with self._opened(path) as file:
            while piece := file.read(PIECE_BYTES):
                yield piece

    def _opened(self, path: str) -> BinaryIO:
        if not CAN_HOLD:
            return self._opened_by_path(path)
        *folders, name = path.split("/")
        opened: list[int] = []
        at = self._descriptor
        try:
            for folder in folders:
                at = _open_folder(folder, at)
                opened.append(at)
            return _ordinary(os.open(name, _FILE_FLAGS, dir_fd=at), path)
        finally:
            for descriptor in opened:
                os.close(descriptor)

    def _opened_by_path(self, path: str) -> BinaryIO:
        whole = self._root.joinpath(*path.split("/"))
        if whole.resolve(strict=True) != whole:
            raise OSError(f"{path} leads out of the package")
        return open_ordinary(whole)


_FILE_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_FOLDER_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_DIRECTORY", 0)


def _open_folder(name: str, inside: int | None) -> int:
    return os.open(name, _FOLDER_FLAGS, dir_fd=inside)


def _ordinary(descriptor: int, path: str) -> BinaryIO:
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(f"{path} is not an ordinary file")
    return os.fdopen(descriptor, "rb")
