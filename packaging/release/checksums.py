"""SHA256SUMS, as `sha256sum --check` reads it."""

from collections.abc import Iterable
from pathlib import Path

from lime_desktop.file_hashes import sha256_of


def write_checksums(files: Iterable[Path], target: Path) -> None:
    """One line for each file, in the order of the names."""
    lines = [f"{sha256_of(path)}  {path.name}\n" for path in sorted(files)]
    target.write_text("".join(lines), encoding="ascii")
