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


_KEPT_DECISIONS = {
    "allow_for_task": "task",
    "allow_for_session": "session",
    "allow_for_workspace": "workspace",
}
_WIDTHS = ("never", *_KEPT_DECISIONS.values())


def offered_decisions(event: RuntimeEvent) -> tuple[str, ...]:
    """The answers that a question offers: none is kept for longer than its `rememberPolicy` says."""
    offered, policy = texts(event, "availableDecisions"), event.payload.get("rememberPolicy")
    if policy is None:
        return offered
    # A policy that nobody knows lets nothing be kept.
    widest = _WIDTHS.index(policy) if isinstance(policy, str) and policy in _WIDTHS else 0
    return tuple(
        each
        for each in offered
        if each not in _KEPT_DECISIONS or _WIDTHS.index(_KEPT_DECISIONS[each]) <= widest
    )
