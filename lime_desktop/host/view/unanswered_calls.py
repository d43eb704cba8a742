"""One view's way to the App Server, which knows what came to nothing because there was none in time.

A page that was refused for that shows an error that will be false in a moment. So its view hears of it, and what only
read may be asked again by itself: the refusal says so. Where the same request has changed something already, it does not.
"""

from collections import deque
from collections.abc import Callable

from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.app_server_client.connection import CALL_S
from lime_desktop.host.bridge.call_trace import trace_of_call
from lime_desktop.protocol.errors import AppServerUnavailable
from lime_desktop.protocol.ids import TraceId
from lime_desktop.protocol.repeatable import is_repeatable
from lime_desktop.protocol.wire import Method, ParamsT, ResultT

CAN_REPEAT = "canRepeat"
"""Among the details of a refusal: asked again, the same call does no more, and there is somebody to wait for."""
_REMEMBERED = 1_000
"""Requests that changed something: more than an app may have under way."""


class UnansweredCalls:
    """Calls the App Server; `missed` hears of every call that found none."""

    def __init__(self, call: CallServer, missed: Callable[[], object]) -> None:
        self._call = call
        self._missed = missed
        self._changing: deque[TraceId] = deque(maxlen=_REMEMBERED)

    async def call(
        self, method: Method[ParamsT, ResultT], params: ParamsT, *, timeout_s: float = CALL_S
    ) -> ResultT:
        """Ask and wait for the typed answer."""
        trace_id, is_reading = trace_of_call.get(), is_repeatable(method.name, params)
        if not is_reading:
            self._changing.append(trace_id)
        try:
            return await self._call(method, params, timeout_s=timeout_s)
        except AppServerUnavailable as error:
            is_coming = bool(error.details.pop("isComing", False))
            if is_coming and is_reading and trace_id not in self._changing:
                error.details[CAN_REPEAT] = True
            if is_coming:
                self._missed()
            raise
