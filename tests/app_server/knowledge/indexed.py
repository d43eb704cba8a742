"""Sources bound to an app's template, and indexed."""

import asyncio
from pathlib import Path

from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.protocol.calls.knowledge import (
    BIND_KNOWLEDGE,
    LIST_KNOWLEDGE,
    BindKnowledgeParams,
    ListKnowledgeParams,
)
from lime_desktop.protocol.ids import AppId


async def bind_and_index(call: CallServer, app_id: AppId, key: str, path: Path) -> None:
    """Bind it, and wait until nothing is left to be read."""
    await call(BIND_KNOWLEDGE, BindKnowledgeParams(app_id=app_id, key=key, paths=(str(path),)))
    async with asyncio.timeout(60):
        while await _is_indexing(call, app_id, key):  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(0.02)


async def _is_indexing(call: CallServer, app_id: AppId, key: str) -> bool:
    listed = await call(LIST_KNOWLEDGE, ListKnowledgeParams(app_id=app_id))
    return any(each.key == key and each.status == "indexing" for each in listed.templates)
