"""The app's own keys, values and rows, for its agent and the runs of its workflows."""

from typing import Literal

import msgspec
from pydantic import JsonValue

from lime_desktop.app_package.manifest.operations import SideEffect
from lime_desktop.app_server.storage.service import AppStorage
from lime_desktop.app_server.storage.table_service import AppTableStorage
from lime_desktop.app_server.tools.catalogue import PolicyAsk
from lime_desktop.app_server.tools.host_tools.schemas import NAME, object_schema
from lime_desktop.app_server.tools.host_tools.service_tool import (
    Said,
    ServiceToolKind,
    by_call,
    host_row,
)
from lime_desktop.protocol.capability_calls.storage import (
    DELETE_VALUE,
    GET_VALUE,
    LIST_VALUES,
    SET_VALUE,
    ListValuesParams,
    StorageDeleteResult,
    StorageEntry,
    StorageGetResult,
    StorageKeyParams,
    StorageListResult,
    StorageSetParams,
)
from lime_desktop.protocol.capability_calls.storage_tables import (
    QUERY_ROWS,
    QueryRowsParams,
    QueryRowsResult,
)
from lime_desktop.protocol.ids import JsonObject

_PAGE = 100
_KEYWORDS = ("storage", "data", "record", "数据", "存储")


def _ask(method: str, access: Literal["read", "write"]) -> PolicyAsk:
    effect: SideEffect = "app_storage_write" if access == "write" else "none"
    return PolicyAsk(capability="lime.storage", method=method, access=access, side_effect=effect)


def _say_value(_: StorageKeyParams, result: StorageGetResult) -> Said:
    return Said("Nothing is kept under this key." if result.root is None else _text(result.root))


def _page(arguments: JsonObject) -> JsonObject:
    # One more than is shown: whether more follow.
    limit = arguments.get("limit", _PAGE)
    return {
        "after": arguments.get("cursor"),
        "limit": limit + 1 if isinstance(limit, int) else None,
    }


def _say_page(params: ListValuesParams, result: StorageListResult) -> Said:
    shown = result.root[: (params.limit or _PAGE + 1) - 1]
    lines = [f"{entry.key}: {_text(entry.value)}" for entry in shown]
    if len(shown) < len(result.root):
        lines.append(f"(more: call again with cursor {shown[-1].key!r})")
    return Said("\n".join(lines) or "Nothing is kept.")


def _say_kept(_: StorageSetParams, result: StorageEntry) -> Said:
    return Said(f"Kept under {result.key!r}.")


def _say_deleted(_: StorageKeyParams, result: StorageDeleteResult) -> Said:
    return Said("Deleted." if result.root else "Nothing was kept under this key.")


def _say_rows(_: QueryRowsParams, result: QueryRowsResult) -> Said:
    rows: list[JsonValue] = [found.row for found in result.rows]
    lines = [_text(row) for row in rows]
    if result.next_cursor is not None:
        lines.append(f"(more: call again with cursor {result.next_cursor!r})")
    # Whoever goes on with them by rules wants them as they are kept.
    told: JsonObject = {"rows": rows, "nextCursor": result.next_cursor}
    return Said("\n".join(lines) or "No row fits.", structured=told)


def _text(value: JsonValue) -> str:
    return msgspec.json.encode(value).decode()


def storage_tools(storage: AppStorage, tables: AppTableStorage) -> tuple[ServiceToolKind, ...]:
    """Reading, listing, storing and deleting values, and finding rows."""
    return (
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
            by_call(GET_VALUE, storage.get, _say_value),
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
            by_call(LIST_VALUES, storage.list, _say_page, _page),
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
            by_call(SET_VALUE, storage.set, _say_kept),
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
            by_call(DELETE_VALUE, storage.delete, _say_deleted),
        ),
        ServiceToolKind(
            host_row(
                name="storage_query",
                title="Find rows",
                description=(
                    "Find rows in a table of the app's own storage. A condition is a field and its "
                    'value, or {"gt": 5} and the like.'
                ),
                input_schema=object_schema(
                    {
                        "table": NAME,
                        "where": {"type": "object"},
                        "orderBy": {"type": "array", "items": {"type": "object"}, "maxItems": 8},
                        "limit": {"type": "integer", "minimum": 1, "maximum": 1_000},
                        "cursor": NAME,
                    },
                    "table",
                ),
                keywords=(*_KEYWORDS, "table", "rows", "表格"),
                is_read_only=True,
            ),
            lambda _arguments: _ask("tableQuery", "read"),
            by_call(QUERY_ROWS, tables.query_rows, _say_rows),
        ),
    )
