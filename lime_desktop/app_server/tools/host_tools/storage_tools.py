"""The app's own keys and values, for its agent."""

from typing import Literal

import msgspec

from lime_desktop.app_package.manifest.operations import SideEffect
from lime_desktop.app_server.tools.catalogue import PolicyAsk
from lime_desktop.app_server.tools.host_tools.provenance import provenance_of
from lime_desktop.app_server.tools.host_tools.schemas import NAME, object_schema
from lime_desktop.app_server.tools.host_tools.service_tool import (
    Caller,
    Said,
    ServiceToolKind,
    host_row,
)
from lime_desktop.protocol.calls.storage import (
    DELETE_VALUE,
    GET_VALUE,
    LIST_VALUES,
    SET_VALUE,
    DeleteValueParams,
    DeleteValueResult,
    GetValueParams,
    GetValueResult,
    ListValuesParams,
    ListValuesResult,
    SetValueParams,
    SetValueResult,
)
from lime_desktop.protocol.ids import JsonObject

_KEYWORDS = ("storage", "data", "record", "数据", "存储")


def _ask(method: str, access: Literal["read", "write"]) -> PolicyAsk:
    effect: SideEffect = "app_storage_write" if access == "write" else "none"
    return PolicyAsk(capability="lime.storage", method=method, access=access, side_effect=effect)


def _get_params(arguments: JsonObject, caller: Caller) -> GetValueParams:
    return GetValueParams(app_id=caller.app.app_id, key=str(arguments["key"]))


def _say_value(result: GetValueResult) -> Said:
    return Said("Nothing is kept under this key." if not result.entry else result.entry.value_json)


def _list_params(arguments: JsonObject, caller: Caller) -> ListValuesParams:
    return ListValuesParams.model_validate({"app_id": caller.app.app_id, **arguments})


def _say_page(result: ListValuesResult) -> Said:
    lines = [f"{entry.key}: {entry.value_json}" for entry in result.entries]
    if result.next_cursor:
        lines.append(f"(more: call again with cursor {result.next_cursor!r})")
    return Said("\n".join(lines) or "Nothing is kept.")


def _set_params(arguments: JsonObject, caller: Caller) -> SetValueParams:
    return SetValueParams(
        app_id=caller.app.app_id,
        key=str(arguments["key"]),
        value_json=msgspec.json.encode(arguments["value"]).decode(),
        provenance=provenance_of(caller),
    )


def _say_kept(result: SetValueResult) -> Said:
    return Said(f"Kept under {result.entry.key!r}.")


def _delete_params(arguments: JsonObject, caller: Caller) -> DeleteValueParams:
    return DeleteValueParams(app_id=caller.app.app_id, key=str(arguments["key"]))


def _say_deleted(result: DeleteValueResult) -> Said:
    return Said("Deleted." if result.was_stored else "Nothing was kept under this key.")


STORAGE_TOOLS = (
    ServiceToolKind(
        host_row(
            name="storage_get",
            title="Read a stored value",
            description="Read one value from the app's own storage by its key.",
            input_schema=object_schema({"key": NAME}, "key"),
            keywords=_KEYWORDS,
            is_read_only=True,
        ),
        lambda _arguments: _ask("get", "read"),
        GET_VALUE,
        _get_params,
        _say_value,
    ),
    ServiceToolKind(
        host_row(
            name="storage_list",
            title="List stored values",
            description="List the keys and values of the app's own storage, page by page.",
            input_schema=object_schema(
                {"cursor": NAME, "limit": {"type": "integer", "minimum": 1, "maximum": 100}}
            ),
            keywords=_KEYWORDS,
            is_read_only=True,
        ),
        lambda _arguments: _ask("list", "read"),
        LIST_VALUES,
        _list_params,
        _say_page,
    ),
    ServiceToolKind(
        host_row(
            name="storage_set",
            title="Store a value",
            description="Keep a JSON value in the app's own storage under a key; an earlier one is replaced.",
            input_schema=object_schema({"key": NAME, "value": {}}, "key", "value"),
            keywords=(*_KEYWORDS, "save", "保存"),
        ),
        lambda _arguments: _ask("set", "write"),
        SET_VALUE,
        _set_params,
        _say_kept,
    ),
    ServiceToolKind(
        host_row(
            name="storage_delete",
            title="Delete a stored value",
            description="Delete one value from the app's own storage.",
            input_schema=object_schema({"key": NAME}, "key"),
            keywords=(*_KEYWORDS, "remove", "删除"),
            is_destructive=True,
        ),
        lambda _arguments: _ask("delete", "write"),
        DELETE_VALUE,
        _delete_params,
        _say_deleted,
    ),
)
