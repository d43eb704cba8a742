"""Turns: one at a time, idempotent by id, queued on request, cancelled in order."""

import asyncio
from collections.abc import Sequence

import pytest

from lime_desktop.app_server.execution.scripted import Ask, Hold
from lime_desktop.database import writer
from lime_desktop.database.connection import Connection
from lime_desktop.protocol.calls.sessions import ResumeThreadParams
from lime_desktop.protocol.errors import (
    AppError,
    Conflict,
    InvalidInput,
    ProviderNotReady,
    SessionExists,
    SessionNotFound,
    TurnAlreadyActive,
    TurnNotActive,
    TurnQueueFull,
)
from lime_desktop.protocol.ids import TurnId
from lime_desktop.protocol.runtime.events import RuntimeEvent
from tests.app_server.conftest import Play
from tests.app_server.runtime_core.runtime import CONTEXT, DONE, Runtime, event

TEXT = [
    event("model.requested", {"provider": "p", "model": "m"}),
    event("model.delta", {"delta": "Hel"}),
    event("model.delta", {"delta": "lo"}),
    event("model.completed", {"text": "Hello"}),
    DONE,
]
HELD = [Hold("gate"), DONE]
PIECEMEAL = [
    event("model.requested", {"provider": "p", "model": "m"}),
    Hold("first"),
    event("model.delta", {"delta": "Hel"}),
    Hold("rest"),
    event("model.completed", {"text": "Hello"}),
    DONE,
]
BUSY = [
    event("model.requested", {"model": "m"}, model_request_id="request_1"),
    event("tool.started", {"toolName": "delete"}, tool_call_id="call_1"),
    event("process.started", {"commandSummary": "rm"}, process_id="process_1"),
    event("subagent.spawned", {"role": "helper"}, subagent_id="subagent_1"),
    Ask(
        event(
            "action.required",
            {"actionType": "tool_confirmation", "prompt": "Delete?"},
            action_id="action_1",
            tool_call_id="call_1",
        )
    ),
]


@pytest.mark.requirement("RT-02", "RT-28")
def test_a_text_turn_is_recorded_from_submission_to_snapshot(play: Play) -> None:
    """The provider specification: the minimum order of events."""

    async def scenario(runtime: Runtime) -> None:
        session_id = await runtime.session()
        await runtime.run(session_id, "text", "turn_1")
        assert runtime.types("turn_1") == [
            "turn.submitted",
            "task.created",
            "task.attempt.started",
            "turn.started",
            "run.status",
            "model.requested",
            "model.delta",
            "model.delta",
            "model.completed",
            "task.attempt.completed",
            "task.completed",
            "turn.completed",
            "snapshot.updated",
        ]

    play({"text": TEXT}, scenario)


def test_a_piece_of_an_answer_waits_for_no_disk_and_the_answer_does(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: a piece is heard at once and outlives the process; what it became outlives a power cut."""
    monkeypatch.setattr(writer, "MAX_UNSYNCED_S", float("inf"))

    async def scenario(runtime: Runtime) -> None:
        levels: list[str] = []

        def watch(connection: Connection) -> None:
            connection.set_trace_callback(
                lambda said: levels.append(said) if "synchronous" in said else None
            )

        session_id = await runtime.session()
        await runtime.turn(session_id, "piecemeal", "turn_1")
        await runtime.saw("model.requested")
        await runtime.core.journal.database.write(watch)
        runtime.engine.release("first")
        await runtime.saw("model.delta")
        assert levels == ["PRAGMA synchronous=NORMAL"]
        runtime.engine.release("rest")
        await runtime.saw("model.completed")
        assert levels == ["PRAGMA synchronous=NORMAL", "PRAGMA synchronous=FULL"]
        await runtime.ended("turn_1")

    play({"piecemeal": PIECEMEAL}, scenario)


@pytest.mark.requirement("RT-37")
def test_a_second_turn_is_refused_while_one_runs(play: Play) -> None:
    """The standard: one active turn per session, enforced by RuntimeCore."""

    async def scenario(runtime: Runtime) -> None:
        session_id = await runtime.session()
        await runtime.turn(session_id, "held", "turn_1")
        with pytest.raises(TurnAlreadyActive) as refusal:
            await runtime.turn(session_id, "held", "turn_2")
        assert refusal.value.details == {"activeTurnId": "turn_1"}
        other = await runtime.session("session_2")
        assert (await runtime.turn(other, "held", "turn_1")).status in {"accepted", "running"}
        runtime.engine.release("gate")
        await runtime.ended("turn_1")

    play({"held": HELD}, scenario)


def test_queued_turns_start_in_order_when_the_one_before_ends(play: Play) -> None:
    async def scenario(runtime: Runtime) -> None:
        session_id = await runtime.session()
        await runtime.turn(session_id, "held", "turn_1")
        for turn_id in ("turn_2", "turn_3"):
            turn = await runtime.turn(session_id, "text", turn_id, queueIfBusy=True)
            assert turn.status == "queued"
        thread = (await runtime.read(session_id)).snapshot.threads[0]
        assert [turn.turn_id for turn in thread.queued_turns] == ["turn_2", "turn_3"]
        runtime.engine.release("gate")
        await runtime.ended("turn_3")
        started = [e.turn_id for e in runtime.events if e.type == "turn.started"]
        assert started == ["turn_1", "turn_2", "turn_3"]

    play({"held": HELD, "text": TEXT}, scenario)


@pytest.mark.requirement("RT-27")
def test_a_waiting_turn_is_cancelled_without_having_run(play: Play) -> None:
    async def scenario(runtime: Runtime) -> None:
        session_id = await runtime.session()
        await runtime.turn(session_id, "held", "turn_1")
        for turn_id in ("turn_2", "turn_3"):
            await runtime.turn(session_id, "text", turn_id, queueIfBusy=True)
        await runtime.cancel(session_id, "turn_2")
        waiting = (await runtime.read(session_id)).snapshot.threads[0].queued_turns
        assert [turn.turn_id for turn in waiting] == ["turn_3"]
        runtime.engine.release("gate")
        await runtime.ended("turn_3")
        assert [request.input.text for request in runtime.engine.requests] == ["held", "text"]
        result = await runtime.read(session_id)
        statuses = {turn.turn_id: turn.status for turn in result.turns}
        assert statuses[TurnId("turn_2")] == "canceled"

    play({"held": HELD, "text": TEXT}, scenario)


def test_a_full_queue_refuses(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "lime_desktop.app_server.runtime_core.running.turn_facts.MAX_QUEUED_TURNS", 1
    )

    async def scenario(runtime: Runtime) -> None:
        session_id = await runtime.session()
        await runtime.turn(session_id, "held", "turn_1")
        await runtime.turn(session_id, "held", "turn_2", queueIfBusy=True)
        with pytest.raises(TurnQueueFull):
            await runtime.turn(session_id, "held", "turn_3", queueIfBusy=True)

    play({"held": HELD}, scenario)


@pytest.mark.requirement("RT-29")
def test_cancelling_closes_action_then_tools_then_model_then_turn(play: Play) -> None:
    """The standard: the order in which open work ends."""

    async def scenario(runtime: Runtime) -> None:
        session_id = await runtime.session()
        await runtime.turn(session_id, "busy", "turn_1")
        await runtime.saw("action.required")
        before = len(runtime.types("turn_1"))
        await runtime.cancel(session_id, "turn_1")
        assert runtime.types("turn_1")[before:] == [
            "task.cancel_requested",
            "action.resolved",
            "tool.failed",
            "process.terminated",
            "subagent.closed",
            "model.failed",
            "task.attempt.failed",
            "task.cancelled",
            "turn.canceled",
            "snapshot.updated",
        ]
        assert runtime.engine.cancelled == ["turn_1"]
        result = await runtime.read(session_id)
        assert result.session.status == "canceled"
        assert result.snapshot.threads[0].status == "cancelled"
        assert result.snapshot.threads[0].active_turn_id is None
        assert result.snapshot.threads[0].incidents == ()
        await runtime.cancel(session_id, "turn_1")

    play({"busy": BUSY}, scenario)


@pytest.mark.requirement("RT-29")
def test_cancelling_keeps_the_queue_and_pauses_it_until_resumed(play: Play) -> None:
    async def scenario(runtime: Runtime) -> None:
        session_id = await runtime.session()
        await runtime.turn(session_id, "held", "turn_1")
        await runtime.turn(session_id, "text", "turn_2", queueIfBusy=True)
        await runtime.cancel(session_id, "turn_1")
        thread = (await runtime.read(session_id)).snapshot.threads[0]
        assert (thread.status, thread.queue_paused) == ("queued", True)
        await runtime.run(session_id, "text", "turn_3")
        resumed = await runtime.core.resumption.resume(
            ResumeThreadParams(session_id=session_id), CONTEXT
        )
        assert resumed.resumed
        await runtime.ended("turn_2")
        started = [e.turn_id for e in runtime.events if e.type == "turn.started"]
        assert started == ["turn_1", "turn_3", "turn_2"]
        assert "history.reconstructed" in runtime.types()

    play({"held": HELD, "text": TEXT}, scenario)


def test_a_cancellation_goes_on_when_whoever_asked_is_gone(play: Play) -> None:
    """A bug: a client that hung up after asking left its turn running."""

    async def scenario(runtime: Runtime) -> None:
        session_id = await runtime.session()
        await runtime.turn(session_id, "held", "turn_1")
        asking = asyncio.create_task(runtime.cancel(session_id, "turn_1"))

        def hang_up(_app_id: str, events: Sequence[RuntimeEvent]) -> None:
            if events[0].type == "task.cancel_requested":
                asking.cancel()

        runtime.core.subscribe(hang_up)
        await runtime.ended("turn_1")
        assert asking.cancelled()
        assert "turn.canceled" in runtime.types("turn_1")
        assert runtime.engine.cancelled == ["turn_1"]

    play({"held": HELD}, scenario)


def test_cancelling_what_ended_otherwise_is_refused(play: Play) -> None:
    async def scenario(runtime: Runtime) -> None:
        session_id = await runtime.session()
        await runtime.run(session_id, "text", "turn_1")
        for turn_id in ("turn_1", "never"):
            with pytest.raises(TurnNotActive):
                await runtime.cancel(session_id, turn_id)

    play({"text": TEXT}, scenario)


def test_a_queued_turn_can_be_cancelled_by_its_own_id(play: Play) -> None:
    async def scenario(runtime: Runtime) -> None:
        session_id = await runtime.session()
        await runtime.turn(session_id, "held", "turn_1")
        await runtime.turn(session_id, "text", "turn_2", queueIfBusy=True)
        await runtime.cancel(session_id, "turn_2")
        runtime.engine.release("gate")
        await runtime.ended("turn_1")
        assert [r.turn_id for r in runtime.engine.requests] == ["turn_1"]

    play({"held": HELD, "text": TEXT}, scenario)


@pytest.mark.requirement("RT-39")
def test_repeating_a_turn_id_never_starts_a_second_turn(play: Play) -> None:
    """The standard: a retry with the same id must not duplicate the turn."""

    async def scenario(runtime: Runtime) -> None:
        session_id = await runtime.session()
        first = await runtime.turn(session_id, "held", "turn_1")
        again = await runtime.turn(session_id, "held", "turn_1")
        assert again.turn_id == first.turn_id
        runtime.engine.release("gate")
        await runtime.ended("turn_1")
        assert (await runtime.turn(session_id, "held", "turn_1")).status == "completed"
        with pytest.raises(Conflict):
            await runtime.turn(session_id, "text", "turn_1")
        assert runtime.types().count("turn.submitted") == 1

    play({"held": HELD, "text": TEXT}, scenario)


def test_an_engine_that_is_not_ready_leaves_no_turn_behind(play: Play) -> None:
    async def scenario(runtime: Runtime) -> None:
        session_id = await runtime.session()
        with pytest.raises(ProviderNotReady) as refusal:
            await runtime.turn(session_id, "no such script", "turn_1")
        assert refusal.value.rpc_code == -32030
        assert (await runtime.read(session_id)).turns == ()

    play({}, scenario)


@pytest.mark.requirement("RT-17", "RT-36")
def test_a_key_in_the_options_is_refused_and_never_stored(play: Play) -> None:
    """Ours: provider keys live in the provider store alone."""

    async def scenario(runtime: Runtime) -> None:
        session_id = await runtime.session()
        with pytest.raises(InvalidInput) as refusal:
            await runtime.turn(
                session_id, "text", runtimeOptions={"hostOptions": {"apiKey": "sk-very-secret"}}
            )
        assert "sk-very-secret" not in str(refusal.value.to_data())
        folder = runtime.core.journal.database.path.parent
        for path in folder.rglob("*"):
            assert not path.is_file() or b"sk-very-secret" not in path.read_bytes()

    play({"text": TEXT}, scenario)


def test_a_session_id_in_use_is_refused_and_an_unknown_one_not_found(play: Play) -> None:
    async def scenario(runtime: Runtime) -> None:
        await runtime.session()
        with pytest.raises(SessionExists):
            await runtime.session()
        refused: list[type[AppError]] = []
        for call in (
            runtime.turn("nobody", "text"),
            runtime.read("nobody"),
            runtime.cancel("nobody", "x"),
        ):
            with pytest.raises(SessionNotFound) as refusal:
                await call
            refused.append(type(refusal.value))
        assert len(refused) == 3

    play({"text": TEXT}, scenario)


def test_a_callers_trace_joins_its_turns_events(play: Play) -> None:
    async def scenario(runtime: Runtime) -> None:
        session_id = await runtime.session()
        trace = "0af7651916cd43dd8448eb211c80319c"
        options = {"metadata": {"traceparent": f"00-{trace}-b7ad6b7169203331-01"}}
        turn = await runtime.turn(session_id, "text", "turn_1", runtimeOptions=options)
        await runtime.ended(turn.turn_id)
        assert {e.trace_id for e in runtime.of_turn("turn_1")} == {trace}
        summary = (await runtime.read(session_id)).snapshot.telemetry_summary
        assert (summary.trace_ids, summary.join_status) == ((trace,), "joined")

    play({"text": TEXT}, scenario)


def test_a_turn_asked_anew_is_a_fact_and_only_what_is_over_can_be(play: Play) -> None:
    """Ours: the earlier turn stays in the log; what runs, and what is unknown, is refused."""

    async def scenario(runtime: Runtime) -> None:
        session_id = await runtime.session()
        await runtime.run(session_id, "say", "turn_1")
        await runtime.turn(session_id, "say", "turn_2", replacesTurnId="turn_1")
        await runtime.ended("turn_2")
        submitted = [each.payload for each in runtime.events if each.type == "turn.submitted"]
        assert [each.get("replacesTurnId") for each in submitted] == [None, "turn_1"]
        with pytest.raises(InvalidInput):
            await runtime.turn(session_id, "say", "turn_3", replacesTurnId="turn_9")
        await runtime.turn(session_id, "held", "turn_4")
        with pytest.raises(TurnAlreadyActive):
            await runtime.turn(
                session_id, "say", "turn_5", replacesTurnId="turn_4", queueIfBusy=True
            )
        await runtime.cancel(session_id, "turn_4")

    play({"say": TEXT, "held": HELD}, scenario)
