"""Which handler answers what: one table of the protocol's methods, one of the calls of apps (`app/call`).

A page, an agent's tool and a later workflow come to a call by the same row. Policy has decided before; the params are
read here, where they are used.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar, cast

from pydantic import BaseModel

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.protocol.app_call import (
    AppCaller,
    AppCallParams,
    AppCallResult,
    UndoCallParams,
    join_undo,
)
from lime_desktop.protocol.capability_calls.call import Call, ParamsT, ResultT
from lime_desktop.protocol.capability_calls.table import CALLS, note_failure
from lime_desktop.protocol.errors import (
    AppError,
    CapabilityMethodUnknown,
    InvalidInput,
    UnknownMessage,
)
from lime_desktop.protocol.methods import METHODS
from lime_desktop.protocol.wire import Empty, Method, WireModel, Written
from lime_desktop.unique_names import add_unique

MethodParamsT = TypeVar("MethodParamsT", bound=WireModel)
MethodResultT = TypeVar("MethodResultT", bound=WireModel)

MethodHandler: TypeAlias = Callable[[MethodParamsT, CallContext], Awaitable[MethodResultT]]
CallHandler: TypeAlias = Callable[[ParamsT, AppCaller], Awaitable[ResultT | Written[ResultT]]]
"""Takes a call's params and who calls; gives the result as a value, or as JSON where it is written already."""


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

    def add(
        self,
        method: Method[MethodParamsT, MethodResultT],
        handler: MethodHandler[MethodParamsT, MethodResultT],
    ) -> None:
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


@dataclass(frozen=True, slots=True)
class Undoing(Generic[ParamsT, ResultT]):
    """How a call is carried out so that it can be taken back, and how it is."""

    do: Callable[[ParamsT, AppCaller], Awaitable[tuple[ResultT | Written[ResultT], WireModel]]]
    """Gives the result, and what the way back needs to know."""
    back: Callable[[bytes, AppCaller], Awaitable[None]]
    """Takes that as it was written; refuses where somebody went on from the call."""


_AnyHandler: TypeAlias = Callable[[Any, AppCaller], Awaitable[BaseModel | Written[Any]]]


@dataclass(frozen=True, slots=True)
class _Row:
    call: Call[Any, Any]
    handler: _AnyHandler
    undoing: Undoing[Any, Any] | None


class AppCalls:
    """Every call that the server carries out leads to one service; a second one keeps the server from starting."""

    def __init__(self) -> None:
        self._handlers: dict[str, _Row] = {}

    def add(
        self,
        call: Call[ParamsT, ResultT],
        handler: CallHandler[ParamsT, ResultT],
        undoing: Undoing[ParamsT, ResultT] | None = None,
    ) -> None:
        """Lead a call to its service; the types of both must agree.

        Raises:
            DuplicateName: another service answers it.
            ValueError: the host carries it out by itself, or it is said to be undone and is not, or the other way round.
        """
        if call.by != "server":
            raise ValueError(f"{call.name} is the host's own")
        if call.can_be_undone != (undoing is not None):
            raise ValueError(f"{call.name} and its service disagree on whether it can be undone")
        row = _Row(call, cast("_AnyHandler", handler), cast("Undoing[Any, Any] | None", undoing))
        add_unique(self._handlers, call.name, row, of="app call")

    def serves(self, call: Call[Any, Any]) -> bool:
        """Whether anybody answers this call."""
        return call.name in self._handlers

    def missing(self) -> list[str]:
        """Name the calls that are declared to be the server's and lead nowhere."""
        return [each.name for each in CALLS if each.by == "server" and not self.serves(each)]

    async def answer(self, asked: AppCallParams, context: CallContext) -> AppCallResult:
        """Carry out what came over the wire.

        Raises:
            AppError: the service's own, or a refusal of the name or the params.
        """
        row, caller = self._row(asked.call), asked.caller
        if caller.trace_id is None:
            caller = caller.model_copy(update={"trace_id": context.trace_id})
        try:
            return await self._carry_out(row, asked, caller)
        except AppError as error:
            note_failure(row.call, error)
            raise

    async def _carry_out(self, row: _Row, asked: AppCallParams, caller: AppCaller) -> AppCallResult:
        params = row.call.read_params(asked.params)
        if not asked.wants_undo:
            return AppCallResult(value=_written(await row.handler(params, caller)))
        if row.undoing is None:
            raise InvalidInput.at_fields([("wantsUndo", "cannot_be_undone")])
        result, undo = await row.undoing.do(params, caller)
        return AppCallResult(value=join_undo(_written(result), undo.to_bytes()))

    async def undo(self, asked: UndoCallParams, context: CallContext) -> Empty:
        """Take back what was carried out undoably.

        Raises:
            AppError: somebody went on from it, or it was nothing that can be taken back.
        """
        del context
        undoing = self._row(asked.call).undoing
        if undoing is None:
            raise InvalidInput.at_fields([("call", "cannot_be_undone")])
        await undoing.back(asked.params, asked.caller)
        return Empty()

    def _row(self, name: str) -> _Row:
        found = self._handlers.get(name)
        if found is None:
            raise CapabilityMethodUnknown("The App Server carries out no call of this name")
        return found


def _written(result: BaseModel | Written[Any]) -> bytes:
    if isinstance(result, Written):
        return result.json
    return result.model_dump_json(by_alias=True).encode()
