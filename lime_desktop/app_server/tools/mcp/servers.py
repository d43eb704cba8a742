"""Every tool server that is set up, each kept by its supervisor; what the file says is followed when it changes."""

import asyncio
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from pydantic import ValidationError

from lime_desktop.app_server.secrets.tool_secrets import ToolSecrets
from lime_desktop.app_server.tools.mcp.app_instances import AppServerInstances
from lime_desktop.app_server.tools.mcp.server_secrets import ServerSecrets
from lime_desktop.app_server.tools.mcp.store import McpServerStore
from lime_desktop.app_server.tools.mcp.supervised import SupervisedServer
from lime_desktop.background.tasks import close_all
from lime_desktop.file_names import plain_name
from lime_desktop.protocol.calls.mcp_servers import GivenValue, McpServerSettings
from lime_desktop.protocol.errors import InvalidInput


class McpServers:
    """The servers by name. Nothing is started before it is needed."""

    def __init__(self, store: McpServerStore, secrets: ServerSecrets, folder: Path) -> None:
        """Keep the servers of a store; each works in a folder of its own below `folder`."""
        self._store = store
        self._secrets = secrets
        self._folder = folder
        self._servers: dict[str, SupervisedServer] = {}
        self.folder_of_apps = folder / "of-apps"
        self._of_apps = AppServerInstances(self.folder_of_apps, secrets.open)
        secrets.changed.subscribe(self._of_apps.owner_changed)
        self._turn = asyncio.Lock()

    async def all(self) -> tuple[SupervisedServer, ...]:
        """Every server that is set up now."""
        async with self._turn:
            wanted = {each.server_id: each for each in await asyncio.to_thread(self._store.all)}
            for server_id in [*self._servers]:
                if wanted.get(server_id) != self._servers[server_id].settings:
                    await self._servers.pop(server_id).stop()
            self._of_apps.keep_only(wanted.values())
            for server_id, settings in wanted.items():
                if server_id not in self._servers:
                    self._servers[server_id] = self._supervise(settings)
            return tuple(self._servers[server_id] for server_id in wanted)

    async def find(self, server_id: str) -> SupervisedServer | None:
        """The server of this name, if one is set up."""
        servers = {server.settings.server_id: server for server in await self.all()}
        return servers.get(server_id)

    def for_app(self, server: SupervisedServer, secrets: ToolSecrets) -> SupervisedServer:
        """The server for one app: its own, where the app's secrets are shown to it, else the one that all share."""
        if not secrets.fingerprint:
            return server
        return self._of_apps.of_app(server.settings, secrets)

    async def end_of_app(self, app_id: str) -> None:
        """End the servers that run for one app alone."""
        await self._of_apps.end_of(app_id)

    async def put(
        self, settings: McpServerSettings, given: Iterable[GivenValue] = ()
    ) -> McpServerSettings:
        """Set a server up, or change one; what it is shown goes where secrets are kept, and is named in the settings.

        Raises:
            InvalidInput: a value cannot be shown to a server that is reached in this way.
        """
        try:
            named = await self._secrets.keep(settings, given)
        except ValidationError as error:
            await self._secrets.forget(settings.server_id, settings)
            raise InvalidInput.from_validation(error) from None
        await asyncio.to_thread(self._store.put, named)
        await self._secrets.forget(named.server_id, named)
        return named

    async def remove(self, server_id: str) -> bool:
        """Stop and forget a server and what it was shown; tells whether there was one."""
        was_there = await asyncio.to_thread(self._store.remove, server_id)
        await self.all()
        await self._secrets.forget(server_id)
        return was_there

    async def close(self) -> None:
        """End them all."""
        async with self._turn:
            servers = tuple(self._servers.values())
            self._servers.clear()
            # All at once: each may take its time. One that cannot be stopped keeps no other from it.
            stopping = [asyncio.ensure_future(server.stop()) for server in servers]
            await close_all(*(partial(_awaited, each) for each in stopping), self._of_apps.close)

    def _supervise(self, settings: McpServerSettings) -> SupervisedServer:
        folder = (
            Path(settings.folder)
            if settings.folder
            else self._folder / plain_name(settings.server_id)
        )
        return SupervisedServer(settings, folder, open_values=self._secrets.open)


async def _awaited(stopping: "asyncio.Future[None]") -> None:
    await stopping
