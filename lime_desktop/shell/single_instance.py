"""One Lime Desktop per person: a second start hands over what it was asked to show, and ends.

The meeting place is a local socket named after the person and the data folder, open to nobody else. What comes in is
a line of text; whoever reads it treats it as written by a stranger.
"""

import getpass
import hashlib
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from lime_desktop.host.deep_links import MAX_CHARACTERS

_WAIT_MS = 2_000
_MOST_BYTES = MAX_CHARACTERS * 4
_MOST_GUESTS = 8


def meeting_place(data: Path) -> str:
    """The socket's name: the same for every start of this person on this data, and for nobody else's."""
    owner = f"{getpass.getuser()}\0{data.resolve()}"
    return f"lime-desktop-{hashlib.sha256(owner.encode()).hexdigest()[:24]}"


def hand_over(place: str, message: str) -> bool:
    """Give a message to the program that already runs; False where none does."""
    socket = QLocalSocket()
    socket.connectToServer(place)
    if not socket.waitForConnected(_WAIT_MS):
        return False
    socket.write(f"{message}\n".encode())
    is_given = socket.waitForBytesWritten(_WAIT_MS)
    socket.disconnectFromServer()
    return is_given


class FirstInstance(QObject):
    """Hears from later starts."""

    def __init__(self, place: str, heard: Callable[[str], None]) -> None:
        super().__init__()
        self._heard = heard
        self._guests: dict[QLocalSocket, bytes] = {}
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._welcome)
        # Nobody answered there (see `hand_over`), so what is left of the socket is a crash's.
        QLocalServer.removeServer(place)
        self.is_listening = self._server.listen(place)

    def close(self) -> None:
        """Hear no more."""
        self._server.close()

    def _welcome(self) -> None:
        while self._server.hasPendingConnections():
            guest = self._server.nextPendingConnection()
            if len(self._guests) >= _MOST_GUESTS:
                guest.abort()
                guest.deleteLater()
                continue
            self._guests[guest] = b""
            guest.readyRead.connect(lambda guest=guest: self._read(guest))
            guest.disconnected.connect(lambda guest=guest: self._part(guest))

    def _read(self, guest: QLocalSocket) -> None:
        if guest not in self._guests:
            return
        self._guests[guest] += bytes(guest.readAll().data())
        if len(self._guests[guest]) > _MOST_BYTES:
            self._guests.pop(guest)
            guest.abort()
            return
        text, end, _ = self._guests[guest].partition(b"\n")
        if end:
            self._guests.pop(guest)
            self._heard(text.decode("utf-8", "replace"))

    def _part(self, guest: QLocalSocket) -> None:
        self._guests.pop(guest, None)
        guest.deleteLater()
