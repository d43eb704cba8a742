"""Which method leads where: a table, built once from the protocol's own."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias, TypeVar, cast

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.protocol.errors import UnknownMessage
from lime_desktop.protocol.methods import METHODS
from lime_desktop.protocol.wire import Method, WireModel
from lime_desktop.unique_names import add_unique

ParamsT = TypeVar("ParamsT", bound=WireModel)
ResultT = TypeVar("ResultT", bound=WireModel)

Handler: TypeAlias = Callable[[ParamsT, CallContext], Awaitable[ResultT]]


@dataclass(frozen=True, slots=True)
class Route:
    """One method and who answers it."""

    name: str
    params: type[WireModel]
    handler: Callable[[WireModel, CallContext], Awaitable[WireModel]]


class Routes:
    """Every method of the protocol has its one route.

    A second route for a method raises `DuplicateName`, so that the server does not start.
    """

    def __init__(self) -> None:
        self._routes: dict[str, Route] = {}

    def add(self, method: Method[ParamsT, ResultT], handler: Handler[ParamsT, ResultT]) -> None:
        """Lead a method to its handler; the types of both must agree."""
        route = Route(
            method.name,
            method.params,
            cast("Callable[[WireModel, CallContext], Awaitable[WireModel]]", handler),
        )
        add_unique(self._routes, method.name, route, of="route")

    def find(self, name: str) -> Route:
        """Look a method up.

        Raises:
            UnknownMessage: nothing has that name.
        """
        route = self._routes.get(name)
        if route is None:
            raise UnknownMessage("This server has no such method")
        return route

    def served(self) -> list[str]:
        """Name the methods that lead somewhere, in the protocol's order."""
        return [row.name for row in METHODS if row.name in self._routes]

    def missing(self) -> list[str]:
        """Name the methods of the protocol that lead nowhere yet, the handshake aside."""
        return [row.name for row in METHODS[1:] if row.name not in self._routes]
