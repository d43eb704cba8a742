"""Which method of the protocol each command serves: one row each, typed on both ends."""

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.runtime_core.core import RuntimeCore
from lime_desktop.protocol.calls import actions, sessions, turns
from lime_desktop.protocol.wire import Method, WireModel

ParamsT = TypeVar("ParamsT", bound=WireModel)
ResultT = TypeVar("ResultT", bound=WireModel)


class AddRoute(Protocol):
    """How a server takes a row."""

    def __call__(
        self,
        method: Method[ParamsT, ResultT],
        handler: Callable[[ParamsT, CallContext], Awaitable[ResultT]],
    ) -> None:
        """Lead the method to the handler."""
        ...


def add_core_routes(core: RuntimeCore, add: AddRoute) -> None:
    """Add every method that RuntimeCore answers by itself; a turn's start is looked at by others before."""
    add(sessions.START_SESSION, core.sessions.start)
    add(sessions.LIST_SESSIONS, core.sessions.list)
    add(sessions.READ_SESSION, core.sessions.read)
    add(sessions.APPEND_RUNTIME_EVENTS, core.sessions.append)
    add(sessions.RESUME_THREAD, core.resumption.resume)
    add(sessions.COMPACT_SESSION, core.context.compact)
    add(turns.CANCEL_TURN, core.turns.cancel)
    add(actions.RESPOND_ACTION, core.actions.respond)
