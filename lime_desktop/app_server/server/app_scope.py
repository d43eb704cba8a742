"""What a client that is bound to one app may mean by a call: its own app, its own sessions, its own data.

No policy of a host stands before such a connection. What is not clearly its own is refused.
"""

from collections.abc import Awaitable, Callable
from typing import TypeAlias, TypeVar

from lime_desktop.protocol.app_call import AppCallParams, UndoCallParams
from lime_desktop.protocol.calls.app_data import OwnDataParams
from lime_desktop.protocol.calls.capabilities import ListCapabilitiesParams
from lime_desktop.protocol.calls.sessions import (
    ListSessionsParams,
    StartSessionParams,
    session_of,
)
from lime_desktop.protocol.capability_calls.table import call_of
from lime_desktop.protocol.errors import PermissionDenied, SessionNotFound
from lime_desktop.protocol.ids import AppId, SessionId
from lime_desktop.protocol.wire import HostOnlyParams, WireModel

ParamsT = TypeVar("ParamsT", bound=WireModel)
FindOwner: TypeAlias = Callable[[SessionId], Awaitable[AppId | None]]
"""Says which app a session belongs to, if there is such a session."""

_OWN_DATA = frozenset(
    {"lime.storage", "lime.files", "lime.artifacts", "lime.knowledge", "lime.documents"}
)
"""The capabilities whose calls read and write what an app keeps."""
_NAMING_AN_APP = (StartSessionParams, ListSessionsParams, ListCapabilitiesParams, OwnDataParams)


async def narrow_to_app(params: ParamsT, app_id: AppId, find_owner: FindOwner) -> ParamsT:
    """Give the parameters as a client of this app may mean them.

    Raises:
        PermissionDenied: the call names another app, or is the host's own.
        SessionNotFound: the session is another app's; that it exists is not this client's business.
    """
    if isinstance(params, HostOnlyParams):
        raise PermissionDenied("Only the host may make this call")
    narrowed = _narrow_app(params, app_id)
    for session_id in _existing_sessions(narrowed):
        if await find_owner(session_id) != app_id:
            raise SessionNotFound("There is no such session")
    return narrowed


def _narrow_app(params: ParamsT, app_id: AppId) -> ParamsT:
    if isinstance(params, AppCallParams):
        _require_own_call(params, app_id)
    if not isinstance(params, _NAMING_AN_APP):
        return params
    if params.app_id not in {None, app_id}:
        raise PermissionDenied("This connection is bound to another app")
    return params.model_copy(update={"app_id": app_id})


def _require_own_call(params: AppCallParams, app_id: AppId) -> None:
    """No policy of a host stands before this connection: it reaches the app's own data, and nothing that acts."""
    if params.caller.app_id != app_id:
        raise PermissionDenied("This connection is bound to another app")
    if isinstance(params, UndoCallParams) or not _is_about_own_data(params.call):
        raise PermissionDenied("Only the host may make this call")


def _is_about_own_data(name: str) -> bool:
    call = call_of(name)
    # A document may be read; that an agent reads it is the host's to let pass.
    return call is not None and call.capability in _OWN_DATA and not call.acts


def _existing_sessions(params: WireModel) -> list[SessionId]:
    if not isinstance(params, StartSessionParams):
        return [session_id] if (session_id := session_of(params)) else []
    named = [params.session_policy.source_session_id]
    if params.session_policy.mode in {"resume", "continue"}:
        named.append(params.session_id)
    return [session_id for session_id in named if session_id]
