"""The object the relay talks to: batches of messages in, batches out. Knows nothing of what they say.

A few batches of the page are under way at a time: the next leaves with the answer to an earlier one, so that a page can
never pile up work before the window.
"""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from PySide6.QtCore import Property, QObject, QTimer, Signal, Slot

from lime_desktop.host.bridge.limits import RelayRateLimit
from lime_desktop.protocol.bridge.envelope import MAX_MESSAGE_CHARACTERS

_FRAME_MS = 8
"""How long messages are gathered while many come: one crossing per batch keeps thousands of events a second cheap."""
_PROMPT_TURNS = 24
"""So many batches may leave at once within one frame, so that an answer to a lone question waits for nothing."""


_BATCHES = 4
"""So many of the page's batches are under way: while the window works on one, the next is there already."""
_BATCH_MESSAGES = 32
_BATCH_CHARACTERS = 250_000
"""How much the window takes in one go: a few milliseconds' work, and then it looks at everything else."""


class _Turns:
    """Counts the batches of the current frame."""

    def __init__(self) -> None:
        self._frame = 0
        self._sent = 0

    def admits(self) -> bool:
        """Whether one more batch may leave without waiting for the frame's end."""
        frame = time.monotonic_ns() // (_FRAME_MS * 1_000_000)
        if frame != self._frame:
            self._frame, self._sent = frame, 0
        self._sent += 1
        return self._sent <= _PROMPT_TURNS


@dataclass(frozen=True, slots=True)
class RelayCallbacks:
    """Who hears what the relay brings."""

    received: Callable[[str], None]
    """One message of the app."""
    oversized: Callable[[str, int], None]
    """A message too large to be carried: its request id and length."""
    flooded: Callable[[int], None]
    """So many messages came too fast to be carried."""


class RelayPort(QObject):
    """Published to the isolated world under the name `port`; has nothing an app could misuse."""

    posted = Signal(str)
    routeChanged = Signal(str)  # noqa: N815 - the relay reads this name
    titleChanged = Signal()  # noqa: N815 - Qt wants a notifier for a property
    drawn = Signal()
    """There is something of the app to be seen."""
    frameWanted = Signal()  # noqa: N815 - the relay reads this name
    framed = Signal()
    """The page was drawn once more since that was wanted."""

    def __init__(
        self,
        route: str,
        title: str,
        rate_limit: RelayRateLimit,
        callbacks: RelayCallbacks,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._route = route
        self._title = title
        self._rate_limit = rate_limit
        self._callbacks = callbacks
        self._is_taking = False
        self._waiting: list[str] = []
        self._turns = _Turns()
        self._flush = QTimer(self, singleShot=True)
        self._flush.timeout.connect(self._send)

    @Property(str, notify=routeChanged)
    def route(self) -> str:
        """Where the app's frame starts."""
        return self._route

    @Property(str, notify=titleChanged)
    def title(self) -> str:
        """The frame's accessible name."""
        return self._title

    @Property(str, notify=titleChanged)
    def limits(self) -> str:
        """What the relay goes by, as JSON."""
        return json.dumps(
            {
                "characters": MAX_MESSAGE_CHARACTERS,
                "batches": _BATCHES,
                "batchMessages": _BATCH_MESSAGES,
                "batchCharacters": _BATCH_CHARACTERS,
                "perSecond": self._rate_limit.messages_per_second,
                "burst": self._rate_limit.burst_messages,
                "refusal": json.loads(self._rate_limit.refusal),
            }
        )

    @Slot(str, int, result=str)
    def receive(self, lines: str, refused: int) -> str:
        """Take messages of the app, one in a line, and how many the relay refused; give what is answered at once."""
        if refused:
            self._callbacks.flooded(refused)
        self._is_taking = True
        try:
            for line in lines.split("\n") if lines else ():
                self._callbacks.received(line)
        finally:
            self._is_taking = False
        return self._take_waiting()

    @Slot(str, int)
    def refuseOversized(self, request_id: str, length: int) -> None:  # noqa: N802 - the relay calls this
        """Take note of a message too large to be carried."""
        self._callbacks.oversized(request_id, length)

    @Slot()
    def tellDrawn(self) -> None:  # noqa: N802 - the relay calls this
        """Take note that the app has drawn something."""
        self.drawn.emit()

    @Slot()
    def tellFrame(self) -> None:  # noqa: N802 - the relay calls this
        """Take note that the page was drawn once more."""
        self.framed.emit()

    def post(self, message: str) -> None:
        """Send one message, already JSON: a lone one at once, and together with others what follows in the same turn."""
        self._waiting.append(message)
        if self._is_taking or self._flush.isActive():
            return
        if self._turns.admits():
            self._send()
            self._flush.start(0)
        else:
            self._flush.start(_FRAME_MS)

    def receive_by(self, receive: Callable[[str], None]) -> None:
        """Hand messages to somebody else from now on."""
        self._callbacks = replace(self._callbacks, received=receive)

    def open_route(self, route: str) -> None:
        """Bring the app's frame to another route."""
        self._route = route
        self.routeChanged.emit(route)

    def _send(self) -> None:
        if batch := self._take_waiting():
            self.posted.emit(batch)

    def _take_waiting(self) -> str:
        batch, self._waiting = self._waiting, []
        return f"[{','.join(batch)}]" if batch else ""
