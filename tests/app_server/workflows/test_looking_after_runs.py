"""A run is paused, forked, watched, asked about, and may be a step of another one."""

from pathlib import Path
from typing import Any

import pytest

from lime_desktop.app_server.execution.scripted import Script
from lime_desktop.app_server.workflows.driver import AT_ONCE
from lime_desktop.protocol.calls.apps import RegisteredRule
from lime_desktop.protocol.capability_calls.workflow import SAID_NO
from tests.app_server.agent_tasks.tasks_at_work import says
from tests.app_server.apps.packages import registration, write_app
from tests.app_server.bounded import run
from tests.app_server.runtime_core.runtime import event
from tests.app_server.workflows.runs_at_work import CAPABILITIES, runs_at_work, states

STEPS = """\
key: flow
inputs: { type: string }
states:
  - { key: first, kind: storage-write, storageKey: first, value: $.input, next: look }
  - { key: look, kind: human-review, title: Look, content: $.states.first.output.value, next: last }
  - { key: last, kind: storage-write, storageKey: last, value: "${ $.states.first.output.value } and ${ $.input }" }
recovery: { onError: fail }
"""


def test_a_run_branches_off_in_the_middle_with_what_came_before_it(tmp_path: Path) -> None:
    async def scene() -> Any:
        async with runs_at_work(tmp_path, STEPS) as runs:
            old = await runs.start(input="one")
            await runs.decide(await runs.waiting(old, "review"), "approved")
            await runs.ended(old)
            fork = await runs.ask(
                "lime.workflow.fork", workflowRunId=old, state="last", input="two"
            )
            ended = await runs.ended(fork["workflowRunId"])
            assert await runs.code("lime.workflow.fork", workflowRunId=old, state="x") == "APP_E014"
            return old, ended, await runs.kept("last")

    old, ended, kept = run(scene())
    assert kept == "one and two"
    assert (ended["forkedFrom"], states(ended)) == (old, ["first", "look", "last"])
    assert [each["isInherited"] for each in ended["steps"]] == [True, True, False]


PASSED = """\
key: flow
states:
  - { key: first, kind: storage-write, storageKey: first, value: 1, next: work }
  - { key: work, kind: agent-task, prompt: work, onError: sorry, next: end }
  - { key: sorry, kind: storage-write, storageKey: sorry, value: 1 }
  - { key: end, kind: end }
recovery: { onError: fail }
"""
FAILS: Script = [event("turn.failed", {"failureCategory": "provider", "message": "No answer."})]


def test_a_run_branches_off_behind_a_state_that_failed(tmp_path: Path) -> None:
    """A bug: the new run began with the failed state once more."""

    async def scene() -> Any:
        async with runs_at_work(tmp_path, PASSED, scripts={"work": FAILS}) as runs:
            old = await runs.start()
            await runs.ended(old)
            fork = await runs.ask("lime.workflow.fork", workflowRunId=old, state="sorry")
            return await runs.ended(fork["workflowRunId"])

    ended = run(scene())
    assert (ended["status"], states(ended)) == ("succeeded", ["first", "work", "sorry"])
    assert [each["isInherited"] for each in ended["steps"]] == [True, True, False]


WRITES = """\
key: flow
states:
  - { key: write, kind: agent-task, prompt: write, next: again }
  - { key: again, kind: agent-task, prompt: write, model: house-model }
recovery: { onError: fail }
"""


def test_a_run_branches_off_with_another_model_for_all_its_agents(tmp_path: Path) -> None:
    async def scene() -> list[str | None]:
        async with runs_at_work(tmp_path, WRITES, scripts={"write": says("Done.")}) as runs:
            old = await runs.start()
            await runs.ended(old)
            more = {"workflowRunId": old, "state": "write", "model": "other-model"}
            fork = await runs.ask("lime.workflow.fork", **more)
            await runs.ended(fork["workflowRunId"])
            return [each.options.model_preference for each in runs.engine.requests]

    assert run(scene()) == [None, "house-model", "other-model", "other-model"]


BUSY = "".join(
    f"  - {{ key: s{number}, kind: storage-write, storageKey: k, value: 1, next: s{number + 1} }}\n"
    for number in range(40)
)
QUICK = "key: flow\nstates: [{ key: done, kind: end }]\nrecovery: { onError: fail }\n"


def test_an_app_with_many_runs_keeps_no_other_app_waiting(tmp_path: Path) -> None:
    """Places are kept for each app: one run of another goes on between the many, not behind them."""
    workflow = (
        f"key: flow\nstates:\n{BUSY}  - {{ key: s40, kind: end }}\nrecovery: {{ onError: fail }}\n"
    )
    declared = (
        "workflows: [{ key: flow, path: workflows/flow.yaml }]\nstorage: { namespace: other }\n"
    )

    async def scene() -> int:
        async with runs_at_work(tmp_path, workflow) as runs:
            flow = {"workflows/flow.yaml": QUICK}
            other = write_app(
                tmp_path, "other", capabilities=CAPABILITIES, more=declared, files=flow
            )
            await runs.client.call("app/register", registration(other).to_wire())
            for _ in range(4 * AT_ONCE):
                await runs.start()
            runs.speaks_for("other")
            await runs.ended(await runs.start())
            runs.speaks_for("notes")
            return len(await runs.ask("lime.workflow.list", status="running"))

    # Behind them it would be once all but the last few have ended.
    assert run(scene()) > AT_ONCE


@pytest.mark.requirement("APP-41")
def test_a_paused_run_goes_no_further_until_it_is_resumed(tmp_path: Path) -> None:
    async def scene() -> Any:
        async with runs_at_work(tmp_path, STEPS) as runs:
            run_id = await runs.start(input="one")
            waiting = await runs.waiting(run_id, "review")
            await runs.ask("lime.workflow.pause", workflowRunId=run_id)
            await runs.decide(waiting, "approved")
            assert (await runs.get(run_id))["status"] == "paused"
            await runs.ask("lime.workflow.resume", workflowRunId=run_id)
            return (await runs.ended(run_id))["status"], await runs.kept("last")

    assert run(scene()) == ("succeeded", "one and one")


def test_an_ended_run_is_neither_paused_nor_tried_again(tmp_path: Path) -> None:
    async def scene() -> list[str]:
        async with runs_at_work(tmp_path, STEPS) as runs:
            run_id = await runs.start(input="one")
            await runs.decide(await runs.waiting(run_id, "review"), "approved")
            await runs.ended(run_id)
            calls = ("pause", "resume", "retry", "cancel", "checkpoint")
            return [
                await runs.code(f"lime.workflow.{each}", workflowRunId=run_id) for each in calls
            ]

    assert run(scene()) == ["APP_E301"] * 5


def test_a_run_of_another_app_is_none(tmp_path: Path) -> None:
    async def scene() -> str:
        async with runs_at_work(tmp_path, STEPS) as runs:
            run_id = await runs.start(input="one")
            runs.speaks_for("other")
            return await runs.code("lime.workflow.get", workflowRunId=run_id)

    assert run(scene()) == "APP_E304"


def test_an_app_asks_a_person_about_a_run_and_names_a_point_of_it(tmp_path: Path) -> None:
    async def scene() -> Any:
        async with runs_at_work(tmp_path, STEPS) as runs:
            run_id = await runs.start(input="one")
            await runs.waiting(run_id, "review")
            asked = {"workflowRunId": run_id, "prompt": "Is it good?"}
            first = await runs.ask("lime.workflow.awaitHuman", **asked)
            again = await runs.ask("lime.workflow.awaitHuman", **asked)
            point = await runs.ask("lime.workflow.checkpoint", workflowRunId=run_id, state={"a": 1})
            found = await runs.get(run_id)
            return first["status"], first["requestId"] == again["requestId"], point, found

    status, is_same, point, found = run(scene())
    assert (status, is_same) == ("pending", True)
    assert point["checkpoint"] == found["checkpoint"] == found["steps"][-1]["stepId"]


OUTER = """\
key: flow
states:
  - { key: sub, kind: sub-workflow, workflow: inner, input: { n: $.input }, next: keep }
  - { key: keep, kind: storage-write, storageKey: got, value: $.states.sub.output }
recovery: { onError: fail }
"""
INNER = """\
key: inner
outputs: { twice: [$.input.n, $.input.n] }
states:
  - { key: look, kind: human-review, content: $.input.n, next: end }
  - { key: end, kind: end }
recovery: { onError: fail }
"""


def test_a_workflow_is_a_step_of_another_one(tmp_path: Path) -> None:
    async def scene() -> Any:
        async with runs_at_work(tmp_path, OUTER, files={"workflows/inner.yaml": INNER}) as runs:
            run_id = await runs.start(input=7)
            await runs.waiting(run_id, "workflow")
            [inner] = await runs.ask("lime.workflow.list", key="inner")
            waiting = await runs.waiting(inner["workflowRunId"], "review")
            assert waiting["parentRunId"] == run_id
            await runs.decide(waiting, "approved")
            await runs.ended(run_id)
            return await runs.kept("got")

    assert run(scene()) == {"twice": [7, 7]}


def test_a_state_is_asked_about_where_a_rule_wants_a_person(tmp_path: Path) -> None:
    asks = RegisteredRule.model_validate(
        {
            "id": "house.ask",
            "layer": "organisation",
            "source": "house.yaml",
            "text": "Writing is asked about.",
            "effect": "ask",
            "when": {"capabilities": ("lime.storage",)},
        }
    )

    async def scene() -> Any:
        async with runs_at_work(tmp_path, STEPS, rules=(asks,)) as runs:
            run_id = await runs.start(input="one")
            question = await runs.question(await runs.waiting(run_id, "approval"))
            assert question["toolName"] == "lime.storage.set"
            assert await runs.kept("first") is None
            await runs.respond(question, confirmed=True, decision="allow_once")
            await runs.waiting(run_id, "review")
            refused = await runs.start(input="two")
            asked = await runs.question(await runs.waiting(refused, "approval"))
            await runs.respond(asked, confirmed=False, decision="deny")
            error = (await runs.ended(refused))["error"]
            return await runs.kept("first"), (error["code"], error["message"])

    assert run(scene()) == ("one", ("permission_denied", SAID_NO))


def test_what_waits_is_listed_over_all_apps(tmp_path: Path) -> None:
    async def scene() -> Any:
        async with runs_at_work(tmp_path, STEPS) as runs:
            first, second = await runs.start(input="one"), await runs.start(input="two")
            await runs.decide(await runs.waiting(first, "review"), "approved")
            await runs.ended(first)
            await runs.waiting(second, "review")
            listed = await runs.client.call("workflowRun/listOpen", {})
            return second, [each["workflowRunId"] for each in listed["result"]["runs"]]

    second, listed = run(scene())
    assert listed == [second]


BROKEN = """\
key: flow
states:
  - { key: write, kind: storage-write, table: nowhere, value: 1 }
recovery: { onError: fail }
"""


def test_what_failed_is_listed_from_a_moment_on(tmp_path: Path) -> None:
    """A bug: a run that failed while nobody looked was told nowhere."""

    async def scene() -> Any:
        async with runs_at_work(tmp_path, BROKEN) as runs:
            ended = await runs.ended(await runs.start())
            since = ended["finishedAt"]
            found: list[list[str]] = []
            for asked in ({}, {"failedSince": since}, {"failedSince": "2999-01-01T00:00:00Z"}):
                listed = (await runs.client.call("workflowRun/listOpen", asked))["result"]
                found.append([each["workflowRunId"] for each in listed.get("failed", ())])
            sessions = (await runs.client.call("agentSession/list", {}))["result"]["sessions"]
            stands = [
                each["status"] for each in sessions if each["sessionId"] == ended["sessionId"]
            ]
            return ended["workflowRunId"], found, stands

    run_id, found, stands = run(scene())
    assert found == [[], [run_id], []]
    assert stands == ["failed"], "among the sessions, it was idle"


def test_the_runs_of_an_app_end_with_its_data_and_ask_nobody_any_more(tmp_path: Path) -> None:
    async def scene() -> Any:
        async with runs_at_work(tmp_path, STEPS) as runs:
            run_id = await runs.start(input="one")
            question = await runs.question(await runs.waiting(run_id, "review"))
            await runs.client.call("app/unregister", {"appId": "notes"})
            removed = await runs.client.call("appData/remove", {"appId": "notes"})
            assert "result" in removed, removed
            return (await runs.get(run_id))["status"], await runs.questions(question["sessionId"])

    assert run(scene()) == ("cancelled", [])


def test_runs_stand_still_while_their_app_is_off_and_go_on_with_it(tmp_path: Path) -> None:
    async def scene() -> Any:
        async with runs_at_work(tmp_path, STEPS) as runs:
            run_id = await runs.start(input="one")
            waiting = await runs.waiting(run_id, "review")
            await runs.client.call("app/unregister", {"appId": "notes"})
            await runs.decide(waiting, "approved")
            assert (await runs.get(run_id))["status"] == "waiting"
            await runs.client.call("app/register", runs.registration)
            return (await runs.ended(run_id))["status"]

    assert run(scene()) == "succeeded"


TWO_WAYS = """\
key: flow
states:
  - { key: both, kind: parallel, branches: [one, two] }
  - { key: one, kind: human-review, content: one, title: One }
  - { key: two, kind: human-review, content: two, title: Two }
recovery: { onError: fail }
"""


def test_a_run_waits_as_long_as_one_of_its_ways_does(tmp_path: Path) -> None:
    async def scene() -> Any:
        async with runs_at_work(tmp_path, TWO_WAYS) as runs:
            run_id = await runs.start()
            found = await runs.until(
                run_id,
                lambda run: sum(each.get("waitsFor") == "review" for each in run["steps"]) == 2,
            )
            _, one, two = found["steps"]
            await runs.ask("lime.workflow.pause", workflowRunId=run_id)
            resumed = await runs.ask("lime.workflow.resume", workflowRunId=run_id)
            assert (resumed["status"], resumed["waitsFor"]) == ("waiting", "review")
            await runs.decide({**found, "steps": [one]}, "approved")
            await runs.until(run_id, lambda run: run["steps"][1]["status"] == "succeeded")
            waiting = await runs.until(run_id, lambda run: run["status"] == "waiting")
            assert (waiting["state"], waiting["waitsFor"]) == ("two", "review")
            await runs.decide({**found, "steps": [two]}, "approved")
            return (await runs.ended(run_id))["output"]

    assert run(scene()) == {"one": "one", "two": "two"}
