"""Two names for one fact, where two specifications name it differently.

The Lime profile's closed list has one spelling, the provider specification another. Both are written:
first the canonical one, then its twin, so that a strict consumer can filter and nobody misses anything.
"""

from collections.abc import Iterator, Sequence

from lime_desktop.app_server.runtime_core.facts import CoreFact
from lime_desktop.protocol.runtime.event_types import EventType
from lime_desktop.protocol.runtime.events import ProposedEvent

_AFTER: dict[EventType, tuple[EventType, ...]] = {
    "subagent.spawned": ("subagent.started",),
    "sandbox.violation": ("sandbox.blocked",),
    "context.compaction.completed": ("history.compacted", "context.attached"),
}
_BEFORE: dict[EventType, EventType] = {
    "subagent.started": "subagent.spawned",
    "sandbox.blocked": "sandbox.violation",
}


def with_twins(events: Sequence[ProposedEvent]) -> Iterator[ProposedEvent]:
    """Every event, with the twin it needs before or after it."""
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
