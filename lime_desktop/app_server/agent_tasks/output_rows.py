"""A fitting output as rows of the app's own tables: all of them or none.

A materializer of the kind `storage:<table>` takes a row or a list of rows; `storage` takes both by the name of their table.
"""

import json
from collections.abc import Iterator
from typing import cast

from pydantic import JsonValue, ValidationError

from lime_desktop.app_server.storage.table_service import AppTableStorage
from lime_desktop.protocol.agent_tasks import Materializer
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.capability_calls.storage import TransactionParams
from lime_desktop.protocol.capability_calls.storage_tables import UpsertRowOperation
from lime_desktop.protocol.errors import StorageSchemaMismatch
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.provenance import Provenance

_STORAGE = "storage"
_TABLE = f"{_STORAGE}:"


def is_stored(materializer: Materializer | None) -> bool:
    """Whether an output becomes rows."""
    kind = materializer.kind if materializer else ""
    return kind == _STORAGE or kind.startswith(_TABLE)


def table_of(materializer: Materializer) -> str | None:
    """The one table that is written; None where the output names its tables."""
    return materializer.kind.removeprefix(_TABLE) if materializer.kind != _STORAGE else None


class RowWriter:
    """Writes outputs into apps' tables, under the same rules as the apps' own calls."""

    def __init__(self, tables: AppTableStorage) -> None:
        self._tables = tables

    async def write(
        self, materializer: Materializer, patch: JsonValue, provenance: Provenance
    ) -> tuple[str, ...]:
        """Add or replace every row, together; gives each as `table/id`.

        Raises:
            AppError: one does not fit, or there is no room; nothing was written.
        """
        table = table_of(materializer)
        try:
            by_table = patch if table is None else {table: patch}
            operations = tuple(_operations(by_table))
            params = TransactionParams(operations=operations)
        except ValidationError:
            raise StorageSchemaMismatch("The output holds no rows that can be stored") from None
        written = await self._tables.change(params, AppCaller(provenance=provenance))
        results = cast("list[JsonObject]", json.loads(written.json)["results"])
        return tuple(f"{each['table']}/{each['id']}" for each in results)


def _operations(by_table: JsonValue) -> Iterator[UpsertRowOperation]:
    for table, rows in by_table.items() if isinstance(by_table, dict) else ():
        for row in rows if isinstance(rows, list) else (rows,):
            yield UpsertRowOperation.model_validate({"op": "upsert", "table": table, "row": row})
