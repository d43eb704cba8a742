"""A session of the probe, driven by the calls that every client of an App Server has."""

import asyncio
from dataclasses import dataclass

from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.protocol.calls.sessions import (
    APPEND_RUNTIME_EVENTS,
    READ_SESSION,
    AppendEventsParams,
    ReadSessionParams,
    ReadSessionResult,
)
from lime_desktop.protocol.calls.turns import (
    START_TURN,
    RuntimeOptions,
    StartTurnParams,
    TurnInput,
)
from lime_desktop.protocol.ids import JsonObject, SessionId, TurnId
from lime_desktop.protocol.runtime.event_types import TURN_TERMINALS, EventType
from lime_desktop.protocol.runtime.events import ProposedEvent

TIMEOUT_S = 60.0
"""How long something that is to happen may take."""
_LOOK_S = 0.02


@dataclass(frozen=True, slots=True)
class TriedSession:
    """One session of the probe."""

    call: CallServer
    session_id: SessionId

    async def ask(
        self,
        text: str,
        turn_id: str,
        *,
        queue_if_busy: bool = False,
        metadata: JsonObject | None = None,
    ) -> TurnId:
        """Give the agent an input; its turn is named within the session."""
        params = StartTurnParams(
            session_id=self.session_id,
            turn_id=TurnId(f"{self.session_id}-{turn_id}"),
            input=TurnInput(text=text),
            queue_if_busy=queue_if_busy,
            runtime_options=RuntimeOptions(metadata=metadata),
        )
        return (await self.call(START_TURN, params)).turn.turn_id

    async def read(self, after: int = 0) -> ReadSessionResult:
        """The session as it stands, and its events after one of them."""
        return await self.call(
            READ_SESSION, ReadSessionParams(session_id=self.session_id, after_sequence=after)
        )

    async def append(self, *events: ProposedEvent) -> None:
        """Report facts from outside."""
        params = AppendEventsParams(session_id=self.session_id, runtime_events=events)
        await self.call(APPEND_RUNTIME_EVENTS, params)

    async def count(self) -> int:
        """The number of the last event."""
        return (await self.read()).next_sequence

    async def until(self, *types: EventType) -> ReadSessionResult:
        """Read again and again until something of these types has happened."""
        async with asyncio.timeout(TIMEOUT_S):
            while True:
                found = await self.read()
                if any(event.type in types for event in found.events):
                    return found
                await asyncio.sleep(_LOOK_S)

    async def ended(self, text: str) -> ReadSessionResult:
        """Have one turn run to its end."""
        await self.ask(text, "turn_1")
        return await self.until(*TURN_TERMINALS)
