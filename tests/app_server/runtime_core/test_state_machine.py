"""Random lives of a session: whatever happens in whatever order, the invariants hold (ours)."""

import asyncio
import contextlib
import os
import shutil
import tempfile
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from lime_desktop.app_server.execution.scripted import Ask, Hold, Script
from lime_desktop.app_server.runtime_core.reading.session_reader import SessionReader
from lime_desktop.protocol.calls.sessions import AppendEventsParams, ResumeThreadParams
from lime_desktop.protocol.errors import AppError, EventRejected
from lime_desktop.protocol.ids import SessionId
from lime_desktop.protocol.runtime.event_types import TURN_TERMINALS
from lime_desktop.protocol.runtime.events import ProposedEvent, RuntimeEvent
from tests.app_server.runtime_core.runtime import (
    CONTEXT,
    DONE,
    Runtime,
    crash,
    event,
    open_runtime,
)

T = TypeVar("T")

SESSION = SessionId("session_1")


def scripts() -> dict[str, Script]:
    return {
        "say": [
            event("model.delta", {"delta": "hi"}),
            event("model.completed", {"text": "hi"}),
            DONE,
        ],
        "fail": [event("turn.failed", {"failureCategory": "tired"})],
        "break": [event("tool.result", {}, tool_call_id="never started")],
        "hold": [
            event("model.requested", {"model": "m"}),
            Hold("gate"),
            event("model.completed", {}),
            DONE,
        ],
    } | {f"ask {number}": asking(number) for number in range(60)}


def asking(number: int) -> Script:
    call = {"tool_call_id": f"call_{number}"}
    question = event(
        "action.required", {"actionType": "permission"}, action_id=f"action_{number}", **call
    )
    return [
        event("tool.started", {"toolName": "t"}, **call),
        Ask(
            question,
            allowed=[event("tool.result", {"preview": "ok"}, **call)],
            denied=[event("tool.failed", {"failureCategory": "denied"}, **call)],
        ),
        DONE,
    ]


OUTSIDE: list[ProposedEvent] = [
    event("runtime.warning", {"code": "outside"}),
    event("artifact.changed", {"title": "a"}, artifact_id="artifact_1"),
    event("evidence.changed", {}, evidence_id="evidence_1"),
    event("tool.result", {}, tool_call_id="nowhere"),
    event("run.status", {"apiKey": "no"}),
]


class SessionLife(RuleBasedStateMachine):
    """One session, its process dying and coming back now and then."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.folder = Path(tempfile.mkdtemp(prefix="lime-machine-"))
        self.turns: dict[str, str] = {}
        self.acknowledged: list[RuntimeEvent] = []
        self.can_resume = False
        self.is_released = False
        self.runtime = self.run(self.open())
        self.run(self.runtime.session(SESSION))

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.loop.run_until_complete(asyncio.wait_for(work, 10))

    async def open(self) -> Runtime:
        runtime = await open_runtime(self.folder, scripts(), can_resume=self.can_resume)
        runtime.events = self.acknowledged
        self.is_released = False
        return runtime

    async def settle(self) -> None:
        """Wait until nothing moves but what waits for somebody: what follows is then determined."""
        for _ in range(2_000):
            running = self.runtime.core.running
            if not running._tasks and await self.is_resting() and not running._tasks:
                return
            await asyncio.sleep(0.002)
        pytest.fail("the session never came to rest")

    async def is_resting(self) -> bool:
        state = await self.runtime.core.journal.read(
            SESSION, lambda connection, row: SessionReader.of(connection, row).state
        )
        if len(self.acknowledged) != state.last_sequence:
            return False
        if state.active is None:
            return not state.queue or state.is_queue_paused
        text = self.turns[state.active.turn_id]
        if text == "hold":
            return bool(state.active.models) and not self.is_released
        return text.startswith("ask") and bool(state.active.actions)

    @rule(kind=st.sampled_from(["say", "fail", "break", "hold", "ask"]), queue=st.booleans())
    def start_a_turn(self, kind: str, queue: bool) -> None:  # noqa: FBT001 - drawn
        number = len(self.turns)
        if number >= 60:
            return
        text = f"ask {number}" if kind == "ask" else kind
        self.turns[f"turn_{number}"] = text
        try:
            self.run(self.runtime.turn(SESSION, text, f"turn_{number}", queueIfBusy=queue))
        except AppError:
            del self.turns[f"turn_{number}"]
            self.turns[f"refused_{number}"] = text

    @rule(data=st.data())
    def repeat_a_turn(self, data: st.DataObject) -> None:
        known = [turn for turn in self.turns if turn.startswith("turn_")]
        if known:
            turn_id = data.draw(st.sampled_from(known))
            before = sum(e.type == "turn.submitted" for e in self.acknowledged)
            self.run(self.runtime.turn(SESSION, self.turns[turn_id], turn_id, queueIfBusy=True))
            assert sum(e.type == "turn.submitted" for e in self.acknowledged) == before

    @rule(data=st.data())
    def cancel_a_turn(self, data: st.DataObject) -> None:
        if self.turns:
            turn_id = data.draw(st.sampled_from(sorted(self.turns)))
            self.attempt(self.runtime.cancel(SESSION, turn_id))

    @rule(data=st.data(), confirmed=st.booleans())
    def answer_a_question(self, data: st.DataObject, confirmed: bool) -> None:  # noqa: FBT001 - drawn
        number = data.draw(st.integers(0, max(len(self.turns), 1)))
        self.attempt(self.runtime.respond(SESSION, f"action_{number}", confirmed=confirmed))

    @rule()
    def let_held_turns_go(self) -> None:
        self.is_released = True
        self.runtime.engine.release("gate")

    @rule()
    def resume_the_thread(self) -> None:
        self.run(
            self.runtime.core.resumption.resume(ResumeThreadParams(session_id=SESSION), CONTEXT)
        )

    @rule(batch=st.lists(st.sampled_from(OUTSIDE), min_size=1, max_size=4))
    def report_from_outside(self, batch: list[ProposedEvent]) -> None:
        before = len(self.acknowledged)
        params = AppendEventsParams(session_id=SESSION, runtime_events=tuple(batch))
        try:
            self.run(self.runtime.core.sessions.append(params, CONTEXT))
        except EventRejected:
            told = [e.type for e in self.acknowledged[before:]]
            assert "runtime.warning" not in told

    @rule(can_resume=st.booleans())
    def crash_and_come_back(self, can_resume: bool) -> None:  # noqa: FBT001 - drawn
        self.can_resume = can_resume
        self.run(crash(self.runtime))
        self.come_back()

    @rule(can_resume=st.booleans())
    def close_and_come_back(self, can_resume: bool) -> None:  # noqa: FBT001 - drawn
        self.run(self.runtime.core.close())
        self.can_resume = can_resume
        self.come_back()

    def come_back(self) -> None:
        before = list(self.acknowledged)
        self.runtime = self.run(self.open())
        result = self.run(self.runtime.read(SESSION, afterSequence=0, limit=5_000))
        # Recovery speaks before anybody can listen: what it said is read, not heard.
        assert list(result.events[: len(before)]) == before
        self.acknowledged[:] = result.events

    @invariant()
    def every_acknowledged_event_is_there_once_and_in_order(self) -> None:
        self.run(self.settle())
        stored = self.run(self.runtime.read(SESSION, afterSequence=0, limit=5_000)).events
        assert list(stored) == self.acknowledged
        assert [e.sequence for e in stored] == list(range(1, len(stored) + 1))
        assert len({e.event_id for e in stored}) == len(stored)

    @invariant()
    def read_models_equal_a_rebuild(self) -> None:
        for rebuilt in self.run(self.runtime.rebuilt()):
            assert rebuilt.is_equal, rebuilt.different

    @invariant()
    def at_most_one_turn_was_ever_active(self) -> None:
        active: str | None = None
        for fact in self.acknowledged:
            if fact.type == "turn.started":
                assert active is None
                active = fact.turn_id
            elif fact.type in TURN_TERMINALS and fact.turn_id == active:
                active = None

    @invariant()
    def nothing_is_open_when_a_turn_ends(self) -> None:
        still_open: set[str] = set()
        for fact in self.acknowledged:
            if fact.type in {"tool.started", "action.required"}:
                still_open.add(fact.action_id or fact.tool_call_id or "")
            elif fact.type in {"tool.result", "tool.failed", "action.resolved"}:
                still_open.remove(fact.action_id or fact.tool_call_id or "")
            elif fact.type in TURN_TERMINALS and not fact.payload.get("wasQueued"):
                assert not still_open

    @invariant()
    def no_result_precedes_its_approval_or_follows_a_refusal(self) -> None:
        blocked: set[str] = set()
        for fact in self.acknowledged:
            call = fact.tool_call_id or ""
            if fact.type == "action.required":
                blocked.add(call)
            elif fact.type == "action.resolved" and fact.payload["decision"] == "allow":
                blocked.discard(call)
            elif fact.type == "tool.result":
                assert call not in blocked

    def attempt(self, work: Coroutine[Any, Any, object]) -> None:
        """Being refused is fine; leaving a mess is not."""
        with contextlib.suppress(AppError):
            self.run(work)

    def teardown(self) -> None:
        self.run(self.runtime.core.close())
        self.loop.close()
        shutil.rmtree(self.folder, ignore_errors=True)


SessionLife.TestCase.settings = settings(
    # A large count by hand: LIME_MACHINE_EXAMPLES=500 python -m pytest <this file>
    max_examples=int(os.environ.get("LIME_MACHINE_EXAMPLES", "25")),
    stateful_step_count=25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@pytest.mark.timeout(3_600)
class TestSessionLife(SessionLife.TestCase):
    """Runs the machine."""
