"""Tools that a run calls: judged, asked about, keyed, taken back, and never run twice unasked after a crash."""

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from lime_desktop.app_server.runtime_core.facts import CoreFact
from lime_desktop.app_server.workflows.driver import AT_ONCE_OF_APP
from lime_desktop.app_server.workflows.run import OpenRun
from lime_desktop.app_server.workflows.waits import Waits
from lime_desktop.protocol.calls.apps import RegisteredRule
from lime_desktop.protocol.runtime.events import RuntimeEvent
from tests.app_server.bounded import run
from tests.app_server.workflows.runs_at_work import Runs, runs_at_work, states

SHELL = """\
integrations:
  - { key: shell, provider: POSIX, role: script, adapter: { kind: cli, command: "sh -c" } }
"""


def rule(effect: str) -> RegisteredRule:
    said = {
        "id": f"user.{effect}",
        "layer": "user",
        "source": "Settings",
        "text": "Of the tools.",
        "effect": effect,
        "when": {"tools": ("shell",)},
    }
    return RegisteredRule.model_validate(said)


def flow(script: str, more: str = "", recovery: str = "onError: fail") -> str:
    return f"""\
key: flow
states:
  - {{ key: act, kind: tool-call, uses: [shell], input: {{ arguments: ["{script}"] }}, {more} next: keep }}
  - {{ key: keep, kind: storage-write, storageKey: said, value: $.states.act.output, next: last }}
  - {{ key: last, kind: tool-call, uses: [shell], input: {{ arguments: ["$.input"] }} }}
recovery: {{ {recovery} }}
"""


async def started(runs: Runs, last: str = "true") -> dict[str, Any]:
    run_id = await runs.start(input=last)
    return await runs.ended(run_id)


def test_a_tool_is_called_and_told_the_key_of_its_step(tmp_path: Path) -> None:
    async def scene() -> Any:
        workflow = flow("printf %s $LIME_IDEMPOTENCY_KEY")
        async with runs_at_work(tmp_path, workflow, more=SHELL, rules=(rule("allow"),)) as runs:
            ended = await started(runs)
            return ended, await runs.kept("said")

    ended, said = run(scene())
    assert ended["status"] == "succeeded", ended
    assert said == ended["steps"][0]["stepId"]


def test_a_person_is_asked_about_a_tool_and_says_no(tmp_path: Path) -> None:
    async def scene() -> Any:
        async with runs_at_work(tmp_path, flow("touch ran"), more=SHELL) as runs:
            run_id = await runs.start(input="true")
            question = await runs.question(await runs.waiting(run_id, "approval"))
            await runs.respond(question, confirmed=False, decision="decline")
            return await runs.ended(run_id)

    ended = run(scene())
    assert (ended["status"], states(ended)) == ("failed", ["act"])
    assert ended["error"]["code"] == "permission_denied"
    assert not list((tmp_path / "data").rglob("ran"))


def test_a_rule_forbids_a_tool_at_the_moment_it_is_called(tmp_path: Path) -> None:
    async def scene() -> Any:
        async with runs_at_work(
            tmp_path, flow("touch ran"), more=SHELL, rules=(rule("deny"),)
        ) as runs:
            return await started(runs)

    assert run(scene())["error"]["code"] == "permission_denied"
    assert not list((tmp_path / "data").rglob("ran"))


def test_what_was_done_is_taken_back_where_the_author_says_how(tmp_path: Path) -> None:
    back = 'compensate: { uses: [shell], input: { arguments: ["touch taken-back"] } },'

    async def scene() -> Any:
        workflow = flow("true", back)
        async with runs_at_work(tmp_path, workflow, more=SHELL, rules=(rule("allow"),)) as runs:
            return await started(runs, "exit 3")

    ended = run(scene())
    assert ended["status"] == "failed"
    assert states(ended) == ["act", "keep", "last", "act"]
    assert ended["steps"][-1]["status"] == "succeeded"
    assert list((tmp_path / "data").rglob("taken-back"))


FAILS_TWICE = """\
key: flow
states:
  - { key: act, kind: tool-call, uses: [shell], input: { arguments: ["true"] }, next: mid,
      compensate: { uses: [shell], input: { arguments: ["true"] } } }
  - { key: mid, kind: tool-call, uses: [shell], input: { arguments: ["exit 3"] }, next: last,
      compensate: { uses: [shell], input: { arguments: ["true"] } } }
  - { key: last, kind: tool-call, uses: [shell], input: { arguments: ["exit 3"] } }
recovery: { onError: fail }
"""


def test_what_was_taken_back_is_not_gone_on_with(tmp_path: Path) -> None:
    async def scene() -> Any:
        async with runs_at_work(tmp_path, FAILS_TWICE, more=SHELL, rules=(rule("allow"),)) as runs:
            run_id = await runs.start()
            await runs.ended(run_id)
            return await runs.code("lime.workflow.retry", workflowRunId=run_id), await runs.get(
                run_id
            )

    code, ended = run(scene())
    assert (code, states(ended)) == ("APP_E301", ["act", "mid", "act"])


@pytest.mark.parametrize("is_yes", [True, False])
def test_a_call_that_waits_for_a_person_waits_on_in_the_next_process(
    tmp_path: Path, *, is_yes: bool
) -> None:
    """A bug: the next process knows the app's tools only once its host tells of them, and the run had failed by then."""

    async def first() -> str:
        async with runs_at_work(tmp_path, flow("printf said"), more=SHELL) as runs:
            run_id = await runs.start(input="true")
            await runs.question(await runs.waiting(run_id, "approval"))
            return run_id

    async def second(run_id: str) -> Any:
        workflow = flow("printf said")
        async with runs_at_work(tmp_path, workflow, more=SHELL, is_host_late=True) as runs:
            question = await runs.question(await runs.waiting(run_id, "approval"))
            await runs.respond(question, confirmed=is_yes, decision=answer)
            if not is_yes:
                return (await runs.ended(run_id))["status"]
            # The last step asks anew.
            last = await runs.until(run_id, lambda found: len(found["steps"]) == 3)
            return last["steps"][0]["status"], await runs.kept("said")

    answer = "approved" if is_yes else "decline"
    expected = ("succeeded", "said") if is_yes else "failed"
    assert run(second(run(first()))) == expected


def test_a_call_that_waits_for_a_person_fails_in_words_where_its_tool_is_gone(
    tmp_path: Path,
) -> None:
    """A bug: the question was left open at the end of its turn, and the run blamed the engine."""

    async def first() -> str:
        async with runs_at_work(tmp_path, flow("printf said"), more=SHELL) as runs:
            run_id = await runs.start(input="true")
            await runs.question(await runs.waiting(run_id, "approval"))
            return run_id

    async def second(run_id: str) -> Any:
        async with runs_at_work(tmp_path, flow("printf said"), more=SHELL) as runs:
            return (await runs.ended(run_id))["error"]["code"]

    run_id = run(first())
    manifest = tmp_path / "notes" / "APP.md"
    manifest.write_text(manifest.read_text().replace("key: shell", "key: other"))
    assert run(second(run_id)) == "capability_unavailable"


ASKS_BEFORE_TAKING_BACK = """\
key: flow
states:
  - { key: which, kind: branch, cases: [{ when: $.input == "free", next: z }], next: keep }
  - { key: keep, kind: storage-write, storageKey: a, value: 1, next: more,
      compensate: { uses: [shell], input: { arguments: ["touch first"] } } }
  - { key: more, kind: storage-write, storageKey: b, value: 1, next: broken,
      compensate: { uses: [shell], input: { arguments: ["touch second"] } } }
  - { key: broken, kind: storage-write, storageKey: $.input.nothing, value: 1, next: z }
  - { key: z, kind: end }
recovery: { onError: fail }
"""


async def asked(runs: Runs, run_id: str) -> dict[str, Any]:
    """The question whether the newest step of a run may be taken back."""
    while True:
        found = await runs.get(run_id)
        waiting = [each for each in found["steps"] if each["status"] == "waiting"]
        if waiting and await runs.questions(waiting[0]["sessionId"]):
            return await runs.question(found)
        await runs.client.hear()


def test_what_waits_for_a_yes_to_taking_back_holds_no_other_run_up(tmp_path: Path) -> None:
    """A bug: as many of them as are led on at once, and nothing of the app went on any more."""

    async def scene() -> Any:
        async with runs_at_work(tmp_path, ASKS_BEFORE_TAKING_BACK, more=SHELL) as runs:
            for _ in range(AT_ONCE_OF_APP):
                await asked(runs, await runs.start(input="stuck"))
            return (await runs.ended(await runs.start(input="free")))["status"]

    assert run(scene()) == "succeeded"


def test_a_run_that_is_cancelled_while_it_is_taken_back_takes_nothing_more_back(
    tmp_path: Path,
) -> None:
    """A bug: it went on with the next step, and told of a run that somebody had ended that it failed."""

    async def scene() -> Any:
        async with runs_at_work(tmp_path, ASKS_BEFORE_TAKING_BACK, more=SHELL) as runs:
            run_id = await runs.start(input="stuck")
            question = await asked(runs, run_id)
            await runs.ask("lime.workflow.cancel", workflowRunId=run_id)
            await runs.turn_over(question["sessionId"])
            # Behind whatever would go on by itself.
            await runs.ended(await runs.start(input="free"))
            return await runs.get(run_id)

    ended = run(scene())
    assert ended["status"] == "cancelled"
    assert [each["status"] for each in ended["steps"][-2:]] == ["failed", "cancelled"]
    assert states(ended)[-2:] == ["broken", "more"]


def test_a_question_that_comes_before_its_wait_is_written_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bug: a tool that asked at once asked a run that nobody listened for yet, and the run never said so."""
    asked, hear, write = asyncio.Event(), Waits.on_events, OpenRun.append

    def hears(waits: Waits, app_id: str, events: Iterable[RuntimeEvent]) -> None:
        events = list(events)
        hear(waits, app_id, events)
        if any(each.type == "action.required" for each in events):
            asked.set()

    async def writes(run: OpenRun, *facts: CoreFact, is_passing: bool = False) -> None:
        if any(each.phase == "waiting" for each in facts):
            await asked.wait()
        await write(run, *facts, is_passing=is_passing)

    monkeypatch.setattr(Waits, "on_events", hears)
    monkeypatch.setattr(OpenRun, "append", writes)

    async def scene() -> Any:
        async with runs_at_work(tmp_path, flow("true"), more=SHELL) as runs:
            run_id = await runs.start(input="true")
            question = await runs.question(await runs.waiting(run_id, "approval"))
            await runs.respond(question, confirmed=False, decision="decline")
            return (await runs.ended(run_id))["status"]

    assert run(scene()) == "failed"
