"""One conversation with an App Server: typed calls, the sessions that are followed, and failures by name.

Knows the protocol's tables; knows neither how the server was started nor what is done with its answers.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Generic, TypeVar, cast

import msgspec
from pydantic import ValidationError

from lime_desktop import __version__
from lime_desktop.background.observers import notify_all
from lime_desktop.jsonrpc.messages import METHOD_NOT_FOUND, ConnectionLostError, RpcError
from lime_desktop.jsonrpc.peer import Peer
from lime_desktop.protocol.calls.handshake import (
    INITIALIZE,
    INITIALIZED,
    ClientCapabilities,
    ClientInfo,
    EventTypes,
    InitializeParams,
    InitializeResult,
)
from lime_desktop.protocol.calls.sessions import FOLLOW_SESSION, FollowSessionNotification
from lime_desktop.protocol.errors import AppError, AppServerUnavailable, TimedOut, error_from_data
from lime_desktop.protocol.ids import SessionId
from lime_desktop.protocol.wire import Method, Notification, ParamsT, ResultT

USUAL_TYPES: EventTypes = ("action.*", "runtime.warning")
"""What every session may put to a person, whether anybody looks at it or not."""
_ALL: EventTypes = ("*",)

Tell = Callable[[str, object], bool]
"""Sends a notification, or says that there is no room for one now."""
T = TypeVar("T")
CALL_S = 30.0
HANDSHAKE_S = 60.0
"""Long: on a busy machine a process takes its time to start, and one that ended is noticed without waiting."""


class FollowedSessions:
    """The sessions whose every event the desktop wants to hear, for as long as somebody looks at them, in however many places.

    Of all others it hears what it has to act on. What an agent writes piece by piece reaches a page as events of its
    task: a second copy for nobody would cross and be read for each of them.
    """

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._lookers: Counter[SessionId] = Counter()
        self._unsaid: dict[SessionId, None] = {}
        """Sessions of which the server has to be told what is wanted."""

    def follow(self, session_id: SessionId) -> Callable[[], None]:
        """Hear every event of a session that is written from now on; the returned function ends it."""
        self._lookers[session_id] += 1
        if self._lookers[session_id] == 1:
            self._say(session_id)

        def leave() -> None:
            self._lookers[session_id] -= 1
            if not self._lookers[session_id]:
                del self._lookers[session_id]
                self._say(session_id)

        return leave

    def catch_up(self) -> None:
        """There is room again: say what could not be said."""
        for session_id in tuple(self._unsaid):
            self._say(session_id)

    def _say(self, session_id: SessionId) -> None:
        wanted = _ALL if session_id in self._lookers else None
        said = FollowSessionNotification(session_id=session_id, event_types=wanted)
        if self._tell(FOLLOW_SESSION.name, said.to_wire()):
            self._unsaid.pop(session_id, None)
        else:
            self._unsaid[session_id] = None


class SharedTimeout:
    """Bounds many waits of one length by one timer, as exactly as a timer of its own for each.

    On Qt's loop a timer that was called off still lives until it is due: a timer for each of thousands of short calls
    would leave as many behind, each to be looked at again.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        # All waits are of one length: whoever came first is due first.
        self._waiting: dict[asyncio.Timeout, float] = {}
        self._timer: asyncio.TimerHandle | None = None

    async def wait_for(self, work: Awaitable[T]) -> T:
        """Wait for something.

        Raises:
            TimeoutError: it took too long, and was cancelled.
        """
        loop = asyncio.get_running_loop()
        timeout = asyncio.timeout(None)
        self._waiting[timeout] = loop.time() + self._seconds
        if self._timer is None:
            self._timer = loop.call_later(self._seconds, self._end_overdue, loop)
        try:
            async with timeout:
                return await work
        finally:
            del self._waiting[timeout]

    def _end_overdue(self, loop: asyncio.AbstractEventLoop) -> None:
        self._timer = None
        now = loop.time()
        for timeout, due in self._waiting.items():
            if due > now:
                self._timer = loop.call_at(due, self._end_overdue, loop)
                return
            if not timeout.expired():
                timeout.reschedule(now)


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
        self._timeout = SharedTimeout(CALL_S)
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
            timeout = self._timeout if timeout_s == CALL_S else SharedTimeout(timeout_s)
            raw = await timeout.wait_for(self.peer.request_raw(method.name, params.to_wire()))
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
