"""What is known of each schedule, as facts in the log: what a person allowed, until where it was kept, what became of each moment.

A schedule is a job that never ends, with a session of its own; each moment that was dealt with is an item of it.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Literal, TypeVar

import msgspec

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.runtime_core.core import RuntimeCore
from lime_desktop.app_server.runtime_core.facts import CoreFact, fact
from lime_desktop.app_server.runtime_core.folds.work import JobItem
from lime_desktop.app_server.runtime_core.log.records import DamagedRecord, decode_record
from lime_desktop.app_server.workflows.detail import read, stated
from lime_desktop.app_server.workflows.names import (
    schedule_id,
    schedules_of,
    session_of_schedule,
)
from lime_desktop.app_server.workflows.schedules.consent import Terms
from lime_desktop.database.connection import Connection
from lime_desktop.protocol.calls.sessions import StartSessionParams
from lime_desktop.protocol.errors import SessionExists
from lime_desktop.protocol.ids import AppId, JobId, JobItemId, TraceId
from lime_desktop.protocol.runtime.event_types import EventType
from lime_desktop.protocol.runtime.threads import JobSnapshot
from lime_desktop.protocol.schedules import StartOutcome

T = TypeVar("T")
_AFTER = "~"
"""Behind every name."""
_JOBS = (
    "SELECT s.app_id, r.body FROM record r JOIN session s USING (session_key) WHERE r.kind='job'"
)


class Start(msgspec.Struct, frozen=True, omit_defaults=True, rename="camel"):
    """What is known of one moment, or of several that were missed together."""

    due_ms: int
    outcome: StartOutcome
    trigger: Literal["schedule", "person"] = "schedule"
    run_id: str | None = None
    missed: int = 0
    has_more: bool = False
    since_ms: int | None = None
    code: str | None = None
    message: str | None = None


class Kept(msgspec.Struct, frozen=True, omit_defaults=True, rename="camel"):
    """What is known of a schedule."""

    key: str
    agreed: Terms | None = None
    agreed_at_ms: int = 0
    installed_at_ms: int | None = None
    """Of which installation it was agreed to."""
    locale: str | None = None
    is_paused: bool = False
    anchor_ms: int = 0
    reached_ms: int = 0
    """Every moment until then was dealt with."""
    open: list[str] = []
    """The starts that have not come to a run or to a reason why not, oldest first."""
    last_run_id: str | None = None
    last: Start | None = None


class ScheduleLedger:
    """Reads and adds facts. Who changes something of a schedule holds its lock."""

    def __init__(self, core: RuntimeCore) -> None:
        self._core = core
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    def changing(self, app_id: str, key: str) -> asyncio.Lock:
        """Held by whoever deals with a schedule."""
        return self._locks[schedule_id(app_id, key)]

    async def read(self, app_id: str, key: str) -> Kept:
        """What is known of a schedule: nothing but its key, where nobody ever allowed it."""
        name = schedule_id(app_id, key)
        rows = await self._rows(f"{_JOBS} AND r.key=?", (name,))
        return next((kept for _, kept in _kept(rows)), Kept(key))

    async def of_app(self, app_id: str) -> tuple[Kept, ...]:
        """Every schedule of an app that something is known of."""
        begins = schedules_of(app_id)
        rows = await self._rows(
            f"{_JOBS} AND r.key >= ? AND r.key < ? ORDER BY r.key", (begins, f"{begins}{_AFTER}")
        )
        return tuple(kept for _, kept in _kept(rows))

    async def allowed_apps(self) -> tuple[AppId, ...]:
        """The apps of which a person allowed one."""
        rows = await self._rows(
            f"{_JOBS} AND r.key >= ? AND r.key < ?", ("schedule_", f"schedule_{_AFTER}")
        )
        found = {app_id for app_id, kept in _kept(rows) if kept.agreed is not None}
        return tuple(AppId(app_id) for app_id in sorted(found))

    async def starts(self, app_id: str, key: str, limit: int) -> tuple[Start, ...]:
        """What became of the newest moments, the newest first."""
        session_id = session_of_schedule(schedule_id(app_id, key))

        def reading(connection: Connection) -> list[Any]:
            return connection.execute(
                "SELECT r.body FROM record r JOIN session s USING (session_key) "
                "WHERE s.session_id=? AND r.kind='job_item' ORDER BY r.key DESC LIMIT ?",
                (session_id, limit),
            ).fetchall()

        items = [decode_record("job_item", row[0]) for row in await self._read(reading)]
        return tuple(read(each.detail, Start) for each in items if isinstance(each, JobItem))

    async def start(self, app_id: str, name: str, key: str) -> Start:
        """What is known of one start."""
        session_id = session_of_schedule(schedule_id(app_id, key))

        def reading(connection: Connection) -> Any:
            return connection.execute(
                "SELECT r.body FROM record r JOIN session s USING (session_key) "
                "WHERE s.session_id=? AND r.kind='job_item' AND r.key=?",
                (session_id, name),
            ).fetchone()

        item = decode_record("job_item", (await self._read(reading))[0])
        return read(item.detail if isinstance(item, JobItem) else None, Start)

    async def begin(self, app_id: AppId, key: str, title: str) -> None:
        """Make room for the facts of a schedule; one that is there already stays as it is."""
        name = schedule_id(app_id, key)
        begun = StartSessionParams(
            app_id=app_id, session_id=session_of_schedule(name), title=title[:500]
        )
        with suppress(SessionExists):
            await self._core.sessions.start(begun, CallContext(trace_id=TraceId("")))
        created = fact(
            "job.created",
            job_id=JobId(name),
            payload={"title": title, "detail": stated(key=key)},
        )
        await self._core.journal.append(session_of_schedule(name), lambda _: [created])

    async def append(self, app_id: str, key: str, *facts: CoreFact) -> None:
        """Add facts, whole or not at all."""
        session_id = session_of_schedule(schedule_id(app_id, key))
        await self._core.journal.append(session_id, lambda _: facts)

    async def _rows(self, query: str, values: Sequence[str]) -> list[Any]:
        def reading(connection: Connection) -> list[Any]:
            return connection.execute(query, values).fetchall()

        return await self._read(reading)

    async def _read(self, work: Callable[[Connection], T]) -> T:
        return await self._core.journal.read_all(work)


class ScheduleFacts:
    """Says things of one schedule. Pure."""

    def __init__(self, app_id: str, key: str) -> None:
        self.name = schedule_id(app_id, key)

    def start_name(self, due_ms: int, kind: str = "") -> str:
        """The name of a start: the same for the same moment, and sorted by time."""
        return f"{self.name}:{due_ms:015d}{kind}"

    def stands(self, **fields: object) -> CoreFact:
        """Something about the schedule has changed."""
        return self._fact("job.progress", stated(**fields))

    def due(self, name: str, start: Start) -> CoreFact:
        """A moment has come: what follows is done after this is on disk."""
        return self._fact("job.item.started", msgspec.to_builtins(start), name)

    def waits(self, name: str, **fields: object) -> CoreFact:
        """Its run is begun later."""
        return self._fact("job.progress", stated(**fields), name, phase="waiting")

    def done(self, name: str, **fields: object) -> CoreFact:
        """Its run was begun."""
        return self._fact("job.item.completed", stated(**fields), name)

    def left(self, name: str, **fields: object) -> CoreFact:
        """No run is begun for it."""
        return self._fact("job.progress", stated(**fields), name, phase="skipped")

    def _fact(
        self,
        event_type: EventType,
        detail: dict[str, Any],
        item: str | None = None,
        phase: str | None = None,
    ) -> CoreFact:
        return fact(
            event_type,
            job_id=JobId(self.name),
            job_item_id=None if item is None else JobItemId(item),
            phase=phase,
            payload={"detail": detail},
        )


def _kept(rows: Sequence[Any]) -> list[tuple[str, Kept]]:
    found: list[tuple[str, Kept]] = []
    for app_id, body in rows:
        # A damaged record is mended once its session is opened; until then it hides no other.
        with suppress(DamagedRecord):
            job = decode_record("job", body)
            if isinstance(job, JobSnapshot):
                found.append((app_id, read(job.detail, Kept)))
    return found
