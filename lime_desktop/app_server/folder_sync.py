"""Makes the names in a folder durable: a file that was renamed into place is there after a power cut."""

import os
from pathlib import Path


def sync_folder(folder: Path) -> None:
    """Write the folder's own entries to disk; the files in it are their writers' business."""
    if os.name == "nt":
        return  # Windows has no handle to sync a folder with
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
