"""Packages made for a test: in memory where the disk's own rules would get in the way."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from lime_desktop.app_package.files.tree import FileEntry
from lime_desktop.app_package.problems import Problem

APP_MD = b"""---
name: sample-app
description: A small app.
version: 1.0.0
status: ready
appType: custom
---
# Sample
"""


@dataclass(frozen=True)
class MemoryTree:
    """A package held as path and bytes: any name, on any system."""

    contents: Mapping[str, bytes]
    name: str = "sample-app"
    problems: tuple[Problem, ...] = ()

    @property
    def files(self) -> Mapping[str, FileEntry]:
        return {path: FileEntry(path, len(data)) for path, data in self.contents.items()}

    def read(self, path: str) -> bytes:
        return self.contents[path]

    def pieces(self, path: str) -> Iterator[bytes]:
        data = self.contents[path]
        # Uneven pieces: whoever reads them may not rely on their size.
        step = 7 if len(data) < 1000 else 65_521
        yield from (data[start : start + step] for start in range(0, len(data), step))


def write_tree(root: Path, contents: Mapping[str, bytes]) -> Path:
    """Write the files below a folder, and return the folder."""
    root.mkdir(parents=True, exist_ok=True)
    for path, data in contents.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    return root
