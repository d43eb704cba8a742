"""One changed value or row, as it was before and after: enough to take the change back, unless somebody went on from it.

Both are read within the write itself, so that nothing comes between.
"""

from dataclasses import dataclass

from pydantic import ValidationError

from lime_desktop.app_server.storage.app_tables import AppTables
from lime_desktop.app_server.storage.changes import Changing, Operation, Outcome
from lime_desktop.app_server.storage.files import within_quota
from lime_desktop.app_server.storage.service import (
    StoredValue,
    delete_entry,
    read_entry,
    write_entry,
)
from lime_desktop.app_server.storage.table_rows import (
    StoredRow,
    add_row,
    delete_row,
    read_row,
    replace_row,
)
from lime_desktop.database.connection import Connection
from lime_desktop.protocol.calls.storage_tables import StorageChange
from lime_desktop.protocol.capability_calls.storage import DeleteOperation, SetOperation
from lime_desktop.protocol.capability_calls.storage_tables import (
    DeleteRowOperation,
    RowId,
    UpdateRowOperation,
)
from lime_desktop.protocol.errors import InvalidInput, StorageConflict
from lime_desktop.protocol.wire import WireModel


class TouchedValue(WireModel):
    """What one key held."""

    key: str
    before: StoredValue | None = None
    after: StoredValue | None = None


class TouchedRow(WireModel):
    """What one row held."""

    table: str
    id: RowId
    before: StoredRow | None = None
    after: StoredRow | None = None


class Touched(WireModel):
    """One of the two; neither where nothing was changed."""

    value: TouchedValue | None = None
    row: TouchedRow | None = None


def read_touched(text: bytes) -> Touched:
    """Read what `change_undoably` wrote.

    Raises:
        InvalidInput: it is something else.
    """
    try:
        return Touched.model_validate_json(text)
    except ValidationError:
        raise InvalidInput.at_fields([("undo", "not_an_undo")]) from None


def change_undoably(
    changing: Changing, connection: Connection, operation: Operation
) -> tuple[Outcome, Touched]:
    """Carry one operation out, and say what it touched."""
    if isinstance(operation, SetOperation | DeleteOperation):
        before = read_entry(connection, operation.key)
        [outcome] = changing.apply(connection, (operation,))
        after = read_entry(connection, operation.key)
        return outcome, Touched(value=TouchedValue(key=operation.key, before=before, after=after))
    table = changing.tables.named(operation.table)
    if isinstance(operation, UpdateRowOperation | DeleteRowOperation):
        known: object = operation.id
    else:
        known = operation.row.get(table.primary_key)
    # A row that is given no id gets a new one, and so was not there.
    was = read_row(connection, table, known) if isinstance(known, str | int) else None
    [outcome] = changing.apply(connection, (operation,))
    if outcome.change is None or outcome.change.id is None:
        return outcome, Touched()
    row_id = outcome.change.id
    row = TouchedRow(
        table=table.name, id=row_id, before=was, after=read_row(connection, table, row_id)
    )
    return outcome, Touched(row=row)


@dataclass(frozen=True, slots=True)
class Restoring:
    """Puts back what was there, within one write."""

    tables: AppTables
    now: str
    quota_bytes: int

    def apply(self, connection: Connection, touched: Touched) -> tuple[StorageChange, ...]:
        """Put it back, and say what changed by that.

        Raises:
            StorageConflict: it is no longer as the change left it.
        """
        with within_quota(connection, self.quota_bytes):
            if touched.value is not None:
                return (_restore_value(connection, touched.value),)
            if touched.row is not None:
                return (self._restore_row(connection, touched.row),)
        return ()

    def _restore_row(self, connection: Connection, touched: TouchedRow) -> StorageChange:
        table = self.tables.named(touched.table)
        if read_row(connection, table, touched.id) != touched.after:
            raise _went_on()
        if touched.before is None:
            delete_row(connection, table, touched.id)
            return StorageChange(op="deleteRow", table=table.name, id=touched.id)
        # A version never comes again: whoever read the one between must see that theirs is gone.
        version = (touched.after or touched.before).version + 1
        row = touched.before._replace(version=version, updated_at=self.now)
        (add_row if touched.after is None else replace_row)(connection, table, row)
        return StorageChange(op="upsert", table=table.name, id=touched.id, version=version)


def _restore_value(connection: Connection, touched: TouchedValue) -> StorageChange:
    if read_entry(connection, touched.key) != touched.after:
        raise _went_on()
    if touched.before is None:
        delete_entry(connection, touched.key)
        return StorageChange(op="delete", key=touched.key)
    write_entry(connection, touched.before)
    return StorageChange(op="set", key=touched.key)


def _went_on() -> StorageConflict:
    return StorageConflict("It was changed again since, and is left as it is")
