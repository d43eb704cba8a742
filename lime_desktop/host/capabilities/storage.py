"""lime.storage: forwarded to the App Server, which alone holds the data. Nothing is kept or made up here."""

import json
from typing import cast

from pydantic import BaseModel, JsonValue

from lime_desktop.host.capabilities.handler import (
    Handlers,
    HandlerServices,
    LaterHandler,
    Source,
    WrittenResult,
)
from lime_desktop.host.subscriptions import Subscription
from lime_desktop.protocol.bridge.envelope import MAX_MESSAGE_CHARACTERS
from lime_desktop.protocol.bridge.from_app import SubscribePayload
from lime_desktop.protocol.calls.documents import EXPORT_DATA, IMPORT_DATA
from lime_desktop.protocol.calls.documents import ExportDataParams as ExportParams
from lime_desktop.protocol.calls.documents import ImportDataParams as ImportParams
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
from lime_desktop.protocol.calls.storage_tables import (
    CHANGE_DATA,
    GET_ROW,
    QUERY_ROWS,
    READ_USAGE,
    ChangeDataParams,
    GetRowParams,
    QueryRowsParams,
    ReadUsageParams,
    StorageChange,
    StoredRow,
)
from lime_desktop.protocol.capability_calls.storage import (
    ExportDataParams,
    ExportDataResult,
    ImportDataParams,
    ImportDataResult,
    StorageDeleteResult,
    StorageEntry,
    StorageKeyParams,
    StorageListResult,
    StorageSetParams,
    StorageUsageResult,
    TransactionParams,
    TransactionResult,
)
from lime_desktop.protocol.capability_calls.storage_tables import (
    DeleteRowResult,
    RowParams,
    RowResult,
    StorageRow,
)
from lime_desktop.protocol.capability_calls.storage_tables import (
    QueryRowsParams as QueryInput,
)
from lime_desktop.protocol.errors import InvalidInput, MessageTooLarge, SubscriptionUnknown
from lime_desktop.protocol.ids import AppId, JsonObject
from lime_desktop.protocol.wire import Empty, WireModel

# An answer carries its value under two names.
_WHOLE_S = 60.0
"""All of an app's data at once takes its time."""
_LIST_CHARACTERS = MAX_MESSAGE_CHARACTERS // 2


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call; every write carries the view's provenance."""
    call, app_id = services.call, services.app_id

    async def get(params: StorageKeyParams) -> WrittenResult:
        asked = GetValueParams(app_id=app_id, key=params.key)
        found = (await call(GET_VALUE, asked)).entry
        return WrittenResult("null" if found is None else found.value_json)

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

    async def get_usage(_: Empty) -> BaseModel:
        usage = await call(READ_USAGE, ReadUsageParams(app_id=app_id))
        return StorageUsageResult.model_validate(usage, from_attributes=True)

    return {
        "lime.storage.get": get,
        "lime.storage.set": keep,
        "lime.storage.list": list_all,
        "lime.storage.delete": delete,
        "lime.storage.getUsage": get_usage,
        **_carriers(services),
        **_row_readers(services),
        **_row_writers(services),
    }


def source(services: HandlerServices) -> Source:
    """What changed in the app's data, by whichever of its views or agents; never the values."""

    async def start(subscription: Subscription, wish: SubscribePayload) -> JsonObject:
        if wish.topic != "changes":
            raise SubscriptionUnknown("lime.storage tells of changes alone")
        if wish.delivery != "push":
            raise InvalidInput.at_fields([("delivery", "push_only")])

        def tell(changes: tuple[StorageChange, ...]) -> None:
            subscription.tell("change", payload={"changes": [each.to_wire() for each in changes]})

        subscription.on_end(services.storage_news.listen(services.app_id, tell))
        return {}

    return Source("list", start)


def _carriers(services: HandlerServices) -> Handlers:
    call, app_id = services.call, services.app_id

    async def export(params: ExportDataParams) -> BaseModel:
        asked = ExportParams(app_id=app_id, tables=params.tables, format=params.format)
        written = await call(EXPORT_DATA, asked, timeout_s=_WHOLE_S)
        return ExportDataResult(
            ref=written.file.ref, size_bytes=written.file.size_bytes, sha256=written.sha256
        )

    async def import_(params: ImportDataParams) -> BaseModel:
        asked = ImportParams(
            app_id=app_id, ref=params.ref, mode=params.mode, provenance=services.provenance
        )
        read = await call(IMPORT_DATA, asked, timeout_s=_WHOLE_S)
        return ImportDataResult(keys=read.keys, rows=read.rows)

    return {"lime.storage.exportData": export, "lime.storage.importData": import_}


def _row_readers(services: HandlerServices) -> Handlers:
    call, app_id = services.call, services.app_id

    async def get_row(params: RowParams) -> BaseModel:
        asked = GetRowParams(app_id=app_id, table=params.table, id=params.id)
        found = (await call(GET_ROW, asked)).row
        return RowResult(None if found is None else _row(found))

    async def query(params: QueryInput) -> WrittenResult:
        text = params.model_dump_json(by_alias=True, exclude_unset=True)
        page = await call(QUERY_ROWS, QueryRowsParams(app_id=app_id, query_json=text))
        return WrittenResult(page.page_json)

    return {"lime.storage.tableGet": get_row, "lime.storage.tableQuery": query}


def _row_writers(services: HandlerServices) -> Handlers:
    async def change(operations: list[JsonValue]) -> list[JsonValue]:
        asked = ChangeDataParams(
            app_id=services.app_id,
            operations_json=json.dumps(operations),
            provenance=services.provenance,
        )
        return json.loads((await services.call(CHANGE_DATA, asked)).results_json)

    def writer(op: str, result: type[BaseModel]) -> LaterHandler:
        """One operation is a transaction of one."""

        async def write(params: WireModel) -> BaseModel:
            return result.model_validate((await change([_operation(op, params)]))[0])

        return write

    async def transaction(params: TransactionParams) -> BaseModel:
        operations = [_operation(each.op, each) for each in params.operations]
        return TransactionResult(results=tuple(await change(operations)))

    return {
        "lime.storage.tableInsert": writer("insert", StorageRow),
        "lime.storage.tableUpdate": writer("update", StorageRow),
        "lime.storage.tableUpsert": writer("upsert", StorageRow),
        "lime.storage.tableDelete": writer("deleteRow", DeleteRowResult),
        "lime.storage.transaction": transaction,
    }


def _operation(op: str, params: WireModel) -> JsonValue:
    # What was not given stays away: a null that was given is a value.
    return {**params.model_dump(mode="json", by_alias=True, exclude_unset=True), "op": op}


def _row(stored: StoredRow) -> StorageRow:
    return StorageRow(
        table=stored.table,
        id=stored.id,
        row=json.loads(stored.row_json),
        version=stored.version,
        updated_at=stored.updated_at,
    )


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
