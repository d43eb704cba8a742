"""Makes a tool of every backend that an app declares: `lime.tools.invoke` reaches it by `<service>/<method>`.

The standard has no adapter that names a service, so the service's own key does. It is judged as what it is, a program that
runs on this machine; what the program is, never changes, so a yes is for the program and not for each input.
"""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import aclosing
from pathlib import Path

from pydantic import JsonValue

from lime_desktop.app_package.backends import backends_of
from lime_desktop.app_package.manifest.services import Service
from lime_desktop.app_server.apps.registered import RegisteredApp
from lime_desktop.app_server.runtime_core.backend import TurnRequest
from lime_desktop.app_server.tools.answer_mailbox import AnswerMailbox
from lime_desktop.app_server.tools.backends.backends import Backends
from lime_desktop.app_server.tools.backends.contract import Event
from lime_desktop.app_server.tools.backends.program import FoundProgram, Obstacle, find_program
from lime_desktop.app_server.tools.backends.supervised import Answer, Refusal
from lime_desktop.app_server.tools.catalogue import PolicyAsk, Tool, ToolRow
from lime_desktop.app_server.tools.commands.sandbox import Sandbox, missing_wall
from lime_desktop.app_server.tools.tooling import ToolCall, ToolOutcome
from lime_desktop.policy.call import Target
from lime_desktop.protocol.ids import JsonObject, ToolCallId
from lime_desktop.protocol.runtime.events import ProposedEvent

_MESSAGE_CHARACTERS = 500
_SCHEMA: JsonObject = {
    "type": "object",
    "properties": {
        "method": {"type": "string", "minLength": 1, "maxLength": 200},
        "input": {"type": "object"},
    },
    "required": ["method"],
    "additionalProperties": False,
}


class BackendTools:
    """The source of them."""

    def __init__(self, backends: Backends, find_sandbox: Callable[[], Sandbox]) -> None:
        self._backends = backends
        self._find_sandbox = find_sandbox

    async def tools_for(self, app: RegisteredApp, request: TurnRequest) -> Sequence[Tool]:
        """One tool for each service that is a backend. Nothing is started."""
        del request
        services = backends_of(app.package.manifest)
        if not services:
            return ()
        return await asyncio.to_thread(self._tools, app, services)

    async def found(self, app: RegisteredApp) -> tuple[str, ...]:
        """The services of an app whose program is on this machine."""
        return await asyncio.to_thread(_found, app)

    def _tools(self, app: RegisteredApp, services: Sequence[Service]) -> list[Tool]:
        sandbox = self._find_sandbox()
        return [BackendTool(app, each, sandbox, self._backends) for each in services]


class BackendTool:
    """One backend in the hands of one turn or page."""

    def __init__(
        self, app: RegisteredApp, service: Service, sandbox: Sandbox, backends: Backends
    ) -> None:
        self._app = app
        self._service = service
        self._sandbox = sandbox
        self._backends = backends
        self.program = program_of(app, service)

    @property
    def row(self) -> ToolRow:
        """Its line in the catalogue."""
        reason, code = self._unavailable()
        key = self._service.key
        return ToolRow(
            name=f"backend__{re.sub(r'[^A-Za-z0-9_-]', '_', key)}"[:64],
            title=key,
            description=f"The app's own program {key}: has it carry out one of its methods.",
            input_schema=_SCHEMA,
            keywords=(key,),
            # What a program does nobody knows beforehand.
            is_destructive=True,
            declared_as=key,
            has_methods=True,
            unavailable_reason=reason,
            unavailable_code=code,
        )

    def asks(self, arguments: JsonObject) -> PolicyAsk:
        """A program that runs on this machine, whatever it is asked for."""
        del arguments
        shown = self.program.shown if isinstance(self.program, FoundProgram) else ()
        return PolicyAsk(
            capability="lime.terminal",
            method="run",
            program=shown,
            is_unconfined=self._sandbox.mode == "none",
            bound_to=("backend", self._app.registration.package_hash, self._service.key, *shown),
            binds_arguments=False,
            access="execute",
            targets=(Target("tool", self._service.key),),
        )

    async def run(
        self, call: ToolCall, mailbox: AnswerMailbox
    ) -> AsyncIterator[ProposedEvent | ToolOutcome]:
        """Have it carry a method out; it is started where it does not run."""
        del mailbox
        if isinstance(self.program, Obstacle):
            return
        backend = await self._backends.of(self._app, self._service, self.program, self._sandbox)
        method, given = call.arguments.get("method"), call.arguments.get("input")
        told = backend.call(str(method), given if isinstance(given, dict) else {})
        # Closed with us, and not some time later: whoever leaves cancels the call.
        async with aclosing(told):
            async for each in told:
                yield _told(call.call_id, each)

    def _unavailable(self) -> tuple[str | None, str]:
        if not self._app.registration.runs_unconfined:
            reason = missing_wall(self._sandbox)
            if reason is not None:
                return reason, "no_sandbox"
        if isinstance(self.program, Obstacle):
            return self.program.reason, "tool_unavailable"
        return None, "tool_unavailable"


def _found(app: RegisteredApp) -> tuple[str, ...]:
    services = backends_of(app.package.manifest)
    return tuple(each.key for each in services if isinstance(program_of(app, each), FoundProgram))


def program_of(app: RegisteredApp, service: Service) -> FoundProgram | Obstacle:
    """The program of an app's service, on this machine. Looks at the disk."""
    return find_program(service, app.package.tree, Path(app.registration.package_path))


def _told(call_id: str, each: Event | Answer | Refusal) -> ProposedEvent | ToolOutcome:
    match each:
        case Event():
            return _progress(call_id, each)
        case Refusal(category, text):
            return ToolOutcome(call_id, text, is_error=True, category=category)
        case Answer(value):
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            return ToolOutcome(call_id, text, structured=value)


def _progress(call_id: str, event: Event) -> ProposedEvent:
    message = None if event.message is None else event.message[:_MESSAGE_CHARACTERS]
    said: dict[str, JsonValue] = {
        "progress": event.progress,
        "total": event.total,
        "message": message,
    }
    payload: JsonObject = {name: value for name, value in said.items() if value is not None}
    return ProposedEvent(type="tool.progress", tool_call_id=ToolCallId(call_id), payload=payload)
