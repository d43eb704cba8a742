"""The SHA-256 of a file, however large."""

import hashlib
from pathlib import Path


def sha256_of(path: Path) -> str:
    """Its hash in hex. Blocks."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
