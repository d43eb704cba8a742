"""What does a state of a workflow cost, what do runs that wait cost, and does a long history make lists slow?

    python -m tests.benchmarks.bench_workflows [--dbos-python PYTHON]

A state against a bare step of DBOS on the same disk (by a Python that has `dbos` and `pysqlite3`), and against one durable
append to the log; a thousand runs that wait against none; a page of ten thousand runs against one of a hundred.
"""

import argparse
import asyncio
import statistics
import subprocess
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from lime_desktop.app_server.workflows.clock import SystemClock
from tests.app_server.workflows.runs_at_work import ENDED, Runs, runs_at_work

STATES = 150
WAITING, HISTORY = 1_000, 10_000
IDLE_S = 10.0
SETTLED_S, PAGES = 3.0, 101
_RECOVERY = "recovery: { onError: fail }\n"


def chain(count: int) -> str:
    """A workflow of so many states that do nothing but lead on: all that they cost is ours."""
    states = "".join(
        f"  - {{ key: s{number}, kind: branch, cases: [{{ when: 'false', next: end }}], next: s{number + 1} }}\n"
        for number in range(count)
    )
    return f"key: flow\nstates:\n{states}  - {{ key: s{count}, kind: end }}\n  - {{ key: end, kind: end }}\n{_RECOVERY}"


def nap() -> str:
    """A workflow that waits."""
    return f"key: flow\nstates:\n  - {{ key: nap, kind: wait, for: 30d }}\n{_RECOVERY}"


def at_once() -> str:
    """A workflow that has ended as soon as it is begun."""
    return f"key: flow\nstates:\n  - {{ key: done, kind: end }}\n{_RECOVERY}"


async def at_work(workflow: str, scene: Callable[[Runs, Path], Awaitable[None]]) -> None:
    """Play a scene on a server with this workflow, on a real disk."""
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        async with runs_at_work(Path(folder), workflow, clock=SystemClock()) as runs:
            await scene(runs, Path(folder))


async def states(runs: Runs, _folder: Path) -> None:
    """One run of many states, twice: the second counts."""
    took = 0.0
    for _ in range(2):
        began = time.perf_counter()
        run_id = await runs.start()
        while not _is_end(await runs.client.hear(), run_id):
            pass
        took = time.perf_counter() - began
    print(f"a state                      {took / STATES * 1_000:8.2f} ms")


def _is_end(heard: dict[str, Any], run_id: str) -> bool:
    params = heard.get("params", {})
    return params.get("workflowRunId") == run_id and params.get("status") in ENDED


async def waiting(runs: Runs, _folder: Path) -> None:
    """Processor time while nothing happens: with no run, and with many that wait."""
    shares: list[float] = []
    for count in (0, WAITING):
        for _ in range(count):
            await runs.start()
        await asyncio.sleep(2)
        began = time.process_time()
        await asyncio.sleep(IDLE_S)
        shares.append((time.process_time() - began) / IDLE_S * 100)
    print(f"processor, no run            {shares[0]:8.2f} %")
    print(f"processor, {WAITING} runs wait     {shares[1]:8.2f} %")


async def _page_s(runs: Runs) -> float:
    """What a page usually takes: the middle of many, since other programs use the machine too."""
    took: list[float] = []
    for _ in range(PAGES):
        began = time.perf_counter()
        await runs.ask("lime.workflow.list", limit=50)
        took.append(time.perf_counter() - began)
    return statistics.median(took)


async def history(runs: Runs, _folder: Path) -> None:
    """How long a page of the newest runs takes, with few and with many before it."""
    times: list[float] = []
    done = 0
    for total in (100, HISTORY):
        while done < total:
            started = [await runs.start() for _ in range(min(100, total - done))]
            await runs.ended(started[-1])
            done += len(started)
        # What the runs have left to do is no part of it, nor is what the client of the tests has not listened to: it goes
        # through that with every call.
        await asyncio.sleep(SETTLED_S)
        runs.client.forget()
        times.append(await _page_s(runs))
    ratio = times[1] / times[0]
    print(f"a page of 50, 100 runs       {times[0] * 1_000:8.2f} ms")
    print(f"a page of 50, {HISTORY} runs     {times[1] * 1_000:8.2f} ms   {ratio:5.2f} times")


def bare_dbos(python: str) -> None:
    """The peer."""
    child = Path(__file__).with_name("dbos_child.py")
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        command = [python, str(child), str(Path(folder) / "dbos.sqlite"), str(STATES)]
        told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    took = float(told.split()[-1])
    print(f"a bare step of DBOS          {took / STATES * 1_000:8.2f} ms")


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dbos-python", help="a Python that has dbos and pysqlite3")
    parser.add_argument("--only", choices=("states", "waiting", "history"))
    chosen = parser.parse_args()
    scenes = {
        "states": (chain(STATES), states),
        "waiting": (nap(), waiting),
        "history": (at_once(), history),
    }
    for name, (workflow, scene) in scenes.items():
        if chosen.only in {None, name}:
            asyncio.run(at_work(workflow, scene))
    if chosen.dbos_python and chosen.only in {None, "states"}:
        bare_dbos(chosen.dbos_python)


if __name__ == "__main__":
    main()
