"""Which capabilities have handlers, and which tell events by themselves: one row each. Everything else is refused by name."""

from collections.abc import Callable, Mapping

from lime_desktop.host.capabilities import (
    agent,
    artifacts,
    discovery,
    events,
    evidence,
    files,
    knowledge,
    secrets,
    storage,
    tasks,
    ui,
)
from lime_desktop.host.capabilities.handler import Handlers, HandlerServices, Source

_ROWS: Mapping[str, Callable[[HandlerServices], Handlers]] = {
    "lime.ui": ui.handlers,
    "lime.storage": storage.handlers,
    "lime.files": files.handlers,
    "lime.agent": agent.handlers,
    "lime.knowledge": knowledge.handlers,
    "lime.artifacts": artifacts.handlers,
    "lime.secrets": secrets.handlers,
    "lime.evidence": evidence.handlers,
    "lime.events": events.handlers,
    "lime.capabilities": discovery.handlers,
    "lime.tasks": tasks.handlers,
}
"""In the catalogue's order."""

_SOURCES: Mapping[str, Callable[[HandlerServices], Source]] = {
    "lime.storage": storage.source,
    "lime.agent": agent.source,
    "lime.events": events.source,
    "lime.tasks": tasks.source,
}

SERVED_CAPABILITIES = frozenset(_ROWS)
"""The capabilities that have handlers in this version, for some of their calls at least."""


def handlers_of(services: HandlerServices) -> Handlers:
    """Every handler of one view."""
    return {name: each for row in _ROWS.values() for name, each in row(services).items()}


def sources_of(services: HandlerServices) -> Mapping[str, Source]:
    """What one view can subscribe to, by capability."""
    return {name: row(services) for name, row in _SOURCES.items()}
