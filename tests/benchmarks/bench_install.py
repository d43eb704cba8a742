"""What does an install cost beside unpacking and hashing? Run by hand: ``python -m tests.benchmarks.bench_install``.

A package of 50 MB is reviewed and installed: checked to its last byte, copied, hashed before and after the move,
flushed to disk. Compared with what nobody can avoid: unzip it and take one SHA-256 of the archive.
"""

import asyncio
import hashlib
import random
import tempfile
import zipfile
from pathlib import Path

from lime_desktop.host.app_center.records.removal import UninstallKind
from tests.benchmarks.costs import Cost, compared, counted
from tests.host.app_center.opened import consent_to, opened
from tests.host.app_center.packages import make_package, packed

FILES, FILE_BYTES, ROUNDS = 100, 512 * 1024, 5


def make_archive(folder: Path) -> Path:
    """Half of each file packs well and half does not, as in a real bundle."""
    package = make_package(folder, permissions="")
    chance = random.Random(1)  # noqa: S311 - content, not a secret
    for number in range(FILES):
        body = chance.randbytes(FILE_BYTES // 2) + b"text and code repeat themselves. " * 7944
        (package / f"dist/ui/part-{number}.bin").write_bytes(body[:FILE_BYTES])
    return packed(package, folder / "notes.lapp")


def unzip_and_hash(archive: Path, target: Path) -> None:
    """What nobody can avoid."""
    with archive.open("rb") as file:
        hashlib.file_digest(file, "sha256")
    with zipfile.ZipFile(archive) as opened_archive:
        opened_archive.extractall(target)


async def measure(folder: Path) -> tuple[list[Cost], list[Cost]]:
    """Take turns, so that a busy machine slows both alike."""
    archive = make_archive(folder)
    bare: list[Cost] = []
    ours: list[Cost] = []
    async with opened(folder) as (center, _):
        for number in range(ROUNDS):
            with counted(bare):
                unzip_and_hash(archive, folder / f"bare-{number}")
            with counted(ours):
                review = await center.review(archive)
                await center.install(review, consent_to(review))
            await center.uninstall("notes", UninstallKind.DELETE_DATA)
    return bare, ours


def main() -> None:
    """Print the ratio."""
    with tempfile.TemporaryDirectory() as folder:
        bare, ours = asyncio.run(measure(Path(folder)))
    print(compared("review + install", ours, "unzip + sha256", bare))


if __name__ == "__main__":
    main()
