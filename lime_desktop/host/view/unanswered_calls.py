"""One view's way to the App Server, which knows what came to nothing because there was none in time.

A page that was refused for that shows an error that will be false in a moment. So its view hears of it, and what only
read may be asked again by itself: the refusal says so. Where the same request has changed something already, it does not.
Our SDK does ask again; what a page with a client of its own leaves at the refusal is known here as well.
"""

from collections import deque
from collections.abc import Callable

from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.app_server_client.connection import CALL_S
from lime_desktop.host.bridge.timeline import trace_of_call
from lime_desktop.protocol.app_call import AppCallParams
from lime_desktop.protocol.errors import AppServerUnavailable
from lime_desktop.protocol.ids import TraceId
from lime_desktop.protocol.repeatable import is_repeatable
from lime_desktop.protocol.wire import Method, ParamsT, ResultT, WireModel

CAN_REPEAT = "canRepeat"
"""Among the details of a refusal: asked again, the same call does no more, and there is somebody to wait for."""
_REMEMBERED = 1_000
"""Requests that changed something: more than an app may have under way."""


class UnansweredCalls:
    """Calls the App Server; `missed` hears of every call that found none, and `caught_up` when all were asked again."""

    def __init__(
        self, call: CallServer, missed: Callable[[], object], caught_up: Callable[[], object]
    ) -> None:
        self._server = self._call = call
        self._missed = missed
        self._caught_up = caught_up
        self._changing: deque[TraceId] = deque(maxlen=_REMEMBERED)
        self._left: dict[int, None] = {}
        """What was to be read and was refused, and nobody has asked again."""

    def ask_through(self, between: Callable[[CallServer], CallServer] | None) -> None:
        """Ask through somebody from now on, or the server itself again: whoever tests an app acts a slow one, say."""
        self._call = self._server if between is None else between(self._server)

    @property
    def are_left(self) -> bool:
        """Whether the page left something at its refusal that it could have again by asking."""
        return bool(self._left)

    def forget(self) -> None:
        """Another page is there, which was refused nothing."""
        self._left.clear()

    async def call(
        self, method: Method[ParamsT, ResultT], params: ParamsT, *, timeout_s: float = CALL_S
    ) -> ResultT:
        """Ask and wait for the typed answer."""
        trace_id, is_reading = trace_of_call.get(), is_repeatable(method.name, params)
        if not is_reading:
            self._changing.append(trace_id)
        self._note_asked(method.name, params)
        try:
            return await self._call(method, params, timeout_s=timeout_s)
        except AppServerUnavailable as error:
            is_coming = bool(error.details.pop("isComing", False))
            if is_coming and is_reading and trace_id not in self._changing:
                error.details[CAN_REPEAT] = True
                self._note_left(method.name, params)
            if is_coming:
                self._missed()
            raise

    def _note_left(self, method_name: str, params: WireModel) -> None:
        if len(self._left) < _REMEMBERED:
            self._left[_mark(method_name, params)] = None

    def _note_asked(self, method_name: str, params: WireModel) -> None:
        if self._left and _mark(method_name, params) in self._left:
            del self._left[_mark(method_name, params)]
            if not self._left:
                self._caught_up()


def _mark(method_name: str, params: WireModel) -> int:
    """A key by which the same request is known again; of an app's call, whoever made it."""
    if isinstance(params, AppCallParams):
        return hash((params.call, params.params))
    return hash((method_name, params.to_bytes()))
