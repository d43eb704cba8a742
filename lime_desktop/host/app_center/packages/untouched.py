"""Did anybody touch these files? Told by what the system notes of each, without reading them.

A quick no, never a proof: what matters is hashed as well.
"""

import os
from pathlib import Path
from typing import NamedTuple


class Mark(NamedTuple):
    """What changes with a file, or with another one put in its place."""

    inode: int
    size: int
    modified_ns: int
    changed_ns: int


def marks_of(folder: Path) -> dict[str, Mark]:
    """The marks of every file below a folder, by its path there; links are not followed."""
    return {
        str(path.relative_to(folder)): _mark(path.lstat())
        for parent, _, names in os.walk(folder)
        for path in (Path(parent) / name for name in names)
    }


def _mark(status: os.stat_result) -> Mark:
    return Mark(status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
