"""Runs of an agent that are over, made through a conversation with a server."""

import asyncio

from lime_desktop.host.app_server_client.connection import AppServerConnection
from lime_desktop.protocol.calls.sessions import (
    LIST_SESSIONS,
    START_SESSION,
    ListSessionsParams,
    StartSessionParams,
)
from lime_desktop.protocol.calls.turns import START_TURN, StartTurnParams, TurnInput
from lime_desktop.protocol.ids import AppId, SessionId


async def finish_run(server: AppServerConnection, app_id: str, text: str) -> SessionId:
    """Ask an app's agent one thing, and wait until it is over."""
    begun = await server.call(START_SESSION, StartSessionParams(app_id=AppId(app_id)))
    session_id = begun.session.session_id
    asked = StartTurnParams(session_id=session_id, input=TurnInput(text=text))
    await server.call(START_TURN, asked)
    async with asyncio.timeout(30):
        while await _status(server, app_id, session_id) not in {"completed", "failed"}:
            pass  # the server does its part while it is asked
    return session_id


async def _status(server: AppServerConnection, app_id: str, session_id: SessionId) -> str:
    listed = await server.call(LIST_SESSIONS, ListSessionsParams(app_id=AppId(app_id)))
    return next(each.status for each in listed.sessions if each.session_id == session_id)
