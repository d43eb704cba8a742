"""Changes of one app's data that happen together: each carried out, then the space held against the limit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, assert_never

import msgspec
from pydantic import JsonValue

from lime_desktop.app_server.runtime_core.identities import new_id
from lime_desktop.app_server.storage.app_tables import AppTable, AppTables
from lime_desktop.app_server.storage.files import within_quota
from lime_desktop.app_server.storage.happenings import Happenings, cause_in
from lime_desktop.app_server.storage.service import (
    StoredValue,
    checked_key,
    checked_value,
    delete_entry,
    key_happened,
    write_entry,
)
from lime_desktop.app_server.storage.table_rows import (
    StoredRow,
    add_row,
    delete_row,
    fields_of,
    read_row,
    replace_row,
    row_to_change,
    write_row,
)
from lime_desktop.database.connection import Connection
from lime_desktop.protocol.calls.storage_tables import StorageChange
from lime_desktop.protocol.capability_calls.storage import (
    DeleteOperation,
    SetOperation,
    StorageOperation,
)
from lime_desktop.protocol.capability_calls.storage_tables import (
    LARGEST_INTEGER,
    SMALLEST_INTEGER,
    DeleteRowOperation,
    InsertRowOperation,
    RowId,
    UpdateRowOperation,
    UpsertRowOperation,
)
from lime_desktop.protocol.errors import InvalidInput
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.provenance import Provenance

Operation: TypeAlias = StorageOperation


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an operation gave, and what others may hear of it."""

    result: bytes
    """As JSON."""
    change: StorageChange | None


@dataclass(frozen=True, slots=True)
class Changing:
    """Carries changes out within one write."""

    tables: AppTables
    provenance: Provenance
    now: str
    quota_bytes: int
    happenings: Happenings | None = None
    """Where it is noted what a workflow is to be started by; None where nothing happens anew."""

    def apply(self, connection: Connection, operations: Sequence[Operation]) -> list[Outcome]:
        """Carry out every operation, or raise and leave the write to be undone."""
        with within_quota(connection, self.quota_bytes):
            return [self._noted(connection, operation) for operation in operations]

    def _noted(self, connection: Connection, operation: Operation) -> Outcome:
        outcome = self._apply(connection, operation)
        if self.happenings is not None and outcome.change is not None:
            app_id, cause = self.provenance.app_id, cause_in(self.provenance)
            if app_id in self.happenings.wanted:
                fields = _happened(operation, outcome)
                self.happenings.note(connection, app_id, fields, cause)
        return outcome

    def _apply(self, connection: Connection, operation: Operation) -> Outcome:
        match operation:
            case SetOperation():
                return self._set(connection, operation)
            case DeleteOperation():
                return self._delete(connection, operation)
            case InsertRowOperation():
                return self._insert(connection, operation)
            case UpdateRowOperation():
                return self._update(connection, operation)
            case UpsertRowOperation():
                return self._upsert(connection, operation)
            case DeleteRowOperation():
                return self._delete_row(connection, operation)
            case _:
                assert_never(operation)

    def _set(self, connection: Connection, operation: SetOperation) -> Outcome:
        entry = StoredValue(
            key=checked_key(operation.key),
            value=checked_value(operation.value),
            updated_at=self.now,
            provenance=self.provenance.to_json(),
        )
        write_entry(connection, entry)
        result = msgspec.json.encode({"key": entry.key, "updatedAt": entry.updated_at})
        return Outcome(result, StorageChange(op="set", key=entry.key))

    def _delete(self, connection: Connection, operation: DeleteOperation) -> Outcome:
        key = checked_key(operation.key)
        return _deleted(delete_entry(connection, key), StorageChange(op="delete", key=key))

    def _insert(self, connection: Connection, operation: InsertRowOperation) -> Outcome:
        table = self.tables.named(operation.table)
        row = self._row(table, _row_id(table, operation.row), operation.row, version=1)
        return _changed("insert", add_row(connection, table, row))

    def _update(self, connection: Connection, operation: UpdateRowOperation) -> Outcome:
        table = self.tables.named(operation.table)
        before = row_to_change(connection, table, operation.id, operation.if_version)
        if operation.changes.get(table.primary_key, before.id) != before.id:
            raise InvalidInput.at_fields([(f"changes.{table.primary_key}", "primary_key")])
        fields = {**fields_of(before), **operation.changes}
        row = self._row(table, before.id, fields, version=before.version + 1)
        return _changed("update", replace_row(connection, table, row))

    def _upsert(self, connection: Connection, operation: UpsertRowOperation) -> Outcome:
        table = self.tables.named(operation.table)
        row_id = _row_id(table, operation.row)
        before = read_row(connection, table, row_id)
        write, version = (replace_row, before.version + 1) if before else (add_row, 1)
        row = self._row(table, row_id, operation.row, version=version)
        return _changed("upsert", write(connection, table, row))

    def _delete_row(self, connection: Connection, operation: DeleteRowOperation) -> Outcome:
        table = self.tables.named(operation.table)
        change = StorageChange(op="deleteRow", table=table.name, id=operation.id)
        return _deleted(delete_row(connection, table, operation.id), change)

    def _row(
        self, table: AppTable, row_id: RowId, fields: Mapping[str, JsonValue], *, version: int
    ) -> StoredRow:
        body = checked_value({**fields, table.primary_key: row_id})
        return StoredRow(table.name, row_id, body, version, self.now)


def _happened(operation: Operation, outcome: Outcome) -> JsonObject:
    """What a workflow is told of it: an upsert was one or the other."""
    match operation:
        case SetOperation():
            return key_happened("set", operation.key, operation.value)
        case DeleteOperation():
            return key_happened("delete", operation.key)
        case DeleteRowOperation():
            return {"change": "delete", "table": operation.table, "id": operation.id}
        case _:
            row = msgspec.json.decode(outcome.result)
            change = "insert" if row["version"] == 1 else "update"
            return {"change": change, "table": row["table"], "id": row["id"], "row": row["row"]}


def _row_id(table: AppTable, fields: Mapping[str, JsonValue]) -> RowId:
    written = fields.get(table.primary_key)
    if written is None:
        return new_id("row")
    if isinstance(written, bool) or not isinstance(written, str | int) or written == "":
        raise InvalidInput.at_fields([(f"row.{table.primary_key}", "primary_key")])
    if isinstance(written, int) and not SMALLEST_INTEGER <= written <= LARGEST_INTEGER:
        raise InvalidInput.at_fields([(f"row.{table.primary_key}", "primary_key")])
    return written


def _changed(op: str, row: StoredRow) -> Outcome:
    change = StorageChange.model_validate(
        {"op": op, "table": row.table, "id": row.id, "version": row.version}
    )
    return Outcome(write_row(row), change)


def _deleted(was_there: bool, change: StorageChange) -> Outcome:  # noqa: FBT001 - the fact itself
    return Outcome(b"true" if was_there else b"false", change if was_there else None)
