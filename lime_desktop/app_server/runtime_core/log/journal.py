"""The log of facts: append first, then tell. Everything that is written to `runtime.db` goes through here.

A command is a function from the session as it stands to the events it wants (`Decide`). It runs on the
writer thread, between all earlier appends and all later ones, so what it saw is what it is judged against.
"""

import contextlib
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from lime_desktop.app_server.runtime_core.gates import Lookup, Origin
from lime_desktop.app_server.runtime_core.log.draft import Draft, Stamp, decode_event
from lime_desktop.app_server.runtime_core.log.opening import (
    DamageFound,
    OpenSession,
    open_session,
    refold_session,
    write_draft,
)
from lime_desktop.app_server.runtime_core.log.records import DamagedRecord, Records
from lime_desktop.app_server.runtime_core.log.repairs import Repairs, mend_names
from lime_desktop.app_server.runtime_core.log.rows import (
    SessionRow,
    event_by_id,
    insert_session,
    load_record,
    mark_damaged,
    session_row,
)
from lime_desktop.app_server.runtime_core.state import SessionState
from lime_desktop.background.observers import Observers
from lime_desktop.database.connection import Connection
from lime_desktop.database.database import Database
from lime_desktop.protocol.errors import (
    DatabaseDamaged,
    SessionDamaged,
    SessionExists,
    SessionNotFound,
)
from lime_desktop.protocol.runtime.events import ProposedEvent, RuntimeEvent

T = TypeVar("T")

MAX_OPEN_SESSIONS = 256
"""Sessions whose state stays in memory; the least recently used is read again when needed."""


@dataclass(frozen=True, slots=True)
class SessionView:
    """A session as a command sees it."""

    app_id: str
    state: SessionState
    get: Lookup


@dataclass(frozen=True, slots=True)
class Appended:
    """What a command did."""

    app_id: str
    events: tuple[RuntimeEvent, ...]
    repeated: tuple[RuntimeEvent, ...]
    state: SessionState


Decide: TypeAlias = Callable[[SessionView], Sequence[ProposedEvent]]
Subscriber: TypeAlias = Callable[[str, tuple[RuntimeEvent, ...]], None]
"""Hears a session's app and its new events, in order, once they are stored."""


class Journal:
    """The one writer."""

    def __init__(self, stamp: Stamp):
        self._stamp = stamp
        self._open: OrderedDict[str, OpenSession] = OrderedDict()
        self._checked: set[str] = set()
        """Sessions whose tail was checked since this process began. Loop thread only."""
        self._subscribers = Observers[str, tuple[RuntimeEvent, ...]]()
        self._database: Database | None = None
        self._mends = Repairs()

    def use(self, database: Database) -> None:
        """Attach the file, which needs `forget` before it can be opened."""
        self._database = database
        self._mends.path = database.path

    def forget(self) -> None:
        """A commit was lost: what is in memory may be ahead of the disk. Writer thread only."""
        self._open.clear()

    def subscribe(self, subscriber: Subscriber) -> Callable[[], None]:
        """Hear every appended batch; returns the way to stop."""
        return self._subscribers.subscribe(subscriber)

    async def append(
        self,
        session_id: str,
        decide: Decide,
        origin: Origin = Origin.CORE,
        *,
        is_passing: bool = False,
    ) -> Appended:
        """Run `decide` and append what it answers, whole or not at all; then tell the subscribers.

        `is_passing` when it answers nothing but pieces of what a later fact will hold whole.
        """

        def work(connection: Connection) -> Appended:
            return self._append(connection, session_id, decide, origin)

        return await self._guarded(
            session_id, lambda: self.database.write(work, self._publish, is_passing=is_passing)
        )

    async def create(
        self,
        session_id: str,
        app_id: str,
        workspace_id: str | None,
        events: Sequence[ProposedEvent],
    ) -> Appended:
        """Begin a session with its first events."""

        def work(connection: Connection) -> Appended:
            if session_row(connection, session_id):
                raise SessionExists(f"The session {session_id} exists already.")
            key = insert_session(connection, session_id, app_id, workspace_id)
            records = Records(lambda address: load_record(connection, key, address))
            session = OpenSession(key, app_id, SessionState(session_id=session_id), records)
            return self._extend(connection, session, lambda _: events, Origin.CORE)

        return await self.database.write(work, self._publish)

    async def open(self, session_id: str) -> None:
        """Make sure the session's tail was checked, and repaired if need be, since this process began."""

        def work(connection: Connection) -> Appended:
            session = self._session(connection, session_id)
            repairs, session.repairs = session.repairs, ()
            return Appended(session.app_id, repairs, (), session.state)

        await self._guarded(session_id, lambda: self.database.write(work, self._publish))
        self._checked.add(session_id)

    async def read(self, session_id: str, work: Callable[[Connection, SessionRow], T]) -> T:
        """Read a session beside the writer. One that is stopped is read too: what is left is shown."""
        if session_id not in self._checked:
            with contextlib.suppress(SessionDamaged):
                await self.open(session_id)

        def reading(connection: Connection) -> T:
            row = session_row(connection, session_id)
            if row is None:
                raise SessionNotFound("There is no session of this id.")
            return work(connection, row)

        return await self._guarded(session_id, lambda: self.database.read(reading))

    @property
    def database(self) -> Database:
        """The attached file."""
        assert self._database is not None, "use() comes first"  # noqa: S101 - a bug of ours
        return self._database

    async def refold(self, session_id: str) -> None:
        """Derive what is stored beside the session's log again: unlike facts, records can be."""

        def work(connection: Connection) -> Appended:
            self._open.pop(session_id, None)
            session = refold_session(connection, session_id, self._stamp, self._mends)
            repairs, session.repairs = session.repairs, ()
            return Appended(session.app_id, repairs, (), session.state)

        await self._guarded(session_id, lambda: self.database.write(work, self._publish))

    async def read_all(self, work: Callable[[Connection], T]) -> T:
        """Read across sessions. A name that is text no more is taken from its session's log, and hides no other."""
        return await self._with_names(lambda: self.database.read(work))

    async def _with_names(self, attempt: Callable[[], Awaitable[T]]) -> T:
        try:
            return await attempt()
        except DatabaseDamaged:
            if not await self.database.write(self._mend_names):
                raise
        return await attempt()

    def _mend_names(self, connection: Connection) -> int:
        self._open.clear()
        return mend_names(connection, self._mends)

    async def _guarded(self, session_id: str, attempt: Callable[[], Awaitable[T]]) -> T:
        try:
            return await self._with_names(attempt)
        except DamagedRecord:
            await self.refold(session_id)
            return await attempt()
        except DamageFound as damage:
            reason = damage.reason
        # In its own transaction: the one that found the damage was rolled back.
        await self.database.write(lambda connection: self._stop(connection, session_id, reason))
        raise SessionDamaged("This session's log is damaged.", details={"reasonCode": reason})

    def _stop(self, connection: Connection, session_id: str, reason: str) -> None:
        row = session_row(connection, session_id)
        self._open.pop(session_id, None)
        if row:
            mark_damaged(connection, row.session_key, reason)

    def _append(
        self, connection: Connection, session_id: str, decide: Decide, origin: Origin
    ) -> Appended:
        session = self._session(connection, session_id)
        try:
            return self._extend(connection, session, decide, origin)
        except BaseException:
            # The rollback takes a repair with it: the next call must find the damage again.
            if session.repairs:
                del self._open[session_id]
            raise

    def _session(self, connection: Connection, session_id: str) -> OpenSession:
        session = self._open.get(session_id)
        if session is None:
            session = open_session(connection, session_id, self._stamp, self._mends)
            self._remember(session_id, session)
        self._open.move_to_end(session_id)
        return session

    def _extend(
        self, connection: Connection, session: OpenSession, decide: Decide, origin: Origin
    ) -> Appended:
        def find_event(event_id: str) -> RuntimeEvent | None:
            body = event_by_id(connection, session.session_key, event_id)
            return decode_event(body) if body else None

        view = SessionView(session.app_id, session.state, session.records.get)
        draft = Draft(session.state, session.records.fork(), self._stamp, find_event)
        draft.add_all(decide(view), origin)
        write_draft(connection, session, draft)
        self._remember(session.state.session_id, session)
        events = tuple(stamped.event for stamped in draft.stamped)
        # A repair found on the way here is told with the batch that found it.
        repairs, session.repairs = session.repairs, ()
        return Appended(session.app_id, (*repairs, *events), tuple(draft.repeated), session.state)

    def _remember(self, session_id: str, session: OpenSession) -> None:
        self._open[session_id] = session
        while len(self._open) > MAX_OPEN_SESSIONS:
            self._open.popitem(last=False)

    def _publish(self, appended: Appended) -> None:
        if appended.events:
            self._subscribers.notify(appended.app_id, appended.events)
