"""Unpacking our own archives on every Python that we run on."""

import tarfile
from pathlib import Path


def unpack(archive: Path, folder: Path) -> None:
    """Unpack an archive, as the program `tar` would."""
    with tarfile.open(archive) as tar:
        # Python 3.11.2, which Debian 12 has, knows no filters yet.
        if hasattr(tarfile, "tar_filter"):
            tar.extractall(folder, filter="tar")
        else:
            tar.extractall(folder)  # noqa: S202 - likewise
