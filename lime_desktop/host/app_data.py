"""What an app keeps in the App Server, for its owner to see, take along and clear. The person's own doing, not the app's."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.protocol.calls.storage import (
    DELETE_VALUE,
    LIST_VALUES,
    DeleteValueParams,
    ListValuesParams,
    StoredValue,
)
from lime_desktop.protocol.ids import AppId

_TIMEOUT_S = 30.0


@dataclass(frozen=True, slots=True)
class StoredAmount:
    """How much one app keeps."""

    values: int
    characters: int


async def measure(call: CallServer, app_id: str) -> StoredAmount:
    """Count what an app keeps."""
    found = [len(each.value_json) async for each in _values(call, app_id)]
    return StoredAmount(len(found), sum(found))


async def export_data(call: CallServer, app_id: str, target: Path) -> int:
    """Write everything an app keeps into one JSON file, and give the number of values."""
    values = {each.key: json.loads(each.value_json) async for each in _values(call, app_id)}
    text = json.dumps({"appId": app_id, "values": values}, ensure_ascii=False, indent=2)
    await asyncio.to_thread(target.write_text, text, encoding="utf-8")
    return len(values)


async def clear_data(call: CallServer, app_id: str) -> int:
    """Delete everything an app keeps, and give the number of values."""
    keys = [each.key async for each in _values(call, app_id)]
    for key in keys:
        asked = DeleteValueParams(app_id=AppId(app_id), key=key)
        await call(DELETE_VALUE, asked, timeout_s=_TIMEOUT_S)
    return len(keys)


async def _values(call: CallServer, app_id: str) -> AsyncIterator[StoredValue]:
    cursor = None
    while True:
        asked = ListValuesParams(app_id=AppId(app_id), cursor=cursor, limit=1_000)
        page = await call(LIST_VALUES, asked, timeout_s=_TIMEOUT_S)
        for entry in page.entries:
            yield entry
        cursor = page.next_cursor
        if cursor is None:
            return
