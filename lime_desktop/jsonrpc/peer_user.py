"""Whose process is at the other end of a Unix socket? Asked of the kernel: no process can say another name there.

The permissions of the socket's folder keep strangers out; this holds where somebody widened them.
"""

import os
import socket
import struct
import sys
from typing import Protocol


class Connected(Protocol):
    """A connected socket, or what asyncio shows of one."""

    def getsockopt(self, level: int, optname: int, buflen: int, /) -> bytes:
        """An option as bytes."""
        ...


if sys.platform == "linux":
    _CREDENTIALS = struct.Struct("3i")  # process, user, group

    def peer_user(connected: Connected) -> int:
        """The user id of the process at the other end."""
        found = connected.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
        return _CREDENTIALS.unpack(found)[1]

else:
    # macOS and the BSDs: `struct xucred`, of which the first two members are the version and the user.
    _LEVEL, _PEER_CREDENTIALS, _SIZE = 0, 1, 76

    def peer_user(connected: Connected) -> int:
        """The user id of the process at the other end."""
        found = connected.getsockopt(_LEVEL, _PEER_CREDENTIALS, _SIZE)
        return struct.unpack_from("2I", found)[1]


def is_own_user(connected: Connected) -> bool:
    """Whether the other end belongs to the user that we are; False where the kernel does not say."""
    if sys.platform == "win32":
        return False
    try:
        return peer_user(connected) == os.geteuid()
    except OSError:
        return False


def refuse_others(connected: Connected) -> None:
    """Stop before the first byte to a process of another user.

    Raises:
        PermissionError: it is one, or the kernel does not say.
    """
    if not is_own_user(connected):
        raise PermissionError("Another user's process is at the other end")
