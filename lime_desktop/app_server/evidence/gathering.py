"""A session, or one turn of it, read once and in order: what every export is made of."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec

from lime_desktop.app_server.evidence.signals import SignalTally
from lime_desktop.app_server.runtime_core.log.records import Address
from lime_desktop.app_server.runtime_core.log.rows import load_record
from lime_desktop.app_server.runtime_core.reading.session_reader import SessionReader
from lime_desktop.protocol.calls.evidence import ReplayEventRef, RuntimeCorrelation
from lime_desktop.protocol.errors import RunNotFound
from lime_desktop.protocol.ids import RuntimeId, SessionId, ThreadId, TraceId, TurnId
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.runtime.threads import TurnSnapshot

PAGE = 1_000
MAX_LINKS = 20_000
"""Turns, calls, artifacts and references that one export lists; the events have all of them."""

_NOT_COMPARED = (".delta", ".progress", "process.output", "tool.args", "snapshot.", "evidence.")
"""Pieces of a stream, which may be cut otherwise the next time, and what was made of the turn afterwards."""


@dataclass(frozen=True, slots=True)
class Link:
    """Something the work made or used, and the work it belongs to."""

    kind: str
    key: str
    part_of: str | None
    ref: str | None = None


@dataclass(slots=True)
class Gathered:
    """What was seen on the way through the events."""

    correlation: RuntimeCorrelation
    tally: SignalTally = field(default_factory=SignalTally)
    event_count: int = 0
    is_whole: bool = True
    """False where a part of the log cannot be read any more."""
    links: dict[tuple[str, str], Link] = field(default_factory=dict[tuple[str, str], Link])
    event_refs: list[ReplayEventRef] = field(default_factory=list[ReplayEventRef])
    trace_ids: dict[str, None] = field(default_factory=dict[str, None])
    last: dict[str, RuntimeEvent] = field(default_factory=dict[str, RuntimeEvent])
    """The last event of each type."""

    def note(self, event: RuntimeEvent) -> None:
        """Take in one event."""
        self.event_count += 1
        self.tally.note(event)
        self.last[event.type] = event
        if event.trace_id:
            self.trace_ids[event.trace_id] = None
        for link in _links(event):
            if len(self.links) < MAX_LINKS:
                self.links.setdefault((link.kind, link.key), link)
        if not any(mark in event.type for mark in _NOT_COMPARED):
            self.event_refs.append(
                ReplayEventRef(
                    event_id=event.event_id,
                    sequence=event.sequence,
                    type=event.type,
                    payload_sha256=sha256(msgspec.json.encode(event.payload, order="sorted")),
                )
            )

    def of_kind(self, kind: str) -> tuple[Link, ...]:
        """Every link of a kind, in the order of their first events."""
        return tuple(link for link in self.links.values() if link.kind == kind)


def gather(
    reader: SessionReader,
    runtime_id: str,
    turn_id: TurnId | None,
    take: Callable[[RuntimeEvent], None] = lambda _: None,
) -> Gathered:
    """Read every event of the scope once, handing each on to `take`.

    Raises:
        RunNotFound: the session has no such turn.
    """
    turn, first = _turn(reader, turn_id)
    found = Gathered(_correlation(reader, runtime_id, turn))
    after = first - 1
    while after < reader.state.last_sequence:
        page, gap = reader.events(after, PAGE)
        for event in page:
            if turn_id is None or event.turn_id == turn_id:
                found.note(event)
                take(event)
        if gap is not None or not page:
            found.is_whole = False
        if not page:
            break
        after = page[-1].sequence
    if len(found.trace_ids) == 1:
        trace_id = TraceId(next(iter(found.trace_ids)))
        found.correlation = found.correlation.model_copy(update={"trace_id": trace_id})
    return found


def sha256(body: bytes) -> str:
    """A hash as every document writes it."""
    return f"sha256:{hashlib.sha256(body).hexdigest()}"


def _turn(reader: SessionReader, turn_id: TurnId | None) -> tuple[TurnSnapshot | None, int]:
    if turn_id is None:
        return None, 1
    placed = load_record(reader.connection, reader.row.session_key, Address("turn", turn_id))
    if placed is None or not isinstance(placed.record, TurnSnapshot):
        raise RunNotFound("The session has no turn of this id.")
    return placed.record, placed.position


def _correlation(
    reader: SessionReader, runtime_id: str, turn: TurnSnapshot | None
) -> RuntimeCorrelation:
    return RuntimeCorrelation(
        runtime_id=RuntimeId(runtime_id),
        session_id=SessionId(reader.state.session_id),
        thread_id=ThreadId(reader.state.thread_id) if reader.state.thread_id else None,
        turn_id=turn.turn_id if turn else None,
        task_id=turn.task_id if turn else None,
        run_id=turn.run_id if turn else None,
    )


def _links(event: RuntimeEvent) -> tuple[Link, ...]:
    work = event.turn_id or event.task_id
    match event.type:
        case "turn.submitted":
            turn = Link("turn", event.turn_id or "", event.task_id)
            ref = event.payload.get("inputRef")
            used = (Link("input", ref, event.turn_id, ref),) if isinstance(ref, str) else ()
            return (turn, *used)
        case "tool.started":
            return (Link("tool_call", event.tool_call_id or "", work),)
        case "output.spilled":
            owner = event.tool_call_id or work
            return (Link("output", event.output_ref or "", owner, event.output_ref),)
        case "artifact.changed":
            ref = event.payload.get("contentRef") or event.payload.get("readRef")
            key = event.artifact_id or ""
            return (Link("artifact", key, work, ref if isinstance(ref, str) else None),)
        case "context.resolved" | "context.compaction.completed":
            ref = event.payload.get("summaryRef") or event.payload.get("contextRef")
            return (Link("context", ref, work, ref),) if isinstance(ref, str) else ()
        case _:
            return ()
