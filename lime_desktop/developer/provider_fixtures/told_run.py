"""One turn of a provider through a real RuntimeCore in a folder of its own: what was told, stored and can be read."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.runtime_core.backend import ExecutionBackend
from lime_desktop.app_server.runtime_core.core import RuntimeCore, open_core
from lime_desktop.app_server.runtime_core.log.rebuild import rebuild_session
from lime_desktop.app_server.runtime_core.log.rows import session_page
from lime_desktop.database.connection import Connection
from lime_desktop.protocol.calls.actions import RespondActionParams
from lime_desktop.protocol.calls.sessions import ReadSessionParams, StartSessionParams
from lime_desktop.protocol.calls.turns import StartTurnParams, TurnInput
from lime_desktop.protocol.ids import AppId, SessionId, TraceId, TurnId
from lime_desktop.protocol.runtime.event_types import TURN_TERMINALS
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.runtime.sessions import SessionSnapshot

_CONTEXT = CallContext(TraceId("provider-fixture"))
_SESSION = SessionId("session_1")
_TURN = TurnId("turn_1")


@dataclass(frozen=True, slots=True)
class ToldRun:
    """Everything that there is of a turn."""

    told: tuple[RuntimeEvent, ...]
    """As a client heard it."""
    stored: tuple[RuntimeEvent, ...]
    snapshot: SessionSnapshot
    asked: SessionSnapshot | None = None
    """The read model while the first question waited."""
    is_rebuilt_equal: bool = True
    """Whether folding the log again gives the same records."""


@dataclass(slots=True)
class _Heard:
    events: list[RuntimeEvent] = field(default_factory=list[RuntimeEvent])
    news: asyncio.Event = field(default_factory=asyncio.Event)

    def hear(self, _app_id: str, events: Sequence[RuntimeEvent]) -> None:
        self.events.extend(events)
        self.news.set()

    async def until(self, is_it: Callable[[RuntimeEvent], bool], after: int = 0) -> RuntimeEvent:
        while True:
            for event in self.events[after:]:
                if is_it(event):
                    return event
            self.news.clear()
            await self.news.wait()


async def run_told(engine: ExecutionBackend, folder: Path, prompt: str) -> ToldRun:
    """Have an engine do one turn, saying yes to whatever it asks."""
    core = await open_core(folder, engine, is_product=False)
    heard = _Heard()
    try:
        core.subscribe(heard.hear)
        started = StartSessionParams(app_id=AppId("provider-fixture"), session_id=_SESSION)
        await core.sessions.start(started, _CONTEXT)
        params = StartTurnParams(
            session_id=_SESSION, turn_id=_TURN, input=TurnInput(text=prompt), queue_if_busy=False
        )
        await core.turns.start(params, _CONTEXT)
        asked = await _answer_all(core, heard)
        read = await _read(core)
        equal = await core.journal.database.read(_is_rebuilt_equal)
    finally:
        await core.close()
    return ToldRun(tuple(heard.events), read[0], read[1], asked, equal)


async def _answer_all(core: RuntimeCore, heard: _Heard) -> SessionSnapshot | None:
    """Say yes until the turn is over; gives the read model as it was at the first question."""
    asked: SessionSnapshot | None = None
    seen = 0
    while True:
        event = await heard.until(_is_question_or_end, seen)
        seen = heard.events.index(event) + 1
        if event.type in TURN_TERMINALS:
            await heard.until(lambda each: each.type == "snapshot.updated", seen)
            return asked
        asked = asked or (await _read(core))[1]
        answer = RespondActionParams.model_validate(
            {
                "sessionId": _SESSION,
                "requestId": event.action_id,
                "actionType": "tool_confirmation",
                "decision": "allow_once",
            }
        )
        await core.actions.respond(answer, _CONTEXT)


def _is_question_or_end(event: RuntimeEvent) -> bool:
    return event.type == "action.required" or event.type in TURN_TERMINALS


async def _read(core: RuntimeCore) -> tuple[tuple[RuntimeEvent, ...], SessionSnapshot]:
    asked = ReadSessionParams(session_id=_SESSION, after_sequence=0, limit=1_000)
    read = await core.sessions.read(asked, _CONTEXT)
    return read.events, read.snapshot


def _is_rebuilt_equal(connection: Connection) -> bool:
    rows = session_page(connection, None, None, None, 10)
    return all(rebuild_session(connection, row).is_equal for row in rows if row.damage is None)
