"""Who waits for what: moments, and sessions in which somebody works or decides. Tells which way of which run may go on.

Small on purpose: a thousand runs that wait are a thousand entries here, one timer, and nothing else.
"""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import NamedTuple

from lime_desktop.app_server.workflows.clock import Clock
from lime_desktop.protocol.runtime.event_types import TURN_TERMINALS
from lime_desktop.protocol.runtime.events import RuntimeEvent

_QUESTIONS = frozenset({"action.required", "action.resolved"})


class WayOfRun(NamedTuple):
    """A way that may go on."""

    run_id: str
    way: str


class Waits:
    """The waits of every run that this process knows."""

    def __init__(
        self,
        clock: Clock,
        go_on: Callable[[WayOfRun], None],
        asked: Callable[[WayOfRun], None],
    ) -> None:
        self._clock = clock
        self._go_on = go_on
        self._asked = asked
        self._sessions: dict[str, WayOfRun] = {}
        self._due: dict[WayOfRun, int] = {}

    def until(self, waiting: WayOfRun, due_at: str | None, ahead_ms: int = 0) -> None:
        """Look at it again at this moment, of a time that may be ahead of the machine's."""
        if due_at is None:
            self._due.pop(waiting, None)
            return
        moment = int(datetime.fromisoformat(due_at).timestamp() * 1_000) - ahead_ms
        self._due[waiting] = moment
        self._clock.call_at(moment, lambda: self._ring(waiting, moment))

    def in_session(self, waiting: WayOfRun, session_id: str | None) -> bool:
        """Look at it again when a turn of this session has ended; tells whether nobody listened there before."""
        if session_id is None or self._sessions.get(session_id) == waiting:
            return False
        self._sessions[session_id] = waiting
        return True

    def forget(self, waiting: WayOfRun) -> None:
        """It waits no more."""
        self._due.pop(waiting, None)
        for session_id in [each for each, found in self._sessions.items() if found == waiting]:
            del self._sessions[session_id]

    def forget_run(self, run_id: str) -> None:
        """Its run has ended."""
        for waiting in {*self._due, *self._sessions.values()}:
            if waiting.run_id == run_id:
                self.forget(waiting)

    def on_events(self, _app_id: str, events: Iterable[RuntimeEvent]) -> None:
        """Hear every fact."""
        for event in events:
            waiting = self._sessions.get(event.session_id)
            if waiting is None:
                continue
            if event.type in TURN_TERMINALS:
                self._go_on(waiting)
            elif event.type in _QUESTIONS:
                self._asked(waiting)

    def _ring(self, waiting: WayOfRun, moment: int) -> None:
        if self._due.get(waiting) == moment:
            self._go_on(waiting)
