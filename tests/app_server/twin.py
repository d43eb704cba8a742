"""An App Server without a process: the same services, asked directly."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from lime_desktop.app_server.assembly import open_services
from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.execution.unavailable import UnavailableEngine
from lime_desktop.app_server.routes import Route
from lime_desktop.app_server.server.connection import Services
from lime_desktop.protocol.capability_calls.storage import GET_VALUE, SET_VALUE
from lime_desktop.protocol.errors import AppServerUnavailable
from lime_desktop.protocol.ids import TraceId
from lime_desktop.protocol.wire import Method, ParamsT, ResultT
from tests.app_server.for_apps import ask


class ServerTwin:
    """Answers as the server would."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self.refuses: set[str] = set()
        """Methods that fail as if the server had gone away in the middle."""

    async def __call__(
        self, method: Method[ParamsT, ResultT], params: ParamsT, *, timeout_s: float = 30
    ) -> ResultT:
        del timeout_s
        if method.name in self.refuses:
            raise AppServerUnavailable("The App Server went away")
        route = self._services.routes.find(method.name)
        assert isinstance(route, Route)
        result = await route.handler(params, CallContext(TraceId("trace")))
        assert isinstance(result, method.result)
        return result

    async def keep(self, app_id: str, key: str, value: object) -> None:
        """Keep a value in an app's storage."""
        await ask(self, app_id, SET_VALUE, key=key, value=value)

    async def kept(self, app_id: str, key: str) -> object:
        """A value of an app's storage."""
        return (await ask(self, app_id, GET_VALUE, key=key)).root


@asynccontextmanager
async def server_twin(folder: Path) -> AsyncGenerator[ServerTwin]:
    """Open the services of a data folder."""
    async with open_services(folder, UnavailableEngine()) as services:
        yield ServerTwin(services)
