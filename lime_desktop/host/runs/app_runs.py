"""Whether an app works on something now, and how that is stopped. Knows the App Server's methods; knows no widget."""

from collections.abc import AsyncGenerator

from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.runs.run_actions import stop_run
from lime_desktop.protocol.calls.sessions import (
    LIST_SESSIONS,
    READ_SESSION,
    ListSessionsParams,
    ReadSessionParams,
)
from lime_desktop.protocol.ids import AppId
from lime_desktop.protocol.runtime.sessions import AgentSession

_PAGE = 200
_UNDER_WAY = frozenset({"running", "waitingAction"})
_STOPPABLE = frozenset({"accepted", "queued", "running", "waitingAction"})


async def has_runs(call: CallServer, app_id: str) -> bool:
    """Whether one of its sessions works, or waits for the person.

    Raises:
        AppServerUnavailable: nobody knows.
    """
    async for _ in _under_way(call, app_id):
        return True
    return False


async def stop_runs(call: CallServer, app_id: str) -> None:
    """Stop everything that it works on.

    Raises:
        AppServerUnavailable: there is no server, so nothing works either.
    """
    async for session in _under_way(call, app_id):
        asked = ReadSessionParams(session_id=session.session_id, history_limit=0)
        found = await call(READ_SESSION, asked)
        for turn in found.turns:
            if turn.status in _STOPPABLE:
                await stop_run(call, session.session_id, turn.turn_id)


async def _under_way(call: CallServer, app_id: str) -> AsyncGenerator[AgentSession]:
    cursor: str | None = None
    while True:
        asked = ListSessionsParams(app_id=AppId(app_id), cursor=cursor, limit=_PAGE)
        page = await call(LIST_SESSIONS, asked)
        for session in page.sessions:
            if session.status in _UNDER_WAY:
                yield session
        cursor = page.next_cursor
        if cursor is None:
            return
