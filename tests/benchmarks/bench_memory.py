"""What the App Server's memory holds of a session with many events outside turns, as resident bytes for each event.

    python -m tests.benchmarks.bench_memory             80,000 events
    python -m tests.benchmarks.bench_memory 800000      as many as once held 1.26 GB, 1,500 bytes each

Events of both kinds that stand outside turns, in batches; measured after the first tenth, when caches are full, and at
the end. The growth between the two is what each event costs.
"""

import argparse
import asyncio
import gc
import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.execution.scripted import ScriptedEngine
from lime_desktop.app_server.runtime_core.core import RuntimeCore, open_core
from lime_desktop.app_server.runtime_core.log.journal import SessionView
from lime_desktop.host.view.process_memory import resident_bytes
from lime_desktop.protocol.calls.sessions import StartSessionParams
from lime_desktop.protocol.ids import AppId, ArtifactId, SessionId, TraceId
from lime_desktop.protocol.runtime.events import ProposedEvent

CONTEXT = CallContext(trace_id=TraceId("bench"))
SESSION = SessionId("session")
BATCH = 500
DEFAULT = 80_000
_MB = 1_000_000


def _pair(number: int) -> tuple[ProposedEvent, ProposedEvent]:
    changed = ProposedEvent(
        type="artifact.changed",
        artifact_id=ArtifactId(f"artifact_{number}"),
        payload={"status": "ready"},
    )
    noted = ProposedEvent(
        type="runtime.warning", payload={"code": "noted", "message": f"Note {number}"}
    )
    return changed, noted


async def _append(core: RuntimeCore, first: int, last: int) -> None:
    for begin in range(first, last, BATCH):

        def decide(view: SessionView, begin: int = begin) -> Sequence[ProposedEvent]:
            del view
            pairs = map(_pair, range(begin // 2, (begin + BATCH) // 2))
            return [event for pair in pairs for event in pair]

        await core.journal.append(SESSION, decide)


def _resident() -> int:
    gc.collect()
    found = resident_bytes(os.getpid())
    if found is None:
        raise SystemExit("This system does not say how much memory a process holds")
    return found


async def measure(folder: Path, events: int) -> None:
    """Append, look, and print."""
    core = await open_core(folder, ScriptedEngine({}), is_product=False)
    try:
        await core.sessions.start(
            StartSessionParams(app_id=AppId("app"), session_id=SESSION), CONTEXT
        )
        empty, first = _resident(), events // 10 // BATCH * BATCH
        await _append(core, 0, first)
        early, began = _resident(), time.monotonic()
        await _append(core, first, events)
        late, seconds = _resident(), time.monotonic() - began
    finally:
        await core.close()
    grown = (late - early) / (events - first)
    print(f"{empty / _MB:.0f} MB without events, {early / _MB:.0f} MB after {first:,}")
    print(f"{late / _MB:.0f} MB after {events:,}: {grown:.1f} bytes for each ({seconds:.0f} s)")


def main() -> None:
    """Measure in a folder that is gone afterwards."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("events", nargs="?", type=int, default=DEFAULT)
    events = parser.parse_args().events
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(Path(folder), events))


if __name__ == "__main__":
    main()
