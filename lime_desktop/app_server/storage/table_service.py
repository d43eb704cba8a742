"""Answers lime.storage for tables, changes and space, and storage/migration/*: each call on its own app's file, and no other."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.routes import AppCalls, Undoing
from lime_desktop.app_server.storage.app_migrations import applied_migrations
from lime_desktop.app_server.storage.app_tables import AppTables
from lime_desktop.app_server.storage.changes import Changing, Operation, Outcome
from lime_desktop.app_server.storage.files import (
    QUOTA_BYTES,
    AppFiles,
    count_entries,
    count_items,
    read_usage,
)
from lime_desktop.app_server.storage.happenings import Happenings
from lime_desktop.app_server.storage.prepared import PreparedFiles
from lime_desktop.app_server.storage.service import Announce, entry_text
from lime_desktop.app_server.storage.table_rows import query_rows, read_row, write_row
from lime_desktop.app_server.storage.undoing import (
    Restoring,
    Touched,
    change_undoably,
    read_touched,
)
from lime_desktop.database.connection import Connection
from lime_desktop.database.database import Database
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.calls.storage_tables import (
    ListMigrationsParams,
    ListMigrationsResult,
    RunMigrationsParams,
    RunMigrationsResult,
)
from lime_desktop.protocol.capability_calls.call import ParamsT
from lime_desktop.protocol.capability_calls.storage import (
    CHANGE_DATA,
    READ_USAGE,
    DeleteOperation,
    SetOperation,
    StorageDeleteResult,
    StorageEntry,
    StorageKeyParams,
    StorageSetParams,
    StorageUsageResult,
    TransactionParams,
    TransactionResult,
)
from lime_desktop.protocol.capability_calls.storage_tables import (
    DELETE_ROW,
    GET_ROW,
    INSERT_ROW,
    QUERY_ROWS,
    UPDATE_ROW,
    UPSERT_ROW,
    DeleteRowOperation,
    DeleteRowResult,
    InsertRowOperation,
    InsertRowParams,
    QueryRowsParams,
    QueryRowsResult,
    RowParams,
    RowResult,
    StorageRow,
    UpdateRowOperation,
    UpdateRowParams,
    UpsertRowOperation,
)
from lime_desktop.protocol.errors import InternalError
from lime_desktop.protocol.ids import AppId
from lime_desktop.protocol.wire import Empty, WireModel, Written

_NO_TABLES = AppTables({})


class AppTableStorage:
    """Tables of every app, and changes that happen together."""

    def __init__(
        self,
        files: AppFiles,
        prepared: PreparedFiles,
        now: Callable[[], str],
        announce: Announce,
        quota_bytes: int = QUOTA_BYTES,
        happenings: Happenings | None = None,
    ) -> None:
        self._happenings = happenings
        self._files = files
        self._prepared = prepared
        self._now = now
        self._announce = announce
        self._quota_bytes = quota_bytes

    def serve(self, calls: AppCalls) -> None:
        """Answer the calls about rows, changes and space."""
        calls.add(GET_ROW, self.get_row)
        calls.add(QUERY_ROWS, self.query_rows)
        calls.add(INSERT_ROW, self.insert, self._undoing(_inserting))
        calls.add(UPDATE_ROW, self.update, self._undoing(_updating))
        calls.add(UPSERT_ROW, self.upsert, self._undoing(_upserting))
        calls.add(DELETE_ROW, self.delete_row, self._undoing(_deleting_row))
        calls.add(CHANGE_DATA, self.change)
        calls.add(READ_USAGE, self.read_usage)

    @property
    def setting(self) -> Undoing[StorageSetParams, StorageEntry]:
        """How a value is kept so that it can be taken back."""

        async def do(
            params: StorageSetParams, caller: AppCaller
        ) -> tuple[Written[StorageEntry], Touched]:
            operation = SetOperation(op="set", key=params.key, value=params.value)
            _, touched = await self._change_undoably(operation, caller)
            kept = touched.value.after if touched.value else None
            if kept is None:
                raise InternalError("What was kept is not there")
            return Written(entry_text(caller.app_id, kept)), touched

        return Undoing(do, self.take_back)

    @property
    def deleting(self) -> Undoing[StorageKeyParams, StorageDeleteResult]:
        """How a value is deleted so that it can be taken back."""
        return self._undoing(lambda params: DeleteOperation(op="delete", key=params.key))

    def _undoing(self, operation: Callable[[ParamsT], Operation]) -> Undoing[ParamsT, Any]:
        async def do(params: ParamsT, caller: AppCaller) -> tuple[Written[Any], Touched]:
            outcome, touched = await self._change_undoably(operation(params), caller)
            return Written(outcome.result), touched

        return Undoing(do, self.take_back)

    async def take_back(self, undo: bytes, caller: AppCaller) -> None:
        """Take one operation back.

        Raises:
            StorageConflict: somebody went on from it.
        """
        touched, app_id = read_touched(undo), caller.app_id
        if touched.row is None:
            async with self._files.use(app_id) as database:
                await self._restore(app_id, database, _NO_TABLES, touched)
        else:
            async with self._prepared.use(app_id) as file:
                await self._restore(app_id, file.database, file.tables, touched)

    async def _restore(
        self, app_id: AppId, database: Database, tables: AppTables, touched: Touched
    ) -> None:
        restoring = Restoring(tables, self._now(), self._quota_bytes)
        await database.write(
            lambda connection: restoring.apply(connection, touched),
            lambda changes: self._announce(app_id, changes) if changes else None,
        )

    async def _change_undoably(
        self, operation: Operation, caller: AppCaller
    ) -> tuple[Outcome, Touched]:
        app_id = caller.app_id
        async with self._file_for(app_id, (operation,)) as (database, tables):
            changing = self._changing(tables, caller)
            return await database.write(
                lambda connection: change_undoably(changing, connection, operation),
                lambda done: self._announce_outcomes(app_id, [done[0]]),
            )

    def _changing(self, tables: AppTables, caller: AppCaller) -> Changing:
        now, noted = self._now(), self._happenings
        return Changing(tables, caller.provenance, now, self._quota_bytes, noted)

    async def get_row(self, params: RowParams, caller: AppCaller) -> Written[RowResult]:
        """Read one row."""
        async with self._prepared.use(caller.app_id) as file:
            table = file.tables.named(params.table)
            row = file.database.look_up(lambda connection: read_row(connection, table, params.id))
        return Written(b"null" if row is None else write_row(row))

    async def query_rows(
        self, params: QueryRowsParams, caller: AppCaller
    ) -> Written[QueryRowsResult]:
        """Find rows."""
        async with self._prepared.use(caller.app_id) as file:
            table = file.tables.named(params.table)
            page = await file.database.read(
                lambda connection: query_rows(connection, table, params)
            )
        return Written(page.encode())

    async def insert(self, params: InsertRowParams, caller: AppCaller) -> Written[StorageRow]:
        """Add a row."""
        return Written(await self._change_one(_inserting(params), caller))

    async def update(self, params: UpdateRowParams, caller: AppCaller) -> Written[StorageRow]:
        """Change fields of a row."""
        return Written(await self._change_one(_updating(params), caller))

    async def upsert(self, params: InsertRowParams, caller: AppCaller) -> Written[StorageRow]:
        """Add or replace a row."""
        return Written(await self._change_one(_upserting(params), caller))

    async def delete_row(self, params: RowParams, caller: AppCaller) -> Written[DeleteRowResult]:
        """Delete a row."""
        return Written(await self._change_one(_deleting_row(params), caller))

    async def change(
        self, params: TransactionParams, caller: AppCaller
    ) -> Written[TransactionResult]:
        """Carry out operations together."""
        results = await self._change(params.operations, caller)
        return Written(b'{"results":[' + b",".join(results) + b"]}")

    async def names(self, app_id: AppId) -> frozenset[str]:
        """The tables that an app's schema declares.

        Raises:
            StorageMigrationRequired: its data are of an older form.
        """
        async with self._prepared.use(app_id) as file:
            return frozenset(file.tables.by_name)

    async def read_usage(self, params: Empty, caller: AppCaller) -> StorageUsageResult:
        """Say how much space an app uses."""
        del params

        def look(connection: Connection) -> StorageUsageResult:
            keys = count_entries(connection)
            return StorageUsageResult(
                used_bytes=read_usage(connection),
                quota_bytes=self._quota_bytes,
                keys=keys,
                rows=count_items(connection) - keys,
            )

        async with self._files.use(caller.app_id) as database:
            return await database.read(look)

    async def list_migrations(
        self, params: ListMigrationsParams, context: CallContext
    ) -> ListMigrationsResult:
        """Say how the data stands against the package."""
        del context
        plan = await self._prepared.plan(params.app_id)
        async with self._files.use(params.app_id) as database:
            applied = await database.read(applied_migrations)
            pending = await database.read(plan.pending)
        return ListMigrationsResult(
            applied=tuple(applied), pending=tuple(migration.name for migration in pending)
        )

    async def migrate(
        self, params: RunMigrationsParams, context: CallContext
    ) -> RunMigrationsResult:
        """Bring the data to the package's newest migration."""
        del context
        return RunMigrationsResult(applied=await self._prepared.migrate(params.app_id))

    async def _change_one(self, operation: Operation, caller: AppCaller) -> bytes:
        """One operation is a transaction of one."""
        [result] = await self._change((operation,), caller)
        return result

    async def _change(self, operations: tuple[Operation, ...], caller: AppCaller) -> list[bytes]:
        """Carry operations out together; the answer comes when they are on disk."""
        app_id = caller.app_id
        async with self._file_for(app_id, operations) as (database, tables):
            changing = self._changing(tables, caller)
            outcomes = await database.write(
                lambda connection: changing.apply(connection, operations),
                # In the order of the commits, even if the caller has gone meanwhile.
                lambda outcomes: self._announce_outcomes(app_id, outcomes),
            )
        return [outcome.result for outcome in outcomes]

    @asynccontextmanager
    async def _file_for(
        self, app_id: AppId, operations: tuple[Operation, ...]
    ) -> AsyncGenerator[tuple[Database, AppTables]]:
        if all(isinstance(each, SetOperation | DeleteOperation) for each in operations):
            # Keys and values need no schema.
            async with self._files.use(app_id) as database:
                yield database, _NO_TABLES
        else:
            async with self._prepared.use(app_id) as file:
                yield file.database, file.tables

    def _announce_outcomes(self, app_id: AppId, outcomes: list[Outcome]) -> None:
        changes = tuple(outcome.change for outcome in outcomes if outcome.change is not None)
        if changes:
            self._announce(app_id, changes)


def _inserting(params: InsertRowParams) -> Operation:
    return InsertRowOperation(op="insert", **_given(params))


def _updating(params: UpdateRowParams) -> Operation:
    return UpdateRowOperation(op="update", **_given(params))


def _upserting(params: InsertRowParams) -> Operation:
    return UpsertRowOperation(op="upsert", **_given(params))


def _deleting_row(params: RowParams) -> Operation:
    return DeleteRowOperation(op="deleteRow", **_given(params))


def _given(params: WireModel) -> dict[str, Any]:
    # What was not given stays away: a null that was given is a value.
    return {name: getattr(params, name) for name in params.model_fields_set}
