"""What an app hands to a run may be anything: the run comes to an end over it, and is found by every process."""

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from lime_desktop.app_server.workflows.starting import MOST_NESTED
from lime_desktop.database.connection import open_for_writing
from tests.app_server.bounded import run
from tests.app_server.workflows.runs_at_work import RECOVERY, TurnedClock, runs_at_work

LONG = "x" * 100_000


def one_state(state: str) -> str:
    return f"key: flow\nstates:\n  - {{ key: do, {state} }}\n  - {{ key: last, kind: end }}\n{RECOVERY}"


@pytest.mark.parametrize(
    ("state", "given", "expected"),
    [
        ("kind: storage-write, storageKey: $.input, value: 1", LONG, "APP_E014"),
        (
            "kind: artifact-create, artifactKind: report, artifactTitle: A, content: $.input",
            None,
            "APP_E014",
        ),
        ("kind: evidence-record, event: seen, data: $.input", LONG, "APP_E014"),
        ("kind: wait, until: $.input, next: last", "9999-12-31T23:59:59-23:59", "invalid_input"),
        ("kind: wait, until: $.input, next: last", "0001-01-01T00:00:00+23:59", None),
    ],
)
def test_a_value_that_does_not_fit_ends_the_run(
    tmp_path: Path, state: str, given: object, expected: str | None
) -> None:
    async def scene() -> Any:
        more = "artifacts: [{ kind: report }]\n"
        async with runs_at_work(tmp_path, one_state(state), more=more) as runs:
            ended = await runs.ended(await runs.start(input=given))
            return ended["error"]["code"] if "error" in ended else None

    assert run(scene()) == expected


def test_a_field_named_like_one_of_the_log_ends_no_run(tmp_path: Path) -> None:
    """Which runs are open is looked up by the name of a field: the app may have one of the same name."""
    clock = TurnedClock()
    workflow = one_state("kind: wait, for: 3d, next: last")

    async def begin() -> tuple[str, int]:
        async with runs_at_work(tmp_path, workflow, clock=clock) as runs:
            run_id = await runs.start(input={"endedAt": "yesterday"})
            await runs.waiting(run_id, "time")
            listed = await runs.client.call("workflowRun/listOpen", {})
            return run_id, len(listed["result"]["runs"])

    async def end(run_id: str) -> str:
        async with runs_at_work(tmp_path, workflow, clock=clock) as runs:
            return (await runs.ended(run_id))["status"]

    run_id, listed = run(begin())
    clock.moment_ms += 4 * 86_400_000
    assert (listed, run(end(run_id))) == (1, "succeeded")


def test_a_workflow_that_runs_itself_comes_to_an_end(tmp_path: Path) -> None:
    async def scene() -> Any:
        workflow = one_state("kind: sub-workflow, workflow: flow, input: $.input")
        async with runs_at_work(tmp_path, workflow) as runs:
            ended = await runs.ended(await runs.start())
            return ended["status"], len(await runs.ask("lime.workflow.list"))

    assert run(scene()) == ("failed", MOST_NESTED)


def test_the_input_of_a_step_that_is_a_workflow_has_its_form(tmp_path: Path) -> None:
    inner = "key: inner\ninputs: { type: object }\nstates: [{ key: last, kind: end }]\n" + RECOVERY

    async def scene() -> Any:
        workflow = one_state("kind: sub-workflow, workflow: inner, input: $.input")
        files = {"workflows/inner.yaml": inner}
        async with runs_at_work(tmp_path, workflow, files=files) as runs:
            ended = await runs.ended(await runs.start(input=[1]))
            return ended["status"], ended["error"]["code"]

    assert run(scene()) == ("failed", "APP_E014")


def test_a_run_with_a_damaged_step_hinders_no_other(tmp_path: Path) -> None:
    clock = TurnedClock()
    workflow = one_state("kind: wait, for: 3d, next: last")

    async def begin() -> list[str]:
        async with runs_at_work(tmp_path, workflow, clock=clock) as runs:
            begun = [await runs.start(), await runs.start()]
            for run_id in begun:
                await runs.waiting(run_id, "time")
            return begun

    async def end(run_id: str) -> str:
        async with runs_at_work(tmp_path, workflow, clock=clock) as runs:
            return (await runs.ended(run_id))["status"]

    damaged, sound = run(begin())
    scramble = "UPDATE record SET body=x'00' WHERE kind='job_item' AND key LIKE ?"
    with closing(open_for_writing(tmp_path / "data" / "runtime.db")) as connection:
        connection.execute(scramble, (f"{damaged}%",))
        connection.commit()
    clock.moment_ms += 4 * 86_400_000
    assert run(end(sound)) == "succeeded"
