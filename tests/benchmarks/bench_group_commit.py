"""Why one writer with group commit, and not aiosqlite: durable writes of one producer and of fifty, in one run.

Run ``python -m tests.benchmarks.bench_group_commit``. Every side has the same file, the same table and the same promise
(WAL, ``synchronous=FULL``: what was acknowledged is on disk). aiosqlite is compared where it is installed
(``pip install aiosqlite``); the product does not need it. Rounds alternate, the figures are medians.
"""

import asyncio
import importlib
import importlib.util
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from statistics import median
from typing import Any

from lime_desktop.database.database import open_database
from lime_desktop.database.migrations import Migration, Schema, statements

ROUNDS = 3
PRODUCERS = 50
ALONE = 300
EACH = 40
TABLE = "CREATE TABLE fact (number INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT"
INSERT = "INSERT INTO fact (text) VALUES (?)"
TEXT = "x" * 60
SCHEMA = Schema("benchmark", (Migration("facts", statements(TABLE)),))

Write = Callable[[], Awaitable[object]]


async def measure(write: Write) -> dict[str, float]:
    """Writes a second: one after the other, and by fifty who each wait for their own."""
    started = time.perf_counter()
    for _ in range(ALONE):
        await write()
    alone = ALONE / (time.perf_counter() - started)

    async def produce() -> None:
        for _ in range(EACH):
            await write()

    started = time.perf_counter()
    await asyncio.gather(*(produce() for _ in range(PRODUCERS)))
    return {"alone": alone, "fifty": PRODUCERS * EACH / (time.perf_counter() - started)}


async def ours(folder: Path) -> dict[str, float]:
    """Through `Database.write`, as every part of the product writes."""
    database = open_database(folder / "ours.db", SCHEMA)
    try:
        return await measure(
            lambda: database.write(lambda connection: connection.execute(INSERT, (TEXT,)))
        )
    finally:
        database.close()


async def theirs(folder: Path) -> dict[str, float]:
    """The same by aiosqlite, which has one connection and no transactions of its own.

    Without the lock one producer's commit would make half of another's transaction durable.
    """
    aiosqlite: Any = importlib.import_module("aiosqlite")
    async with aiosqlite.connect(folder / "theirs.db") as database:
        for statement in ("PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", TABLE):
            await database.execute(statement)

        alone = asyncio.Lock()

        async def write() -> None:
            async with alone:
                await database.execute(INSERT, (TEXT,))
                await database.commit()

        return await measure(write)


def main() -> None:
    """Print both, and how they compare."""
    sides = {"group commit": ours}
    if importlib.util.find_spec("aiosqlite") is not None:
        sides["aiosqlite"] = theirs
    found: dict[str, list[dict[str, float]]] = {name: [] for name in sides}
    for _ in range(ROUNDS):
        for name, side in sides.items():
            with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
                found[name].append(asyncio.run(side(Path(folder))))
    for figure, words in {"alone": "one producer", "fifty": f"{PRODUCERS} producers"}.items():
        rates = {name: median(each[figure] for each in rounds) for name, rounds in found.items()}
        line = ", ".join(f"{name} {rate:,.0f}/s" for name, rate in rates.items())
        ratio = rates["group commit"] / rates["aiosqlite"] if "aiosqlite" in rates else None
        print(f"{words}: {line}" + (f", ratio {ratio:.2f}" if ratio is not None else ""))


if __name__ == "__main__":
    main()
