"""What an app's calls send to a tool server and get back.

Apps share the conversation with a server, so each call is measured by itself, by what it says.
"""

from pydantic_core import to_json

from lime_desktop.app_server.traffic import CountTraffic, Traffic, place_of
from lime_desktop.protocol.calls.mcp_servers import McpServerSettings


class ServerTraffic:
    """Between one app and one server. A program of this machine goes out by itself: it is named, not measured."""

    def __init__(self, settings: McpServerSettings, app_id: str, count: CountTraffic) -> None:
        self._program = None if settings.url else settings.title or settings.server_id
        self._place = place_of(settings.url) if settings.url else None
        self._app_id = app_id
        self._count = count

    async def call(self, arguments: object) -> None:
        """Before a call is made."""
        if self._program is not None:
            await self._count(self._app_id, Traffic(self._program, is_program=True))
        if self._place is not None:
            sent = Traffic(self._place, requests=1, bytes_sent=len(to_json(arguments)))
            await self._count(self._app_id, sent)

    async def answer(self, content: object) -> None:
        """A person answered what the server asked on the way."""
        if self._place is not None:
            await self._count(self._app_id, Traffic(self._place, bytes_sent=len(to_json(content))))

    async def result(self, result: object) -> None:
        """The call is over."""
        if self._place is not None:
            received = Traffic(self._place, bytes_received=len(to_json(result)))
            await self._count(self._app_id, received)
