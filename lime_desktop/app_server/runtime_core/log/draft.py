"""A batch on its way into the log: completed, judged, stamped and folded in memory; then whole or not at all.

Knows no database. What it leaves behind is the new state, the new events and the changed records.
"""

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from msgspec.structs import replace
from pydantic import ValidationError

from lime_desktop.app_server.runtime_core.facts import CoreFact
from lime_desktop.app_server.runtime_core.gates import judge
from lime_desktop.app_server.runtime_core.gates.tasks import ENDED
from lime_desktop.app_server.runtime_core.gates.verdict import Origin, Rejection
from lime_desktop.app_server.runtime_core.log.advance import advance
from lime_desktop.app_server.runtime_core.log.completion import NewId, complete
from lime_desktop.app_server.runtime_core.log.records import Records
from lime_desktop.app_server.runtime_core.log.twins import with_twins
from lime_desktop.app_server.runtime_core.state import SessionState
from lime_desktop.protocol.errors import EventRejected
from lime_desktop.protocol.runtime.events import ProposedEvent, RuntimeEvent
from lime_desktop.protocol.runtime.tasks import TaskSnapshot
from lime_desktop.protocol.wire import WireModel


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
