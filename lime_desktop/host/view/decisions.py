"""What policy decided about the calls of one view, told to whoever listens. Keeps nothing and changes nothing."""

from collections.abc import Callable

from lime_desktop.background.observers import Observers
from lime_desktop.host.bridge.call_trace import trace_of_call
from lime_desktop.policy.call import Call
from lime_desktop.policy.decision import Decision
from lime_desktop.protocol.ids import TraceId

Listener = Callable[[TraceId, Call, Decision], None]
"""Hears the trace of the message, the call as policy saw it, and what it said."""


class Decisions:
    """Where a view's gate says what was decided."""

    def __init__(self) -> None:
        self._listeners = Observers[TraceId, Call, Decision]()

    def publish(self, call: Call, decision: Decision) -> None:
        """Say what was decided about the message at hand."""
        self._listeners.notify(trace_of_call.get(), call, decision)

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Hear every decision from now on; the returned function ends it."""
        return self._listeners.subscribe(listener)
