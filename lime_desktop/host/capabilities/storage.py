"""lime.storage: forwarded to the App Server, which alone holds the data. Nothing is kept or made up here."""

import json
from typing import cast

from pydantic import BaseModel, JsonValue

from lime_desktop.host.capabilities.handler import Handlers, HandlerServices
from lime_desktop.protocol.bridge.envelope import MAX_MESSAGE_BYTES
from lime_desktop.protocol.calls.storage import (
    DELETE_VALUE,
    GET_VALUE,
    LIST_VALUES,
    SET_VALUE,
    DeleteValueParams,
    GetValueParams,
    ListValuesParams,
    SetValueParams,
    StoredValue,
)
from lime_desktop.protocol.capability_calls.storage import (
    StorageDeleteResult,
    StorageEntry,
    StorageGetResult,
    StorageKeyParams,
    StorageListResult,
    StorageSetParams,
)
from lime_desktop.protocol.errors import MessageTooLarge
from lime_desktop.protocol.ids import AppId
from lime_desktop.protocol.wire import Empty

# An answer carries its value under two names.
_LIST_CHARACTERS = MAX_MESSAGE_BYTES // 2


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call; every write carries the view's provenance."""
    call, app_id = services.call, services.app_id

    async def get(params: StorageKeyParams) -> BaseModel:
        asked = GetValueParams(app_id=app_id, key=params.key)
        found = (await call(GET_VALUE, asked)).entry
        return StorageGetResult(None if found is None else _value(found))

    async def keep(params: StorageSetParams) -> BaseModel:
        asked = SetValueParams(
            app_id=app_id,
            key=params.key,
            value_json=json.dumps(params.value),
            provenance=services.provenance,
        )
        return _entry(app_id, (await call(SET_VALUE, asked)).entry)

    async def list_all(_: Empty) -> BaseModel:
        asked = ListValuesParams(app_id=app_id)
        page = await call(LIST_VALUES, asked)
        entries = list(page.entries)
        while page.next_cursor is not None:
            _refuse_too_much(entries)
            asked = ListValuesParams(app_id=app_id, cursor=page.next_cursor)
            page = await call(LIST_VALUES, asked)
            entries += page.entries
        _refuse_too_much(entries)
        return StorageListResult(tuple(_entry(app_id, entry) for entry in entries))

    async def delete(params: StorageKeyParams) -> BaseModel:
        asked = DeleteValueParams(app_id=app_id, key=params.key)
        return StorageDeleteResult((await call(DELETE_VALUE, asked)).was_stored)

    return {
        "lime.storage.get": get,
        "lime.storage.set": keep,
        "lime.storage.list": list_all,
        "lime.storage.delete": delete,
    }


def _entry(app_id: AppId, stored: StoredValue) -> StorageEntry:
    return StorageEntry(
        app_id=app_id,
        key=stored.key,
        value=_value(stored),
        updated_at=stored.updated_at,
        provenance=stored.provenance,
    )


def _value(stored: StoredValue) -> JsonValue:
    return cast("JsonValue", json.loads(stored.value_json))


def _refuse_too_much(entries: list[StoredValue]) -> None:
    if sum(len(entry.value_json) for entry in entries) > _LIST_CHARACTERS:
        raise MessageTooLarge(
            "Everything at once is too long for an answer: read the values by key"
        )
