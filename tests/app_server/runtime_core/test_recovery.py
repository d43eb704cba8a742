"""After a crash: everything acknowledged is there, what was open is closed honestly, what waits is kept."""

import asyncio
import contextlib
from dataclasses import replace
from pathlib import Path

import pytest

from lime_desktop.app_server.execution.scripted import Ask, Hold, Script
from lime_desktop.app_server.runtime_core.running.driver import TurnAddress
from lime_desktop.app_server.runtime_core.running.requests import TurnMaterial
from lime_desktop.app_server.runtime_core.running.running_turns import RunningTurns
from lime_desktop.protocol.calls.sessions import (
    AppendEventsParams,
    ResumeThreadParams,
    StartSessionParams,
)
from lime_desktop.protocol.errors import (
    Conflict,
    DatabaseBusy,
    DiskFull,
    InvalidInput,
    SessionExists,
    SessionNotFound,
)
from lime_desktop.protocol.ids import SessionId
from tests.app_server.held_rules import check_everything
from tests.app_server.runtime_core.runtime import (
    CONTEXT,
    DONE,
    LIMITS,
    Runtime,
    crash,
    event,
    open_runtime,
)

SAY: Script = [
    event("model.delta", {"delta": "hi"}),
    event("model.completed", {"text": "hi"}),
    DONE,
]
SCRIPTS: dict[str, Script] = {
    "say": SAY,
    "held": [
        event("model.requested", {"model": "m"}),
        event("tool.started", {"toolName": "t"}, tool_call_id="call_1"),
        Hold("gate"),
    ],
    "ask": [
        event("tool.started", {"toolName": "t"}, tool_call_id="call_1"),
        Ask(
            event(
                "action.required",
                {"actionType": "permission"},
                action_id="action_1",
                tool_call_id="call_1",
            ),
            allowed=[event("tool.result", {"preview": "ok"}, tool_call_id="call_1")],
            denied=[event("tool.failed", {"failureCategory": "denied"}, tool_call_id="call_1")],
        ),
        DONE,
    ],
}


@pytest.mark.requirement("APP-35", "RT-30")
def test_a_turn_that_was_running_is_closed_as_interrupted_and_the_queue_kept(
    tmp_path: Path, upstream_data: Path
) -> None:
    async def scenario() -> None:
        before = await open_runtime(tmp_path, SCRIPTS)
        await before.session()
        await before.turn("session_1", "held", "turn_1")
        await before.turn("session_1", "say", "turn_2", queueIfBusy=True)
        await before.saw("tool.started")
        last = before.events[-1].sequence
        await crash(before)

        after = await open_runtime(tmp_path, SCRIPTS)
        result = await after.read("session_1", afterSequence=last)
        assert [e.type for e in result.events] == [
            "history.reconstructed",
            "task.paused",
            "queue.changed",
            "tool.failed",
            "model.failed",
            "task.attempt.failed",
            "task.failed",
            "turn.failed",
            "snapshot.updated",
        ]
        ended = result.events[-2]
        assert ended.payload["failureCategory"] == "interrupted"
        assert ended.payload["message"] == "Lime stopped while this was running."
        assert ended.payload["recoveryHint"]
        thread = result.snapshot.threads[0]
        assert (thread.status, thread.queue_paused) == ("queued", True)
        assert [turn.turn_id for turn in thread.queued_turns] == ["turn_2"]
        await after.core.resumption.resume(
            ResumeThreadParams(session_id=SessionId("session_1")), CONTEXT
        )
        await after.ended("turn_2")
        await check_everything(after, upstream_data)
        await after.core.close()

    asyncio.run(scenario())


@pytest.mark.requirement("RT-23", "RT-30")
def test_an_open_question_stays_answerable_where_the_engine_can_resume(
    tmp_path: Path, upstream_data: Path
) -> None:
    async def scenario() -> None:
        before = await open_runtime(tmp_path, SCRIPTS, can_resume=True)
        await before.session()
        await before.turn("session_1", "ask", "turn_1")
        await before.saw("action.required")
        await crash(before)

        after = await open_runtime(tmp_path, SCRIPTS, can_resume=True)
        pending = (await after.read("session_1")).snapshot.threads[0].pending_actions
        assert [action.action_id for action in pending] == ["action_1"]
        await after.respond("session_1", "action_1", confirmed=True)
        await after.ended("turn_1")
        assert after.types("turn_1")[-5:-2] == [
            "tool.result",
            "task.attempt.completed",
            "task.completed",
        ]
        await check_everything(after, upstream_data)
        await after.core.close()

    asyncio.run(scenario())


def test_an_answer_that_overtakes_the_engine_after_a_restart_is_heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        before = await open_runtime(tmp_path, SCRIPTS, can_resume=True)
        await before.session()
        await before.turn("session_1", "ask", "turn_1")
        await before.saw("action.required")
        await crash(before)

        answered = asyncio.Event()
        read_now = RunningTurns._material

        async def read_late(running: RunningTurns, address: TurnAddress) -> TurnMaterial:
            await answered.wait()
            return await read_now(running, address)

        monkeypatch.setattr(RunningTurns, "_material", read_late)
        after = await open_runtime(tmp_path, SCRIPTS, can_resume=True)
        await after.respond("session_1", "action_1", confirmed=True)
        answered.set()
        await after.ended("turn_1")
        assert "tool.result" in after.types("turn_1")
        await after.core.close()

    asyncio.run(scenario())


def test_an_open_question_is_closed_where_the_engine_cannot_resume(tmp_path: Path) -> None:
    async def scenario() -> None:
        before = await open_runtime(tmp_path, SCRIPTS)
        await before.session()
        await before.turn("session_1", "ask", "turn_1")
        await before.saw("action.required")
        await crash(before)

        after = await open_runtime(tmp_path, SCRIPTS)
        result = await after.read("session_1", afterSequence=0)
        resolved = next(e for e in result.events if e.type == "action.resolved")
        assert resolved.payload["decision"] == "cancelled"
        assert result.snapshot.threads[0].pending_actions == ()
        await after.core.close()

    asyncio.run(scenario())


def test_an_orderly_close_says_that_it_interrupted_what_ran(tmp_path: Path) -> None:
    async def scenario() -> None:
        before = await open_runtime(tmp_path, SCRIPTS)
        await before.session()
        await before.turn("session_1", "held", "turn_1")
        await before.saw("tool.started")
        await before.core.close()
        assert before.types()[-2:] == ["turn.failed", "snapshot.updated"]
        after = await open_runtime(tmp_path, SCRIPTS)
        assert after.events == []
        await after.core.close()

    asyncio.run(scenario())


@pytest.mark.requirement("RT-04")
@pytest.mark.parametrize("mode", ["resume", "continue", "fork"])
def test_going_on_with_a_session_names_one_session_of_its_own_app(
    tmp_path: Path, mode: str
) -> None:
    """A bug: the client heard of the one session and went on with the other."""

    async def scenario() -> None:
        runtime = await open_runtime(tmp_path, SCRIPTS)
        await runtime.session("session_1")
        await runtime.session("session_2")

        async def go_on(**more: object) -> str:
            policy = {"mode": mode, "sourceSessionId": "session_1"}
            stated = {"appId": "app_1", "sessionPolicy": policy, **more}
            params = StartSessionParams.model_validate(stated)
            return (await runtime.core.sessions.start(params, CONTEXT)).session.session_id

        # A fork names the session it makes, and that one exists.
        with pytest.raises(SessionExists if mode == "fork" else InvalidInput):
            await go_on(sessionId="session_2")
        with pytest.raises(SessionNotFound):
            await go_on(appId="app_2")
        await runtime.core.close()

    asyncio.run(scenario())


def test_a_turn_that_a_full_disk_kept_open_ends_when_there_is_room(tmp_path: Path) -> None:
    """A bug: such a turn looked as if it were running until the next start."""

    async def scenario() -> None:
        limits = replace(LIMITS, end_retry_s=0.01)
        runtime = await open_runtime(tmp_path, SCRIPTS, limits)
        await runtime.session("session_1")
        await runtime.session("session_2")
        await runtime.turn("session_1", "held", "turn_1")
        await runtime.saw("tool.started")
        await fill_the_disk(runtime)
        runtime.engine.release("gate")
        with pytest.raises(DiskFull):
            await runtime.session("session_3")
        assert (await runtime.read("session_1")).session.status == "running"
        await make_room(runtime)
        await runtime.ended("turn_1")
        assert "turn.failed" in runtime.types("turn_1")
        await runtime.core.close()

    asyncio.run(scenario())


async def limit_pages(runtime: Runtime, count: int) -> None:
    """A limit on the file stands in for the disk."""
    await runtime.core.journal.database.write(
        lambda connection: connection.execute(f"PRAGMA max_page_count={count}").fetchall()
    )


async def make_room(runtime: Runtime) -> None:
    while True:
        # It may share its transaction with a write that finds the disk still full.
        with contextlib.suppress(DiskFull):
            return await limit_pages(runtime, 2**30)


async def fill_the_disk(runtime: Runtime) -> None:
    await limit_pages(runtime, 1)  # SQLite takes this for the present size
    for size in (3_000, 1):
        warning = event("runtime.warning", {"code": "x" * size})
        params = AppendEventsParams(session_id=SessionId("session_2"), runtime_events=(warning,))
        with pytest.raises(DiskFull):
            await append_for_ever(runtime, params)


async def append_for_ever(runtime: Runtime, params: AppendEventsParams) -> None:
    while True:
        await runtime.core.sessions.append(params, CONTEXT)


def test_two_processes_never_share_a_data_folder(tmp_path: Path) -> None:
    async def scenario() -> None:
        first = await open_runtime(tmp_path, SCRIPTS)
        with pytest.raises(DatabaseBusy):
            await open_runtime(tmp_path, SCRIPTS)
        await first.core.close()
        second = await open_runtime(tmp_path, SCRIPTS)
        assert second.core.runtime_id == first.core.runtime_id
        await second.core.close()

    asyncio.run(scenario())


async def start(runtime: Runtime, **policy: str) -> str:
    params = StartSessionParams.model_validate({"appId": "app_1", "sessionPolicy": policy})
    return (await runtime.core.sessions.start(params, CONTEXT)).session.session_id


@pytest.mark.requirement("APP-37", "RT-30")
def test_a_session_is_resumed_continued_and_forked(tmp_path: Path, upstream_data: Path) -> None:
    """The standard: four ways to begin; business storage is never forked."""

    async def scenario() -> None:
        runtime = await open_runtime(tmp_path, SCRIPTS)
        await runtime.session()
        await runtime.run("session_1", "say", "turn_1")
        await runtime.run("session_1", "say", "turn_2")
        assert await start(runtime, mode="resume", sourceSessionId="session_1") == "session_1"
        assert await start(runtime, mode="continue", sourceSessionId="session_1") == "session_1"
        with pytest.raises(SessionNotFound):
            await start(runtime, mode="resume", sourceSessionId="nobody")

        forked = await start(
            runtime, mode="fork", sourceSessionId="session_1", throughTurnId="turn_1"
        )
        outline = await runtime.read(forked)
        assert outline.session.forked_from == "session_1"
        window = outline.snapshot.history
        assert window.messages[0].message_id == "user:turn_1"
        assert (len(window.messages), window.total_count, window.truncated) == (2, 2, False)
        await runtime.run(forked, "say", "turn_f")
        history = runtime.engine.requests[-1].history
        assert [m.turn_id for m in history] == ["turn_1", "turn_1"]
        assert len((await runtime.read(forked)).snapshot.history.messages) == 4
        assert len((await runtime.read("session_1")).snapshot.history.messages) == 4

        older = await runtime.read(forked, historyLimit=1, historyBeforeMessageId="user:turn_f")
        assert [m.text for m in older.snapshot.history.messages] == ["hi"]

        again = await start(runtime, mode="fork", sourceSessionId=forked)
        assert len((await runtime.read(again)).snapshot.history.messages) == 4

        await runtime.turn("session_1", "held", "turn_3")
        with pytest.raises(Conflict):
            await start(runtime, mode="fork", sourceSessionId="session_1", throughTurnId="turn_3")
        during = await start(runtime, mode="fork", sourceSessionId="session_1")
        assert len((await runtime.read(during)).snapshot.history.messages) == 4
        await check_everything(runtime, upstream_data)
        await runtime.core.close()

    asyncio.run(scenario())
