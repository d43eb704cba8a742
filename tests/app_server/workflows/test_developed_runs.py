"""Runs led by hand (ours): step by step, past a wait, another way, into a failure; and for nobody's app but a developer's."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from lime_desktop.protocol.methods import METHODS as METHOD_TABLE
from tests.app_server.workflows.runs_at_work import Runs, runs_at_work, states

FLOW = """
key: flow
inputs: { type: object, properties: { amount: { type: number } } }
states:
  - key: check
    kind: branch
    cases: [{ when: $.input.amount <= 200, next: keep }]
    next: review
  - key: review
    kind: human-review
    title: Look at it
    content: $.input
    deadline: 3d
    onDeadline: reject
    next: { approve: keep, modify: keep, reject: no }
  - key: keep
    kind: storage-write
    storageKey: kept
    value: $.input.amount
    onError: retry
    retry: { max: 1, wait: 1h }
    next: rest
  - { key: rest, kind: wait, for: 30d, next: end }
  - { key: "no", kind: end, status: cancelled }
recovery: { onError: show_error_and_allow_retry }
"""
METHODS: dict[str, dict[str, Any]] = {
    "plan": {},
    "leaveEarlier": {},
    "read": {},
    "hold": {"isHeld": True},
    "step": {},
    "skipWait": {},
    "forceBranch": {"state": "check", "leadsTo": "review"},
    "failState": {"state": "keep"},
}


OF_APP = ("plan", "leaveEarlier")


class Hands:
    """A developer's window before the server."""

    def __init__(self, runs: Runs) -> None:
        self.runs = runs

    async def call(self, verb: str, **params: Any) -> dict[str, Any]:
        return await self.runs.client.call(f"developedRun/{verb}", {"appId": "notes", **params})

    async def ask(self, verb: str, run_id: str, **params: Any) -> dict[str, Any]:
        answer = await self.call(verb, workflowRunId=run_id, **params)
        assert "result" in answer, answer
        return answer["result"]

    async def code(self, verb: str, run_id: str, **params: Any) -> str:
        answer = await self.call(verb, workflowRunId=run_id, **params)
        return answer["error"]["data"]["code"] if "error" in answer else ""

    async def plan(self, **plan: Any) -> None:
        assert "result" in await self.call("plan", **plan)

    async def settled(self, run_id: str) -> dict[str, Any]:
        """The run once it does not go on by itself."""
        async with asyncio.timeout(5):
            while (told := await self.ask("read", run_id))["isMoving"]:
                pass
            return told

    async def step(self, run_id: str) -> dict[str, Any]:
        await self.ask("step", run_id)
        return await self.settled(run_id)


@asynccontextmanager
async def hands(folder: Path, workflow: str = FLOW) -> AsyncGenerator[Hands]:
    async with runs_at_work(folder, workflow, is_developed=True) as runs:
        yield Hands(runs)


def test_a_held_run_begins_one_state_with_each_step(tmp_path: Path) -> None:
    async def scene() -> None:
        async with hands(tmp_path) as dev:
            await dev.plan(isHeld=True)
            run_id = await dev.runs.start(input={"amount": 12})
            begun = await dev.settled(run_id)
            assert (begun["run"]["steps"], begun["heldBefore"]) == ([], ["check"])
            told = await dev.step(run_id)
            assert (states(told["run"]), told["heldBefore"]) == (["check"], ["keep"])
            assert await dev.runs.kept("kept") is None
            told = await dev.step(run_id)
            assert await dev.runs.kept("kept") == 12
            told = await dev.step(run_id)
            assert (states(told["run"])[-1], told["run"]["waitsFor"]) == ("rest", "time")
            assert await dev.code("step", run_id) == "APP_E301"
            await dev.ask("hold", run_id, isHeld=False)
            await dev.ask("skipWait", run_id)
            assert (await dev.runs.ended(run_id))["status"] == "succeeded"

    asyncio.run(scene())


def test_a_hold_outlives_the_process(tmp_path: Path) -> None:
    async def scene() -> None:
        async with hands(tmp_path) as dev:
            await dev.plan(isHeld=True)
            run_id = await dev.runs.start(input={"amount": 12})
            await dev.step(run_id)
        async with hands(tmp_path) as dev:
            assert (await dev.settled(run_id))["heldBefore"] == ["keep"]
            assert states((await dev.step(run_id))["run"]) == ["check", "keep"]

    asyncio.run(scene())


def test_a_wait_and_a_deadline_are_skipped_by_the_runs_own_time_alone(tmp_path: Path) -> None:
    async def scene() -> None:
        async with hands(tmp_path) as dev:
            small = await dev.runs.start(input={"amount": 12})
            large = await dev.runs.start(input={"amount": 450})
            await dev.runs.waiting(small, "time")
            await dev.runs.waiting(large, "review")
            told = await dev.ask("skipWait", large)
            assert told["aheadS"] == pytest.approx(3 * 24 * 3_600)
            refused = await dev.runs.ended(large)
            [step] = [each for each in refused["steps"] if each["state"] == "review"]
            assert (refused["status"], step["decidedBy"]) == ("cancelled", "deadline")
            await dev.ask("skipWait", small, seconds=29 * 24 * 3_600)
            assert (await dev.settled(small))["run"]["status"] == "waiting"
            await dev.ask("skipWait", small, seconds=24 * 3_600)
            assert (await dev.runs.ended(small))["status"] == "succeeded"
            assert dev.runs.clock.moment_ms == 1_800_000_000_000

    asyncio.run(scene())


def test_a_branch_goes_the_way_that_was_forced_and_says_so(tmp_path: Path) -> None:
    async def scene() -> None:
        async with hands(tmp_path) as dev:
            await dev.plan(isHeld=True)
            run_id = await dev.runs.start(input={"amount": 12})
            await dev.ask("forceBranch", run_id, state="check", leadsTo="review")
            told = await dev.step(run_id)
            [check] = told["run"]["steps"]
            assert (check["next"], check["input"]) == (["review"], "keep")
            assert (check["decidedBy"], told["heldBefore"]) == ("developer", ["review"])
            for state, leads_to in (("check", "rest"), ("keep", "rest"), ("none", "rest")):
                asked = {"state": state, "leadsTo": leads_to}
                assert await dev.code("forceBranch", run_id, **asked) == "APP_E014"

    asyncio.run(scene())


def test_a_failed_state_is_recovered_as_its_workflow_says(tmp_path: Path) -> None:
    async def scene() -> None:
        async with hands(tmp_path) as dev:
            failure = {"code": "APP_E206", "message": "The disk is full.", "attempts": 1}
            await dev.plan(failures={"keep": failure})
            run_id = await dev.runs.start(input={"amount": 12})
            run = await dev.runs.waiting(run_id, "time")
            [_, keep] = run["steps"]
            assert (keep["error"]["code"], keep["error"]["message"]) == (
                "APP_E206",
                "The disk is full.",
            )
            assert (keep["decidedBy"], await dev.runs.kept("kept")) == ("developer", None)
            await dev.ask("skipWait", run_id)
            done = await dev.runs.until(run_id, lambda run: run["state"] == "rest")
            keep = done["steps"][1]
            assert (keep["status"], keep["attempt"], keep.get("decidedBy")) == (
                "succeeded",
                2,
                None,
            )
            assert await dev.runs.kept("kept") == 12

    asyncio.run(scene())


def test_a_state_that_waits_fails_at_once_and_takes_its_question_back(tmp_path: Path) -> None:
    async def scene() -> None:
        async with hands(tmp_path) as dev:
            run_id = await dev.runs.start(input={"amount": 450})
            run = await dev.runs.waiting(run_id, "review")
            question = await dev.runs.question(run)
            await dev.ask("failState", run_id, state="review")
            told = await dev.runs.waiting(run_id, "retry")
            assert told["error"]["code"] == "APP_E307"
            await dev.runs.turn_over(question["sessionId"])
            # The author lets a person try again; that attempt is the first that is carried out.
            await dev.runs.ask("lime.workflow.retry", workflowRunId=run_id)
            again = await dev.runs.waiting(run_id, "review")
            assert again["steps"][-1]["attempt"] == 2

    asyncio.run(scene())


def test_nobody_leads_a_run_of_an_app_that_is_not_worked_on(tmp_path: Path) -> None:
    """Security: an installed app's runs go as they were written, whoever is connected."""

    async def scene() -> None:
        async with runs_at_work(tmp_path, FLOW) as runs:
            run_id = await runs.start(input={"amount": 450})
            await runs.waiting(run_id, "review")
            before = await runs.get(run_id)
            for verb, params in METHODS.items():
                asked = params if verb in OF_APP else {"workflowRunId": run_id, **params}
                answer = await Hands(runs).call(verb, **asked)
                assert answer["error"]["data"]["code"] == "APP_E308", verb
            assert await runs.get(run_id) == before
            assert set(METHODS) == {
                name.removeprefix("developedRun/")
                for name in (each.name for each in METHOD_TABLE)
                if name.startswith("developedRun/")
            }

    asyncio.run(scene())


def test_what_was_planned_is_not_heeded_once_nobody_works_on_the_app(tmp_path: Path) -> None:
    """Security: the same data under an app that is installed holds nothing back, and makes nothing fail."""

    async def scene() -> None:
        async with hands(tmp_path) as dev:
            await dev.plan(isHeld=True, branches={"check": "review"}, failures={"keep": {}})
            run_id = await dev.runs.start(input={"amount": 12})
            await dev.settled(run_id)
        async with runs_at_work(tmp_path, FLOW) as runs:
            run = await runs.waiting(run_id, "time")
            assert states(run) == ["check", "keep", "rest"]
            assert await runs.kept("kept") == 12

    asyncio.run(scene())


def test_earlier_runs_are_left_out_of_the_list_and_stay_on_record(tmp_path: Path) -> None:
    async def scene() -> None:
        async with hands(tmp_path) as dev:
            before = await dev.runs.start(input={"amount": 12})
            assert "result" in await dev.call("leaveEarlier")
            assert await dev.runs.ask("lime.workflow.list") == []
            after = await dev.runs.start(input={"amount": 12})
            listed = await dev.runs.ask("lime.workflow.list")
            assert [each["workflowRunId"] for each in listed] == [after]
            assert (await dev.runs.get(before))["workflowRunId"] == before

    asyncio.run(scene())


def test_another_apps_run_is_not_found(tmp_path: Path) -> None:
    async def scene() -> None:
        async with hands(tmp_path) as dev:
            assert await dev.code("read", "wfr_of_nobody") == "APP_E304"

    asyncio.run(scene())
