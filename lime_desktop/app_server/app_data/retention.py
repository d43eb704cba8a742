"""Removes what an app keeps longer than a person agreed to: values and rows by their last change, deliverables by their newest version.

A fact with the counts, and no content, is kept of every removal. A clock that went back removes nothing.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from pathlib import Path

from lime_desktop.app_server.artifacts.service import AppArtifacts
from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.runtime_core.identities import moment
from lime_desktop.app_server.storage.files import AppFiles
from lime_desktop.app_server.storage.service import Announce
from lime_desktop.database.connection import Connection
from lime_desktop.durable_files.writing import write_durably
from lime_desktop.protocol.calls.app_data import (
    ApplyRetentionParams,
    ApplyRetentionResult,
    RetentionTerms,
)
from lime_desktop.protocol.calls.storage_tables import StorageChange
from lime_desktop.protocol.capability_calls.evidence import RecordEvidenceParams
from lime_desktop.protocol.ids import AppId
from lime_desktop.protocol.provenance import Provenance

KeepFact = Callable[[RecordEvidenceParams, Provenance], Awaitable[object]]

_DAY_MS = 86_400_000
_AT_ONCE = 1_000
"""Changes that are told in one message."""


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


class AppRetention:
    """For every app."""

    def __init__(
        self,
        files: AppFiles,
        artifacts: AppArtifacts,
        keep_fact: KeepFact,
        announce: Announce,
        clock_file: Path,
        now_ms: Callable[[], int] = _now_ms,
    ) -> None:
        self._files = files
        self._artifacts = artifacts.database
        self._keep_fact = keep_fact
        self._announce = announce
        self._clock_file = clock_file
        self._now_ms = now_ms
        self._turn = asyncio.Lock()

    async def apply(
        self, params: ApplyRetentionParams, context: CallContext
    ) -> ApplyRetentionResult:
        """Remove what is older than these terms, or count it; what is younger, or not named in them, stays."""
        del context
        async with self._turn:
            now_ms = self._now_ms()
            if params.only_counts:
                return await self._count(params.app_id, params.terms, now_ms)
            if not await asyncio.to_thread(self._goes_on, now_ms):
                return ApplyRetentionResult(is_clock_behind=True)
            changes = await self._remove_stored(params.app_id, params.terms, now_ms)
            artifacts = await self._remove_artifacts(params.app_id, params.terms, now_ms)
        values = sum(each.op == "delete" for each in changes)
        result = ApplyRetentionResult(
            values=values, rows=len(changes) - values, artifacts=artifacts
        )
        if result.removed:
            await self._keep_fact(_fact(result), params.provenance)
        return result

    async def _count(
        self, app_id: AppId, terms: RetentionTerms, now_ms: int
    ) -> ApplyRetentionResult:
        values, rows = 0, 0
        if await asyncio.to_thread(self._files.path_of(app_id).exists):
            async with self._files.use(app_id) as database:
                values, rows = await database.read(
                    lambda connection: _count_stored(connection, terms, now_ms)
                )
        artifacts = await self._artifacts.read(
            lambda connection: sum(
                len(_kind_before(connection, app_id, kind, _before(now_ms, days)))
                for kind, days in terms.artifacts.items()
            )
        )
        return ApplyRetentionResult(values=values, rows=rows, artifacts=artifacts)

    def _goes_on(self, now_ms: int) -> bool:
        """Whether the clock is not behind where it was at an earlier time, which is kept. Blocks."""
        seen = 0
        with suppress(OSError, ValueError):
            seen = int(self._clock_file.read_text(encoding="ascii"))
        if now_ms < seen:
            return False
        write_durably(self._clock_file, str(now_ms).encode())
        return True

    async def _remove_stored(
        self, app_id: AppId, terms: RetentionTerms, now_ms: int
    ) -> tuple[StorageChange, ...]:
        has_terms = terms.values is not None or terms.tables
        if not has_terms or not await asyncio.to_thread(self._files.path_of(app_id).exists):
            return ()
        async with self._files.use(app_id) as database:
            return await database.write(
                lambda connection: tuple(_remove(connection, terms, now_ms)),
                lambda changes: self._tell(app_id, changes),
            )

    async def _remove_artifacts(self, app_id: AppId, terms: RetentionTerms, now_ms: int) -> int:
        def remove(connection: Connection) -> int:
            return sum(
                _remove_kind(connection, app_id, kind, _before(now_ms, days))
                for kind, days in terms.artifacts.items()
            )

        return await self._artifacts.write(remove) if terms.artifacts else 0

    def _tell(self, app_id: AppId, changes: tuple[StorageChange, ...]) -> None:
        for begin in range(0, len(changes), _AT_ONCE):
            self._announce(app_id, changes[begin : begin + _AT_ONCE])


def _fact(result: ApplyRetentionResult) -> RecordEvidenceParams:
    said = (
        f"Removed by age: {result.values} values, {result.rows} rows, {result.artifacts} documents."
    )
    return RecordEvidenceParams(kind="retention", message=said, subject="lime.storage", refs=())


def _before(now_ms: int, days: int) -> str:
    return moment(max(0, now_ms - days * _DAY_MS))


def _remove(connection: Connection, terms: RetentionTerms, now_ms: int) -> Iterator[StorageChange]:
    if terms.values is not None:
        rows = connection.execute(
            "DELETE FROM lime_entry WHERE updated_at < ? RETURNING key",
            (_before(now_ms, terms.values),),
        ).fetchall()
        yield from (StorageChange(op="delete", key=key) for (key,) in rows)
    for table, days in terms.tables.items():
        if not _is_hosts_shape(connection, table):
            continue
        rows = connection.execute(
            f'DELETE FROM "{table}" WHERE updated_at < ? RETURNING id',  # noqa: S608 - the terms take plain names alone
            (_before(now_ms, days),),
        ).fetchall()
        yield from (StorageChange(op="deleteRow", table=table, id=row_id) for (row_id,) in rows)


def _count_stored(connection: Connection, terms: RetentionTerms, now_ms: int) -> tuple[int, int]:
    """How many values and rows are older."""
    named = {} if terms.values is None else {"lime_entry": terms.values}
    tables = {
        each: days for each, days in terms.tables.items() if _is_hosts_shape(connection, each)
    }
    values, rows = (
        sum(_older_in(connection, table, _before(now_ms, days)) for table, days in each.items())
        for each in (named, tables)
    )
    return values, rows


def _older_in(connection: Connection, table: str, before: str) -> int:
    found = connection.execute(
        f'SELECT count(*) FROM "{table}" WHERE updated_at < ?',  # noqa: S608 - the terms take plain names alone
        (before,),
    )
    return int(found.fetchone()[0])


def _is_hosts_shape(connection: Connection, table: str) -> bool:
    """Whether there is such a table, and it is one that the host made: others know no time of change."""
    found = connection.execute("SELECT name FROM pragma_table_info(?)", (table,))
    return {"id", "body", "version", "updated_at"} <= {name for (name,) in found}


def _remove_kind(connection: Connection, app_id: AppId, kind: str, before: str) -> int:
    """Forget deliverables of a kind whose newest version is older, whole, and say how many."""
    found = _kind_before(connection, app_id, kind, before)
    for artifact_id in found:
        connection.execute(
            "DELETE FROM version WHERE app_id = ? AND artifact_id = ?", (app_id, artifact_id)
        )
    return len(found)


def _kind_before(connection: Connection, app_id: AppId, kind: str, before: str) -> list[str]:
    """The deliverables of a kind whose newest version is older."""
    rows = connection.execute(
        """
        SELECT artifact_id FROM version WHERE app_id = ? GROUP BY artifact_id
        HAVING max(created_at) < ? AND max(kind) = ? AND min(kind) = ?
        """,
        (app_id, before, kind, kind),
    ).fetchall()
    return [artifact_id for (artifact_id,) in rows]
