"""What a streamed token costs on its way from a provider to a stored fact, against the bare HTTP stream.

    python -m tests.benchmarks.bench_engines

The same pieces, from the same server in a process of its own: read by a bare client, and as the deltas of a turn, each
stored before it is heard. Ratios of one run: the machine's own speed cancels out.
"""

import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import httpx2

from lime_desktop.app_server.execution.engines import EngineDependencies
from lime_desktop.app_server.execution.model_engine.engine import ModelEngine
from lime_desktop.app_server.execution.router import EngineRouter
from lime_desktop.app_server.execution.turn_states import TurnStates
from lime_desktop.app_server.runtime_core.core import RuntimeCore, open_core
from lime_desktop.app_server.tools.no_tools import NoTools
from lime_desktop.protocol.calls.sessions import StartSessionParams
from lime_desktop.protocol.calls.turns import StartTurnParams, TurnInput
from lime_desktop.protocol.ids import AppId, SessionId, TurnId
from lime_desktop.protocol.runtime.events import RuntimeEvent
from tests.app_server.providers.kept import open_store, settings
from tests.app_server.runtime_core.runtime import CONTEXT

BURSTS = (300, 1_000, 10_000)
PACED = 300
TASKS = 20
REPEATS = 3


@contextmanager
def model_server() -> Generator[str]:
    command = [sys.executable, "-m", "tests.benchmarks.engine_children"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout
        yield f"http://127.0.0.1:{int(process.stdout.readline())}/v1"
        process.terminate()


class Bare:
    """The stream as it comes, parsed and no more."""

    def __init__(self, url: str):
        self._url = url
        self._client = httpx2.AsyncClient(timeout=60)

    async def lateness(self, asked: str) -> list[int]:
        """How late each piece was, in nanoseconds."""
        body = {"messages": [{"role": "user", "content": asked}], "stream": True}
        late: list[int] = []
        async with self._client.stream("POST", f"{self._url}/chat/completions", json=body) as said:
            async for line in said.aiter_lines():
                if line.startswith("data: {"):
                    delta = json.loads(line[6:])["choices"][0]["delta"]
                    if sent := delta.get("content"):
                        late.append(time.monotonic_ns() - int(sent))
        return late

    async def close(self) -> None:
        await self._client.aclose()


class Ours:
    """The same as turns."""

    def __init__(self, core: RuntimeCore):
        self._core = core
        self._late: dict[str, list[int]] = {}
        self._ended: dict[str, asyncio.Event] = {}
        self._turns = 0
        core.subscribe(self._hear)

    async def lateness(self, asked: str) -> list[int]:
        self._turns += 1
        name = f"{self._turns}"
        session = SessionId(f"s{name}")
        start = StartSessionParams(app_id=AppId("app"), session_id=session)
        await self._core.sessions.start(start, CONTEXT)
        turn = StartTurnParams(
            session_id=session, input=TurnInput(text=asked), turn_id=TurnId(f"t{name}")
        )
        await self._core.turns.start(turn, CONTEXT)
        await self._ended.setdefault(f"t{name}", asyncio.Event()).wait()
        return self._late.pop(f"t{name}")

    def _hear(self, _app_id: str, events: Sequence[RuntimeEvent]) -> None:
        now = time.monotonic_ns()
        for event in events:
            if event.type == "model.delta":
                late = now - int(str(event.payload["delta"]))
                self._late.setdefault(event.turn_id or "", []).append(late)
            elif event.type == "snapshot.updated":
                self._ended.setdefault(event.turn_id or "", asyncio.Event()).set()


@asynccontextmanager
async def opened(url: str, folder: Path) -> AsyncGenerator[Ours]:
    async with open_store(folder) as store:
        await store.create("p1", settings(url))
        states = TurnStates(folder / "turn-states")
        engine = ModelEngine(EngineDependencies(folder, states, store, NoTools()))
        core = await open_core(folder, EngineRouter([engine], states))
        try:
            yield Ours(core)
        finally:
            await core.close()


async def work(reader: Bare | Ours, asked: str) -> float:
    """Seconds of this process's own work: others on the machine do not count."""
    began = time.process_time()
    await reader.lateness(asked)
    return time.process_time() - began


async def bursts(bare: Bare, ours: Ours) -> None:
    print("pieces as fast as they come, work for each:")
    costs: list[float] = []
    for count in BURSTS:
        asked = f"[{count}]"
        times = [(await work(bare, asked), await work(ours, asked)) for _ in range(REPEATS)]
        bare_s, ours_s = (statistics.median(column) / count for column in zip(*times, strict=True))
        costs.append(ours_s - bare_s)
        print(
            f"  {count:>6}: bare {bare_s * 1e6:6.0f} µs, a stored fact {ours_s * 1e6:6.0f} µs, "
            f"{ours_s / bare_s:5.1f} times; overhead {costs[-1] * 1e3:.2f} ms"
        )
    print(f"  growth from {BURSTS[1]} to {BURSTS[-1]}: {costs[-1] / costs[1]:.2f} times")


async def paced(bare: Bare, ours: Ours) -> None:
    late = [sorted(await reader.lateness(f"[{PACED}/5]")) for reader in (bare, ours)]
    middle = [statistics.median(each) / 1e6 for each in late]
    slow = [each[int(len(each) * 0.99)] / 1e6 for each in late]
    print("one piece each 5 ms, from sent to heard:")
    print(f"  bare p50 {middle[0]:.2f} ms, p99 {slow[0]:.2f} ms")
    print(f"  a stored fact p50 {middle[1]:.2f} ms, p99 {slow[1]:.2f} ms")
    print(f"  overhead p50 {middle[1] - middle[0]:.2f} ms (aim: 1 ms)")


async def concurrency(ours: Ours) -> None:
    began = time.perf_counter()
    await ours.lateness("[100/20]")
    alone = time.perf_counter() - began
    began = time.perf_counter()
    await asyncio.gather(*(ours.lateness("[100/20]") for _ in range(TASKS)))
    together = time.perf_counter() - began
    print("tasks of 100 pieces, one each 20 ms:")
    print(
        f"  1 takes {alone:.2f} s, {TASKS} at once {together:.2f} s: {together / alone:.2f} times"
    )


async def main() -> None:
    with model_server() as url, tempfile.TemporaryDirectory() as folder:
        bare = Bare(url)
        async with opened(url, Path(folder)) as ours:
            # The first turn loads the library, and both open their connection.
            await bare.lateness("[1]")
            await ours.lateness("[1]")
            await bursts(bare, ours)
            await paced(bare, ours)
            await concurrency(ours)
        await bare.close()


if __name__ == "__main__":
    asyncio.run(main())
