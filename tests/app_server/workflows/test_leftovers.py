"""What a process left behind when it died between the end of a run and the stopping of its steps (a bug: it asked for ever)."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from lime_desktop.app_server.workflows import driver
from lime_desktop.app_server.workflows.attempts import Attempts
from lime_desktop.app_server.workflows.outcomes import Outcome
from lime_desktop.app_server.workflows.run import OpenRun, Step
from lime_desktop.protocol.calls.apps import RegisteredRule
from tests.app_server.agent_tasks.tasks_at_work import says
from tests.app_server.bounded import run
from tests.app_server.runtime_core.test_damage import edit
from tests.app_server.workflows.runs_at_work import RECOVERY, Runs, TurnedClock, runs_at_work

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
FORM = "form: { type: object, properties: { name: { type: string } } }"


def flow(*each: str) -> str:
    lines = "".join(f"  - {{ {state} }}\n" for state in each)
    return f"key: flow\nstates:\n{lines}{RECOVERY}"


async def asked_in(runs: Runs) -> list[str]:
    """What anybody is asked, in whatever session."""
    listed = await runs.client.call("agentSession/list", {"limit": 200})
    found: list[str] = []
    for session in listed["result"]["sessions"]:
        asked = await runs.questions(session["sessionId"])
        found += [each["requestId"] for each in asked]
    return found


def dying(patched: pytest.MonkeyPatch, state: str) -> asyncio.Event:
    """The process dies once this state has begun to wait, before the run says so; the event tells when."""
    begun, outcome = asyncio.Event(), Attempts.outcome
    patched.setattr(driver, "_CLOSE_S", 0.1)

    async def dies(self: Attempts, found: OpenRun, step: Step) -> Outcome:
        ended = await outcome(self, found, step)
        if step.detail.state == state:
            begun.set()
            await asyncio.Event().wait()
        return ended

    patched.setattr(Attempts, "outcome", dies)
    return begun


@pytest.mark.parametrize(
    ("state", "rules"),
    [
        ("kind: human-review, content: words", ()),
        (f"kind: user-input, {FORM}", ()),
        ("kind: storage-write, storageKey: a, value: 1", (ASKS,)),
    ],
)
def test_a_cancelled_run_asks_nobody_at_the_next_start(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    state: str,
    rules: tuple[RegisteredRule, ...],
) -> None:
    workflow = flow(f"key: do, {state}, next: z", "key: z, kind: end")

    async def first() -> str:
        with monkeypatch.context() as patched:
            begun = dying(patched, "do")
            async with runs_at_work(tmp_path, workflow, rules=rules) as runs:
                run_id = await runs.start()
                await begun.wait()
                while not await asked_in(runs):
                    pass
                await runs.ask("lime.workflow.cancel", workflowRunId=run_id)
                return run_id

    async def second(run_id: str) -> Any:
        async with runs_at_work(tmp_path, workflow, rules=rules) as runs:
            while await asked_in(runs):
                await runs.client.hear()
            return (await runs.get(run_id))["status"], await runs.ask("lime.review.listPending")

    assert run(second(run(first()))) == ("cancelled", [])


def test_an_open_run_keeps_its_questions_at_the_next_start(tmp_path: Path) -> None:
    workflow = flow("key: do, kind: human-review, content: words, next: z", "key: z, kind: end")

    async def first() -> list[str]:
        async with runs_at_work(tmp_path, workflow) as runs:
            await runs.question(await runs.waiting(await runs.start(), "review"))
            return await asked_in(runs)

    async def second() -> Any:
        async with runs_at_work(tmp_path, workflow) as runs:
            [found] = await runs.ask("lime.workflow.list")
            asked = await asked_in(runs)
            await runs.decide(await runs.get(found["workflowRunId"]), "approved")
            return asked, (await runs.ended(found["workflowRunId"]))["status"]

    asked = run(first())
    assert run(second()) == (asked, "succeeded")


def test_a_run_within_a_cancelled_one_ends_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workflow = flow(
        "key: which, kind: branch, cases: [{ when: $.input == 1, next: call }], next: do",
        "key: do, kind: sub-workflow, workflow: flow, input: 1, next: z",
        "key: call, kind: wait, event: called, next: z",
        "key: z, kind: end",
    )

    async def first() -> None:
        with monkeypatch.context() as patched:
            begun = dying(patched, "do")
            async with runs_at_work(tmp_path, workflow) as runs:
                run_id = await runs.start()
                await begun.wait()
                await runs.ask("lime.workflow.cancel", workflowRunId=run_id)

    async def second() -> list[str]:
        async with runs_at_work(tmp_path, workflow) as runs:
            found = await runs.ask("lime.workflow.list")
            ended = [await runs.ended(each["workflowRunId"]) for each in found]
            return [each["status"] for each in ended]

    run(first())
    assert run(second()) == ["cancelled", "cancelled"]


def test_the_sessions_of_steps_say_of_which_step_they_are(tmp_path: Path) -> None:
    """By this they are told from the person's own work, and found by whoever ends what is left."""
    workflow = flow(
        "key: write, kind: agent-task, prompt: write, next: look",
        "key: look, kind: human-review, content: words, next: z",
        "key: z, kind: end",
    )

    async def scene() -> Any:
        async with runs_at_work(tmp_path, workflow, scripts={"write": says("Words.")}) as runs:
            found = await runs.waiting(await runs.start(), "review")
            listed = await runs.client.call("agentSession/list", {})
            sessions = {each["sessionId"]: each for each in listed["result"]["sessions"]}
            about = [sessions[step["sessionId"]]["businessObjectRef"] for step in found["steps"]]
            return about, [step["stepId"] for step in found["steps"]]

    about, steps = run(scene())
    assert [(each["kind"], each["id"]) for each in about] == [
        ("workflow-step", each) for each in steps
    ]


def test_a_run_that_cannot_be_read_keeps_no_other_from_being_taken_up(tmp_path: Path) -> None:
    """A bug: to look for what it had left behind failed, and with it the going on of every run of the app."""
    workflow = flow(
        "key: which, kind: branch, cases: [{ when: $.input == 1, next: look }], next: nap",
        "key: look, kind: human-review, content: words, next: z",
        "key: nap, kind: wait, for: 1h, next: z",
        "key: z, kind: end",
    )
    clock = TurnedClock()

    async def first() -> tuple[str, str]:
        async with runs_at_work(tmp_path, workflow, clock=clock) as runs:
            asks, naps = await runs.start(input=1), await runs.start(input=2)
            await runs.waiting(asks, "review")
            await runs.waiting(naps, "time")
            return asks, naps

    async def second(run_id: str) -> str:
        async with runs_at_work(tmp_path, workflow, clock=clock) as runs:
            clock.turn_on(2 * 3_600)
            return (await runs.ended(run_id))["status"]

    asks, naps = run(first())
    edit(tmp_path / "data", f"UPDATE record SET body=x'7bff' WHERE key LIKE '{asks}:%'")  # noqa: S608 - our own name
    assert run(second(naps)) == "succeeded"
