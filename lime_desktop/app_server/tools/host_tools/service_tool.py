"""A tool that is a service of the App Server itself, called in the app's name. Knows no service in particular."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias, cast

from pydantic import JsonValue

from lime_desktop.app_server.apps.registered import RegisteredApp
from lime_desktop.app_server.routes import CallHandler
from lime_desktop.app_server.runtime_core.backend import TurnRequest
from lime_desktop.app_server.tools.answer_mailbox import AnswerMailbox
from lime_desktop.app_server.tools.catalogue import PolicyAsk, Tool, ToolRow
from lime_desktop.app_server.tools.tooling import ToolCall, ToolOutcome
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.capability_calls.call import Call, ParamsT, ResultT
from lime_desktop.protocol.ids import JsonObject, ToolCallId, TraceId
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.protocol.wire import Written

host_row = partial(ToolRow, is_declared=False)
"""A line of the catalogue that no manifest has to name."""


@dataclass(frozen=True, slots=True)
class Said:
    """A result in words."""

    text: str
    refs: tuple[str, ...] = ()
    facts: tuple[ProposedEvent, ...] = ()
    """What the run has to say of it, besides that a tool was called."""
    structured: JsonValue = None
    """The same for programs, where a program may go on with it."""


RunTool: TypeAlias = Callable[[JsonObject, AppCaller], Awaitable[Said]]
"""Does what the arguments ask for, in the name of who calls."""


@dataclass(frozen=True, slots=True)
class ServiceToolKind:
    """One service as a tool."""

    row: ToolRow
    asks: Callable[[JsonObject], PolicyAsk]
    run: RunTool
    narrowed: "Callable[[TurnRequest], ServiceToolKind | None] | None" = None
    """The same within what a turn may use; None where that leaves nothing."""

    def for_turn(self, request: TurnRequest) -> "ServiceToolKind | None":
        """What a turn is given of it."""
        return self if self.narrowed is None else self.narrowed(request)


def _as_given(arguments: JsonObject) -> JsonObject:
    return arguments


def by_call(
    call: Call[ParamsT, ResultT],
    handler: CallHandler[ParamsT, ResultT],
    say: Callable[[ParamsT, ResultT], Said],
    params: Callable[[JsonObject], JsonObject] = _as_given,
) -> RunTool:
    """Make one of the app's own calls for its agent, and put the result into words; mostly the arguments are its params."""

    async def run(arguments: JsonObject, caller: AppCaller) -> Said:
        checked = call.check_params(params(arguments))
        result = await handler(checked, caller)
        if isinstance(result, Written):
            result = call.result.model_validate_json(result.json)
        return say(checked, cast("ResultT", result))

    return run


class ServiceTool:
    """A kind of tool in the hands of one turn."""

    def __init__(self, kind: ServiceToolKind, app: RegisteredApp, request: TurnRequest) -> None:
        self._kind = kind
        self._app = app
        self._request = request

    @property
    def row(self) -> ToolRow:
        """Its line in the catalogue."""
        return self._kind.row

    def asks(self, arguments: JsonObject) -> PolicyAsk:
        """What the app's own call would be asked."""
        return self._kind.asks(arguments)

    async def run(
        self, call: ToolCall, mailbox: AnswerMailbox
    ) -> AsyncIterator[ProposedEvent | ToolOutcome]:
        """Call the service as the app would."""
        del mailbox
        said = await self._kind.run(call.arguments, self._caller())
        for fact in said.facts:
            yield fact.model_copy(update={"tool_call_id": ToolCallId(call.call_id)})
        yield ToolOutcome(call.call_id, said.text, refs=said.refs, structured=said.structured)

    def _caller(self) -> AppCaller:
        """The app, its bytes, and the task that the agent works on."""
        request = self._request
        made_by = {"workspace_id": request.workspace_id, "run_id": request.run_id}
        provenance = self._app.provenance.model_copy(update={**made_by, "task_id": request.task_id})
        return AppCaller(
            provenance=provenance,
            workspace_id=request.workspace_id,
            trace_id=TraceId(request.trace_id) if request.trace_id else None,
        )


class ServiceTools:
    """The source of them all."""

    def __init__(self, kinds: Sequence[ServiceToolKind]) -> None:
        self._kinds = kinds

    async def tools_for(self, app: RegisteredApp, request: TurnRequest) -> Sequence[Tool]:
        """One of each kind that the turn may have."""
        kinds = (kind.for_turn(request) for kind in self._kinds)
        return [ServiceTool(kind, app, request) for kind in kinds if kind is not None]
