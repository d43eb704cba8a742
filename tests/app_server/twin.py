"""An App Server without a process: the same services, asked directly."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from lime_desktop.app_server.assembly import open_services
from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.execution.unavailable import UnavailableEngine
from lime_desktop.app_server.server.connection import Services
from lime_desktop.app_server.server.routes import Route
from lime_desktop.protocol.calls.storage import (
    GET_VALUE,
    SET_VALUE,
    GetValueParams,
    SetValueParams,
)
from lime_desktop.protocol.errors import AppServerUnavailable
from lime_desktop.protocol.ids import AppId, TraceId
from lime_desktop.protocol.provenance import Provenance
from lime_desktop.protocol.wire import Method, ParamsT, ResultT


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
        provenance = Provenance(
            app_id=AppId(app_id),
            app_name=app_id,
            app_version="1.0.0",
            package_hash="sha256:1",
            manifest_hash="sha256:2",
            standard_version="0.10.0",
        )
        params = SetValueParams(
            app_id=AppId(app_id), key=key, value_json=json.dumps(value), provenance=provenance
        )
        await self(SET_VALUE, params)

    async def kept(self, app_id: str, key: str) -> object:
        """A value of an app's storage."""
        found = await self(GET_VALUE, GetValueParams(app_id=AppId(app_id), key=key))
        return None if found.entry is None else json.loads(found.entry.value_json)


@asynccontextmanager
async def server_twin(folder: Path) -> AsyncGenerator[ServerTwin]:
    """Open the services of a data folder."""
    async with open_services(folder, UnavailableEngine()) as services:
        yield ServerTwin(services)
