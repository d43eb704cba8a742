"""What an event says in its open payload: a value of the wrong kind counts as absent."""

from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.runtime.payload_fields import text, texts
from lime_desktop.runtime_views.view_status import ViewStatus

PREVIEW_CHARACTERS = 280
MAX_ITEMS = 10_000
"""What one view keeps of a session; older items are read from the log again."""


def preview(event: RuntimeEvent, *names: str) -> str | None:
    """Likewise, cut to what a line shows."""
    found = text(event, *names)
    return found[:PREVIEW_CHARACTERS] if found else None


def final_text(event: RuntimeEvent, so_far: str, *names: str) -> str | None:
    """The whole text that an event ends its pieces with.

    None where there is none, and where the event shows only the beginning of what the pieces said already: a long text
    is kept by reference.
    """
    for name in names:
        final = text(event, name)
        if final is not None:
            is_beginning = text(event, f"{name}Ref") is not None and so_far.startswith(final)
            return None if is_beginning else final
    return None


def number(event: RuntimeEvent, name: str) -> float | None:
    """A number."""
    value = event.payload.get(name)
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def mapping(event: RuntimeEvent, *names: str) -> JsonObject | None:
    """The first of these fields that holds an object."""
    values = (event.payload.get(name) for name in names)
    return next((value for value in values if isinstance(value, dict)), None)


def title(event: RuntimeEvent) -> str:
    """What to call the thing an event is about; its type, where the event gives no name."""
    said = preview(event, "title", "toolName", "role", "objective", "label", "commandSummary")
    return said or event.type


def references(event: RuntimeEvent) -> tuple[str, ...]:
    """Everything an event points at."""
    named = (
        event.output_ref,
        text(event, "outputRef"),
        text(event, "readRef"),
        text(event, "packRef"),
    )
    listed = (*texts(event, "refIds"), *texts(event, "artifactRefs"), *texts(event, "evidenceRefs"))
    return tuple(dict.fromkeys(ref for ref in (*named, *listed) if ref))


ENDED: frozenset[ViewStatus] = frozenset({"completed", "failed", "cancelled"})


def status_after(before: ViewStatus, event: RuntimeEvent) -> ViewStatus:
    """How a thing stands after another event. Closing what has ended does not end it again."""
    status = status_of(event)
    is_closing = event.type.endswith(".closed") and before in ENDED
    return before if status == "pending" or is_closing else status


def status_of(event: RuntimeEvent) -> ViewStatus:
    """How a thing stands after an event, by the last word of its type."""
    if text(event, "failureCategory") == "cancelled":
        return "cancelled"
    return _STATUS_BY_LAST_WORD.get(event.type.rpartition(".")[2], "pending")


_STATUS_BY_LAST_WORD: dict[str, ViewStatus] = {
    "failed": "failed",
    "timed_out": "failed",
    "lost": "failed",
    "error": "failed",
    "canceled": "cancelled",
    "cancelled": "cancelled",
    "terminated": "cancelled",
    "closed": "cancelled",
    "completed": "completed",
    "result": "completed",
    "resolved": "completed",
    "required": "waiting",
    "waiting": "waiting",
    "blocked": "waiting",
    "started": "running",
    "spawned": "running",
    "delta": "running",
    "progress": "running",
    "requested": "running",
    "resumed": "running",
}
