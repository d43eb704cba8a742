"""The App Server calling its own methods in an app's name, by the same table as its clients."""

import secrets
from typing import Any, cast

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.server.routes import Route, Routes
from lime_desktop.protocol.errors import UnknownMessage
from lime_desktop.protocol.ids import AppId, TraceId
from lime_desktop.protocol.wire import Method, ParamsT, ResultT


class OwnCalls:
    """Calls on behalf of apps whose agents work here."""

    def __init__(self, routes: Routes) -> None:
        self._routes = routes

    def serves(self, method: Method[Any, Any]) -> bool:
        """Whether anybody answers this method."""
        try:
            return isinstance(self._routes.find(method.name), Route)
        except UnknownMessage:
            return False

    async def call(
        self,
        method: Method[ParamsT, ResultT],
        params: ParamsT,
        app_id: AppId,
        trace_id: str | None = None,
    ) -> ResultT:
        """Ask as a client bound to the app would.

        Raises:
            AppError: the owner's own, or `UnknownMessage` where nobody serves the method.
        """
        route = self._routes.find(method.name)
        if not isinstance(route, Route):
            raise UnknownMessage("This method is not for agents")
        context = CallContext(
            trace_id=TraceId(trace_id or secrets.token_hex(16)),
            bound_app_id=app_id,
            client_name="agent",
        )
        return cast("ResultT", await route.handler(params, context))
