"""A server whose handlers a test writes itself, and clients as bare lines."""

import asyncio
import json
from typing import Any

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.routes import Routes
from lime_desktop.app_server.server.authentication import Token
from lime_desktop.app_server.server.connection import Connection, Services
from lime_desktop.jsonrpc.outbox import Limits
from lime_desktop.protocol.calls.sessions import (
    COMPACT_SESSION,
    LIST_SESSIONS,
    START_SESSION,
    CompactParams,
    CompactResult,
    ListSessionsParams,
    ListSessionsResult,
    StartSessionParams,
    StartSessionResult,
)
from lime_desktop.protocol.ids import AppId, EventId, RuntimeId, SessionId, ThreadId, TurnId
from lime_desktop.protocol.runtime.event_types import EventType
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.runtime.sessions import AgentSession
from tests.jsonrpc.conversation import Lines
from tests.jsonrpc.memory import connect

NOW = "2026-05-11T10:00:00.000Z"


def event(session_id: str, sequence: int, event_type: EventType = "turn.started") -> RuntimeEvent:
    return RuntimeEvent(
        runtime_id=RuntimeId("runtime_1"),
        session_id=SessionId(session_id),
        event_id=EventId(f"{session_id}-{sequence}"),
        timestamp=NOW,
        sequence=sequence,
        type=event_type,
        thread_id=ThreadId("thread_1"),
        turn_id=TurnId("turn_1"),
        payload={},
    )


class Door:
    """The server's edge over a few sessions kept in a dictionary."""

    def __init__(
        self,
        *,
        token: Token | None = None,
        limits: Limits | None = None,
        routes: Routes | None = None,
    ) -> None:
        self.owners: dict[SessionId, AppId] = {}
        self.calls: list[tuple[object, CallContext]] = []
        self.hanging = asyncio.Event()
        self.routes = self._own_routes() if routes is None else routes
        self.token = token
        self.services = Services(self.routes, self.find_owner, limits=limits or Limits())

    def _own_routes(self) -> Routes:
        routes = Routes()
        routes.add(START_SESSION, self.start_session)
        routes.add(LIST_SESSIONS, self.list_sessions)
        routes.add(COMPACT_SESSION, self.compact)
        return routes

    async def find_owner(self, session_id: SessionId) -> AppId | None:
        return self.owners.get(session_id)

    async def start_session(
        self, params: StartSessionParams, context: CallContext
    ) -> StartSessionResult:
        self.calls.append((params, context))
        assert params.session_id is not None
        self.owners[params.session_id] = params.app_id
        self.services.fan_out.publish(
            params.app_id, [event(params.session_id, 1, "session.created")]
        )
        return StartSessionResult(
            session=AgentSession(
                session_id=params.session_id,
                thread_id=ThreadId("thread_1"),
                app_id=params.app_id,
                status="idle",
                created_at=NOW,
                updated_at=NOW,
            )
        )

    async def list_sessions(
        self, params: ListSessionsParams, context: CallContext
    ) -> ListSessionsResult:
        self.calls.append((params, context))
        return ListSessionsResult(sessions=())

    async def compact(self, params: CompactParams, context: CallContext) -> CompactResult:
        """Breaks down for the session called `broken`, and hangs for the one called `slow`."""
        self.calls.append((params, context))
        if params.session_id == "broken":
            message = f"internal text about {params.session_id}"
            raise ZeroDivisionError(message)
        if params.session_id == "slow":
            self.hanging.set()
            await asyncio.Event().wait()
        return CompactResult(compacted_turn_ids=())

    def client(self) -> "Client":
        return Client(self.services, self.token)


class Client:
    """Somebody at the door."""

    def __init__(self, services: Services, token: Token | None = None) -> None:
        self.connection = Connection(services, token)
        self.lines = Lines()
        self.peers_transport, self.transport = connect(self.connection.peer, self.lines)
        self._next_id = 0

    def say(self, message: dict[str, Any]) -> None:
        self.transport.write(json.dumps(message).encode() + b"\n")

    async def hear(self) -> dict[str, Any]:
        return await self.lines.arrived.get()

    async def call(self, method: str, params: object = None) -> dict[str, Any]:
        """Ask, and give the answer; whatever else arrives meanwhile stays to be heard."""
        self._next_id += 1
        self.say({"id": self._next_id, "method": method, "params": params})
        others: list[dict[str, Any]] = []
        while (heard := await self.hear()).get("id") != self._next_id:
            others.append(heard)
        for other in others:
            self.lines.arrived.put_nowait(other)
        return heard

    def forget(self) -> None:
        """Have heard of everything that has arrived."""
        while not self.lines.arrived.empty():
            self.lines.arrived.get_nowait()

    async def introduce(self, **params: object) -> dict[str, Any]:
        answer = await self.call("initialize", {"clientInfo": {"name": "test"}, **params})
        self.say({"method": "initialized"})
        return answer
