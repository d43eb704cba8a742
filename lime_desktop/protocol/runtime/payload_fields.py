"""What an event says in its open payload, by name: a value of another kind counts as absent."""

from lime_desktop.protocol.runtime.events import RuntimeEvent


def text(event: RuntimeEvent, *names: str) -> str | None:
    """The first of these fields that holds text."""
    for name in names:
        value = event.payload.get(name)
        if isinstance(value, str):
            return value
    return None


def texts(event: RuntimeEvent, name: str) -> tuple[str, ...]:
    """A list of texts."""
    value = event.payload.get(name)
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()
