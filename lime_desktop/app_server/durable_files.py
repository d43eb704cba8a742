"""Small files that are there whole or not at all, and still there after a power cut."""

import os
import secrets
from pathlib import Path

from lime_desktop.app_server.folder_sync import sync_folder


def write_durably(path: Path, body: bytes, *, is_private: bool = False) -> None:
    """Put a file in its place in one step: whoever reads finds the old content or the new. Blocks.

    One that is private can be read by its owner alone, from its first byte; so can a folder that is made for it.

    Raises:
        OSError: it could not be written; what was there is as it was.
    """
    path.parent.mkdir(mode=0o700 if is_private else 0o777, parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}.{secrets.token_hex(4)}.partial")
    try:
        with open(partial, "xb", opener=_private if is_private else None) as file:
            file.write(body)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
        sync_folder(path.parent)
    finally:
        partial.unlink(missing_ok=True)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
