"""One session as it goes on: read once, then kept up to date by events; after a gap or a restart, read on.

Knows the App Server and the views; knows no widget. What it tells is what RuntimeCore wrote, nothing else.
"""

import asyncio
from collections.abc import Callable
from typing import Protocol

from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.app_server_client.connection import AppServerConnection
from lime_desktop.host.app_server_client.supervisor import Running, ServerState
from lime_desktop.protocol.calls.sessions import (
    READ_SESSION,
    SESSION_EVENT,
    SESSION_GAP,
    ReadSessionParams,
    SessionEventNotification,
    SessionGapNotification,
)
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.ids import SessionId
from lime_desktop.runtime_views.session import SessionProjection
from lime_desktop.runtime_views.views import SessionViews

_PAGE = 1_000
_TELL_S = 0.05
"""Views are told together: an answer comes in hundreds of pieces, and nobody reads faster than this."""

Told = Callable[[SessionViews], None]


class KeptServer(Protocol):
    """An App Server that may go and come back; `AppServerSupervisor` keeps one."""

    @property
    def state(self) -> ServerState:
        """How it is."""
        ...

    def watch(self, watcher: Callable[[ServerState], None]) -> Callable[[], None]:
        """Hear every change of state; the returned function ends it."""
        ...

    @property
    def call(self) -> CallServer:
        """Asks it."""
        ...


class SessionFeed:
    """Follows one session until it is closed."""

    def __init__(self, server: KeptServer, session_id: str, told: Told) -> None:
        self.session_id = SessionId(session_id)
        self._server = server
        self._told = told
        self._views = SessionProjection()
        self._endings: list[Callable[[], None]] = []
        self._reading: asyncio.Task[None] | None = None
        self._telling: asyncio.TimerHandle | None = None
        self._stop_watching = server.watch(self._follow)
        self._follow(server.state)

    @property
    def views(self) -> SessionViews:
        """The session as far as it is known now."""
        return self._views.views()

    def close(self) -> None:
        """Stop following."""
        self._stop_watching()
        self._detach()
        if self._telling is not None:
            self._telling.cancel()

    def _follow(self, state: ServerState) -> None:
        self._detach()
        if isinstance(state, Running):
            self._attach(state.connection)

    def _attach(self, connection: AppServerConnection) -> None:
        # Listen first: what is written while the past is read must not fall between the two.
        self._endings = [
            connection.listen(SESSION_EVENT, self._hear),
            connection.listen(SESSION_GAP, self._hear_gap),
            connection.sessions.follow(self.session_id),
        ]
        self._read_on()

    def _detach(self) -> None:
        for end in self._endings:
            end()
        self._endings = []
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None

    def _hear(self, told: SessionEventNotification) -> None:
        if told.event.session_id == self.session_id:
            self._views.receive([told.event])
            self._tell_soon()

    def _hear_gap(self, gap: SessionGapNotification) -> None:
        if gap.session_id == self.session_id:
            self._read_on()

    def _read_on(self) -> None:
        if self._reading is None or self._reading.done():
            self._reading = asyncio.get_running_loop().create_task(self._read())

    async def _read(self) -> None:
        has_more = True
        while has_more:
            known = self._views.views().hydration.next_sequence - 1
            asked = ReadSessionParams(
                session_id=self.session_id, history_limit=0, after_sequence=known, limit=_PAGE
            )
            try:
                page = await self._server.call(READ_SESSION, asked)
            except AppError:
                return  # the server went: its return is heard, and reading begins again
            if page.gap is not None:
                self._views.repair(page.snapshot)
            self._views.receive(page.events)
            has_more = page.has_more and bool(page.events)
            self._tell_soon()

    def _tell_soon(self) -> None:
        if self._telling is None:
            self._telling = asyncio.get_running_loop().call_later(_TELL_S, self._tell)

    def _tell(self) -> None:
        self._telling = None
        self._told(self._views.views())
