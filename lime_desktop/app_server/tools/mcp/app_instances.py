"""Tool servers that run for one app alone, because its own secrets are shown to them.

Other apps share the server that a person set up. One that was shown an app's secret answers that app and nobody else, and
ends when the secret is taken back.
"""

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from lime_desktop.app_server.secrets.opened_values import OpenedValues
from lime_desktop.app_server.secrets.service import owner_of
from lime_desktop.app_server.secrets.tool_secrets import ToolSecrets
from lime_desktop.app_server.tools.mcp.server_secrets import OpenValues
from lime_desktop.app_server.tools.mcp.supervised import SupervisedServer
from lime_desktop.background.tasks import BackgroundTasks
from lime_desktop.file_names import plain_name
from lime_desktop.network.hosts import may_carry_secrets
from lime_desktop.protocol.calls.mcp_servers import McpServerSettings
from lime_desktop.protocol.errors import SecretRequired

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Instance:
    server: SupervisedServer
    shown: tuple[str, ...]


class AppServerInstances:
    """The servers of every app that has some of its own."""

    def __init__(self, folder: Path, open_persons: OpenValues) -> None:
        """Each works in a folder below `folder`; what the person shows a server, it is shown here as well."""
        self._folder = folder
        self._open_persons = open_persons
        self._instances: dict[tuple[str, str], _Instance] = {}
        self._ending = BackgroundTasks(_log)

    def of_app(self, settings: McpServerSettings, secrets: ToolSecrets) -> SupervisedServer:
        """The server for this app: the one that runs, or another where its settings or its secrets are others now."""
        key = (settings.server_id, secrets.app_id)
        known = self._instances.get(key)
        if known and known.server.settings == settings and known.shown == secrets.fingerprint:
            return known.server
        self._end([key])
        server = SupervisedServer(
            settings, self._place(settings, secrets.app_id), open_values=self._opener(secrets)
        )
        self._instances[key] = _Instance(server, secrets.fingerprint)
        return server

    def owner_changed(self, owner: str) -> None:
        """Somebody filled or emptied a slot: what was shown the earlier value ends."""
        self._end([key for key in self._instances if owner_of(key[1]) == owner])

    async def end_of(self, app_id: str) -> None:
        """End those of one app, and come back when they have."""
        self._end([key for key in self._instances if key[1] == app_id])
        await self._ending.wait()

    def keep_only(self, settings: Iterable[McpServerSettings]) -> None:
        """End those of servers that are set up no longer, or in another way."""
        wanted = {each.server_id: each for each in settings}
        self._end(
            [
                key
                for key, known in self._instances.items()
                if wanted.get(key[0]) != known.server.settings
            ]
        )

    async def close(self) -> None:
        """End them all."""
        self._end([*self._instances])
        await self._ending.finish()

    def _end(self, keys: Iterable[tuple[str, str]]) -> None:
        for key in keys:
            if known := self._instances.pop(key, None):
                self._ending.spawn(known.server.stop())

    def _place(self, settings: McpServerSettings, app_id: str) -> Path:
        if settings.folder:
            return Path(settings.folder)
        return self._folder / plain_name(app_id) / plain_name(settings.server_id)

    def _opener(self, secrets: ToolSecrets) -> OpenValues:
        async def open_values(settings: McpServerSettings) -> OpenedValues:
            apps = await secrets.open()
            _require_fit(settings, apps)
            # What the person set goes before what an app names.
            opened = (await self._open_persons(settings)).and_more(apps)
            own = {
                name: value
                for name, value in opened.variables.items()
                if name not in settings.variables
            }
            return OpenedValues(own, opened.headers)

        return open_values


def _require_fit(settings: McpServerSettings, opened: OpenedValues) -> None:
    """A program is shown variables, and an address headers; nothing that is secret travels unencrypted."""
    if opened.variables and settings.url:
        raise SecretRequired("the app names a variable for a secret, and the server is an address")
    if opened.headers and not settings.url:
        raise SecretRequired("the app names a header for a secret, and the server is a program")
    if opened.headers and not may_carry_secrets(settings.url or ""):
        raise SecretRequired("the app's secret would travel unencrypted: the server needs https")
