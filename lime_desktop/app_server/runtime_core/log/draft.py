"""A batch on its way into the log: completed, judged, stamped and folded in memory; then whole or not at all.

Knows no database. What it leaves behind is the new state, the new events and the changed records.
"""

import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from msgspec.structs import replace
from pydantic import ValidationError

from lime_desktop.app_server.runtime_core.facts import CoreFact
from lime_desktop.app_server.runtime_core.gates import ENDED, Origin, Rejection, judge
from lime_desktop.app_server.runtime_core.log.advance import advance
from lime_desktop.app_server.runtime_core.log.records import Records
from lime_desktop.app_server.runtime_core.state import ActiveTurn, SessionState
from lime_desktop.protocol.errors import EventRejected
from lime_desktop.protocol.runtime.event_types import EventType
from lime_desktop.protocol.runtime.events import ProposedEvent, RuntimeEvent
from lime_desktop.protocol.runtime.tasks import TaskSnapshot
from lime_desktop.protocol.wire import WireModel

NewId = Callable[[str], str]

_OUTSIDE_TURNS = ("session.", "thread.", "benchmark.", "job.", "channel.", "policy.", "runtime.")

_AFTER: dict[EventType, tuple[EventType, ...]] = {
    "subagent.spawned": ("subagent.started",),
    "sandbox.violation": ("sandbox.blocked",),
    "context.compaction.completed": ("history.compacted", "context.attached"),
}
_BEFORE: dict[EventType, EventType] = {
    "subagent.started": "subagent.spawned",
    "sandbox.blocked": "sandbox.violation",
}


def complete(state: SessionState, event: ProposedEvent, new_id: NewId) -> ProposedEvent:
    """Never overwriting what was said: the proposal with thread, turn, task, run, step and message ids where they follow from the state."""
    known: dict[str, Any] = {"thread_id": state.thread_id or None}
    turn = state.active
    if turn and (event.turn_id in {None, turn.turn_id}):
        known |= _of_turn(turn, event, new_id)
    missing = {
        name: value
        for name, value in known.items()
        if value is not None and getattr(event, name) is None
    }
    payload = _payload(turn, event, new_id)
    if payload is not event.payload:
        missing["payload"] = payload
    return event.model_copy(update=missing) if missing else event


def _of_turn(turn: ActiveTurn, event: ProposedEvent, new_id: NewId) -> dict[str, Any]:
    known: dict[str, Any] = {"turn_id": turn.turn_id, "trace_id": turn.trace_id}
    if event.task_id is None:
        # Another task's event must not be given this turn's run.
        known |= {"task_id": turn.task_id, "run_id": turn.run_id}
    if event.type.startswith(_OUTSIDE_TURNS):
        return {"trace_id": turn.trace_id}
    if event.type == "action.required" and event.action_id is None:
        known["action_id"] = event.request_id or new_id("action")
    if event.type == "action.resolved" and (action := turn.actions.get(event.action_id or "")):
        known["tool_call_id"] = action.tool_call_id
    return known | _of_tool(turn, event)


def _of_tool(turn: ActiveTurn, event: ProposedEvent) -> dict[str, Any]:
    if event.type == "tool.catalog.resolved":
        # The schema wants a call's ids on a catalogue that belongs to none.
        catalogue = f"catalog:{turn.turn_id}"
        return {"step_id": catalogue, "tool_call_id": catalogue}
    if event.tool_call_id is None:
        return {}
    tool = turn.tools.get(event.tool_call_id)
    # A call whose engine counts no steps is a step of its own.
    return {"step_id": tool.step_id if tool else f"step:{event.tool_call_id}"}


def _payload(turn: ActiveTurn | None, event: ProposedEvent, new_id: NewId) -> dict[str, Any]:
    """Every model round has a message, so that its deltas can be joined and its end recognised."""
    payload: dict[str, Any] = event.payload
    if turn is None or not event.type.startswith("model.") or payload.get("messageId"):
        return payload
    open_round = next(
        (
            model
            for model in reversed(turn.models)
            if event.model_request_id in {None, model.request_id}
        ),
        None,
    )
    if event.type == "model.requested" or open_round is None or open_round.message_id is None:
        return {**payload, "messageId": new_id("message")}
    return {**payload, "messageId": open_round.message_id}


def with_twins(events: Sequence[ProposedEvent]) -> Iterator[ProposedEvent]:
    """Every event, with the twin it needs before or after it.

    The Lime profile's closed list has one spelling, the provider specification another. Both are written: first the
    canonical one, then its twin, so that a strict consumer can filter and nobody misses anything.
    """
    previous: EventType | None = None
    for said in events:
        canonical = _BEFORE.get(said.type)
        if canonical and previous == canonical:
            continue  # Its canonical form came just before and has brought this twin along.
        event = said.model_copy(update={"type": canonical}) if canonical else said
        yield event
        for twin in _AFTER.get(event.type, ()):
            yield _twin(event, twin)
        if _is_denial(event):
            yield _twin(event, "permission.denied")
        previous = event.type


def _twin(event: ProposedEvent, event_type: EventType) -> CoreFact:
    """The twin is RuntimeCore's own word: whoever said the first may not be allowed to say the second."""
    said = {name: getattr(event, name) for name in event.model_fields_set}
    return CoreFact.model_validate({**said, "type": event_type, "event_id": None})


def _is_denial(event: ProposedEvent) -> bool:
    stated = event.permission_decision or event.payload
    return event.type == "permission.resolved" and stated.get("decision") == "deny"


class StampedEvent(NamedTuple):
    """An event with its stored form and the checksum that chains it to the one before."""

    event: RuntimeEvent
    body: bytes
    checksum: int


FindEvent = Callable[[str], RuntimeEvent | None]
"""Finds a stored event of this session by its id."""


@dataclass(slots=True)
class Stamp:
    """Who writes, and how names and moments are made."""

    runtime_id: str
    new_id: NewId
    now: Callable[[], str]


@dataclass(slots=True)
class Draft:
    """Starts from a session as stored; `add` moves it forward or raises `EventRejected`."""

    state: SessionState
    records: Records
    stamp: Stamp
    find_event: FindEvent
    stamped: list[StampedEvent] = field(default_factory=list[StampedEvent])
    repeated: list[RuntimeEvent] = field(default_factory=list[RuntimeEvent])

    def add_all(self, events: Sequence[ProposedEvent], origin: Origin) -> None:
        """Take the whole batch in order. What RuntimeCore itself adds to it keeps its authority."""
        for index, event in enumerate(with_twins(events)):
            self._add(event, Origin.CORE if isinstance(event, CoreFact) else origin, index)

    def _add(self, event: ProposedEvent, origin: Origin, index: int) -> None:
        event = complete(self.state, event, self.stamp.new_id)
        if event.event_id and self._is_repeated(event, index):
            return
        if rejection := judge(self.state, event, origin, self.records.get):
            raise _rejected(event, index, rejection)
        try:
            stamped = self._stamped(event)
            self.state = refold(self.state, self.records, stamped.event, stamped.checksum)
        except ValidationError as error:
            fields = tuple(".".join(map(str, problem["loc"])) for problem in error.errors())
            raise _rejected(event, index, Rejection("schema_mismatch", fields)) from None
        self.stamped.append(stamped)

    def _is_repeated(self, event: ProposedEvent, index: int) -> bool:
        """Saying the same thing twice changes nothing; saying another under its name is refused."""
        event_id = event.event_id or ""
        earlier = next((s.event for s in self.stamped if s.event.event_id == event_id), None)
        earlier = earlier or self.find_event(event_id)
        if earlier is None:
            return False
        if (earlier.type, earlier.payload) != (event.type, event.payload):
            raise _rejected(event, index, Rejection("duplicate_event_id", ("eventId",)))
        self.repeated.append(earlier)
        return True

    def _stamped(self, event: ProposedEvent) -> StampedEvent:
        said = {name: getattr(event, name) for name in event.model_fields_set}
        said |= {
            "runtime_id": self.stamp.runtime_id,
            "session_id": self.state.session_id,
            "event_id": event.event_id or self.stamp.new_id("evt"),
            "timestamp": self.stamp.now(),
            "sequence": self.state.last_sequence + 1,
            "type": event.type,
            "payload": event.payload,
        }
        fact = RuntimeEvent(**said)
        body = encode_event(fact)
        return StampedEvent(fact, body, chained(body, self.state.check))


def refold(
    state: SessionState, records: Records, event: RuntimeEvent, checksum: int
) -> SessionState:
    """Fold one stored event into records and state. The only way either ever changes."""
    for kind, before, after in records.fold(event):
        if before is None:
            counts = {**state.counts, kind: state.counts.get(kind, 0) + 1}
            state = replace(state, counts=counts)
        if kind == "task":
            state = _with_task_counts(state, before, after)
    return replace(advance(state, event), check=checksum)


def encode_event(event: RuntimeEvent) -> bytes:
    """The stored form, which is also the wire form."""
    return event.model_dump_json(by_alias=True, exclude_none=True).encode()


def decode_event(body: bytes) -> RuntimeEvent:
    """Read the stored form."""
    return RuntimeEvent.model_validate_json(body)


def chained(body: bytes, before: int) -> int:
    """The checksum of a body that follows another. Finds damage; it is no proof against intent."""
    return zlib.crc32(body, before)


def _with_task_counts(
    state: SessionState, before: WireModel | None, after: WireModel
) -> SessionState:
    counts = {
        "active": state.active_tasks,
        "completed": state.completed_tasks,
        "failed": state.failed_tasks,
    }
    for task, step in ((before, -1), (after, 1)):
        if isinstance(task, TaskSnapshot) and (group := _group(task)):
            counts[group] += step
    return replace(
        state,
        active_tasks=counts["active"],
        completed_tasks=counts["completed"],
        failed_tasks=counts["failed"],
    )


def _group(task: TaskSnapshot) -> str | None:
    if task.status not in ENDED:
        return "active"
    if task.status in {"failed", "timed_out", "lost"}:
        return "failed"
    return "completed" if task.status == "completed" else None


def _rejected(event: ProposedEvent, index: int, rejection: Rejection) -> EventRejected:
    return EventRejected(
        f"{event.type} is refused: {rejection.code}.",
        details={
            "reasonCode": rejection.code,
            "eventType": event.type,
            "index": index,
            "fields": list(rejection.fields),
        },
    )
