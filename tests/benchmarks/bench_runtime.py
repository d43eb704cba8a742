"""What durable facts cost, as ratios taken in one run: the machine's own speed cancels out.

    python -m tests.benchmarks.bench_runtime            1 k and 100 k events
    python -m tests.benchmarks.bench_runtime --full     also 1 M

Append: the same rows by bare `sqlite3` with the same durability. Open and first read: a long session
against a short one.
"""

import argparse
import asyncio
import sqlite3
import statistics
import tempfile
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.execution.scripted import ScriptedEngine
from lime_desktop.app_server.runtime_core.core import RuntimeCore, open_core
from lime_desktop.app_server.runtime_core.log.schema import RUNTIME
from lime_desktop.database.connection import open_for_writing
from lime_desktop.database.migrations import migrate
from lime_desktop.protocol.calls.sessions import (
    AppendEventsParams,
    ReadSessionParams,
    StartSessionParams,
)
from lime_desktop.protocol.ids import AppId, ArtifactId, ChannelId, SessionId, TraceId
from lime_desktop.protocol.runtime.events import ProposedEvent

CONTEXT = CallContext(trace_id=TraceId("bench"))
SESSION = SessionId("session")
MESSAGE = ProposedEvent(
    type="channel.message", channel_id=ChannelId("channel"), payload={"text": "x" * 60}
)
SINGLE = 1_000
BATCH = 100
PRODUCERS = 50
OPENINGS = 9

Rows = list[tuple[int, int, str, bytes, int]]


@asynccontextmanager
async def runtime(folder: Path) -> AsyncGenerator[RuntimeCore]:
    core = await open_core(folder, ScriptedEngine({}), is_product=False)
    try:
        yield core
    finally:
        await core.close()


async def begin(core: RuntimeCore) -> None:
    params = StartSessionParams(app_id=AppId("app"), session_id=SESSION)
    await core.sessions.start(params, CONTEXT)


async def append(core: RuntimeCore, events: Sequence[ProposedEvent]) -> None:
    params = AppendEventsParams(session_id=SESSION, runtime_events=tuple(events))
    await core.sessions.append(params, CONTEXT)


async def ours(folder: Path) -> dict[str, float]:
    """Seconds per event, in three ways of appending."""
    async with runtime(folder) as core:
        await begin(core)
        await append(core, [MESSAGE])
        started = time.perf_counter()
        for _ in range(SINGLE):
            await append(core, [MESSAGE])
        single = (time.perf_counter() - started) / SINGLE

        started = time.perf_counter()
        for _ in range(SINGLE // 10):
            await append(core, [MESSAGE] * BATCH)
        batched = (time.perf_counter() - started) / (SINGLE // 10 * BATCH)

        async def produce() -> None:
            for _ in range(SINGLE // 10):
                await append(core, [MESSAGE])

        started = time.perf_counter()
        await asyncio.gather(*(produce() for _ in range(PRODUCERS)))
        shared = (time.perf_counter() - started) / (SINGLE // 10 * PRODUCERS)
    return {"single": single, "batched": batched, "shared": shared}


def bare(source: Path, folder: Path) -> dict[str, float]:
    """The same rows, by as few statements as they need, with the same durability."""
    reading = sqlite3.connect(source)
    rows: Rows = reading.execute(
        "SELECT * FROM event ORDER BY sequence LIMIT ?", (SINGLE * 11,)
    ).fetchall()
    state: bytes = reading.execute("SELECT state FROM session").fetchone()[0]
    record: bytes = reading.execute("SELECT body FROM record WHERE kind='channel'").fetchone()[0]
    reading.close()
    connection = open_for_writing(folder / "bare.db")
    migrate(connection, RUNTIME)
    connection.execute("INSERT INTO session VALUES (1, 's', 'app', NULL, '', 0, NULL, x'')")

    def write(batch: Rows) -> None:
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany("INSERT INTO event VALUES (?, ?, ?, ?, ?)", batch)
        connection.execute(
            "INSERT OR REPLACE INTO record VALUES (1, 'channel', 'c', 3, ?)", (record,)
        )
        connection.execute("UPDATE session SET state=?, updated_at='now'", (state,))
        connection.execute("COMMIT")

    started = time.perf_counter()
    for row in rows[:SINGLE]:
        write([row])
    single = (time.perf_counter() - started) / SINGLE
    rest = rows[SINGLE : SINGLE * 11]
    started = time.perf_counter()
    for index in range(0, len(rest), BATCH):
        write(rest[index : index + BATCH])
    batched = (time.perf_counter() - started) / len(rest)
    connection.close()
    return {"single": single, "batched": batched, "shared": single}


def mixed(number: int) -> list[ProposedEvent]:
    """500 events that also leave records behind, so that even the shortest session fills a first screen."""
    made = [
        ProposedEvent(
            type="artifact.changed",
            artifact_id=ArtifactId(f"artifact_{number}_{n}"),
            payload={"title": f"Artifact {n}", "kind": "note"},
        )
        for n in range(50)
    ]
    said = [ProposedEvent(type="runtime.warning", payload={"code": "remark"}) for _ in range(25)]
    return [*made, *said, *[MESSAGE] * 425]


async def fill(folder: Path, count: int) -> None:
    async with runtime(folder) as core:
        await begin(core)
        for number in range(count // 500):
            await append(core, mixed(number))


async def open_and_read(folder: Path) -> float:
    started = time.perf_counter()
    core = await open_core(folder, ScriptedEngine({}), is_product=False)
    await core.sessions.read(ReadSessionParams(session_id=SESSION), CONTEXT)
    taken = time.perf_counter() - started
    await core.close()
    return taken


def report(name: str, ours_s: float, bare_s: float) -> None:
    print(
        f"{name:<34}{ours_s * 1e6:9.0f} us/event{1 / ours_s:10.0f}/s"
        f"   bare {bare_s * 1e6:7.0f} us   ratio {ours_s / bare_s:5.2f}"
    )


def bench_append(folder: Path) -> None:
    ours_s = asyncio.run(ours(folder / "ours"))
    bare_s = bare(folder / "ours" / "runtime.db", folder)
    report("append, one by one", ours_s["single"], bare_s["single"])
    report(f"append, {BATCH} in a batch", ours_s["batched"], bare_s["batched"])
    report(f"append, {PRODUCERS} producers", ours_s["shared"], bare_s["shared"])


def bench_open(folder: Path, counts: Sequence[int], note: Callable[[str], None]) -> None:
    folders = {count: folder / str(count) for count in counts}
    for count, path in folders.items():
        note(f"filling {count} events")
        asyncio.run(fill(path, count))
    times: dict[int, list[float]] = {count: [] for count in counts}
    for _ in range(OPENINGS):  # in turns, so that a busy moment hits all alike
        for count, path in folders.items():
            times[count].append(asyncio.run(open_and_read(path)))
    medians = {count: statistics.median(values[1:]) for count, values in times.items()}
    base = medians[counts[0]]
    for count, taken in medians.items():
        print(
            f"open + first read, {count:>9} events {taken * 1e3:9.1f} ms   ratio {taken / base:5.2f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--full", action="store_true", help="also a session of 1 M events")
    full: bool = parser.parse_args().full
    with tempfile.TemporaryDirectory() as name:
        bench_append(Path(name))
        bench_open(
            Path(name),
            [1_000, 100_000, *([1_000_000] if full else [])],
            lambda text: print(f"({text})"),
        )


if __name__ == "__main__":
    main()
