"""Power supplies as Linux tells of them, in a folder of the test's."""

from pathlib import Path


def supply(folder: Path, name: str, **told: str) -> Path:
    """One of them, with what it says of itself."""
    made = folder / name
    made.mkdir()
    for field, word in told.items():
        (made / field).write_text(f"{word}\n", "ascii")
    return made
