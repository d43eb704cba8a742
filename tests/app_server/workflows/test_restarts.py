"""Runs outlive the process: what waits goes on in the next one, and a killed server loses nothing and does nothing twice unkeyed."""

import json
import os
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.app_server.bounded import run
from tests.app_server.workflows import killed_server
from tests.app_server.workflows.runs_at_work import TurnedClock, runs_at_work, states

WAITING = """\
key: flow
states:
  - { key: look, kind: human-review, title: Look, content: words, next: nap }
  - { key: nap, kind: wait, for: 3d, next: keep }
  - { key: keep, kind: storage-write, storageKey: text, value: $.states.look.output }
recovery: { onError: fail }
"""


def test_a_review_is_answered_days_later_in_another_process(tmp_path: Path) -> None:
    clock = TurnedClock()

    async def ask() -> str:
        async with runs_at_work(tmp_path, WAITING, clock=clock) as runs:
            run_id = await runs.start()
            await runs.question(await runs.waiting(run_id, "review"))
            return run_id

    async def answer(run_id: str) -> None:
        async with runs_at_work(tmp_path, WAITING, clock=clock) as runs:
            await runs.decide(await runs.get(run_id), "approved")
            await runs.waiting(run_id, "time")

    async def end(run_id: str) -> Any:
        async with runs_at_work(tmp_path, WAITING, clock=clock) as runs:
            ended = await runs.ended(run_id)
            return ended["status"], states(ended), await runs.kept("text")

    run_id = run(ask())
    clock.moment_ms += 3 * 86_400_000
    run(answer(run_id))
    # The time is over while nothing runs.
    clock.moment_ms += 4 * 86_400_000
    assert run(end(run_id)) == ("succeeded", ["look", "nap", "keep"], "words")


def test_a_wait_that_was_answered_while_nobody_listened_goes_on(tmp_path: Path) -> None:
    """The answer is a fact of its own session: the process may die before the run hears of it."""
    clock = TurnedClock()

    async def ask() -> str:
        async with runs_at_work(tmp_path, WAITING, clock=clock) as runs:
            run_id = await runs.start()
            waiting = await runs.waiting(run_id, "review")
            await runs.ask("lime.workflow.pause", workflowRunId=run_id)
            await runs.decide(waiting, "approved")
            assert (await runs.get(run_id))["status"] == "paused"
            return run_id

    async def go_on(run_id: str) -> Any:
        async with runs_at_work(tmp_path, WAITING, clock=clock) as runs:
            assert (await runs.get(run_id))["status"] == "paused"
            await runs.ask("lime.workflow.resume", workflowRunId=run_id)
            return (await runs.waiting(run_id, "time"))["state"]

    assert run(go_on(run(ask()))) == "nap"


@pytest.mark.system
def test_a_server_that_is_killed_again_and_again_ends_every_run_as_if_it_had_not_been(
    tmp_path: Path,
) -> None:
    """LIME_KILLS=200 for the long form."""
    kills = int(os.environ.get("LIME_KILLS", "6"))
    moments = random.Random(kills)  # noqa: S311 - any moments will do, and the same each time
    command = [sys.executable, "-m", killed_server.__name__, str(tmp_path)]
    for _ in range(kills):
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:  # noqa: S603 - ours
            assert child.stdout is not None
            assert child.stdout.readline() == "ready\n"
            try:
                # The more often, the sooner: there has to be something left to be killed in.
                child.wait(moments.uniform(0.01, max(0.05, 7 / kills)))
            except subprocess.TimeoutExpired:
                child.kill()
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)  # noqa: S603 - ours
    assert done.returncode == 0, done.stderr[-3_000:]
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    assert Counter(told["statuses"]) == {"succeeded": killed_server.RUNS}
    assert told["kept"] == [f"kept {number}" for number in range(killed_server.RUNS)]
    # Kept once each, however often its process died between the effect and the word of it.
    assert told["evidence"] == killed_server.RUNS
    numbers = range(killed_server.RUNS)
    items = sorted(f"{item} of {number}" for item in (1, 2, 3) for number in numbers)
    assert told["counted"] == items
    assert told["artifacts"] == killed_server.RUNS
    assert told["rows"] == killed_server.RUNS
    effects = Counter(
        line for file in (tmp_path / "data").rglob("effects") for line in file.read_text().split()
    )
    # Whoever ran twice was told the same key both times.
    assert len(effects) == killed_server.RUNS
    assert set(effects) == set(told["keys"])
