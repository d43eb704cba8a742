"""What the samples share is written once in `sample_apps/shared` and copied into each: this compares and copies.

`python -m tests.sample_apps.shared_pieces` brings every copy up to date.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path

SAMPLES = Path(__file__).parents[2] / "sample_apps"
PIECES = SAMPLES / "shared"


def copies() -> Iterator[tuple[Path, Path]]:
    """Each piece that a sample has, with the one it is a copy of."""
    for shared in sorted(SAMPLES.glob("*/dist/ui/shared")):
        for copy in sorted(path for path in shared.rglob("*") if path.is_file()):
            yield copy, PIECES / copy.relative_to(shared)


def stale_copies() -> list[str]:
    """Copies that differ from their piece, or have none."""
    return [
        str(copy.relative_to(SAMPLES))
        for copy, piece in copies()
        if not piece.is_file() or copy.read_bytes() != piece.read_bytes()
    ]


def bring_up_to_date() -> None:
    """Copy every piece to where it is used."""
    for copy, piece in copies():
        shutil.copyfile(piece, copy)


if __name__ == "__main__":
    bring_up_to_date()
