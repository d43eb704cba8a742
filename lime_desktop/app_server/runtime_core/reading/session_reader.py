"""The read models out of stored rows: snapshot first, then the tail of events. Costs the page, not the log."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from lime_desktop.app_server.runtime_core.folds.fold import SESSION_KEY
from lime_desktop.app_server.runtime_core.folds.session import SessionShell
from lime_desktop.app_server.runtime_core.log.damage import is_sound_page, sound_numbers
from lime_desktop.app_server.runtime_core.log.draft import decode_event
from lime_desktop.app_server.runtime_core.log.records import Address
from lime_desktop.app_server.runtime_core.log.rows import (
    EventRow,
    SessionRow,
    events_after,
    load_record,
    readable_events,
    recent_records,
    stored_runtime_id,
)
from lime_desktop.app_server.runtime_core.reading.history import read_history
from lime_desktop.app_server.runtime_core.reading.turn_views import (
    agent_turn,
    open_action_ids,
    outline,
    queued_turns,
    thread_status,
    with_open_work,
)
from lime_desktop.app_server.runtime_core.state import DamagedState, SessionState, decode_state
from lime_desktop.database.connection import Connection
from lime_desktop.database.failures import is_damage
from lime_desktop.protocol.calls.sessions import (
    DeferredPart,
    EventGap,
    ReadSessionParams,
    ReadSessionResult,
)
from lime_desktop.protocol.errors import InvalidInput, SessionDamaged
from lime_desktop.protocol.ids import EventId, RuntimeId, TurnId
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.runtime.sessions import AgentSession, RecoveryCursor, SessionSnapshot
from lime_desktop.protocol.runtime.statuses import SessionStatus
from lime_desktop.protocol.runtime.summaries import (
    BenchmarkSummary,
    EvidenceSummary,
    PermissionSandboxSummary,
    RoutingLimitSummary,
    TaskSummary,
    TelemetrySummary,
)
from lime_desktop.protocol.runtime.tasks import TaskSnapshot
from lime_desktop.protocol.runtime.threads import (
    ArtifactSnapshot,
    ChannelSnapshot,
    Diagnostic,
    Incident,
    JobSnapshot,
    PendingAction,
    ProcessSnapshot,
    SubagentSnapshot,
    ThreadReadModel,
    ToolCallSnapshot,
    TurnSnapshot,
)
from lime_desktop.protocol.wire import WireModel

MAX_DIGITS = 18

RecordT = TypeVar("RecordT", bound=WireModel)

RECENT = {
    "turn": 50,
    "tool_call": 100,
    "incident": 50,
    "diagnostic": 50,
    "process": 50,
    "subagent": 100,
    "job": 50,
    "channel": 50,
    "artifact": 100,
    "output": 50,
    "task": 100,
}
"""How many of each kind the first screen gets. More is read by its own call, or by the events."""

EVENT_DAMAGED = "event_damaged"
"""What stands in the place of an event that cannot be read says this."""

_STATUS_OF_ENDED_JOB: Mapping[str, SessionStatus] = {
    "completed": "completed",
    "failed": "failed",
    "cancelled": "canceled",
}
_ELSEWHERE = {"artifact": "artifact/read", "task": "task/list"}


@dataclass(frozen=True, slots=True)
class SessionReader:
    """One session over one consistent view of the file."""

    connection: Connection
    row: SessionRow
    state: SessionState

    @classmethod
    def of(cls, connection: Connection, row: SessionRow) -> "SessionReader":
        """Read the stored state once for everything that follows."""
        try:
            return cls(connection, row, decode_state(row.state))
        except DamagedState:
            raise SessionDamaged("This session's state is damaged.") from None

    def one(self, model: type[RecordT], kind: str, key: str = SESSION_KEY) -> RecordT | None:
        """One record."""
        placed = load_record(self.connection, self.row.session_key, Address(kind, key))
        return placed.record if placed and isinstance(placed.record, model) else None

    def recent(
        self, model: type[RecordT], kind: str, limit: int | None = None
    ) -> tuple[RecordT, ...]:
        """The newest records of a kind, oldest first."""
        found = recent_records(self.connection, self.row.session_key, kind, limit or RECENT[kind])
        return tuple(record for record, _ in found if isinstance(record, model))

    def shell(self) -> SessionShell:
        """Whose session this is."""
        shell = self.one(SessionShell, "session")
        if shell is None:
            raise SessionDamaged("This session's outline is missing.")
        return shell

    def outline(self) -> AgentSession:
        """The session's outline; where nobody ever took a turn, it has ended as the job that it holds has."""
        made = outline(self.shell(), self.state, self.thread(), self.row.updated_at)
        return made if made.status != "idle" else self._ended_by_job(made)

    def _ended_by_job(self, made: AgentSession) -> AgentSession:
        jobs = self.recent(JobSnapshot, "job", 1)
        status = _STATUS_OF_ENDED_JOB.get(jobs[-1].status) if jobs else None
        return made if status is None else made.model_copy(update={"status": status})

    def thread(self) -> ThreadReadModel | None:
        """The lasting part of the thread."""
        return self.one(ThreadReadModel, "thread", self.state.thread_id)

    def events(self, after: int, limit: int) -> tuple[tuple[RuntimeEvent, ...], EventGap | None]:
        """Events in order, without a hole: one that cannot be read any more is shown as damaged in its place.

        The gap says from where to where such ones lie; nothing else is missing between.
        """
        if after > self.state.last_sequence:
            gap = EventGap(
                from_sequence=self.state.last_sequence + 1,
                to_sequence=after,
                reason="unknown_sequence",
            )
            return (), gap
        rows = self._rows(after - 1, limit + 1)
        before = rows.pop(0) if after and rows and rows[0].sequence == after else None
        page = rows[:limit]
        if is_sound_page(page, before) and (page or after == self.state.last_sequence):
            return tuple(decode_event(row.body) for row in page), None
        return self._events_around_damage(page, after, limit)

    def _rows(self, after: int, limit: int) -> list[EventRow]:
        try:
            return events_after(self.connection, self.row.session_key, after, limit)
        except Exception as error:
            if not is_damage(error):
                raise
        return readable_events(self.connection, self.row.session_key, after, limit)

    def _events_around_damage(
        self, page: list[EventRow], after: int, limit: int
    ) -> tuple[tuple[RuntimeEvent, ...], EventGap | None]:
        by_sequence = {row.sequence: row for row in page}
        # Two before the page: where the last one's checksum is damaged, its body and the one before lead to it again.
        earlier = [row for row in self._rows(after - 2, 2) if row.sequence <= after]
        before = earlier.pop(0) if earlier else None
        sound = sound_numbers([*earlier, *page], before)
        last = min(max([self.state.last_sequence, *by_sequence]), after + limit)
        shown: list[RuntimeEvent] = []
        damaged: list[int] = []
        for number in range(after + 1, last + 1):
            if number in sound:
                shown.append(decode_event(by_sequence[number].body))
            else:
                damaged.append(number)
                at = shown[-1].timestamp if shown else self.row.updated_at
                shown.append(self._damaged(number, by_sequence.get(number), at))
        if not damaged:
            return tuple(shown), None
        gap = EventGap(from_sequence=damaged[0], to_sequence=damaged[-1], reason="damaged")
        return tuple(shown), gap

    def _damaged(self, number: int, row: EventRow | None, at: str) -> RuntimeEvent:
        """What stands in the place of an event that cannot be read."""
        return RuntimeEvent.model_validate(
            {
                "runtimeId": self._runtime_id(),
                "sessionId": self.row.session_id,
                "threadId": self.state.thread_id or None,
                "eventId": (row.event_id if row else "") or f"damaged_{number}",
                "timestamp": at,
                "sequence": number,
                "type": "runtime.warning",
                "payload": {
                    "code": EVENT_DAMAGED,
                    "message": "This event was damaged on the disk and cannot be read any more.",
                    "sequence": number,
                    "recoverable": False,
                },
            }
        )

    def _runtime_id(self) -> str:
        return stored_runtime_id(self.connection) or "unknown"


def read_session(
    reader: SessionReader, params: ReadSessionParams, runtime_id: str
) -> ReadSessionResult:
    """A session's read models, and the events after `afterSequence` if it is given."""
    snapshot = read_snapshot(reader, params, runtime_id)
    turns = reader.recent(TurnSnapshot, "turn")
    turn_count = reader.state.counts.get("turn", 0)
    events: tuple[RuntimeEvent, ...] = ()
    gap: EventGap | None = None
    next_sequence = reader.state.last_sequence
    if params.after_sequence is not None:
        events, gap = reader.events(params.after_sequence, params.limit)
        # What is damaged stands in its place among the events: nobody has to fall back on the snapshot.
        gap = gap if gap and gap.reason == "unknown_sequence" else None
        next_sequence = events[-1].sequence if events else reader.state.last_sequence
    deferred = tuple(_deferred(reader.state))
    return ReadSessionResult.model_validate(
        {
            "session": reader.outline(),
            "turns": tuple(agent_turn(turn, reader.state) for turn in turns),
            "turnCount": turn_count,
            "snapshot": snapshot,
            "truncated": bool(deferred) or snapshot.history.truncated,
            "deferred": deferred,
            "events": events,
            "nextSequence": next_sequence,
            "hasMore": next_sequence < reader.state.last_sequence,
            "gap": gap,
        }
    )


def read_snapshot(
    reader: SessionReader, params: ReadSessionParams, runtime_id: str
) -> SessionSnapshot:
    """Everything a client needs to show the session without its events."""
    shell, state = reader.shell(), reader.state
    evidence = reader.one(EvidenceSummary, "evidence") or EvidenceSummary()
    permissions = reader.one(PermissionSandboxSummary, "permissions") or PermissionSandboxSummary()
    permissions = permissions.model_copy(update={"pending_approvals": open_action_ids(state)})
    return SessionSnapshot(
        runtime_id=RuntimeId(runtime_id),
        session_id=shell.session_id,
        workspace_id=shell.workspace_id,
        app_id=shell.app_id,
        title=shell.title,
        created_at=shell.created_at,
        updated_at=reader.row.updated_at,
        threads=(_thread(reader, shell, evidence, permissions),),
        tasks=reader.recent(TaskSnapshot, "task"),
        task_summary=TaskSummary(
            active=state.active_tasks, completed=state.completed_tasks, failed=state.failed_tasks
        ),
        permission_sandbox_summary=permissions,
        routing_limit_summary=reader.one(RoutingLimitSummary, "routing") or RoutingLimitSummary(),
        evidence_summary=evidence,
        benchmark_summary=reader.one(BenchmarkSummary, "benchmark"),
        telemetry_summary=reader.one(TelemetrySummary, "telemetry") or TelemetrySummary(),
        evidence_refs=evidence.evidence_refs,
        history=read_history(reader.connection, reader.row, shell, state, params),
        recovery_cursor=RecoveryCursor(
            sequence=state.last_sequence,
            event_id=EventId(state.last_event_id) if state.last_event_id else None,
        ),
        business_object_ref=shell.business_object_ref,
    )


def _thread(
    reader: SessionReader,
    shell: SessionShell,
    evidence: EvidenceSummary,
    permissions: PermissionSandboxSummary,
) -> ThreadReadModel:
    state = reader.state
    thread = reader.thread() or ThreadReadModel(thread_id=shell.thread_id, status="idle")
    actions = tuple(
        action
        for key in open_action_ids(state)
        if (action := reader.one(PendingAction, "action", key))
    )
    open_tools = tuple(state.active.tools) if state.active else ()
    return thread.model_copy(
        update={
            "status": thread_status(state, thread),
            "active_turn_id": TurnId(state.active.turn_id) if state.active else None,
            "turns": _turns(reader),
            "pending_requests": actions,
            "pending_actions": actions,
            "queued_turns": queued_turns(state, _queued_inputs(reader)),
            "queue_paused": state.is_queue_paused,
            "incidents": reader.recent(Incident, "incident"),
            "diagnostics": reader.recent(Diagnostic, "diagnostic"),
            "tool_calls": _with_open(reader, open_tools),
            "processes": reader.recent(ProcessSnapshot, "process"),
            "subagents": reader.recent(SubagentSnapshot, "subagent"),
            "jobs": reader.recent(JobSnapshot, "job"),
            "channels": reader.recent(ChannelSnapshot, "channel"),
            "outputs": _outputs(reader),
            "artifacts": reader.recent(ArtifactSnapshot, "artifact"),
            "evidence_summary": evidence,
            "permission_sandbox": permissions,
            "event_sequence": state.last_sequence,
        }
    )


def _turns(reader: SessionReader) -> tuple[TurnSnapshot, ...]:
    return tuple(with_open_work(turn, reader.state) for turn in reader.recent(TurnSnapshot, "turn"))


def _with_open(reader: SessionReader, open_tools: tuple[str, ...]) -> tuple[ToolCallSnapshot, ...]:
    """The newest calls, and every open one however old: an unfinished thing is never cut off."""
    recent = reader.recent(ToolCallSnapshot, "tool_call")
    listed = {call.tool_call_id for call in recent}
    older = (
        reader.one(ToolCallSnapshot, "tool_call", key) for key in open_tools if key not in listed
    )
    return (*(call for call in older if call), *recent)


def _outputs(reader: SessionReader) -> tuple[dict[str, object], ...]:
    found = recent_records(reader.connection, reader.row.session_key, "output", RECENT["output"])
    return tuple(
        record.model_dump(by_alias=True, exclude_none=True, mode="json") for record, _ in found
    )


def _queued_inputs(reader: SessionReader) -> dict[str, str | None]:
    found = {
        turn.turn_id: reader.one(TurnSnapshot, "turn", turn.turn_id) for turn in reader.state.queue
    }
    return {turn_id: turn.input_ref if turn else None for turn_id, turn in found.items()}


def _deferred(state: SessionState) -> list[DeferredPart]:
    return [
        DeferredPart(part=kind, method=_ELSEWHERE.get(kind, "agentSession/read"))
        for kind, shown in RECENT.items()
        if state.counts.get(kind, 0) > shown
    ]


def page_of(
    reader: SessionReader,
    model: type[RecordT],
    kind: str,
    cursor: str | None,
    limit: int,
    is_wanted: Callable[[RecordT], bool],
) -> tuple[tuple[RecordT, ...], str | None]:
    """At most `limit` wanted records, and where the next page begins if there may be one."""
    place = None if cursor is None else parse_place(cursor)
    found: list[RecordT] = []
    while page := recent_records(reader.connection, reader.row.session_key, kind, limit, place):
        for record, position in reversed(page):
            place = position
            if isinstance(record, model) and is_wanted(record):
                found.append(record)
            if len(found) == limit:
                return tuple(found), str(place)
    return tuple(found), None


def parse_place(text: str) -> int:
    """The number a cursor of ours begins with.

    Raises:
        InvalidInput: this is none of ours; a database could not even hold the number.
    """
    if not text.isdecimal() or len(text) > MAX_DIGITS:
        raise InvalidInput.at_fields([("cursor", "unknown")])
    return int(text)
