"""Where the values of runs are kept: in their fact while they are small, in the content store otherwise."""

import asyncio

import msgspec
from pydantic import JsonValue

from lime_desktop.app_server.content_store import ContentStore
from lime_desktop.app_server.workflows.detail import NOTHING, Value
from lime_desktop.protocol.runtime.payload_rules import key_like_paths

_MOST_INLINE_BYTES = 2_000
_SAYS_ENDED = b'"endedAt":'
"""By these bytes the records of open runs are told from those that have ended: no app's field may stand among them."""


class RunValues:
    """Keeps values and reads them; the last that were read stay in memory."""

    def __init__(self, store: ContentStore) -> None:
        self._store = store

    async def keep(self, value: JsonValue) -> Value:
        """Keep a value; once it is named, it is on disk."""
        if value is None:
            return NOTHING
        body = msgspec.json.encode(value)
        # The log refuses a field that is named like a key, whoever's data it is.
        is_small = len(body) <= _MOST_INLINE_BYTES and _SAYS_ENDED not in body
        if is_small and not any(key_like_paths(value)):
            return Value(inline=value)
        return Value(ref=await asyncio.to_thread(self._store.put, "workflow", body))

    async def read(self, value: Value) -> JsonValue:
        """A value that was kept."""
        if value.ref is None:
            return value.inline
        return msgspec.json.decode(await asyncio.to_thread(self._store.read, value.ref))
