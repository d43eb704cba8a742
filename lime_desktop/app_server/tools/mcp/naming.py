"""Which tool server does an author mean? The name in a manifest is held against the names that the person gave a server.

What a server calls itself counts for nothing here: else any server could take the place of one that an app trusts.
"""

from collections.abc import Iterable
from typing import TypeVar

from lime_desktop.app_server.tools.mcp.supervised import SupervisedServer
from lime_desktop.protocol.calls.mcp_servers import McpServerSettings, McpServerStatus

ServerT = TypeVar("ServerT", SupervisedServer, McpServerStatus)


def server_named(servers: Iterable[ServerT], name: str | None) -> ServerT | None:
    """The server of this name as it is written: by its id, else by another name that it was given, if one alone has it."""
    listed = tuple(servers)
    for each in listed:
        if each.settings.server_id == name:
            return each
    found = [each for each in listed if name in _other_names(each.settings)]
    return found[0] if len(found) == 1 else None


def _other_names(settings: McpServerSettings) -> tuple[str | None, ...]:
    return (*settings.aliases, settings.title)
