"""Did a damaged write-ahead log lose commits? SQLite drops all from the first bad frame on, and says nothing.

A torn last transaction is normal: nobody was told of it. But a commit is only begun after the one before it
was written, so commits further *behind* a bad frame were acknowledged once, and somebody must be told.
"""

import struct
from collections.abc import Sequence
from pathlib import Path

from lime_desktop.database.connection import Connection

_HEADER = struct.Struct(">8I")
_FRAME = struct.Struct(">6I")
_MAGICS = frozenset({0x377F0682, 0x377F0683})


def commits_in_log(database: Path) -> list[int]:
    """The numbers of the frames that end a commit, sound or not, in a log that nobody has open."""
    path = database.with_name(f"{database.name}-wal")
    body = path.read_bytes() if path.is_file() else b""
    if len(body) < _HEADER.size or _HEADER.unpack_from(body)[0] not in _MAGICS:
        return []
    _, _, page_size, _, salt_1, salt_2, *_ = _HEADER.unpack_from(body)
    step = _FRAME.size + page_size
    ends: list[int] = []
    for number, start in enumerate(range(_HEADER.size, len(body) - step + 1, step), 1):
        _, size_after, frame_salt_1, frame_salt_2, *_ = _FRAME.unpack_from(body, start)
        if (frame_salt_1, frame_salt_2) != (salt_1, salt_2):
            break  # left over from before the last checkpoint
        if size_after:
            ends.append(number)
    return ends


def lost_commits(connection: Connection, ends: Sequence[int]) -> int:
    """How many of those commits SQLite did not find, beyond the one that may have been torn."""
    if not ends:
        return 0
    # Its answer tells how far it could read the log; copying that part home is due anyway.
    _, recognised, _ = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    return max(sum(end > recognised for end in ends) - 1, 0)
