"""Answers lime.storage.exportData and importData: an app's data as a whole, carried elsewhere."""

import asyncio
import hashlib
import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from pydantic import JsonValue, ValidationError

from lime_desktop.app_server.files.references import FileReferences, describe
from lime_desktop.app_server.routes import AppCalls
from lime_desktop.app_server.storage.app_tables import AppTable, AppTables
from lime_desktop.app_server.storage.changes import Changing, Operation
from lime_desktop.app_server.storage.files import QUOTA_BYTES, AppFiles
from lime_desktop.app_server.storage.prepared import PreparedFile, PreparedFiles
from lime_desktop.app_server.storage.service import Announce
from lime_desktop.database.connection import Connection
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.calls.storage_tables import StorageChange
from lime_desktop.protocol.capability_calls.storage import (
    EXPORT_DATA,
    IMPORT_DATA,
    ExportDataParams,
    ExportDataResult,
    ImportDataParams,
    ImportDataResult,
    SetOperation,
)
from lime_desktop.protocol.capability_calls.storage_tables import UpsertRowOperation
from lime_desktop.protocol.errors import InvalidInput
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.wire import WireModel


class ExportedData(WireModel):
    """The content of an export."""

    format: str = "lime-app-data/1"
    app_id: str
    entries: dict[str, JsonValue]
    tables: dict[str, list[JsonObject]]


class DataExportImport:
    """Whole data of every app."""

    def __init__(
        self,
        files: AppFiles,
        prepared: PreparedFiles,
        references: FileReferences,
        now: Callable[[], str],
        announce: Announce,
    ) -> None:
        self._files = files
        self._prepared = prepared
        self._references = references
        self._now = now
        self._announce = announce

    def serve(self, calls: AppCalls) -> None:
        """Answer the calls about all of an app's data."""
        calls.add(EXPORT_DATA, self.export)
        calls.add(IMPORT_DATA, self.import_)

    async def export(self, params: ExportDataParams, caller: AppCaller) -> ExportDataResult:
        """Write the data to a file that the app can read and hand on."""
        app_id = caller.app_id
        async with self._prepared.use(app_id) as file:
            if params.format == "json":
                data = await file.database.read(
                    lambda connection: _gather(connection, app_id, params.tables, file.tables)
                )
                body = data.model_dump_json(by_alias=True).encode()
            else:
                body = await _copy(file)
        ending = "json" if params.format == "json" else "db"
        held = await self._references.write(app_id, f"{app_id}.{ending}", body)
        file_ref = await asyncio.to_thread(describe, held)
        return ExportDataResult(
            ref=file_ref.ref,
            size_bytes=file_ref.size_bytes,
            sha256=hashlib.sha256(body).hexdigest(),
        )

    async def import_(self, params: ImportDataParams, caller: AppCaller) -> ImportDataResult:
        """Read an export back, all of it or nothing; what it holds is checked like any other write.

        Raises:
            InvalidInput: it is no export in JSON.
        """
        app_id = caller.app_id
        held = await self._references.find(app_id, params.ref)
        data = await asyncio.to_thread(_read_export, held.path)
        operations = list(_operations(data))
        async with self._prepared.use(app_id) as file:
            changing = Changing(file.tables, caller.provenance, self._now(), QUOTA_BYTES)

            def put(connection: Connection) -> None:
                if params.mode == "replace":
                    _empty(connection, file.tables)
                changing.apply(connection, operations)

            await file.database.write(
                put, lambda _: self._announce(app_id, (StorageChange(op="import"),))
            )
        rows = sum(len(table) for table in data.tables.values())
        return ImportDataResult(keys=len(data.entries), rows=rows)


def _gather(
    connection: Connection, app_id: str, names: tuple[str, ...] | None, tables: AppTables
) -> ExportedData:
    wanted = (
        list(tables.by_name.values()) if names is None else [tables.named(name) for name in names]
    )
    entries: dict[str, JsonValue] = {}
    if names is None:
        rows = connection.execute("SELECT key, value_json FROM lime_entry ORDER BY key")
        entries = {key: json.loads(value) for key, value in rows}
    return ExportedData(
        app_id=app_id,
        entries=entries,
        tables={table.name: _rows(connection, table) for table in wanted},
    )


def _rows(connection: Connection, table: AppTable) -> list[JsonObject]:
    rows = connection.execute(f"SELECT body FROM {table.quoted} ORDER BY id")  # noqa: S608 - a checked name
    return [json.loads(body) for (body,) in rows]


async def _copy(file: PreparedFile) -> bytes:
    with tempfile.TemporaryDirectory(dir=file.database.path.parent, prefix="export-") as folder:
        copy = Path(folder) / "data.db"
        await file.database.back_up(copy)
        return await asyncio.to_thread(copy.read_bytes)


def _read_export(path: Path) -> ExportedData:
    try:
        return ExportedData.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        raise InvalidInput.at_fields([("ref", "not_an_export")]) from None


def _operations(data: ExportedData) -> Iterator[Operation]:
    for key, value in data.entries.items():
        yield SetOperation(op="set", key=key, value=value)
    for table, rows in data.tables.items():
        for row in rows:
            yield UpsertRowOperation(op="upsert", table=table, row=row)


def _empty(connection: Connection, tables: AppTables) -> None:
    connection.execute("DELETE FROM lime_entry")
    for table in tables.by_name.values():
        connection.execute(f"DELETE FROM {table.quoted}")  # noqa: S608 - a checked name
