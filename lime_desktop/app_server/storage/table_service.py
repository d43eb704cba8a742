"""Answers storage/row/*, storage/change, storage/usage and storage/migration/*: each call on its own app's file, and no other."""

import json
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

from pydantic import ValidationError

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.storage.announcing import Announce
from lime_desktop.app_server.storage.app_migrations import applied_migrations
from lime_desktop.app_server.storage.app_tables import AppTables
from lime_desktop.app_server.storage.changes import Changing, Operation, Outcome, read_operations
from lime_desktop.app_server.storage.files import AppFiles
from lime_desktop.app_server.storage.prepared import PreparedFiles
from lime_desktop.app_server.storage.rows import count_entries, count_items, read_usage
from lime_desktop.app_server.storage.table_rows import query_rows, read_row
from lime_desktop.app_server.storage.values import QUOTA_BYTES
from lime_desktop.database.connection import Connection
from lime_desktop.database.database import Database
from lime_desktop.protocol.calls.storage_tables import (
    ChangeDataParams,
    ChangeDataResult,
    GetRowParams,
    GetRowResult,
    ListMigrationsParams,
    ListMigrationsResult,
    QueryRowsParams,
    QueryRowsResult,
    ReadUsageParams,
    ReadUsageResult,
    RunMigrationsParams,
    RunMigrationsResult,
)
from lime_desktop.protocol.capability_calls.storage import DeleteOperation, SetOperation
from lime_desktop.protocol.capability_calls.storage_tables import (
    QueryRowsParams as QueryInput,
)
from lime_desktop.protocol.errors import InvalidInput
from lime_desktop.protocol.ids import AppId

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
    ) -> None:
        self._files = files
        self._prepared = prepared
        self._now = now
        self._announce = announce
        self._quota_bytes = quota_bytes

    async def get_row(self, params: GetRowParams, context: CallContext) -> GetRowResult:
        """Read one row."""
        del context
        async with self._prepared.use(params.app_id) as file:
            table = file.tables.named(params.table)
            row = file.database.look_up(lambda connection: read_row(connection, table, params.id))
        return GetRowResult(row=row)

    async def query_rows(self, params: QueryRowsParams, context: CallContext) -> QueryRowsResult:
        """Find rows."""
        del context
        query = _read_query(params.query_json)
        async with self._prepared.use(params.app_id) as file:
            table = file.tables.named(query.table)
            page = await file.database.read(lambda connection: query_rows(connection, table, query))
        return QueryRowsResult(page_json=page)

    async def change(self, params: ChangeDataParams, context: CallContext) -> ChangeDataResult:
        """Carry out operations together; the answer comes when they are on disk."""
        del context
        if params.provenance.app_id != params.app_id:
            raise InvalidInput.at_fields([("provenance.appId", "another_app")])
        operations = read_operations(params.operations_json)
        async with self._file_for(params.app_id, operations) as (database, tables):
            changing = Changing(tables, params.provenance, self._now(), self._quota_bytes)
            outcomes = await database.write(
                lambda connection: changing.apply(connection, operations),
                # In the order of the commits, even if the caller has gone meanwhile.
                lambda outcomes: self._tell(params.app_id, outcomes),
            )
        results = [outcome.result for outcome in outcomes]
        return ChangeDataResult(results_json=json.dumps(results, ensure_ascii=False))

    async def read_usage(self, params: ReadUsageParams, context: CallContext) -> ReadUsageResult:
        """Say how much space an app uses."""
        del context

        def look(connection: Connection) -> ReadUsageResult:
            keys = count_entries(connection)
            return ReadUsageResult(
                used_bytes=read_usage(connection),
                quota_bytes=self._quota_bytes,
                keys=keys,
                rows=count_items(connection) - keys,
            )

        async with self._files.use(params.app_id) as database:
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

    def _tell(self, app_id: AppId, outcomes: list[Outcome]) -> None:
        changes = tuple(outcome.change for outcome in outcomes if outcome.change is not None)
        if changes:
            self._announce(app_id, changes)


def _read_query(text: str) -> QueryInput:
    try:
        return QueryInput.model_validate_json(text)
    except ValidationError as error:
        raise InvalidInput.from_validation(error) from None
