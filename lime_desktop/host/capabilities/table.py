"""Which capabilities the host carries out itself, and which tell events by themselves: one row each.

What the App Server carries out needs none: its declaration says so. Everything else is refused by name.
"""

from collections.abc import Callable, Mapping

from lime_desktop.host.capabilities import (
    app_updates,
    artifacts,
    cloud_session,
    commands,
    discovery,
    events,
    files,
    knowledge,
    policy,
    secrets,
    settings,
    skills,
    sources,
    tasks,
    tools,
    ui,
    workspace,
)
from lime_desktop.host.capabilities.handler import Handlers, HandlerServices, Source
from lime_desktop.protocol.capability_calls.table import CALLS
from lime_desktop.unique_names import unique_table

_ROWS: Mapping[str, Callable[[HandlerServices], Handlers]] = {
    "lime.ui": ui.handlers,
    "lime.files": files.handlers,
    "lime.knowledge": knowledge.handlers,
    "lime.tools": tools.tool_handlers,
    "lime.artifacts": artifacts.handlers,
    "lime.policy": policy.handlers,
    "lime.skills": skills.handlers,
    "lime.secrets": secrets.handlers,
    "lime.events": events.handlers,
    "lime.cloudSession": cloud_session.handlers,
    "lime.branding": ui.branding_handlers,
    "lime.billing": cloud_session.billing_handlers,
    "lime.appUpdates": app_updates.handlers,
    "lime.capabilities": discovery.handlers,
    "lime.connectors": tools.connector_handlers,
    "lime.terminal": commands.command_handlers,
    "lime.workspace": workspace.handlers,
    "lime.settings": settings.handlers,
    "lime.tasks": tasks.handlers,
    "lime.mcp": tools.mcp_handlers,
}
"""In the catalogue's order; only calls that the host carries out itself."""

_SOURCES: Mapping[str, Callable[[HandlerServices], Source]] = {
    "lime.storage": sources.storage_changes,
    "lime.files": files.source,
    "lime.agent": sources.task_events,
    "lime.events": events.source,
    "lime.connectors": sources.webhook_arrivals,
    "lime.settings": settings.source,
    "lime.tasks": tasks.source,
    "lime.policy": policy.source,
    "lime.workflow": sources.run_changes,
    "lime.review": sources.review_decisions,
}

SERVED_CAPABILITIES = frozenset(_ROWS) | frozenset(
    call.capability for call in CALLS if call.by == "server"
)
"""The capabilities that somebody carries out in this version, some of their calls at least."""


def handlers_of(services: HandlerServices) -> Handlers:
    """Every handler of one view."""
    rows = (each for row in _ROWS.values() for each in row(services).items())
    return unique_table(rows, of="handler")


def sources_of(services: HandlerServices) -> Mapping[str, Source]:
    """What one view can subscribe to, by capability."""
    return {name: row(services) for name, row in _SOURCES.items()}
