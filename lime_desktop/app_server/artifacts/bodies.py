"""The bytes of a deliverable on their way in, as large as they may be."""

import json
from pathlib import Path

from pydantic import JsonValue

from lime_desktop.protocol.errors import InvalidInput, StorageQuotaExceeded

MAX_INLINE_BYTES = 4 * 1024 * 1024
MAX_FILE_BYTES = 256 * 1024 * 1024


def canonical(value: JsonValue) -> bytes:
    """A content as it is kept.

    Raises:
        InvalidInput: it is no JSON.
        StorageQuotaExceeded: it is too large to be handed over in a call.
    """
    try:
        body = json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError):
        raise InvalidInput.at_fields([("content", "json_invalid")]) from None
    if len(body) > MAX_INLINE_BYTES:
        raise StorageQuotaExceeded("Content this large is given as a file")
    return body


def read_bounded(path: Path) -> bytes:
    """The bytes of a file. Blocks.

    Raises:
        StorageQuotaExceeded: it is larger than an artifact may be.
    """
    if path.stat().st_size > MAX_FILE_BYTES:
        raise StorageQuotaExceeded("The file is larger than an artifact may be")
    return path.read_bytes()
