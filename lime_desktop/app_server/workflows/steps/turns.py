"""The turns that work for steps: begun in sessions of their own, found again by any process, and read once they have ended."""

import asyncio
from contextlib import suppress
from typing import Any

import msgspec
from pydantic import JsonValue

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.runtime_core.core import RuntimeCore
from lime_desktop.app_server.runtime_core.reading.session_reader import SessionReader
from lime_desktop.app_server.workflows.detail import Failure
from lime_desktop.app_server.workflows.names import session_in, turn_of
from lime_desktop.app_server.workflows.outcomes import Failed
from lime_desktop.app_server.workflows.step_turns import options_of
from lime_desktop.app_server.workflows.steps.step_kind import AtStep
from lime_desktop.protocol.calls.sessions import StartSessionParams
from lime_desktop.protocol.calls.turns import (
    CancelTurnParams,
    RuntimeOptions,
    StartTurnParams,
    TurnInput,
)
from lime_desktop.protocol.calls.workflow_runs import WORKFLOW_STEP
from lime_desktop.protocol.errors import SessionExists, SessionNotFound, TurnNotActive
from lime_desktop.protocol.ids import JsonObject, SessionId, TraceId, TurnId
from lime_desktop.protocol.runtime.event_types import TURN_TERMINALS
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.runtime.sessions import BusinessObjectRef

_CONTEXT = CallContext(trace_id=TraceId(""))
_MOST_EVENTS = 5_000


class StepTurns:
    """Begins and ends them."""

    def __init__(self, core: RuntimeCore) -> None:
        self._core = core
        self._awaited: dict[str, asyncio.Event] = {}
        core.subscribe(self._on_events)

    async def begin(self, at: AtStep[Any], work: JsonObject, title: str) -> dict[str, object]:
        """Have a turn work for this attempt; gives the notes of the step. Begun before, it is found."""
        return await self.begin_with(at, options_of(work), title)

    async def begin_with(
        self, at: AtStep[Any], options: RuntimeOptions, title: str, named: TurnId | None = None
    ) -> dict[str, object]:
        """The same for a turn that another middleware carries out."""
        session_id, turn_id = self._names(at)
        turn_id = named or turn_id
        with suppress(SessionExists):
            begin = StartSessionParams(
                app_id=at.run.app_id,
                session_id=session_id,
                title=(at.state.title or title)[:500],
                business_object_ref=BusinessObjectRef(
                    kind=WORKFLOW_STEP, id=at.step.step_id, title=at.run.definition.title
                ),
            )
            await self._core.sessions.start(begin, _CONTEXT)
        turn = StartTurnParams(
            session_id=session_id,
            turn_id=turn_id,
            input=TurnInput(text=title),
            runtime_options=options,
        )
        await self._core.turns.start(turn, _CONTEXT)
        return {"session_id": session_id, "turn_id": turn_id}

    async def ended(self, at: AtStep[Any]) -> "TurnResult | Failed | None":
        """What came of this attempt's turn; None while it works or waits."""
        event = await self.last_event(at)
        if event is None:
            return None
        if event.type != "turn.completed":
            category = str(event.payload.get("failureCategory", "cancelled"))
            message = str(event.payload.get("message", "It was stopped before it came to its end."))
            return Failed(Failure(category, message, retryable=category == "interrupted"))
        reference = event.payload.get("resultRef")
        kept: dict[str, Any] = {}
        if isinstance(reference, str):
            kept = msgspec.json.decode(await asyncio.to_thread(self._core.store.read, reference))
        if kept.get("isError"):
            return Failed(Failure(str(kept.get("category")), str(kept.get("text"))))
        return TurnResult(str(kept.get("text", "")), kept.get("structured"), kept.get("refs", []))

    async def wait(self, at: AtStep[Any]) -> "TurnResult | Failed":
        """What comes of this attempt's turn, once it has."""
        session_id = at.step.detail.session_id or ""
        heard = self._awaited.setdefault(session_id, asyncio.Event())
        try:
            while (ended := await self.ended(at)) is None:
                await heard.wait()
                heard.clear()
            return ended
        finally:
            self._awaited.pop(session_id, None)

    def _on_events(self, _app_id: str, events: tuple[RuntimeEvent, ...]) -> None:
        for event in events:
            heard = self._awaited.get(event.session_id)
            if heard is not None and event.type in TURN_TERMINALS:
                heard.set()

    async def last_event(self, at: AtStep[Any]) -> RuntimeEvent | None:
        """The fact that ended this attempt's turn."""
        session_id, turn_id = at.step.detail.session_id, at.step.detail.turn_id
        if session_id is None or turn_id is None:
            return None
        try:
            events = await self._core.journal.read(
                session_id,
                lambda connection, row: SessionReader.of(connection, row).events(0, _MOST_EVENTS)[
                    0
                ],
            )
        except SessionNotFound:
            return None
        ends = (each for each in events if each.type in TURN_TERMINALS and each.turn_id == turn_id)
        return next(ends, None)

    async def cancel(self, at: AtStep[Any]) -> None:
        """Stop this attempt's turn; one that has ended stays so."""
        session_id, turn_id = at.step.detail.session_id, at.step.detail.turn_id
        if session_id is not None and turn_id is not None:
            await self.cancel_turn(SessionId(session_id), TurnId(turn_id))

    async def cancel_turn(self, session_id: SessionId, turn_id: TurnId) -> None:
        """The same for one that is known by its name alone."""
        wanted = CancelTurnParams(session_id=session_id, turn_id=turn_id)
        with suppress(TurnNotActive, SessionNotFound):
            await self._core.turns.cancel(wanted, _CONTEXT)

    @staticmethod
    def _names(at: AtStep[Any]) -> tuple[SessionId, TurnId]:
        step, attempt = at.step.step_id, at.step.detail.attempt
        return session_in(step, attempt), turn_of(step, attempt)


class TurnResult:
    """What a tool gave."""

    def __init__(self, text: str, structured: JsonValue, refs: list[str]) -> None:
        self.text = text
        self.structured = structured
        self.refs = refs

    @property
    def value(self) -> JsonValue:
        """For the states that follow: its structured form, or its words."""
        return self.text if self.structured is None else self.structured
