"""The runs of all apps in the log: found by name, by key, by app; opened for whoever goes on with one."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import msgspec

from lime_desktop.app_package.value_schema import is_schema
from lime_desktop.app_server.content_store import ContentStore
from lime_desktop.app_server.runtime_core.folds.work import JobItem
from lime_desktop.app_server.runtime_core.log.journal import Journal
from lime_desktop.app_server.runtime_core.log.records import DamagedRecord, decode_record
from lime_desktop.app_server.runtime_core.reading.session_reader import SessionReader
from lime_desktop.app_server.runtime_core.reading.turn_views import open_action_ids
from lime_desktop.app_server.workflows.names import runs_of
from lime_desktop.app_server.workflows.run import OpenRun
from lime_desktop.app_server.workflows.values import RunValues
from lime_desktop.database.connection import Connection
from lime_desktop.protocol.errors import WorkflowInvalidState, WorkflowRunNotFound
from lime_desktop.protocol.ids import AppId, SessionId
from lime_desktop.protocol.runtime.threads import JobSnapshot
from lime_desktop.workflow_model.definition import WorkflowDefinition, definition_from

_T = TypeVar("_T")

MOST_IN_MEMORY = 256
_AFTER = "~"
"""Behind every name."""
_JOBS = "SELECT s.session_id, s.app_id, r.body, r.key FROM record r JOIN session s USING (session_key) WHERE r.kind='job'"
_COUNT = "SELECT count(*) FROM record r WHERE r.kind='job'"
_FAILED = "instr(r.body, CAST('\"failed\"' AS BLOB)) > 0"
_OPEN = "instr(r.body, CAST('\"endedAt\":' AS BLOB)) = 0"


@dataclass(frozen=True, slots=True)
class StoredRun:
    """A run's record, and where it is."""

    session_id: SessionId
    app_id: AppId
    job: JobSnapshot


class _Everything(frozenset[str]):
    """Holds every name: what a definition may name was checked when its package was read."""

    def __contains__(self, name: object) -> bool:
        return True


class _AllDeclared(dict[str, frozenset[str]]):
    def __missing__(self, what: str) -> frozenset[str]:
        return _Everything()


class RunStore:
    """Finds runs and opens them. The one that is open is handed to everybody who asks for it."""

    def __init__(self, journal: Journal, content: ContentStore) -> None:
        self._journal = journal
        self._content = content
        self.values = RunValues(content)
        self._open: OrderedDict[str, OpenRun] = OrderedDict()
        self._in_hands: WeakValueDictionary[str, OpenRun] = WeakValueDictionary()
        """Those that somebody goes on with, though they were let go of here: there are no two of one run."""
        self._opening: dict[str, asyncio.Lock] = {}
        self._definitions: dict[str, WorkflowDefinition] = {}

    async def keep_definition(self, key: str, written: Mapping[str, Any]) -> str:
        """Keep a definition as it is now: a run ends by the one that it began with."""
        body = msgspec.json.encode({"key": key, "written": written})
        return await asyncio.to_thread(self._content.put, "workflow", body)

    async def find(self, run_id: str, app_id: str | None = None) -> StoredRun:
        """The run of this name; of this app, where one is named.

        Raises:
            WorkflowRunNotFound: there is none.
        """
        found = await self._journal.read_all(lambda connection: _find(connection, run_id))
        return _owned(found, app_id)

    async def read(self, reading: Callable[[Connection], _T]) -> _T:
        """What a look at the log gives."""
        return await self._journal.read_all(reading)

    async def find_whole(
        self, run_id: str, app_id: str | None = None
    ) -> tuple[StoredRun, list[JobItem]]:
        """The same with its steps, in the order in which they were begun: both as they were at one moment.

        Raises:
            WorkflowRunNotFound: there is none.
        """

        def reading(connection: Connection) -> tuple[StoredRun | None, list[JobItem]]:
            found = _find(connection, run_id)
            return found, [] if found is None else _items(connection, found.session_id)

        found, items = await self._journal.read_all(reading)
        return _owned(found, app_id), items

    async def in_session(self, session_id: SessionId) -> StoredRun | None:
        """The run that a session is about."""
        row = await self._journal.read_all(
            lambda connection: connection.execute(
                f"{_JOBS} AND s.session_id=?", (session_id,)
            ).fetchone()
        )
        return _stored(row) if row else None

    async def newest(
        self, app_id: str, before: str | None, limit: int
    ) -> tuple[list[StoredRun], str | None]:
        """A page of an app's runs, newest first, and before which one the next page begins: None after the last."""
        begins = runs_of(app_id)
        rows = await self._journal.read_all(
            lambda connection: connection.execute(
                f"{_JOBS} AND r.key >= ? AND r.key < ? ORDER BY r.key DESC LIMIT ?",
                (begins, before or f"{begins}{_AFTER}", limit),
            ).fetchall()
        )
        following = str(rows[-1][3]) if len(rows) == limit else None
        return [found for row in rows if (found := _stored(row))], following

    async def open_ones(self, app_id: str | None = None) -> list[StoredRun]:
        """The runs that have not come to an end, oldest first: of one app, or of all."""
        begins = runs_of(app_id) if app_id else "workflow_"
        rows = await self._journal.read_all(
            lambda connection: connection.execute(
                f"{_JOBS} AND {_OPEN} AND r.key >= ? AND r.key < ? ORDER BY r.key",
                (begins, f"{begins}{_AFTER}"),
            ).fetchall()
        )
        return [found for row in rows if (found := _stored(row))]

    async def open_whole(self, app_id: str) -> list[tuple[StoredRun, list[JobItem]]]:
        """The same of one app, with their steps: all as they were at one moment."""
        begins = runs_of(app_id)

        def reading(connection: Connection) -> list[tuple[StoredRun, list[JobItem]]]:
            query = f"{_JOBS} AND {_OPEN} AND r.key >= ? AND r.key < ? ORDER BY r.key"
            rows = connection.execute(query, (begins, f"{begins}{_AFTER}")).fetchall()
            stored = [found for row in rows if (found := _stored(row))]
            return [(each, _items(connection, each.session_id)) for each in stored]

        return await self._journal.read_all(reading)

    async def has_question(self, session_id: str) -> bool:
        """Whether a person is asked something in a session right now."""
        return await self._journal.read(
            session_id,
            lambda connection, row: bool(open_action_ids(SessionReader.of(connection, row).state)),
        )

    async def failed_ones(self, app_id: str | None, since: str, limit: int) -> list[StoredRun]:
        """The newest runs that failed from a moment on, newest first; also those that are steps of others."""
        begins = runs_of(app_id) if app_id else "workflow_"
        rows = await self._journal.read_all(
            lambda connection: connection.execute(
                f"{_JOBS} AND {_FAILED} AND r.key >= ? AND r.key < ?",
                (begins, f"{begins}{_AFTER}"),
            ).fetchall()
        )
        found = [run for row in rows if (run := _stored(row)) and _failed_since(run.job, since)]
        found.sort(key=lambda run: run.job.ended_at or "", reverse=True)
        return found[:limit]

    async def count_open(self, app_id: str) -> int:
        """How many runs of an app have not come to an end."""
        begins = runs_of(app_id)
        return await self._journal.read_all(
            lambda connection: connection.execute(
                f"{_COUNT} AND {_OPEN} AND r.key >= ? AND r.key < ?",
                (begins, f"{begins}{_AFTER}"),
            ).fetchone()[0]
        )

    async def open(self, run_id: str) -> OpenRun:
        """A run to go on with.

        Raises:
            WorkflowRunNotFound: there is none of this name.
            WorkflowInvalidState: its definition cannot be read any more.
        """
        async with self._opening.setdefault(run_id, asyncio.Lock()):
            run = self._open.get(run_id) or self._in_hands.get(run_id)
            if run is None:
                run = await self._read(*await self.find_whole(run_id))
            self._open[run_id] = self._in_hands[run_id] = run
            self._open.move_to_end(run_id)
        self._opening.pop(run_id, None)
        return run

    def let_go(self, is_idle: Callable[[str], bool]) -> None:
        """Keep no more in memory than a number of runs; those that are being led on stay."""
        for run_id in list(self._open):
            if len(self._open) <= MOST_IN_MEMORY:
                return
            if is_idle(run_id):
                del self._open[run_id]

    async def _read(self, stored: StoredRun, items: list[JobItem]) -> OpenRun:
        detail = stored.job.detail or {}
        reference = str(detail.get("definitionRef", ""))
        definition = await self.definition(reference)
        run = OpenRun(stored.session_id, stored.app_id, definition, self._journal, self.values)
        run.take_in(stored.job, items)
        return run

    async def definition(self, reference: str) -> WorkflowDefinition:
        """A definition that was kept."""
        known = self._definitions.get(reference)
        if known is None:
            known = await asyncio.to_thread(self._read_definition, reference)
            if len(self._definitions) > MOST_IN_MEMORY:
                self._definitions.clear()
            self._definitions[reference] = known
        return known

    def _read_definition(self, reference: str) -> WorkflowDefinition:
        kept = msgspec.json.decode(self._content.read(reference))
        described = definition_from(
            kept["written"], key=kept["key"], is_schema=is_schema, declared=_AllDeclared()
        )
        if described.definition is None:
            raise WorkflowInvalidState("The definition that this run began with cannot be run")
        return described.definition


def _failed_since(job: JobSnapshot, since: str) -> bool:
    if job.status != "failed" or job.ended_at is None:
        return False
    return datetime.fromisoformat(job.ended_at) >= datetime.fromisoformat(since)


def _find(connection: Connection, run_id: str) -> StoredRun | None:
    row = connection.execute(f"{_JOBS} AND r.key=?", (run_id,)).fetchone()
    return _stored(row) if row else None


def _owned(found: StoredRun | None, app_id: str | None) -> StoredRun:
    if found is None or app_id not in {None, found.app_id}:
        raise WorkflowRunNotFound("This app has no run of this id")
    return found


def _items(connection: Connection, session_id: str) -> list[JobItem]:
    rows = connection.execute(
        "SELECT r.body FROM record r JOIN session s USING (session_key) "
        "WHERE s.session_id=? AND r.kind='job_item' ORDER BY r.position, r.key",
        (session_id,),
    ).fetchall()
    found = [decode_record("job_item", row[0]) for row in rows]
    return [item for item in found if isinstance(item, JobItem)]


def _stored(row: Sequence[Any]) -> StoredRun | None:
    session_id, app_id, body, _ = row
    try:
        job = decode_record("job", body)
    except DamagedRecord:
        # Mended once its session is opened; until then it hides no other run.
        return None
    if not isinstance(job, JobSnapshot):
        return None
    return StoredRun(SessionId(session_id), AppId(app_id), job)
