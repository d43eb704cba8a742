"""What the steps of runs ask reaches the window's queue, also after a restart of the server or the desktop (ours)."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lime_desktop.host.approvals.approvals import Approvals
from lime_desktop.host.approvals.question import YES, Answer, Question
from lime_desktop.protocol.calls.sessions import START_SESSION, StartSessionParams
from lime_desktop.protocol.calls.workflow_runs import WORKFLOW_RUN_CHANGED
from lime_desktop.protocol.ids import AppId, SessionId
from tests.app_server.apps.packages import write_app
from tests.host.bridged import Bridged, bridged, run

_RECOVERY = "recovery: { onError: fail, onTimeout: fail }\n"
_FORM = (
    """\
key: flow
states:
  - key: who
    kind: user-input
    title: Who?
    form: { type: object, properties: { name: { type: string } }, required: [name] }
    next: check
  - key: check
    kind: human-review
    title: Is it right?
    content: $.states.who.output
    next: done
  - { key: done, kind: end }
"""
    + _RECOVERY
)
_TWO_WAYS = (
    """\
key: flow
states:
  - { key: both, kind: parallel, branches: [nap, check], next: done }
  - { key: check, kind: human-review, content: "Tea?", next: done }
  - { key: nap, kind: wait, for: 3d, next: done }
  - { key: done, kind: end }
"""
    + _RECOVERY
)
_MORE_SESSIONS = 205
"""So many are not listed at once."""


def package_in(folder: Path, workflow: str) -> Path:
    return write_app(
        folder,
        capabilities="{lime.workflow: '>=0.3.0'}",
        more="workflows: [{ key: flow, path: workflows/flow.yaml }]\n",
        files={"workflows/flow.yaml": workflow},
    )


async def open_question(approvals: Approvals, *, after: Question | None = None) -> Question:
    """The one that the window shows, once it does; another one than this."""
    is_shown = asyncio.Event()
    leave = approvals.queue.watch(is_shown.set)
    while not approvals.queue.open or approvals.queue.open[0] == after:
        await is_shown.wait()
        is_shown.clear()
    leave()
    [question] = approvals.queue.open
    return question


async def until(
    page: Bridged, run_id: str, holds: Callable[[dict[str, Any]], bool]
) -> dict[str, Any]:
    has_moved = asyncio.Event()
    leave = page.connection.listen(WORKFLOW_RUN_CHANGED, lambda _: has_moved.set())
    while not holds(found := await page.value("lime.workflow.get", workflowRunId=run_id)):
        await has_moved.wait()
        has_moved.clear()
    leave()
    return found


def is_over(run: dict[str, Any]) -> bool:
    return "finishedAt" in run


async def start(page: Bridged) -> str:
    return (await page.value("lime.workflow.start", key="flow"))["workflowRunId"]


def test_a_step_asks_the_person_and_goes_on_with_the_answer(tmp_path: Path) -> None:
    async def scene() -> None:
        async with bridged(tmp_path / "data", package_in(tmp_path, _FORM)) as page:
            page.approvals.agents.introduce(page.connection)
            run_id = await start(page)
            form = await open_question(page.approvals)
            assert (form.app_id, form.kind) == ("notes", "elicitation")
            assert form.answer_schema is not None
            # Whoever has the run, or its record, finds what it asks.
            own_session = (await page.value("lime.workflow.get", workflowRunId=run_id))["sessionId"]
            named = (form.question_id, run_id, own_session)
            assert [page.approvals.open_about(each) for each in named] == [form.question_id] * 3
            assert page.approvals.open_about("another") is None
            page.approvals.queue.answer(
                [form.question_id], Answer(is_yes=True, values={"name": "Ann"})
            )
            review = await open_question(page.approvals, after=form)
            assert review.review is not None
            assert review.review.content == {"name": "Ann"}
            changed = Answer(is_yes=True, updated_arguments={"name": "Anna"})
            page.approvals.queue.answer([review.question_id], changed)
            ended = await until(page, run_id, is_over)
            await page.approvals.close()
            who, check, _ = ended["steps"]
            assert (ended["status"], who["output"]) == ("succeeded", {"name": "Ann"})
            assert (check["decision"], check["decidedBy"]) == ("modify", "person")

    run(scene)


def test_what_a_cancelled_run_asked_is_asked_no_longer(tmp_path: Path) -> None:
    async def scene() -> None:
        async with bridged(tmp_path / "data", package_in(tmp_path, _FORM)) as page:
            page.approvals.agents.introduce(page.connection)
            run_id = await start(page)
            await open_question(page.approvals)
            is_changed = asyncio.Event()
            page.approvals.queue.watch(is_changed.set)
            await page.value("lime.workflow.cancel", workflowRunId=run_id)
            while page.approvals.queue.open:
                await is_changed.wait()
                is_changed.clear()
            await page.approvals.close()

    run(scene)


def test_a_desktop_that_has_just_started_asks_what_a_run_waits_for_since_long(
    tmp_path: Path,
) -> None:
    """The step's session is not among the newest any more, and the server is another one."""
    package = package_in(tmp_path, _FORM)

    async def scene() -> None:
        async with bridged(tmp_path / "data", package) as page:
            run_id = await start(page)
            await until(page, run_id, lambda run: run["status"] == "waiting")
            for number in range(_MORE_SESSIONS):
                params = StartSessionParams(
                    app_id=AppId("notes"), session_id=SessionId(f"other_{number}")
                )
                await page.connection.call(START_SESSION, params)
        async with bridged(tmp_path / "data", package) as page:
            page.approvals.agents.introduce(page.connection)
            form = await open_question(page.approvals)
            page.approvals.queue.answer(
                [form.question_id], Answer(is_yes=True, values={"name": "Ann"})
            )
            review = await open_question(page.approvals, after=form)
            page.approvals.queue.answer([review.question_id], YES)
            assert (await until(page, run_id, is_over))["status"] == "succeeded"
            await page.approvals.close()

    run(scene)


def test_a_server_that_came_back_asks_the_same_question_and_no_second_one(tmp_path: Path) -> None:
    package, approvals = package_in(tmp_path, _TWO_WAYS), Approvals()

    async def scene() -> None:
        async with bridged(tmp_path / "data", package) as page:
            approvals.agents.introduce(page.connection)
            run_id = await start(page)
            asked = await open_question(approvals)
        async with bridged(tmp_path / "data", package) as page:
            approvals.agents.introduce(page.connection)
            assert await open_question(approvals) == asked
            approvals.queue.answer([asked.question_id], YES)
            decided = await until(
                page, run_id, lambda run: any(each.get("decision") for each in run["steps"])
            )
            assert not is_over(decided), "the other way waits on"
            assert approvals.queue.open == ()
            await approvals.close()

    run(scene)
