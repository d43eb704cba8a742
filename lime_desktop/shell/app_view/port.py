"""The object the relay talks to: text in, batches of messages out. Knows nothing of what they say."""

import time
from collections.abc import Callable

from PySide6.QtCore import Property, QObject, QTimer, Signal, Slot

from lime_desktop.protocol.bridge.envelope import MAX_MESSAGE_CHARACTERS

_FRAME_MS = 8
"""How long messages are gathered while many come: one crossing per batch keeps thousands of events a second cheap."""
_PROMPT_TURNS = 24
"""So many batches may leave at once within one frame, so that an answer to a lone question waits for nothing."""


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


class RelayPort(QObject):
    """Published to the isolated world under the name `port`; has nothing an app could misuse."""

    posted = Signal(str)
    routeChanged = Signal(str)  # noqa: N815 - the relay reads this name
    titleChanged = Signal()  # noqa: N815 - Qt wants a notifier for a property

    def __init__(
        self,
        route: str,
        title: str,
        receive: Callable[[str], None],
        refuse_oversized: Callable[[str, int], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._route = route
        self._title = title
        self._receive = receive
        self._refuse_oversized = refuse_oversized
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

    @Property(int, notify=titleChanged)
    def maxCharacters(self) -> int:  # noqa: N802 - the relay reads this name
        """The longest message that is carried."""
        return MAX_MESSAGE_CHARACTERS

    @Slot(str)
    def receive(self, text: str) -> None:
        """Take one message of the app."""
        self._receive(text)

    @Slot(str, int)
    def refuseOversized(self, request_id: str, length: int) -> None:  # noqa: N802 - the relay calls this
        """Take note of a message too large to be carried."""
        self._refuse_oversized(request_id, length)

    def post(self, message: str) -> None:
        """Queue one message, already JSON. It leaves with whatever else this turn of the loop brings."""
        self._waiting.append(message)
        if not self._flush.isActive():
            self._flush.start(0 if self._turns.admits() else _FRAME_MS)

    def open_route(self, route: str) -> None:
        """Bring the app's frame to another route."""
        self._route = route
        self.routeChanged.emit(route)

    def _send(self) -> None:
        batch, self._waiting = self._waiting, []
        self.posted.emit(f"[{','.join(batch)}]")
