"""Runs go back to a checkpoint with the rest of their app: they go on from where they were, and what they did elsewhere stays done (the standard)."""

from pathlib import Path
from typing import Any

import pytest

from tests.app_server.agent_tasks.tasks_at_work import says
from tests.app_server.bounded import run
from tests.app_server.runtime_core.runtime import DONE, event
from tests.app_server.workflows.runs_at_work import Runs, runs_at_work, states

SCOPE = "agentRuntime: { agentTask: { checkpointScope: { workflowState: true } } }\n"
SENDS = [
    event(
        "tool.started",
        {"toolName": "mcp__mail__send", "title": "Send the letter", "isReadOnly": False},
        tool_call_id="call_1",
    ),
    event("tool.result", {"output": "sent"}, tool_call_id="call_1"),
    *says("Sent."),
]
SCRIPTS = {"go": [DONE], "send": SENDS}
LETTER = """\
key: flow
title: Letter
inputs: { type: string }
states:
  - { key: keep, kind: storage-write, storageKey: text, value: $.input, next: look }
  - { key: look, kind: human-review, title: Look, content: $.input, next: send }
  - { key: send, kind: agent-task, prompt: send, next: sign }
  - { key: sign, kind: human-review, title: Sign, content: $.states.send.output }
recovery: { onError: fail }
"""


async def point(runs: Runs) -> dict[str, str]:
    """Have an agent work, and name the checkpoint that was made before."""
    task = await runs.ask("lime.agent.startTask", prompt="go")
    await runs.turn_over(task["sessionId"])
    asked = {"sessionId": task["sessionId"]}
    listed = await runs.client.call("agentSession/checkpoint/list", asked)
    return {**asked, "checkpointId": listed["result"]["checkpoints"][-1]["checkpointId"]}


async def preview(runs: Runs, chosen: dict[str, str]) -> dict[str, Any]:
    return (await runs.client.call("agentSession/checkpoint/preview", chosen))["result"]


async def go_back(runs: Runs, chosen: dict[str, str]) -> dict[str, Any]:
    answered = await runs.client.call("agentSession/checkpoint/restore", chosen)
    assert "result" in answered, answered
    return answered["result"]


async def successor(runs: Runs, run_id: str, but: dict[str, Any] | None = None) -> str:
    """The run that has taken the place of this one."""
    listed = [each["workflowRunId"] for each in await runs.ask("lime.workflow.list")]
    details = [await runs.get(each) for each in listed if not but or each != but["workflowRunId"]]
    [found] = [each for each in details if each.get("forkedFrom") == run_id]
    return found["workflowRunId"]


def told(shown: dict[str, Any]) -> list[tuple[str, str, str]]:
    return sorted((each["kind"], each["name"], each["state"]) for each in shown["changes"])


@pytest.mark.requirement("APP-37")
def test_a_run_goes_on_from_where_it_was_and_that_can_be_undone(tmp_path: Path) -> None:
    async def scene() -> None:
        async with runs_at_work(tmp_path, LETTER, scripts=SCRIPTS, more=SCOPE) as runs:
            old = await runs.start(input="Dear")
            waiting = await runs.waiting(old, "review")
            chosen = await point(runs)
            assert (await preview(runs, chosen))["changeCount"] == 0

            await runs.decide(waiting, "approved")
            await runs.until(old, lambda found: found["state"] == "sign" and "waitsFor" in found)
            younger = await runs.start(input="Hello")
            await runs.waiting(younger, "review")
            shown = await preview(runs, chosen)
            assert told(shown) == [("changes", "Letter", "Look"), ("goes", "Letter", "Look")]
            assert [each["title"] for each in shown["outsideEffects"]] == ["Send the letter"]

            done = await go_back(runs, chosen)
            assert (done["scopes"], done["changeCount"]) == (["workflowState"], 2)
            assert [each["title"] for each in done["outsideEffects"]] == ["Send the letter"]
            ended = [(await runs.get(each))["status"] for each in (old, younger)]
            assert ended == ["cancelled", "cancelled"]
            assert states(await runs.get(old)) == ["keep", "look", "send", "sign"]
            again = await runs.waiting(await successor(runs, old), "review")
            assert (again["input"], states(again)) == ("Dear", ["keep", "look"])
            assert [each["isInherited"] for each in again["steps"]] == [True, False]
            # Going back once more changes nothing: the run that took its place stands where it stood.
            assert (await preview(runs, chosen))["changeCount"] == 0

            await runs.decide(again, "rejected")
            assert (await runs.ended(again["workflowRunId"]))["status"] == "cancelled"
            undo = {**chosen, "checkpointId": done["undoCheckpointId"]}
            assert (await go_back(runs, undo))["changeCount"] == 2
            signing = await runs.waiting(await successor(runs, old, but=again), "review")
            assert states(signing) == ["keep", "look", "send", "sign"]
            assert [each["isInherited"] for each in signing["steps"]] == [True, True, True, False]
            await runs.waiting(await successor(runs, younger), "review")

    run(scene())


WAYS = """\
key: flow
title: Two
states:
  - { key: both, kind: parallel, branches: [one, two] }
  - { key: one, kind: human-review, content: 1, next: add }
  - { key: add, kind: storage-write, storageKey: one, value: $.states.one.output }
  - { key: two, kind: human-review, content: 2 }
recovery: { onError: fail }
"""


@pytest.mark.requirement("APP-37")
def test_of_several_ways_those_that_were_done_stay_done_in_the_next_process_too(
    tmp_path: Path,
) -> None:
    def both_ask(found: dict[str, Any]) -> bool:
        return sum(each.get("waitsFor") == "review" for each in found["steps"]) == 2

    async def scene() -> tuple[dict[str, str], str]:
        async with runs_at_work(tmp_path, WAYS, scripts=SCRIPTS, more=SCOPE) as runs:
            old = await runs.start()
            found = await runs.until(old, both_ask)
            _, one, two = found["steps"]
            await runs.decide({**found, "steps": [one]}, "approved")
            await runs.until(old, lambda found: len(found["steps"]) == 4)
            await runs.until(old, lambda found: found["steps"][-1]["status"] == "succeeded")
            chosen = await point(runs)
            await runs.decide({**found, "steps": [two]}, "approved")
            await runs.ended(old)
            assert told(await preview(runs, chosen)) == [("returns", "Two", "both")]
            return chosen, old

    async def later(chosen: dict[str, str], old: str) -> Any:
        async with runs_at_work(tmp_path, WAYS, scripts=SCRIPTS, more=SCOPE) as runs:
            await go_back(runs, chosen)
            again = await runs.waiting(await successor(runs, old), "review")
            [two] = [each for each in again["steps"] if each["state"] == "two"]
            await runs.decide({**again, "steps": [two]}, "approved")
            return await runs.ended(again["workflowRunId"])

    ended = run(later(*run(scene())))
    assert (ended["status"], states(ended)) == ("succeeded", ["both", "one", "add", "two"])
    assert [each["isInherited"] for each in ended["steps"]] == [True, True, True, False]
    assert ended["output"]["two"] == 2


def test_a_paused_run_comes_back_paused(tmp_path: Path) -> None:
    async def scene() -> None:
        async with runs_at_work(tmp_path, LETTER, scripts=SCRIPTS, more=SCOPE) as runs:
            old = await runs.start(input="Dear")
            await runs.waiting(old, "review")
            await runs.ask("lime.workflow.pause", workflowRunId=old)
            chosen = await point(runs)
            await runs.ask("lime.workflow.cancel", workflowRunId=old)
            await go_back(runs, chosen)
            again = await successor(runs, old)
            assert states(await runs.get(again)) == ["keep"]
            await runs.ask("lime.workflow.resume", workflowRunId=again)
            assert states(await runs.waiting(again, "review")) == ["keep", "look"]

    run(scene())


def test_runs_stay_as_they_are_where_their_state_is_not_declared(tmp_path: Path) -> None:
    only = SCOPE.replace("workflowState", "appStorage")

    async def scene() -> None:
        async with runs_at_work(tmp_path, LETTER, scripts=SCRIPTS, more=only) as runs:
            old = await runs.start(input="Dear")
            await runs.waiting(old, "review")
            chosen = await point(runs)
            await runs.ask("lime.workflow.cancel", workflowRunId=old)
            await go_back(runs, chosen)
            [found] = await runs.ask("lime.workflow.list")
            assert found["status"] == "cancelled"

    run(scene())
