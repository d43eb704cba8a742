"""How long does it take to publish and to apply an update that changes one module, and how many bytes move?

    python -m tests.benchmarks.bench_updates [MEGABYTES]

On a made-up tree with the sizes of a frozen one: one library of more than half of it, some dozens of large files, two
programs with all modules packed in them. The measure is a plain copy of the tree (`cp -a`) in the same run.
"""

import os
import random
import shutil
import sys
import tempfile
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from lime_desktop.shipping.installation import Installation, UpdateSource, lay_out
from lime_desktop.shipping.publishing.keys import KeyFolder
from lime_desktop.shipping.publishing.publish import (
    Offer,
    Published,
    publish_shell,
    write_update_source,
)
from lime_desktop.shipping.publishing.repository import Repository
from lime_desktop.shipping.sources import HttpSource
from lime_desktop.shipping.states import Available
from lime_desktop.shipping.updates import Updates
from tests.shipping.vendors import PLATFORM, PRODUCT, serve

T = TypeVar("T")
_WORDS = [bytes(random.Random(number).randbytes(12)) for number in range(3_000)]  # noqa: S311 - no secret


def program_bytes(size: int, seed: int) -> bytes:
    """Bytes that pack to a half, as those of programs do."""
    chance = random.Random(seed)  # noqa: S311 - no secret
    half = chance.randbytes(size // 4)
    words = b"".join(chance.choices(_WORDS, k=size // 12 + 1))
    return (half + words)[:size]


def make_tree(tree: Path, size: int) -> None:
    """A tree of about so many bytes."""
    shares = {"_internal/WebEngineCore.so": 0.57, "_internal/icudtl.dat": 0.09}
    shares |= {f"_internal/lib{number}.so": 0.005 for number in range(50)}
    shares |= {"lime-desktop": 0.05, "lime-app-server": 0.03}
    for seed, (name, share) in enumerate(shares.items()):
        place = tree / name
        place.parent.mkdir(parents=True, exist_ok=True)
        # A program ends with its modules, each packed: one that changes moves those behind it.
        is_program = "/" not in name
        place.write_bytes(
            modules(int(size * share), seed)
            if is_program
            else program_bytes(int(size * share), seed)
        )
        place.chmod(0o755 if is_program else 0o644)
    for number in range(100):
        (tree / f"_internal/data-{number}.json").write_bytes(program_bytes(4_000, 500 + number))


def modules(size: int, seed: int, changed: int | None = None) -> bytes:
    """Many packed modules one after the other, one of them changed if asked for."""
    body = bytearray()
    number = 0
    while len(body) < size:
        module = program_bytes(12_000, seed * 100_000 + number)
        if number == changed:
            module = module[:6_000] + b"def something_new(): ...\n" + module[6_000:]
        body += zlib.compress(module)
        number += 1
    return bytes(body)


def timed(work: Callable[[], T]) -> tuple[float, T]:
    # What was written before is not to be waited for: the first sync would pay for all of it.
    os.sync()
    start = time.perf_counter()
    done = work()
    return time.perf_counter() - start, done


def change_one_module(old: Path, new: Path, size: int) -> None:
    """The next version: one module of the program is another."""
    shutil.copytree(old, new)
    (new / "lime-desktop").write_bytes(modules(int(size * 0.05), 52, changed=40))


def main() -> None:
    """Publish, change one module, publish again, update."""
    size = int(float(sys.argv[1]) * 1_000_000) if len(sys.argv) > 1 else 40_000_000
    with tempfile.TemporaryDirectory() as folder, serve(Path(folder)) as served:
        place = Path(folder)
        keys, repository = KeyFolder(place / "keys"), Repository(place / "web")
        keys.create()
        source = UpdateSource(product=PRODUCT, url=f"{served.url}/web")
        make_tree(place / "1.0.0", size)
        write_update_source(place / "1.0.0", keys, source)

        def publish(version: str) -> Published:
            return publish_shell(
                place / version, repository, keys, Offer(version, "stable", PLATFORM)
            )

        copy_s, _ = timed(lambda: shutil.copytree(place / "1.0.0", place / "copy"))
        first_s, first = timed(lambda: publish("1.0.0"))
        change_one_module(place / "1.0.0", place / "1.1.0", size)
        again_s, again = timed(lambda: publish("1.1.0"))
        lay_out(place / "1.0.0", place / "home", "1.0.0")
        updates = Updates(Installation(place / "home"), HttpSource(source.url), platform=PLATFORM)
        check_s, found = timed(updates.check)
        assert isinstance(found, Available)
        served.sent = 0
        apply_s, _ = timed(updates.apply)
        same = (place / "home/versions/1.1.0/lime-desktop").read_bytes()
        assert same == (place / "1.1.0/lime-desktop").read_bytes()

        print(
            f"tree: {first.tree_bytes / 1e6:.0f} MB in {first.files} files; copying it: {copy_s:.2f} s"
        )
        print(f"{'':24}{'seconds':>9}{'x copy':>9}{'bytes':>13}{'of tree':>9}")
        for name, seconds, moved in (
            ("first publication", first_s, first.added_bytes),
            ("one module published", again_s, again.added_bytes),
            ("check", check_s, None),
            ("update applied", apply_s, served.sent),
        ):
            bytes_ = "" if moved is None else f"{moved:>13,}{moved / first.tree_bytes:>9.2%}"
            print(f"{name:24}{seconds:>9.2f}{seconds / copy_s:>9.1f}{bytes_}")


if __name__ == "__main__":
    main()
