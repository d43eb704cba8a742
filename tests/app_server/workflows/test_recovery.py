"""What follows when a state fails, takes too long, or nobody answers: as the specification words it."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from lime_desktop.app_server.execution.scripted import Hold, Script
from tests.app_server.agent_tasks.tasks_at_work import says
from tests.app_server.bounded import run
from tests.app_server.runtime_core.runtime import event
from tests.app_server.workflows.runs_at_work import Runs, runs_at_work, states

FAILS: Script = [event("turn.failed", {"failureCategory": "provider", "message": "No answer."})]


def flow(step: str, recovery: str, more: str = "") -> str:
    return f"""\
key: flow
states:
  - {{ key: write, kind: agent-task, prompt: write, {step} next: keep }}
  - {{ key: keep, kind: storage-write, storageKey: text, value: $.states.write.output }}
  - {{ key: sorry, kind: storage-write, storageKey: text, value: sorry }}
{more}recovery: {{ {recovery} }}
"""


class Agent(dict[str, Script]):
    """Plays one script after the other for the same prompt; the last one for ever."""

    def __init__(self, *scripts: Script) -> None:
        super().__init__()
        self._left = list(scripts)

    def __missing__(self, prompt: str) -> Script:
        del prompt
        return self._left.pop(0) if len(self._left) > 1 else self._left[0]

    def __contains__(self, prompt: object) -> bool:
        return isinstance(prompt, str)

    def get(self, prompt: str, default: Any = None) -> Any:
        del default
        return self[prompt]


async def until_ended(runs: Runs, run_id: str, turns: int = 0) -> dict[str, Any]:
    """The run at its end, its waits for another try made short."""
    for attempt in range(1, turns + 1):
        await runs.until(run_id, lambda found, attempt=attempt: _failed(found) == attempt)
        runs.clock.turn_on(3_600)
    return await runs.ended(run_id)


def _failed(found: dict[str, Any]) -> int | None:
    """Which attempt has failed, where a run waits to try again."""
    return found["steps"][0]["attempt"] if found.get("waitsFor") == "time" else None


def play(
    folder: Path, workflow: str, scripts: Mapping[str, Script], turns: int = 0
) -> tuple[dict[str, Any], Any]:
    async def scene() -> tuple[dict[str, Any], Any]:
        async with runs_at_work(folder, workflow, scripts=scripts) as runs:
            ended = await until_ended(runs, await runs.start(), turns)
            return ended, await runs.kept("text")

    return run(scene())


@pytest.mark.requirement("APP-41")
def test_a_failure_ends_the_run_where_that_is_wanted(tmp_path: Path) -> None:
    ended, kept = play(tmp_path, flow("", "onError: fail"), Agent(FAILS))
    assert (ended["status"], kept) == ("failed", None)
    assert "No answer." in ended["error"]["message"]


@pytest.mark.requirement("APP-41")
def test_a_failure_is_passed_over(tmp_path: Path) -> None:
    ended, kept = play(tmp_path, flow("", "onError: skip"), Agent(FAILS))
    assert (ended["status"], states(ended), kept) == ("succeeded", ["write", "keep"], None)


@pytest.mark.requirement("APP-41")
def test_a_failure_leads_to_another_state(tmp_path: Path) -> None:
    ended, kept = play(tmp_path, flow("onError: sorry,", "onError: fail"), Agent(FAILS))
    assert (ended["status"], states(ended), kept) == ("succeeded", ["write", "sorry"], "sorry")


@pytest.mark.requirement("APP-41")
@pytest.mark.parametrize("word", ["retry", "show_error_and_retry"])
def test_a_failure_is_tried_again_by_itself(tmp_path: Path, word: str) -> None:
    agent = Agent(FAILS, FAILS, says("Done."))
    recovery = f"onError: {word}, maxRetries: 2"
    ended, kept = play(tmp_path, flow("", recovery), agent, turns=2)
    assert (ended["status"], kept) == ("succeeded", "Done.")
    assert ended["steps"][0]["attempt"] == 3


def test_a_state_has_retries_of_its_own(tmp_path: Path) -> None:
    step = "retry: { max: 1, wait: 2s },"
    ended, kept = play(tmp_path, flow(step, "onError: fail"), Agent(FAILS, says("Done.")), turns=1)
    assert (ended["status"], kept) == ("succeeded", "Done.")


@pytest.mark.requirement("APP-41")
def test_retries_have_an_end(tmp_path: Path) -> None:
    ended, _ = play(tmp_path, flow("", "onError: retry, maxRetries: 2"), Agent(FAILS), turns=2)
    assert (ended["status"], ended["steps"][0]["attempt"]) == ("failed", 3)


@pytest.mark.requirement("APP-41")
@pytest.mark.parametrize("word", ["show_error_and_allow_retry", "show_error_and_retry"])
def test_a_person_may_try_again(tmp_path: Path, word: str) -> None:
    recovery = f"onError: {word}, maxRetries: 1"
    agent = Agent(*[FAILS] * (2 if word.endswith("_and_retry") else 1), says("Done."))

    async def scene() -> Any:
        async with runs_at_work(tmp_path, flow("", recovery), scripts=agent) as runs:
            run_id = await runs.start()
            if word == "show_error_and_retry":
                await runs.waiting(run_id, "time")
                runs.clock.turn_on(3_600)
            waiting = await runs.waiting(run_id, "retry")
            assert waiting["status"] == "waiting"
            assert "No answer." in waiting["steps"][0]["error"]["message"]
            await runs.ask("lime.workflow.retry", workflowRunId=run_id)
            ended = await runs.ended(run_id)
            return ended["status"], await runs.kept("text")

    assert run(scene()) == ("succeeded", "Done.")


@pytest.mark.requirement("APP-41")
def test_a_failed_run_is_tried_again_where_it_failed(tmp_path: Path) -> None:
    async def scene() -> Any:
        agent = Agent(FAILS, says("Done."))
        async with runs_at_work(tmp_path, flow("", "onError: fail"), scripts=agent) as runs:
            run_id = await runs.start()
            assert (await runs.ended(run_id))["status"] == "failed"
            await runs.ask("lime.workflow.resume", workflowRunId=run_id)
            ended = await runs.until(run_id, lambda found: found["status"] == "succeeded")
            return states(ended), ended.get("error"), await runs.kept("text")

    assert run(scene()) == (["write", "keep"], None, "Done.")


SLOW = "onError: fail, onTimeout: {word}, maxRetries: 1"


@pytest.mark.requirement("APP-41")
@pytest.mark.parametrize(("word", "longer"), [("retry_with_longer_timeout", 2), ("retry", 1)])
def test_what_takes_too_long_is_tried_again(tmp_path: Path, word: str, longer: int) -> None:
    agent = Agent([Hold("for ever")])
    workflow = flow("timeout: 60s,", SLOW.format(word=word))

    async def limit_s(runs: Runs, run_id: str) -> float:
        waiting = await runs.waiting(run_id, "agent")
        due = datetime.fromisoformat(waiting["steps"][0]["dueAt"])
        return due.timestamp() - runs.clock.now_ms() / 1_000

    async def scene() -> Any:
        async with runs_at_work(tmp_path, workflow, scripts=agent) as runs:
            run_id = await runs.start()
            first = await limit_s(runs, run_id)
            runs.clock.turn_on(61)
            await runs.waiting(run_id, "time")
            runs.clock.turn_on(3)
            second = await limit_s(runs, run_id)
            runs.clock.turn_on(60 * longer + 1)
            ended = await runs.ended(run_id)
            return first, second, ended["status"], ended["error"]["code"]

    assert run(scene()) == (60, 60 * longer, "failed", "timeout")


@pytest.mark.requirement("APP-41")
def test_what_takes_too_long_ends_the_run_where_that_is_wanted(tmp_path: Path) -> None:
    workflow = flow("timeout: 60s,", SLOW.format(word="fail"))

    async def scene() -> Any:
        async with runs_at_work(tmp_path, workflow, scripts=Agent([Hold("for ever")])) as runs:
            run_id = await runs.start()
            await runs.waiting(run_id, "agent")
            runs.clock.turn_on(61)
            ended = await runs.ended(run_id)
            return ended["status"], ended["error"]["code"], ended["steps"][0]["attempt"]

    assert run(scene()) == ("failed", "timeout", 1)


@pytest.mark.requirement("APP-41")
def test_a_person_may_have_what_took_too_long_tried_again(tmp_path: Path) -> None:
    agent = Agent([Hold("for ever")], says("Done."))
    workflow = flow("timeout: 60s,", SLOW.format(word="show_error_and_allow_retry"))

    async def scene() -> Any:
        async with runs_at_work(tmp_path, workflow, scripts=agent) as runs:
            run_id = await runs.start()
            await runs.waiting(run_id, "agent")
            runs.clock.turn_on(61)
            waiting = await runs.waiting(run_id, "retry")
            await runs.ask("lime.workflow.retry", workflowRunId=run_id)
            ended = await runs.ended(run_id)
            return waiting["steps"][0]["error"]["code"], ended["status"], await runs.kept("text")

    assert run(scene()) == ("timeout", "succeeded", "Done.")


REVIEW = """\
key: flow
states:
  - {{ key: look, kind: human-review, content: words, deadline: 3d, onDeadline: {then}, next: keep }}
  - {{ key: keep, kind: storage-write, storageKey: text, value: $.states.look.output }}
  - {{ key: sorry, kind: storage-write, storageKey: text, value: sorry }}
recovery: {{ onError: fail }}
"""


@pytest.mark.requirement("APP-41")
@pytest.mark.parametrize(
    ("then", "status", "kept"),
    [
        ("approve", "succeeded", "words"),
        ("reject", "cancelled", None),
        ("fail", "failed", None),
        ("sorry", "succeeded", "sorry"),
    ],
)
def test_nobody_answers_before_the_deadline(
    tmp_path: Path, then: str, status: str, kept: object
) -> None:
    async def scene() -> Any:
        async with runs_at_work(tmp_path, REVIEW.format(then=then)) as runs:
            run_id = await runs.start()
            waiting = await runs.waiting(run_id, "review")
            question = await runs.question(waiting)
            runs.clock.turn_on(3 * 86_400 + 1)
            ended = await runs.ended(run_id)
            assert await runs.questions(question["sessionId"]) == []
            return ended["status"], await runs.kept("text"), ended["steps"][0].get("decidedBy")

    assert run(scene()) == (status, kept, "deadline")


def test_a_run_may_take_no_longer_than_its_workflow_allows(tmp_path: Path) -> None:
    workflow = flow("", "onError: fail", "maxDuration: 1h\n")

    async def scene() -> Any:
        async with runs_at_work(tmp_path, workflow, scripts=Agent([Hold("for ever")])) as runs:
            run_id = await runs.start()
            await runs.waiting(run_id, "agent")
            runs.clock.turn_on(3_601)
            ended = await runs.ended(run_id)
            return ended["status"], ended["error"]["code"]

    assert run(scene()) == ("failed", "timeout")


@pytest.mark.parametrize(
    ("limit", "spent"),
    [
        (
            "tokens: 100",
            says("Done.", usage={"inputTokens": 90, "outputTokens": 20, "totalTokens": 110}),
        ),
        ("usd: 0.5", [event("cost.recorded", {"amount": 0.5, "currency": "USD"}), *says("Done.")]),
    ],
    ids=["tokens", "usd"],
)
def test_agents_use_no_more_than_the_run_may(tmp_path: Path, limit: str, spent: Script) -> None:
    workflow = f"""\
key: flow
costLimit: {{ {limit} }}
states:
  - {{ key: one, kind: agent-task, prompt: write, next: two }}
  - {{ key: two, kind: agent-task, prompt: write }}
recovery: {{ onError: fail }}
"""

    async def scene() -> Any:
        async with runs_at_work(tmp_path, workflow, scripts={"write": spent}) as runs:
            ended = await runs.ended(await runs.start())
            return ended["status"], states(ended), ended["error"]["code"]

    assert run(scene()) == ("failed", ["one", "two"], "APP_E015")
