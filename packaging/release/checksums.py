"""SHA256SUMS, as `sha256sum --check` reads it."""

import hashlib
from collections.abc import Iterable
from pathlib import Path


def write_checksums(files: Iterable[Path], target: Path) -> None:
    """One line for each file, in the order of the names."""
    lines = [f"{sha256_of(path)}  {path.name}\n" for path in sorted(files)]
    target.write_text("".join(lines), encoding="ascii")


def sha256_of(path: Path) -> str:
    """The hash of a file of any size."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
