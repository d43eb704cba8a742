"""Somebody stops or pauses a run while it works, and its process may die between any two lines."""

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from lime_desktop.app_server.reviews.service import AppReviews
from lime_desktop.app_server.workflows import store
from lime_desktop.app_server.workflows.attempts import Attempts
from lime_desktop.app_server.workflows.clock import SystemClock
from lime_desktop.app_server.workflows.endings import Endings
from lime_desktop.app_server.workflows.outcomes import Outcome
from lime_desktop.app_server.workflows.run import OpenRun, Step
from lime_desktop.app_server.workflows.store import RunStore
from lime_desktop.protocol.calls.apps import RegisteredRule
from lime_desktop.protocol.capability_calls.review import ReviewDecision
from lime_desktop.protocol.ids import AppId
from tests.app_server.agent_tasks.tasks_at_work import says
from tests.app_server.bounded import run
from tests.app_server.for_apps import envelope
from tests.app_server.workflows.runs_at_work import RECOVERY, Runs, runs_at_work
from tests.app_server.workflows.test_recovery import FAILS, Agent

ASKS = RegisteredRule.model_validate(
    {
        "id": "user.asks",
        "layer": "organisation",
        "source": "house.yaml",
        "text": "Ask me.",
        "effect": "ask",
        "when": {"capabilities": ("lime.storage",)},
    }
)


def flow(*each: str, more: str = "") -> str:
    lines = "".join(f"  - {{ {state} }}\n" for state in each)
    return f"key: flow\nstates:\n{lines}{more}{RECOVERY}"


async def told_in(runs: Runs, seconds: float) -> int:
    """How often a run is told to have moved in this time."""
    told = 0
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while True:
                told += (await runs.client.hear()).get("method") == "workflowRun/changed"
    return told


def test_a_call_with_a_time_limit_waits_for_its_approval_in_silence(tmp_path: Path) -> None:
    """On a clock that goes on by itself: each look at it found another moment, told it, and looked again."""
    workflow = flow("key: keep, kind: storage-write, storageKey: a, value: 1, timeout: 60s")

    async def scene() -> int:
        async with runs_at_work(tmp_path, workflow, rules=(ASKS,), clock=SystemClock()) as runs:
            run_id = await runs.start()
            await runs.waiting(run_id, "approval")
            await told_in(runs, 0.3)
            return await told_in(runs, 0.5)

    assert run(scene()) == 0


def hold_back(patched: pytest.MonkeyPatch) -> tuple[asyncio.Event, asyncio.Event]:
    """What a step comes to is held back until the second is set; the first says that there is something."""
    begun, goes_on = asyncio.Event(), asyncio.Event()
    outcome = Attempts.outcome

    async def slow(self: Attempts, found: OpenRun, step: Step) -> Outcome:
        ended = await outcome(self, found, step)
        begun.set()
        await goes_on.wait()
        return ended

    patched.setattr(Attempts, "outcome", slow)
    return begun, goes_on


def test_a_run_that_is_cancelled_while_it_asks_asks_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workflow = flow("key: look, kind: human-review, content: words, next: z", "key: z, kind: end")
    begun, goes_on = hold_back(monkeypatch)

    async def scene() -> Any:
        async with runs_at_work(tmp_path, workflow) as runs:
            run_id = await runs.start()
            await begun.wait()
            await runs.ask("lime.workflow.cancel", workflowRunId=run_id)
            goes_on.set()
            await told_in(runs, 0.5)
            ended = await runs.get(run_id)
            reviews = await runs.ask("lime.review.listPending")
            return ended["status"], ended["steps"][0]["status"], reviews

    assert run(scene()) == ("cancelled", "cancelled", [])


def test_a_run_that_is_paused_while_it_asks_stays_paused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workflow = flow("key: look, kind: human-review, content: words, next: z", "key: z, kind: end")
    begun, goes_on = hold_back(monkeypatch)

    async def scene() -> Any:
        async with runs_at_work(tmp_path, workflow) as runs:
            run_id = await runs.start()
            await begun.wait()
            await runs.ask("lime.workflow.pause", workflowRunId=run_id)
            goes_on.set()
            paused = await runs.until(run_id, lambda found: found.get("waitsFor") == "review")
            await runs.decide(paused, "approved")
            await told_in(runs, 0.5)
            still = await runs.get(run_id)
            await runs.ask("lime.workflow.resume", workflowRunId=run_id)
            ended = await runs.ended(run_id)
            return paused["status"], still["status"], ended["status"]

    assert run(scene()) == ("paused", "paused", "succeeded")


def test_an_answer_that_comes_while_its_review_is_looked_at_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bug: read before the answer and after the end of its turn, the review seemed to have been taken back."""
    workflow = flow("key: look, kind: human-review, content: words, next: z", "key: z, kind: end")
    looked, answered = asyncio.Event(), asyncio.Event()
    stands = AppReviews.stands

    async def slow(self: AppReviews, app_id: AppId, decision_id: str) -> ReviewDecision:
        review = await stands(self, app_id, decision_id)
        if review.decision is None:
            looked.set()
            await answered.wait()
        return review

    async def scene() -> str:
        async with runs_at_work(tmp_path, workflow) as runs:
            run_id = await runs.start()
            waiting = await runs.waiting(run_id, "review")
            question = await runs.question(waiting)
            monkeypatch.setattr(AppReviews, "stands", slow)
            await runs.ask("lime.workflow.pause", workflowRunId=run_id)
            await runs.ask("lime.workflow.resume", workflowRunId=run_id)
            await looked.wait()
            await runs.respond(question, confirmed=True, decision="approved")
            await runs.turn_over(question["sessionId"])
            answered.set()
            return (await runs.ended(run_id))["status"]

    assert run(scene()) == "succeeded"


@pytest.mark.parametrize("is_rejected", [True, False])
def test_a_run_that_ends_badly_ends_so_after_a_crash_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_rejected: bool
) -> None:
    """The process dies between the end of the last step and the end of the run: what was refused was a success then."""
    look = "key: look, kind: human-review, content: words, next: z"
    end = "key: z, kind: end, status: failed"
    workflow = flow(look, end) if is_rejected else flow(end)

    async def first() -> str:
        async with runs_at_work(tmp_path, workflow) as runs:
            with monkeypatch.context() as patched:
                patched.setattr(OpenRun, "append", _dying(OpenRun.append, "job.item.completed"))
                run_id = await runs.start()
                if is_rejected:
                    await runs.decide(await runs.waiting(run_id, "review"), "rejected")
                await told_in(runs, 1)
            return run_id

    async def second(run_id: str) -> str:
        async with runs_at_work(tmp_path, workflow) as runs:
            return (await runs.ended(run_id))["status"]

    expected = "cancelled" if is_rejected else "failed"
    assert run(second(run(first()))) == expected


def _dying(append: Any, after: str) -> Any:
    """Adds facts until one of this kind is among them; whoever leads the run dies with it."""
    dead = False

    async def adds(self: OpenRun, *facts: Any, is_passing: bool = False) -> None:
        nonlocal dead
        if dead:
            raise asyncio.CancelledError
        await append(self, *facts, is_passing=is_passing)
        if any(each.type == after for each in facts):
            dead = True
            raise asyncio.CancelledError

    return adds


def test_a_run_ends_after_a_crash_though_another_way_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workflow = flow(
        "key: each, kind: parallel, branches: [quick, slow], join: any",
        "key: quick, kind: evidence-record, event: quick",
        "key: slow, kind: wait, for: 1d",
    )

    async def first() -> str:
        async with runs_at_work(tmp_path, workflow) as runs:
            with monkeypatch.context() as patched:
                patched.setattr(Endings, "finish", _killed)
                run_id = await runs.start()
                await told_in(runs, 1)
            return run_id

    async def second(run_id: str) -> str:
        async with runs_at_work(tmp_path, workflow) as runs:
            return (await runs.ended(run_id))["status"]

    assert run(second(run(first()))) == "succeeded"


async def _killed(*_: object) -> None:
    raise asyncio.CancelledError


@pytest.mark.parametrize(
    ("join", "ends"),
    [
        ("any", "kind: evidence-record, event: quick"),
        ("first-error", "kind: end, status: succeeded"),
    ],
)
def test_ways_that_nobody_waits_for_any_more_are_left(tmp_path: Path, join: str, ends: str) -> None:
    workflow = flow(
        f"key: each, kind: parallel, branches: [call, slow], join: {join}, next: nap",
        "key: nap, kind: wait, for: 1h",
        f"key: call, kind: wait, event: called, next: {'quick' if join == 'any' else 'fails'}",
        f"key: quick, {ends}",
        "key: fails, kind: agent-task, prompt: nobody, onError: fail",
        "key: slow, kind: human-review, content: words, next: keep",
        "key: keep, kind: storage-write, storageKey: a, value: 1",
    ).replace("recovery: { onError: fail", "recovery: { onError: skip")

    async def scene() -> Any:
        async with runs_at_work(tmp_path, workflow) as runs:
            run_id = await runs.start()
            await runs.waiting(run_id, "review")
            await runs.until(run_id, lambda found: _waiting(found) >= {"call", "slow"})
            await runs.ask("lime.workflow.signal", workflowRunId=run_id, event="called")
            await runs.until(run_id, lambda found: _waiting(found) == {"nap"})
            return await runs.ask("lime.review.listPending")

    assert run(scene()) == []


def _waiting(found: dict[str, Any]) -> set[str]:
    return {each["state"] for each in found["steps"] if each["status"] == "waiting"} - {"each"}


def test_a_failed_way_is_tried_again_with_the_step_that_opened_it(tmp_path: Path) -> None:
    """The way failed for good, and whoever opened it asks a person: their yes has to reach the way."""
    agent = Agent(FAILS, says("Done."))
    workflow = flow(
        "key: each, kind: parallel, branches: [write], next: z",
        "key: write, kind: agent-task, prompt: write, onError: fail",
        "key: z, kind: end",
    ).replace("recovery: { onError: fail", "recovery: { onError: show_error_and_allow_retry")

    async def scene() -> str:
        async with runs_at_work(tmp_path, workflow, scripts=agent) as runs:
            run_id = await runs.start()
            await runs.waiting(run_id, "retry")
            await runs.ask("lime.workflow.retry", workflowRunId=run_id)
            return (await runs.ended(run_id))["status"]

    assert run(scene()) == "succeeded"


def test_of_two_signals_at_once_one_counts(tmp_path: Path) -> None:
    """A bug: both were looked at before either was told, and the later one's data took the place of what was led on with."""
    workflow = flow(
        "key: call, kind: wait, event: called, next: keep",
        "key: keep, kind: storage-write, storageKey: a, value: $.states.call.output, next: z",
        "key: z, kind: end",
    )

    async def scene() -> Any:
        async with runs_at_work(tmp_path, workflow) as runs:
            run_id = await runs.start()
            await runs.waiting(run_id, "event")
            for name in ("first", "second"):
                asked = {"workflowRunId": run_id, "event": "called", "data": name}
                wanted = envelope("notes", "lime.workflow.signal", **asked)
                runs.client.say({"id": name, "method": "app/call", "params": wanted})
            answers = dict[str, Any]()
            while len(answers) < 2:
                heard = await runs.client.hear()
                if "id" in heard:
                    answers[heard["id"]] = heard
            while (ended := await runs.get(run_id))["status"] != "succeeded":
                pass
            return answers, ended["steps"][0]["output"], await runs.kept("a")

    answers, output, kept = run(scene())
    # Which of the two is looked at first is nobody's promise.
    [counted] = [name for name, answer in answers.items() if "result" in answer]
    [refused] = [answer for answer in answers.values() if "error" in answer]
    assert refused["error"]["data"]["code"] == "APP_E301"
    assert (output, kept) == (counted, counted)


def test_a_run_in_somebodys_hands_is_the_same_for_everybody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hundreds of runs are at work, and most are let go of: who cancels one must not stop a copy of it."""
    stores: list[RunStore] = []
    opens = RunStore.open

    async def opened(self: RunStore, run_id: str) -> OpenRun:
        stores.append(self)
        return await opens(self, run_id)

    async def scene() -> bool:
        monkeypatch.setattr(RunStore, "open", opened)
        monkeypatch.setattr(store, "MOST_IN_MEMORY", 0)
        async with runs_at_work(tmp_path, flow("key: nap, kind: wait, for: 1h")) as runs:
            run_id = await runs.start()
            await runs.waiting(run_id, "time")
            mine = await opens(stores[0], run_id)
            stores[0].let_go(lambda _: True)
            return mine is await opens(stores[0], run_id)

    assert run(scene())
