"""One Lime Desktop per data folder: the first start holds a lock, a later one hands over what it was asked to show.

Who is first is decided by the operating system, before Qt or anything else of weight is loaded: of any number of starts
at the same moment exactly one gets the lock. It listens from that moment on, so that what later starts hand over waits
in the socket's own queue until the window can show it. The lock ends with the process, however that ends; a later start
whose message was not answered tries for the lock again, and shows the message itself.

The socket lies in the person's runtime folder, or in the data folder; where it lies and the word that opens it are
written into the data folder, which only its owner can read. Both ends ask the kernel whose process the other is.
"""

import hashlib
import os
import socket
import stat
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import IO

from lime_desktop.database.private_files import make_private_folder
from lime_desktop.durable_files.file_lock import try_lock
from lime_desktop.jsonrpc.peer_user import refuse_others

WAIT_S = 30.0
"""How long a later start waits for an answer: a first one that is loading on a slow machine needs some of it."""
_AGAIN_S = 0.05
LONGEST_MESSAGE = 1024 * 1024
"""Bytes; as many of the longest paths of any system fit as files are opened at once."""
_LONGEST_SOCKET_NAME = 100
"""Bytes that every system's socket addresses can hold."""
HEARD = b"\x06"
MOST_GUESTS = 64


class NoAnswerError(Exception):
    """Another Lime Desktop holds the data folder, and does not answer."""


class FirstInstance:
    """The right to be the only Lime Desktop on a data folder, and a socket where later starts wait to be heard."""

    def __init__(self, lock: IO[bytes], data: Path) -> None:
        self._lock = lock
        # Until there is a socket nobody finds an earlier one's; and a disk without room is found out here.
        _write_address(data, "")
        self.word = os.urandom(16).hex()
        self._socket_file = None if sys.platform == "win32" else _socket_file(data)
        self.listening = _listen_at(self._socket_file)
        _write_address(data, f"{_spelled(self.listening)}\n{self.word}\n")

    @property
    def is_of_one_user(self) -> bool:
        """Whether the kernel knows whose process is at the other end of the socket."""
        return self._socket_file is not None

    def stop_listening(self) -> None:
        """Answer nobody any more: a start from now on waits for the lock, and is the next first."""
        self.listening.close()
        if self._socket_file is not None:
            with suppress(OSError):
                self._socket_file.unlink()
            if self._socket_file.parent.name.startswith(_OWN_FOLDER):
                with suppress(OSError):
                    self._socket_file.parent.rmdir()

    def release(self) -> None:
        """Let the next start be the first. Idempotent."""
        self.stop_listening()
        self._lock.close()


def be_first_or_hand_over(data: Path, message: str, wait_s: float = WAIT_S) -> FirstInstance | None:
    """Be the one Lime Desktop on a data folder; None where there is one, and it took the message.

    Raises:
        NoAnswerError: there is one, and it did not answer in time.
        OSError: the data folder cannot be made or written.
    """
    deadline = time.monotonic() + wait_s
    while True:
        first = _try_to_be_first(data)
        if first is not None:
            return first
        left = deadline - time.monotonic()
        if left <= 0:
            raise NoAnswerError
        if _hand_over(data, message, left):
            return None
        time.sleep(_AGAIN_S)


def _try_to_be_first(data: Path) -> FirstInstance | None:
    make_private_folder(data)
    lock = (data / "desktop.lock").open("ab")
    try:
        if try_lock(lock.fileno()):
            return FirstInstance(lock, data)
    except BaseException:
        lock.close()
        raise
    lock.close()
    return None


def connect_to_first(data: Path, message: str, wait_s: float) -> socket.socket | None:
    """Say something to the one Lime Desktop on a data folder, and leave the line open; None where none listens."""
    try:
        address, word = _address_file(data).read_text(encoding="utf-8").splitlines()[:2]
        first = _connected(address, wait_s)
    except (OSError, ValueError):
        # Not there yet, or just gone: the lock will tell which.
        return None
    try:
        first.sendall(f"{word}\0{message}\0".encode("utf-8", "surrogateescape"))
    except OSError:
        first.close()
        return None
    return first


def _hand_over(data: Path, message: str, wait_s: float) -> bool:
    first = connect_to_first(data, message, wait_s)
    if first is None:
        return False
    with first, suppress(OSError):
        return first.recv(1) == HEARD
    return False


# Where the first one listens.

_OWN_FOLDER = "lime-desktop-"


def _address_file(data: Path) -> Path:
    return data / "desktop.address"


def _write_address(data: Path, text: str) -> None:
    """In place and always of one length: a disk that has filled up since has room for what it already holds."""
    file = os.open(_address_file(data), os.O_WRONLY | os.O_CREAT, 0o600)
    with os.fdopen(file, "wb") as written:
        written.write(text.encode().ljust(_LONGEST_SOCKET_NAME + 100, b"\n"))


def _socket_file(data: Path) -> Path:
    # Always the same for a data folder: what a killed program left there is replaced, not joined by another.
    name = f"lime-desktop-{hashlib.sha256(os.fsencode(data.resolve())).hexdigest()[:16]}.sock"
    for folder in (_runtime_folder(), data):
        if folder is not None and len(os.fsencode(folder / name)) <= _LONGEST_SOCKET_NAME:
            return folder / name
    # Made for this run, with a name nobody can have guessed, open to nobody else.
    return Path(tempfile.mkdtemp(prefix=_OWN_FOLDER)) / "desktop.sock"


def _runtime_folder() -> Path | None:
    """The session's own folder, if it is what the system promises: ours, and nobody else's."""
    named = os.environ.get("XDG_RUNTIME_DIR", "")
    if sys.platform == "win32" or not named.startswith("/"):
        return None
    with suppress(OSError):
        found = Path(named).stat()
        if found.st_uid == os.geteuid() and stat.S_IMODE(found.st_mode) == stat.S_IRWXU:
            return Path(named)
    return None


def _listen_at(socket_file: Path | None) -> socket.socket:
    if socket_file is None:
        listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listening.bind(("127.0.0.1", 0))
    else:
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        socket_file.unlink(missing_ok=True)
        listening.bind(str(socket_file))
        # Its folder is ours alone already; the queue opens only with `listen`.
        socket_file.chmod(0o600)
    listening.listen(MOST_GUESTS)
    listening.settimeout(0)
    return listening


def _spelled(listening: socket.socket) -> str:
    name = listening.getsockname()
    return name if isinstance(name, str) else str(name[1])


def _connected(address: str, wait_s: float) -> socket.socket:
    if address.isdecimal():
        return socket.create_connection(("127.0.0.1", int(address)), wait_s)
    first = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        first.settimeout(wait_s)
        first.connect(address)
        refuse_others(first)
    except BaseException:
        first.close()
        raise
    return first
