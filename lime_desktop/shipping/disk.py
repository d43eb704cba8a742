"""Every change that an update makes to the disk, one step at a time: a power cut may fall between any two of them.

Tests end the process, or fill the disk, at a step of their choice.
"""

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from lime_desktop.durable_files.writing import sync


class Disk:
    """Changes that are on the disk when they return, unless they say otherwise."""

    def step(self, what: str) -> None:
        """Called before each change."""

    def make_folder(self, path: Path) -> None:
        """Make a folder, and those above it."""
        if not path.is_dir():
            self.step(f"make the folder {path.name}")
            path.mkdir(parents=True, exist_ok=True)

    def write_new(self, path: Path, chunks: Iterable[bytes], *, mode: int) -> None:
        """Write a file that is not there yet, and never through a link."""
        self.step(f"create {path.name}")
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        with os.fdopen(os.open(path, flags, mode), "wb") as file:
            for chunk in chunks:
                self.step(f"write into {path.name}")
                file.write(chunk)
            file.flush()
            self.step(f"sync {path.name}")
            os.fsync(file.fileno())
        # Whatever the umask says: the program must start for its user.
        path.chmod(mode)

    def write_whole(self, path: Path, body: bytes, *, mode: int = 0o600) -> None:
        """Put a small file in its place in one step, over an older one."""
        partial = path.with_name(f"{path.name}.partial")
        partial.unlink(missing_ok=True)
        self.write_new(partial, [body], mode=mode)
        self.replace(partial, path)

    def link(self, source: Path, place: Path) -> None:
        """A second name for a file, or a copy where that cannot be. The names are not synced: see `sync_folder`."""
        self.step(f"link {place.name}")
        try:
            os.link(source, place, follow_symlinks=False)
        except (OSError, NotImplementedError):
            shutil.copy2(source, place, follow_symlinks=False)
            sync(place)

    def point(self, link: Path, target: str) -> None:
        """Make a symbolic link, over an older one, in one step."""
        partial = link.with_name(f"{link.name}.partial")
        partial.unlink(missing_ok=True)
        self.step(f"make the link {link.name}")
        partial.symlink_to(target)
        self.replace(partial, link)

    def replace(self, finished: Path, place: Path) -> None:
        """Give something its place in one step."""
        self.step(f"put {place.name} in its place")
        finished.replace(place)
        self.sync_folder(place.parent)

    def sync_folder(self, folder: Path) -> None:
        """Bring the names in a folder to the disk."""
        self.step(f"sync the folder {folder.name}")
        sync(folder)

    def remove(self, path: Path) -> None:
        """Remove a file or a link, if it is there."""
        if os.path.lexists(path):
            self.step(f"remove {path.name}")
            path.unlink(missing_ok=True)

    def remove_tree(self, folder: Path) -> None:
        """Remove a folder; its name goes first, so that nobody takes half of it for the whole."""
        if folder.is_dir() and not folder.is_symlink():
            going = folder.with_name(f".{folder.name.lstrip('.')}.removed")
            if going != folder:
                if going.exists():
                    shutil.rmtree(going, ignore_errors=True)
                self.step(f"move {folder.name} away")
                folder.replace(going)
            self.step(f"remove the tree {folder.name}")
            shutil.rmtree(going, ignore_errors=True)
