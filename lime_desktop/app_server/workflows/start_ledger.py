"""What is known of whatever starts runs by itself, as facts in the log: what a person allowed, and what became of each occasion.

A schedule or a trigger is a job that never ends, with a session of its own; each moment or event that was dealt with is an item of it.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import msgspec

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.runtime_core.core import RuntimeCore
from lime_desktop.app_server.runtime_core.facts import CoreFact, fact
from lime_desktop.app_server.runtime_core.folds.work import JobItem
from lime_desktop.app_server.runtime_core.log.records import DamagedRecord, decode_record
from lime_desktop.app_server.workflows.detail import NOTHING, Value, read, stated
from lime_desktop.app_server.workflows.names import (
    session_of_starter,
    starter_id,
    starters_of,
)
from lime_desktop.database.connection import Connection
from lime_desktop.protocol.calls.sessions import StartSessionParams
from lime_desktop.protocol.errors import SessionExists
from lime_desktop.protocol.ids import AppId, JobId, JobItemId, TraceId
from lime_desktop.protocol.runtime.event_types import EventType
from lime_desktop.protocol.runtime.threads import JobSnapshot
from lime_desktop.protocol.schedules import StartedBy, StartOutcome

T = TypeVar("T")
_AFTER = "~"
"""Behind every name."""
_JOBS = (
    "SELECT s.app_id, r.body FROM record r JOIN session s USING (session_key) WHERE r.kind='job'"
)


class Start(msgspec.Struct, frozen=True, omit_defaults=True, rename="camel"):
    """What is known of one occasion, or of several that were missed together."""

    due_ms: int
    outcome: StartOutcome
    trigger: StartedBy = "schedule"
    run_id: str | None = None
    missed: int = 0
    has_more: bool = False
    since_ms: int | None = None
    code: str | None = None
    message: str | None = None
    input: Value = NOTHING
    """What its run is given, where that is not what is declared."""
    cause: str | None = None
    """The run or the task that made it happen."""


class Kept(msgspec.Struct, frozen=True, omit_defaults=True, rename="camel"):
    """What is known of each kind. What was agreed to, each says itself."""

    key: str
    agreed_at_ms: int = 0
    installed_at_ms: int | None = None
    """Of which installation it was agreed to."""
    locale: str | None = None
    is_paused: bool = False
    reached_ms: int = 0
    """Every occasion until then was dealt with."""
    open: list[str] = []
    """The starts that have not come to a run or to a reason why not, oldest first."""
    last_run_id: str | None = None
    last: Start | None = None

    @property
    def is_agreed(self) -> bool:
        """Whether a person agreed to anything."""
        raise NotImplementedError


KeptT = TypeVar("KeptT", bound=Kept)


@dataclass(frozen=True, slots=True)
class Family(Generic[KeptT]):
    """Schedules, or triggers."""

    word: str
    """How their names begin."""
    kept: type[KeptT]

    def name(self, app_id: str, key: str) -> str:
        """The name of one."""
        return starter_id(self.word, app_id, key)


class StartLedger(Generic[KeptT]):
    """Reads and adds facts. Who changes something of a schedule or a trigger holds its lock."""

    def __init__(self, core: RuntimeCore, family: Family[KeptT]) -> None:
        self.family = family
        self._core = core
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    def changing(self, app_id: str, key: str) -> asyncio.Lock:
        """Held by whoever deals with one of them."""
        return self._locks[self.family.name(app_id, key)]

    async def read(self, app_id: str, key: str) -> KeptT:
        """What is known of one: nothing but its key, where nobody ever allowed it."""
        name = self.family.name(app_id, key)
        rows = await self._rows(f"{_JOBS} AND r.key=?", (name,))
        return next((kept for _, kept in self._kept(rows)), self.family.kept(key))

    async def of_app(self, app_id: str) -> tuple[KeptT, ...]:
        """Every one of an app that something is known of."""
        begins = starters_of(self.family.word, app_id)
        rows = await self._rows(
            f"{_JOBS} AND r.key >= ? AND r.key < ? ORDER BY r.key", (begins, f"{begins}{_AFTER}")
        )
        return tuple(kept for _, kept in self._kept(rows))

    async def allowed_apps(self) -> tuple[AppId, ...]:
        """The apps of which a person allowed one."""
        begins = f"{self.family.word}_"
        rows = await self._rows(
            f"{_JOBS} AND r.key >= ? AND r.key < ?", (begins, f"{begins}{_AFTER}")
        )
        found = {app_id for app_id, kept in self._kept(rows) if kept.is_agreed}
        return tuple(AppId(app_id) for app_id in sorted(found))

    async def starts(self, app_id: str, key: str, limit: int) -> tuple[Start, ...]:
        """What became of the newest occasions, the newest first."""
        session_id = session_of_starter(self.family.name(app_id, key))

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
        found = await self.find_start(app_id, name, key)
        return read(None, Start) if found is None else found

    async def find_start(self, app_id: str, name: str, key: str) -> Start | None:
        """The same; None where nobody has dealt with it."""
        session_id = session_of_starter(self.family.name(app_id, key))

        def reading(connection: Connection) -> Any:
            return connection.execute(
                "SELECT r.body FROM record r JOIN session s USING (session_key) "
                "WHERE s.session_id=? AND r.kind='job_item' AND r.key=?",
                (session_id, name),
            ).fetchone()

        row = await self._read(reading)
        item = decode_record("job_item", row[0]) if row else None
        return read(item.detail, Start) if isinstance(item, JobItem) else None

    async def begin(self, app_id: AppId, key: str, title: str) -> None:
        """Make room for the facts of one; one that is there already stays as it is."""
        name = self.family.name(app_id, key)
        begun = StartSessionParams(
            app_id=app_id, session_id=session_of_starter(name), title=title[:500]
        )
        with suppress(SessionExists):
            await self._core.sessions.start(begun, CallContext(trace_id=TraceId("")))
        created = fact(
            "job.created",
            job_id=JobId(name),
            payload={"title": title, "detail": stated(key=key)},
        )
        await self._core.journal.append(session_of_starter(name), lambda _: [created])

    async def append(self, app_id: str, key: str, *facts: CoreFact) -> None:
        """Add facts, whole or not at all."""
        session_id = session_of_starter(self.family.name(app_id, key))
        await self._core.journal.append(session_id, lambda _: facts)

    async def _rows(self, query: str, values: Sequence[str]) -> list[Any]:
        def reading(connection: Connection) -> list[Any]:
            return connection.execute(query, values).fetchall()

        return await self._read(reading)

    async def _read(self, work: Callable[[Connection], T]) -> T:
        return await self._core.journal.read_all(work)

    def _kept(self, rows: Sequence[Any]) -> list[tuple[str, KeptT]]:
        found: list[tuple[str, KeptT]] = []
        for app_id, body in rows:
            # A damaged record is mended once its session is opened; until then it hides no other.
            with suppress(DamagedRecord):
                job = decode_record("job", body)
                if isinstance(job, JobSnapshot):
                    found.append((app_id, read(job.detail, self.family.kept)))
        return found


class StartFacts:
    """Says things of one schedule or trigger. Pure."""

    def __init__(self, name: str) -> None:
        self.name = name

    def start_name(self, due_ms: int, kind: str = "") -> str:
        """The name of a start: the same for the same occasion, and sorted by time."""
        return f"{self.name}:{due_ms:015d}{kind}"

    def stands(self, **fields: object) -> CoreFact:
        """Something about it has changed."""
        return self._fact("job.progress", stated(**fields))

    def due(self, name: str, start: Start) -> CoreFact:
        """An occasion has come: what follows is done after this is on disk."""
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
