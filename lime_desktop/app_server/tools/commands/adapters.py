"""Makes a tool of every command-line adapter that an app declares in app.integrations.yaml.

The program is one of the machine's own: looked up by its name, never taken from the package.
"""

import asyncio
import logging
import re
import shlex
import shutil
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from pydantic import JsonValue

from lime_desktop.app_package.manifest.operations import Integration, SideEffect
from lime_desktop.app_server.apps.registered import RegisteredApp
from lime_desktop.app_server.content_store import ContentStore
from lime_desktop.app_server.runtime_core.backend import TurnRequest
from lime_desktop.app_server.secrets.tool_secrets import AppToolSecrets, ToolSecrets
from lime_desktop.app_server.tools.answer_mailbox import AnswerMailbox
from lime_desktop.app_server.tools.catalogue import PolicyAsk, Tool, ToolRow
from lime_desktop.app_server.tools.commands.facts import (
    ended_fact,
    input_facts,
    output_facts,
    sandbox_fact,
    started_fact,
    unstarted_fact,
    violation_facts,
)
from lime_desktop.app_server.tools.commands.output import read_end
from lime_desktop.app_server.tools.commands.running import Command, CommandLimits, run_command
from lime_desktop.app_server.tools.commands.sandbox import Sandbox, missing_wall
from lime_desktop.app_server.tools.commands.words import program_name, shown_words
from lime_desktop.app_server.tools.tooling import LiveCall, ToolCall, ToolOutcome, key_of
from lime_desktop.file_names import plain_name, stored_name
from lime_desktop.policy.call import Target
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import ProposedEvent

_log = logging.getLogger(__name__)

_NAME = re.compile(r"[A-Za-z0-9._+-]+")


@dataclass(frozen=True, slots=True)
class CommandDependencies:
    """What every command shares."""

    folder: Path
    """Working folders are made below it, one for each app and session."""
    store: ContentStore
    find_sandbox: Callable[[], Sandbox]
    secrets: AppToolSecrets
    limits: CommandLimits = field(default_factory=CommandLimits)


class CommandTools:
    """The source of them."""

    def __init__(self, surroundings: CommandDependencies) -> None:
        self._surroundings = surroundings

    async def tools_for(self, app: RegisteredApp, request: TurnRequest) -> Sequence[Tool]:
        """One tool for each adapter of kind `cli`. No wall, no program: without a sandbox they say so and do not run."""
        sandbox = await asyncio.to_thread(self._surroundings.find_sandbox)
        secrets = self._surroundings.secrets
        return [
            CommandTool(
                integration,
                app,
                request,
                replace(self._surroundings, find_sandbox=lambda: sandbox),
                await secrets.for_integration(app, request, integration.key),
            )
            for integration in app.package.manifest.integrations
            if integration.adapter is not None and integration.adapter.kind == "cli"
        ]


class CommandTool:
    """One declared adapter in the hands of one turn."""

    def __init__(
        self,
        integration: Integration,
        app: RegisteredApp,
        request: TurnRequest,
        surroundings: CommandDependencies,
        secrets: ToolSecrets,
    ) -> None:
        self._integration = integration
        self._app = app
        self._request = request
        self._surroundings = surroundings
        self._sandbox = surroundings.find_sandbox()
        self._secrets = secrets
        adapter = integration.adapter
        self._format = (adapter.output_format if adapter else None) or "text"
        self._words, self._obstacle = _find_program((adapter.command if adapter else None) or "")
        self._operations = tuple(
            operation.key
            for operation in app.package.manifest.operations
            if operation.integration == integration.key
        )

    @property
    def row(self) -> ToolRow:
        """Its line in the catalogue."""
        reason, code = self._unavailable()
        return ToolRow(
            name=f"cli__{re.sub(r'[^A-Za-z0-9_-]', '_', self._integration.key)}"[:64],
            title=self._integration.provider,
            description=self._description(),
            input_schema=self._schema(),
            keywords=(self._integration.key, self._integration.provider, self._integration.role),
            # What a program does nobody knows beforehand, whatever the manifest says of it.
            is_destructive=True,
            declared_as=self._integration.key,
            unavailable_reason=reason,
            unavailable_code=code,
        )

    def _unavailable(self) -> tuple[str | None, str]:
        """Why it cannot be called now, and the same as a stable word."""
        if self._missing_wall is not None:
            return self._obstacle or self._missing_wall, "no_sandbox"
        if self._obstacle is not None:
            return self._obstacle, "tool_unavailable"
        if self._secrets.has_files and not sys.platform.startswith("linux"):
            return (
                "This system has no way to give a program a secret as a file.",
                "tool_unavailable",
            )
        return self._secrets.unavailable

    def asks(self, arguments: JsonObject) -> PolicyAsk:
        """A command on this machine: what the manifest says besides adds to what is asked, and takes nothing away."""
        operation = arguments.get("operation")
        effect: SideEffect = "none"
        if self._may_write and not isinstance(operation, str) and arguments:
            # What it does was not said, so all that it may do is asked about.
            effect = "external_write"
        named = self._integration.host_capability
        words = self._command(arguments).words
        return PolicyAsk(
            capability="lime.terminal",
            also_as=(named,) if named else (),
            method="run",
            program=shown_words(words),
            is_unconfined=self._sandbox.mode == "none",
            bound_to=("program", *words),
            access="execute",
            side_effect=effect,
            targets=(Target("tool", self._integration.key), *self._secrets.targets),
            operation=operation if isinstance(operation, str) else None,
        )

    async def run(
        self, call: ToolCall, mailbox: AnswerMailbox
    ) -> AsyncIterator[ProposedEvent | ToolOutcome]:
        """Run the program with these arguments."""
        del mailbox
        opened = await self._secrets.open()
        live = call.live_input if isinstance(call, LiveCall) else None
        command = replace(
            self._command(call.arguments),
            secrets=opened,
            live_input=live,
            idempotency_key=key_of(call),
        )
        sandbox = self._sandbox
        yield sandbox_fact(call.call_id, command, sandbox, self._surroundings.limits)
        yield started_fact(call.call_id, command)
        for fact in input_facts(call.call_id, len(command.stdin)):
            yield fact
        try:
            end = await run_command(command, self._surroundings.limits, sandbox)
        except OSError:
            _log.warning("a command could not be started", exc_info=True)
            yield unstarted_fact(call.call_id)
            text = "The program could not be started. Check that it is installed and may be run."
            yield ToolOutcome(call.call_id, text, is_error=True, category="spawn")
            return
        for fact in input_facts(call.call_id, live.given if live else 0):
            yield fact
        for fact in output_facts(call.call_id, end):
            yield fact
        yield ended_fact(call.call_id, end)
        for fact in violation_facts(call.call_id, end):
            yield fact
        yield await asyncio.to_thread(
            read_end, call.call_id, end, self._format, self._surroundings.store
        )

    @property
    def _missing_wall(self) -> str | None:
        """Why it may not run here: nothing would wall it off, and nobody allowed this app to do without."""
        return None if self._app.registration.runs_unconfined else missing_wall(self._sandbox)

    @property
    def _may_write(self) -> bool:
        access = self._integration.access
        return access is not None and access.write is True

    def _description(self) -> str:
        program = program_name(self._words) if self._words else "a program"
        text = f"{self._integration.role} through {self._integration.provider}: runs `{program}`"
        return f"{text} with the given arguments and gives its output ({self._format})."

    def _schema(self) -> JsonObject:
        properties: JsonObject = {
            "arguments": {
                "type": "array",
                "items": {"type": "string", "maxLength": 10_000},
                "maxItems": 100,
                "description": "Further words of the command line, one for each argument.",
            },
            "stdin": {"type": "string", "maxLength": 1_000_000},
        }
        if self._operations:
            properties["operation"] = {
                "enum": list[JsonValue](self._operations),
                "description": "Which declared operation this carries out.",
            }
        return {"type": "object", "properties": properties, "additionalProperties": False}

    def _command(self, arguments: JsonObject) -> Command:
        given = arguments.get("arguments")
        words = [str(word) for word in given] if isinstance(given, list) else []
        folder = (
            self._surroundings.folder
            / plain_name(self._app.app_id)
            / stored_name(self._request.session_id)
        )
        return Command(
            words=(*self._words, *words),
            folder=folder,
            stdin=str(arguments.get("stdin", "")).encode(),
            network=self._app.registration.command_network,
        )


def _find_program(command: str) -> tuple[tuple[str, ...], str | None]:
    try:
        words = shlex.split(command)
    except ValueError:
        words = []
    if not words or not _NAME.fullmatch(words[0]):
        return (), "The adapter's command must begin with the plain name of an installed program."
    program = shutil.which(words[0])
    if program is None:
        return (), f"The program {words[0]} is not installed."
    return (program, *words[1:]), None
