"""One conversation with an App Server: typed calls, events, and failures by name.

Knows the protocol's tables; knows neither how the server was started nor what is done with its answers.
"""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, Generic, cast

import msgspec
from pydantic import ValidationError

from lime_desktop import __version__
from lime_desktop.background.observers import notify_all
from lime_desktop.host.app_server_client.followed_sessions import USUAL_TYPES, FollowedSessions
from lime_desktop.host.app_server_client.timeouts import Patience
from lime_desktop.jsonrpc.errors import METHOD_NOT_FOUND, ConnectionLostError, RpcError
from lime_desktop.jsonrpc.peer import Peer
from lime_desktop.protocol.calls.handshake import (
    INITIALIZE,
    INITIALIZED,
    ClientCapabilities,
    ClientInfo,
    InitializeParams,
    InitializeResult,
)
from lime_desktop.protocol.errors import AppError, AppServerUnavailable, TimedOut, error_from_data
from lime_desktop.protocol.wire import Method, Notification, ParamsT, ResultT

CALL_S = 30.0
HANDSHAKE_S = 60.0
"""Long: on a busy machine a process takes its time to start, and one that ended is noticed without waiting."""


class _Heard(Generic[ParamsT]):
    """One kind of notification, read once for everybody who listens."""

    def __init__(self, notification: Notification[ParamsT]) -> None:
        self._params = notification.params
        self.listeners: list[Callable[[ParamsT], None]] = []

    def tell(self, fields: Mapping[str, object]) -> None:
        if self.listeners:
            notify_all(self.listeners, self._params.model_validate(fields))


class _Listening:
    """The receiving half: passes notifications on, and answers no request."""

    def __init__(self) -> None:
        self.heard: dict[str, _Heard[Any]] = {}
        self.ended = asyncio.Event()
        self.room_returned: Callable[[], None] = lambda: None
        """Called by the peer when the other side takes more again."""

    async def request(self, method: str, params: msgspec.Raw) -> object:
        del method, params
        raise RpcError(METHOD_NOT_FOUND, "The desktop answers no requests")

    def notification(self, method: str, params: object) -> None:
        fields = cast("dict[str, object]", params) if isinstance(params, dict) else {}
        if (heard := self.heard.get(method)) is not None:
            # Told as to an observer: one that cannot be read is logged, and hurts nobody.
            notify_all((heard.tell,), fields)

    def connection_lost(self) -> None:
        self.ended.set()


class AppServerConnection:
    """A conversation that has been introduced. Every wait is bounded."""

    def __init__(self) -> None:
        self._listening = _Listening()
        self._patience = Patience(CALL_S)
        self.peer = Peer(self._listening)
        """Given to whatever transport carries the conversation."""
        self.sessions = FollowedSessions(self.peer.try_notify)
        """Whose every event is heard."""
        self._listening.room_returned = self.sessions.catch_up

    async def introduce(self) -> InitializeResult:
        """Do the handshake; nothing else is answered before it."""
        params = InitializeParams(
            client_info=ClientInfo(name="lime-desktop", title="Lime Desktop", version=__version__),
            capabilities=ClientCapabilities(session_event_types=USUAL_TYPES),
        )
        result = await self.call(INITIALIZE, params, timeout_s=HANDSHAKE_S)
        await self.peer.notify(INITIALIZED.name, {})
        return result

    async def call(
        self, method: Method[ParamsT, ResultT], params: ParamsT, *, timeout_s: float = CALL_S
    ) -> ResultT:
        """Ask and wait for the typed answer.

        Raises:
            AppError: the server's own, or `AppServerUnavailable`/`TimedOut` when it did not answer.
        """
        try:
            patience = self._patience if timeout_s == CALL_S else Patience(timeout_s)
            raw = await patience.wait_for(self.peer.request_raw(method.name, params.to_wire()))
            return method.result.read(bytes(raw))
        except RpcError as error:
            raise _app_error(error) from None
        except ConnectionLostError:
            raise AppServerUnavailable("The App Server went away during the call") from None
        except TimeoutError:
            raise TimedOut(
                f"The App Server did not answer {method.name} in {timeout_s:g} s"
            ) from None
        except ValidationError:
            raise AppServerUnavailable(
                f"The App Server's answer to {method.name} is not readable"
            ) from None

    def listen(
        self, notification: Notification[ParamsT], listener: Callable[[ParamsT], None]
    ) -> Callable[[], None]:
        """Hear a notification from now on; the returned function ends it."""
        heard = self._listening.heard.setdefault(notification.name, _Heard(notification))
        heard.listeners.append(listener)
        return lambda: heard.listeners.remove(listener)

    @property
    def is_over(self) -> bool:
        """Whether nothing more will be answered."""
        return self._listening.ended.is_set()

    async def wait_ended(self) -> None:
        """Wait until the conversation is over, whoever ended it."""
        await self._listening.ended.wait()

    async def close(self) -> None:
        """End the conversation."""
        await self.peer.close()


def _app_error(error: RpcError) -> AppError:
    return error_from_data(error.data if error.data is not None else {"message": error.message})
