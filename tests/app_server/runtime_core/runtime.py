"""A RuntimeCore on a scripted engine, as tests hold it. Every event it wrote can be checked at the end."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic

from typing_extensions import TypeVar

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.execution.scripted import Script, ScriptedEngine
from lime_desktop.app_server.runtime_core.backend import ExecutionBackend
from lime_desktop.app_server.runtime_core.core import RuntimeCore, open_core
from lime_desktop.app_server.runtime_core.log.rebuild import Rebuilt, rebuild_session
from lime_desktop.app_server.runtime_core.log.rows import session_page
from lime_desktop.app_server.runtime_core.running.driver import Limits
from lime_desktop.database.connection import Connection
from lime_desktop.protocol.calls.actions import RespondActionParams
from lime_desktop.protocol.calls.sessions import (
    ReadSessionParams,
    ReadSessionResult,
    StartSessionParams,
)
from lime_desktop.protocol.calls.turns import CancelTurnParams, StartTurnParams, TurnInput
from lime_desktop.protocol.ids import SessionId, TraceId, TurnId
from lime_desktop.protocol.runtime.event_types import EventType
from lime_desktop.protocol.runtime.events import ProposedEvent, RuntimeEvent
from lime_desktop.protocol.runtime.sessions import AgentTurn

CONTEXT = CallContext(trace_id=TraceId("trace_test"))
LIMITS = Limits(engine_silence_s=30, engine_stop_s=1, close_s=2)
PATIENCE_S = 30


def event(
    event_type: EventType, payload: dict[str, Any] | None = None, **ids: Any
) -> ProposedEvent:
    return ProposedEvent(type=event_type, payload=payload or {}, **ids)


DONE = event("turn.completed")

EngineT = TypeVar("EngineT", bound=ExecutionBackend, default=ScriptedEngine)


@dataclass
class Runtime(Generic[EngineT]):
    core: RuntimeCore
    engine: EngineT
    events: list[RuntimeEvent] = field(default_factory=list[RuntimeEvent])
    _arrived: asyncio.Condition = field(default_factory=asyncio.Condition)

    def hear(self, _app_id: str, events: Sequence[RuntimeEvent]) -> None:
        self.events.extend(events)

    async def session(self, session_id: str = "session_1", **more: Any) -> SessionId:
        named = {"app_id": "app_1", "session_id": session_id, **more}
        params = StartSessionParams.model_validate(named)
        result = await self.core.sessions.start(params, CONTEXT)
        return result.session.session_id

    async def turn(
        self, session_id: str, text: str, turn_id: str | None = None, **more: Any
    ) -> AgentTurn:
        params = StartTurnParams.model_validate(
            {"sessionId": session_id, "input": TurnInput(text=text), "turnId": turn_id, **more}
        )
        return (await self.core.turns.start(params, CONTEXT)).turn

    async def run(
        self, session_id: str, text: str, turn_id: str | None = None
    ) -> list[RuntimeEvent]:
        """Run a turn to its snapshot; returns the turn's events."""
        turn = await self.turn(session_id, text, turn_id)
        await self.ended(turn.turn_id)
        return self.of_turn(turn.turn_id)

    async def cancel(self, session_id: str, turn_id: str) -> None:
        await self.core.turns.cancel(
            CancelTurnParams(session_id=SessionId(session_id), turn_id=TurnId(turn_id)), CONTEXT
        )

    async def respond(self, session_id: str, action_id: str, **said: Any) -> bool:
        params = RespondActionParams.model_validate(
            {
                "sessionId": session_id,
                "requestId": action_id,
                "actionType": "tool_confirmation",
                **said,
            }
        )
        return (await self.core.actions.respond(params, CONTEXT)).resolved

    async def read(self, session_id: str, **more: Any) -> ReadSessionResult:
        params = ReadSessionParams.model_validate({"sessionId": session_id, **more})
        return await self.core.sessions.read(params, CONTEXT)

    async def ended(self, turn_id: str) -> RuntimeEvent:
        return await self.until(
            lambda e: e.type == "snapshot.updated" and e.turn_id == turn_id, f"the end of {turn_id}"
        )

    async def saw(self, event_type: EventType, turn_id: str | None = None) -> RuntimeEvent:
        return await self.until(
            lambda e: e.type == event_type and turn_id in {None, e.turn_id}, event_type
        )

    async def until(self, is_it: Callable[[RuntimeEvent], bool], what: str) -> RuntimeEvent:
        """Wait for a fact, told or yet to be told."""
        told: asyncio.Future[RuntimeEvent] = asyncio.get_running_loop().create_future()

        def look(_app_id: str, events: Sequence[RuntimeEvent]) -> None:
            for found in events:
                if is_it(found) and not told.done():
                    told.set_result(found)

        look("", self.events)
        leave = self.core.subscribe(look)
        try:
            return await asyncio.wait_for(told, PATIENCE_S)
        except TimeoutError:
            seen = [(e.sequence, e.type) for e in self.events]
            message = f"never saw {what}; saw {seen}"
            raise AssertionError(message) from None
        finally:
            leave()

    def of_turn(self, turn_id: str) -> list[RuntimeEvent]:
        return [e for e in self.events if e.turn_id == turn_id]

    def types(self, turn_id: str | None = None) -> list[str]:
        return [e.type for e in self.events if turn_id in {None, e.turn_id}]

    async def rebuilt(self) -> list[Rebuilt]:
        """Every session, folded again from its log."""

        def rebuild(connection: Connection) -> list[Rebuilt]:
            rows = session_page(connection, None, None, None, 1_000)
            return [rebuild_session(connection, row) for row in rows if row.damage is None]

        return await self.core.journal.database.read(rebuild)


async def open_runtime(
    folder: Path,
    scripts: dict[str, Script] | None = None,
    limits: Limits = LIMITS,
    *,
    can_resume: bool = False,
) -> Runtime:
    return await open_runtime_on(
        ScriptedEngine(scripts or {}, can_resume=can_resume), folder, limits
    )


async def open_runtime_on(
    engine: EngineT, folder: Path, limits: Limits = LIMITS
) -> Runtime[EngineT]:
    core = await open_core(folder, engine, limits, is_product=False)
    runtime = Runtime(core, engine)
    core.subscribe(runtime.hear)
    return runtime


Scenario = Callable[[Runtime], Awaitable[None]]


async def crash(runtime: Runtime[Any]) -> None:
    """Drop the object as a dying process would: nothing is ended, nothing is said."""
    running = runtime.core.running
    running._is_closing = True
    for driver in running._drivers.values():
        await driver.abandon()
    for handle in running._expiries.values():
        handle.cancel()
    running._tasks.cancel_soon()
    runtime.core.journal.database.close()
    if runtime.core._lock is not None:
        runtime.core._lock.release()
