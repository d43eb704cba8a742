"""A tool that is a method of the App Server itself, called in the app's name. Knows no method in particular."""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic

from lime_desktop.app_server.apps.registered import RegisteredApp
from lime_desktop.app_server.execution.backend import TurnRequest
from lime_desktop.app_server.execution.mailbox import AnswerMailbox
from lime_desktop.app_server.execution.tooling import ToolCall, ToolOutcome
from lime_desktop.app_server.server.own_calls import OwnCalls
from lime_desktop.app_server.tools.catalogue import PolicyAsk, Tool, ToolRow
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.wire import Method, ParamsT, ResultT

host_row = partial(ToolRow, is_declared=False)
"""A line of the catalogue that no manifest has to name."""


@dataclass(frozen=True, slots=True)
class Caller:
    """In whose name a tool calls, and in which turn."""

    app: RegisteredApp
    request: TurnRequest


@dataclass(frozen=True, slots=True)
class Said:
    """A result in words."""

    text: str
    refs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ServiceToolKind(Generic[ParamsT, ResultT]):
    """One service as a tool."""

    row: ToolRow
    asks: Callable[[JsonObject], PolicyAsk]
    method: Method[ParamsT, ResultT]
    params: Callable[[JsonObject, Caller], ParamsT]
    say: Callable[[ResultT], Said]


class ServiceTool:
    """A kind of tool in the hands of one turn."""

    def __init__(self, kind: ServiceToolKind[Any, Any], caller: Caller, calls: OwnCalls) -> None:
        self._kind = kind
        self._caller = caller
        self._calls = calls

    @property
    def row(self) -> ToolRow:
        """Its line in the catalogue."""
        return self._kind.row

    def asks(self, arguments: JsonObject) -> PolicyAsk:
        """What the app's own call would be asked."""
        return self._kind.asks(arguments)

    async def run(self, call: ToolCall, mailbox: AnswerMailbox) -> AsyncIterator[ToolOutcome]:
        """Call the service as a client bound to the app would."""
        del mailbox
        params = self._kind.params(call.arguments, self._caller)
        result = await self._calls.call(
            self._kind.method, params, self._caller.app.app_id, self._caller.request.trace_id
        )
        said = self._kind.say(result)
        yield ToolOutcome(call.call_id, said.text, refs=said.refs)


class ServiceTools:
    """The source of them all."""

    def __init__(self, calls: OwnCalls, kinds: Sequence[ServiceToolKind[Any, Any]]) -> None:
        self._calls = calls
        self._kinds = kinds

    async def tools_for(self, app: RegisteredApp, request: TurnRequest) -> Sequence[Tool]:
        """One for each service that is served here."""
        caller = Caller(app, request)
        return [
            ServiceTool(kind, caller, self._calls)
            for kind in self._kinds
            if self._calls.serves(kind.method)
        ]
