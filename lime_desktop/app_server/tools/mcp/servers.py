"""Every tool server that is set up, each kept by its supervisor; what the file says is followed when it changes."""

import asyncio
from pathlib import Path

from lime_desktop.app_server.tools.mcp.store import McpServerStore
from lime_desktop.app_server.tools.mcp.supervised import SupervisedServer
from lime_desktop.protocol.calls.mcp_servers import McpServerSettings


class McpServers:
    """The servers by name. Nothing is started before it is needed."""

    def __init__(self, store: McpServerStore, folder: Path) -> None:
        """Keep the servers of a store; each works in a folder of its own below `folder`."""
        self.store = store
        self._folder = folder
        self._servers: dict[str, SupervisedServer] = {}
        self._turn = asyncio.Lock()

    async def all(self) -> tuple[SupervisedServer, ...]:
        """Every server that is set up now."""
        async with self._turn:
            wanted = {each.server_id: each for each in await asyncio.to_thread(self.store.all)}
            for server_id in [*self._servers]:
                if wanted.get(server_id) != self._servers[server_id].settings:
                    await self._servers.pop(server_id).stop()
            for server_id, settings in wanted.items():
                if server_id not in self._servers:
                    self._servers[server_id] = self._supervise(settings)
            return tuple(self._servers[server_id] for server_id in wanted)

    async def find(self, server_id: str) -> SupervisedServer | None:
        """The server of this name, if one is set up."""
        servers = {server.settings.server_id: server for server in await self.all()}
        return servers.get(server_id)

    async def close(self) -> None:
        """End them all."""
        async with self._turn:
            await asyncio.gather(*(server.stop() for server in self._servers.values()))
            self._servers.clear()

    def _supervise(self, settings: McpServerSettings) -> SupervisedServer:
        folder = Path(settings.folder) if settings.folder else self._folder / settings.server_id
        return SupervisedServer(settings, folder)
