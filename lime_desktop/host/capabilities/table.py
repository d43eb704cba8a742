"""Which capabilities have handlers: one row each. Everything else is refused by name."""

from collections.abc import Callable, Mapping

from lime_desktop.host.capabilities import discovery, files, secrets, storage, ui
from lime_desktop.host.capabilities.handler import Handlers, HandlerServices

_ROWS: Mapping[str, Callable[[HandlerServices], Handlers]] = {
    "lime.ui": ui.handlers,
    "lime.storage": storage.handlers,
    "lime.files": files.handlers,
    "lime.secrets": secrets.handlers,
    "lime.capabilities": discovery.handlers,
}
"""In the catalogue's order."""

SERVED_CAPABILITIES = frozenset(_ROWS)
"""The capabilities that have handlers in this version, for some of their calls at least."""


def handlers_of(services: HandlerServices) -> Handlers:
    """Every handler of one view."""
    return {name: each for row in _ROWS.values() for name, each in row(services).items()}
