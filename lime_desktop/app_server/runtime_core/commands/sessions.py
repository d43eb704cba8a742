"""agentSession: begin one, list them, read one, go on with one, or branch off."""

import contextlib
import logging
from collections.abc import Callable, Sequence
from typing import TypeVar

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.content_store import ContentStore
from lime_desktop.app_server.runtime_core.commands.resuming import ThreadResumption
from lime_desktop.app_server.runtime_core.facts import fact
from lime_desktop.app_server.runtime_core.gates import Origin
from lime_desktop.app_server.runtime_core.identities import new_id
from lime_desktop.app_server.runtime_core.log.journal import Journal
from lime_desktop.app_server.runtime_core.log.records import Address, DamagedRecord
from lime_desktop.app_server.runtime_core.log.rows import (
    load_record,
    next_position,
    record_count,
    session_page,
    session_row,
)
from lime_desktop.app_server.runtime_core.log.spill import spill
from lime_desktop.app_server.runtime_core.reading.session_reader import (
    EVENT_DAMAGED,
    SessionReader,
    parse_place,
    read_session,
)
from lime_desktop.database.connection import Connection
from lime_desktop.database.incidents import Incident, incidents
from lime_desktop.protocol.calls.sessions import (
    AppendEventsParams,
    AppendEventsResult,
    ListSessionsParams,
    ListSessionsResult,
    ReadSessionParams,
    ReadSessionResult,
    ResumeThreadParams,
    StartSessionParams,
    StartSessionResult,
)
from lime_desktop.protocol.errors import (
    Conflict,
    InvalidInput,
    SessionDamaged,
    SessionNotFound,
    TurnNotActive,
)
from lime_desktop.protocol.ids import AppId, JsonObject, SessionId
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.protocol.runtime.payload_rules import key_like_paths
from lime_desktop.protocol.runtime.sessions import AgentSession
from lime_desktop.protocol.runtime.threads import TurnSnapshot

_log = logging.getLogger(__name__)

T = TypeVar("T")


def fork_point(reader: SessionReader, through_turn_id: str | None) -> JsonObject:
    """What the new session's first event says about the old one. Nothing is copied."""
    through = _last_sequence(reader, through_turn_id)
    inherited = record_count(reader.connection, reader.row.session_key, "message", through)
    earlier = reader.shell().inherited_messages or 0
    return {
        "forkedFrom": reader.state.session_id,
        "forkedThrough": through,
        "inheritedMessages": inherited + earlier,
    }


def _last_sequence(reader: SessionReader, through_turn_id: str | None) -> int:
    if through_turn_id is None:
        return _before_active(reader)
    turn = load_record(reader.connection, reader.row.session_key, Address("turn", through_turn_id))
    if turn is None or not isinstance(turn.record, TurnSnapshot):
        raise TurnNotActive("The session has no turn of this id.")
    if turn.record.completed_at is None:
        raise Conflict("The turn has not ended.", details={"turnId": through_turn_id})
    following = next_position(reader.connection, reader.row.session_key, "turn", turn.position)
    return following - 1 if following else reader.state.last_sequence


def _before_active(reader: SessionReader) -> int:
    """Every finished turn: what runs or waits now is not part of the past."""
    state = reader.state
    open_turns = [turn.turn_id for turn in state.queue]
    if state.active:
        open_turns.append(state.active.turn_id)
    places = [
        placed.position
        for turn_id in open_turns
        if (
            placed := load_record(
                reader.connection, reader.row.session_key, Address("turn", turn_id)
            )
        )
    ]
    return min(places) - 1 if places else state.last_sequence


class SessionCommands:
    """What a client does with whole sessions."""

    def __init__(
        self, journal: Journal, store: ContentStore, resumption: ThreadResumption, runtime_id: str
    ):
        self._journal = journal
        self._store = store
        self._resumption = resumption
        self._runtime_id = runtime_id
        self._told_damage: set[str] = set()

    async def start(self, params: StartSessionParams, context: CallContext) -> StartSessionResult:
        """Begin a session in one of the four modes."""
        policy = params.session_policy
        match policy.mode:
            case "new":
                session_id = await self._create(params, context, {})
            case "fork":
                session_id = await self._fork(params, context)
            case "resume":
                session_id = await self._existing(params)
                await self._journal.open(session_id)
            case "continue":
                session_id = await self._existing(params)
                await self._resumption.resume(ResumeThreadParams(session_id=session_id), context)
        return await self._read(
            session_id, lambda reader: StartSessionResult(session=reader.outline())
        )

    async def read(self, params: ReadSessionParams, context: CallContext) -> ReadSessionResult:
        """The durable state; with `afterSequence` also the events that were missed."""
        del context
        result = await self._read(
            params.session_id, lambda reader: read_session(reader, params, self._runtime_id)
        )
        self._report_damage(result)
        return result

    def _report_damage(self, result: ReadSessionResult) -> None:
        """Say once of a session that some of its events are damaged."""
        session_id = result.session.session_id
        damaged = sum(event.payload.get("code") == EVENT_DAMAGED for event in result.events)
        if damaged and session_id not in self._told_damage:
            self._told_damage.add(session_id)
            _log.error("events are damaged", extra={"sessionId": session_id, "count": damaged})
            incidents.publish(Incident("events_damaged", self._journal.database.path.name, damaged))

    async def list(self, params: ListSessionsParams, context: CallContext) -> ListSessionsResult:
        """One page, the most recently changed first."""
        del context
        before = _parse_cursor(params.cursor)

        outlines: dict[str, AgentSession] = {}

        def reading(connection: Connection) -> tuple[list[str], str | None]:
            rows = session_page(
                connection, params.app_id, params.workspace_id, before, params.limit + 1
            )
            page = rows[: params.limit]
            more = len(rows) > params.limit
            cursor = f"{page[-1].session_key}@{page[-1].updated_at}" if more else None
            for row in page:
                with contextlib.suppress(SessionDamaged, DamagedRecord):
                    outlines[row.session_id] = SessionReader.of(connection, row).outline()
            return [row.session_id for row in page], cursor

        listed, cursor = await self._journal.read_all(reading)
        for session_id in listed:
            if session_id not in outlines:
                outlines |= await self._repaired_outline(session_id)
        found = tuple(outlines[session_id] for session_id in listed if session_id in outlines)
        return ListSessionsResult(sessions=found, next_cursor=cursor)

    async def _repaired_outline(self, session_id: str) -> dict[str, AgentSession]:
        """One damaged session hides no other; it is left out only where nothing of it can be read."""
        try:
            await self._journal.refold(session_id)
            return {session_id: await self._read(session_id, SessionReader.outline)}
        except SessionDamaged:
            _log.warning("a damaged session is not listed", extra={"sessionId": session_id})
            return {}

    async def append(self, params: AppendEventsParams, context: CallContext) -> AppendEventsResult:
        """Report facts from outside, all or none."""
        del context
        events = await spill(_of_turn(params), self._store)
        appended = await self._journal.append(params.session_id, lambda _: events, Origin.CLIENT)
        return AppendEventsResult(events=(*appended.repeated, *appended.events))

    async def owner_of(self, session_id: SessionId) -> AppId | None:
        """Which app a session belongs to, if there is such a session."""

        def reading(connection: Connection) -> AppId | None:
            row = session_row(connection, session_id)
            return AppId(row.app_id) if row else None

        return await self._journal.read_all(reading)

    async def _existing(self, params: StartSessionParams) -> SessionId:
        """The session to go on with: one, however it is named, and of the app that names it."""
        source = params.session_policy.source_session_id
        if source and params.session_id not in {None, source}:
            raise InvalidInput.at_fields([("sessionId", "contradicts_source")])
        return await self._own(source or params.session_id, params.app_id)

    async def _own(self, session_id: SessionId | None, app_id: AppId) -> SessionId:
        required = _required(session_id)
        if await self.owner_of(required) != app_id:
            raise SessionNotFound("This app has no session of this id.")
        return required

    async def _create(
        self, params: StartSessionParams, context: CallContext, more: JsonObject
    ) -> str:
        session_id = params.session_id or new_id("session")
        events = _first_facts(params, context, more)
        await self._journal.create(session_id, params.app_id, params.workspace_id, events)
        return session_id

    async def _fork(self, params: StartSessionParams, context: CallContext) -> str:
        """The conversation branches; an app's stored data has one truth and does not."""
        source = await self._own(params.session_policy.source_session_id, params.app_id)
        through = params.session_policy.through_turn_id
        point = await self._read(source, lambda reader: fork_point(reader, through))
        return await self._create(params, context, point)

    async def _read(self, session_id: str, work: Callable[[SessionReader], T]) -> T:
        return await self._journal.read(
            session_id, lambda connection, row: work(SessionReader.of(connection, row))
        )


def _of_turn(params: AppendEventsParams) -> Sequence[ProposedEvent]:
    if params.turn_id is None:
        return params.runtime_events
    named = {"turn_id": params.turn_id}
    return [e if e.turn_id else e.model_copy(update=named) for e in params.runtime_events]


def _first_facts(
    params: StartSessionParams, context: CallContext, more: JsonObject
) -> Sequence[ProposedEvent]:
    thread_id = params.thread_id or new_id("thread")
    reference = params.business_object_ref
    stated: JsonObject = {
        "appId": params.app_id,
        "workspaceId": params.workspace_id,
        "businessObjectRef": reference.to_wire() if reference else None,
        "title": params.title,
        "locale": params.locale,
        **more,
    }
    payload: JsonObject = {name: value for name, value in stated.items() if value is not None}
    if found := tuple(key_like_paths(payload)):
        raise InvalidInput.at_fields((path, "key_like") for path in found)
    trace_id = context.trace_id or None
    return [
        fact("session.created", thread_id=thread_id, trace_id=trace_id, payload=payload),
        fact("thread.started", thread_id=thread_id, trace_id=trace_id, payload={"status": "idle"}),
    ]


def _required(session_id: SessionId | None) -> SessionId:
    if session_id is None:
        raise InvalidInput.at_fields([("sessionPolicy.sourceSessionId", "missing")])
    return session_id


def _parse_cursor(cursor: str | None) -> tuple[str, int] | None:
    if cursor is None:
        return None
    key, _, updated_at = cursor.partition("@")
    if not updated_at:
        raise InvalidInput.at_fields([("cursor", "unknown")])
    return updated_at, parse_place(key)
