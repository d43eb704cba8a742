"""The object the relay talks to: text in, batches of messages out. Knows nothing of what they say."""

from collections.abc import Callable

from PySide6.QtCore import Property, QObject, QTimer, Signal, Slot

from lime_desktop.protocol.bridge.envelope import MAX_MESSAGE_CHARACTERS

_FRAME_MS = 8
"""Messages to the page are sent together: one crossing per batch keeps thousands of events a second cheap."""


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
        self._flush = QTimer(self, interval=_FRAME_MS, singleShot=True)
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
        """Queue one message, already JSON; the first of a batch leaves at once when nothing is waiting."""
        self._waiting.append(message)
        if not self._flush.isActive():
            self._send()
            self._flush.start()

    def open_route(self, route: str) -> None:
        """Bring the app's frame to another route."""
        self._route = route
        self.routeChanged.emit(route)

    def _send(self) -> None:
        if not self._waiting:
            return
        batch, self._waiting = self._waiting, []
        self.posted.emit(f"[{','.join(batch)}]")
        self._flush.start()
