"""Events for a consumer that validates against the Lime profile and nothing beyond."""

from collections.abc import Iterable, Iterator

from lime_desktop.protocol.runtime.event_types import is_extension
from lime_desktop.protocol.runtime.events import RuntimeEvent


def strict_events(events: Iterable[RuntimeEvent]) -> Iterator[RuntimeEvent]:
    """Leave out our extensions. A cancelled turn still ends: as a failed one that says why.

    Sequence numbers stay as they are, so a strict consumer sees holes where extensions were.
    """
    for event in events:
        if event.type == "turn.canceled":
            payload = {**event.payload, "failureCategory": "cancelled"}
            yield event.model_copy(update={"type": "turn.failed", "payload": payload})
        elif not is_extension(event.type):
            yield event
