"""lime.terminal: programs that the manifest names as command-line adapters, run for a page and given input while they run.

A command is run without a shell, and no program that the manifest does not name. Its input is judged as the command was:
as the same program with this text to read. Only the view that started it may give it any.
"""

import shlex
from dataclasses import replace

from pydantic import BaseModel

from lime_desktop.app_package.manifest.operations import Integration
from lime_desktop.host.capabilities.handler import Handlers, HandlerServices, ToolHandler
from lime_desktop.host.view.tool_calls import FoundTool, ToolCalls, WantedTool
from lime_desktop.protocol.capability_calls.tools import (
    GET_RUN,
    CommandRunParams,
    RunCommandParams,
    WriteInputParams,
)
from lime_desktop.protocol.errors import (
    CapabilityNotAvailable,
    CapabilityNotDeclared,
    InvalidInput,
    ToolUnknown,
)

_NO_FOLDER = "Commands run in the app's own folder. Other folders are not available"
_NO_SUCH_RUN = "This view started no command of that id that takes input"
_ENDED = "The program has ended"
_MOST_RUNS = 64
"""More than the server runs for an app at once."""


def command_handlers(services: HandlerServices) -> Handlers:
    """The handlers of lime.terminal by the name of their call."""
    commands = _Commands(services)
    return {
        "lime.terminal.run": ToolHandler(commands.find, commands.run),
        "lime.terminal.write": ToolHandler(commands.find_run, commands.write),
    }


class _Commands:
    """The commands of one view."""

    def __init__(self, services: HandlerServices) -> None:
        self._services = services
        self._tools = ToolCalls(services)
        self._taking_input: dict[str, WantedTool] = {}

    async def find(self, params: RunCommandParams) -> WantedTool:
        """The adapter that a command line means."""
        if params.cwd_ref is not None:
            raise CapabilityNotAvailable(_NO_FOLDER)
        return _wanted(self._services.app().package.manifest.integrations, params.command)

    async def run(self, tool: FoundTool, params: RunCommandParams) -> BaseModel:
        """Begin it."""
        begun = await self._tools.begin(tool, keeps_input=params.keep_input)
        if params.keep_input:
            self._remember(begun.invocation_id, tool.wanted)
        return begun.as_command_run()

    async def find_run(self, params: WriteInputParams) -> WantedTool:
        """The same program with the new text to read: what policy judges, and what a person is shown."""
        if not (params.text or params.close):
            raise InvalidInput.at_fields([("text", "missing")])
        wanted = self._taking_input.get(params.run_id)
        if wanted is None:
            raise ToolUnknown(_NO_SUCH_RUN)
        found = await self._services.ask(GET_RUN, CommandRunParams(run_id=params.run_id))
        if found.status != "running":
            raise CapabilityNotAvailable(_ENDED, details={"reasonCode": "process_ended"})
        return replace(wanted, input={**wanted.input, "stdin": params.text})

    async def write(self, tool: FoundTool, params: WriteInputParams) -> BaseModel:
        """Give it the text."""
        run = await self._tools.give_input(params.run_id, tool, close=params.close)
        return run.as_command_run()

    def _remember(self, run_id: str, wanted: WantedTool) -> None:
        """Keep what a run was begun with; of more than can be at work at once the oldest have ended."""
        runs = self._taking_input
        runs[run_id] = wanted
        while len(runs) > _MOST_RUNS:
            del runs[next(iter(runs))]


def _wanted(integrations: tuple[Integration, ...], command: str) -> WantedTool:
    """The adapter whose own words a command line begins with, and the words after them."""
    words = _words(command)
    if not words:
        raise InvalidInput.at_fields([("command", "unreadable")])
    found = [
        (len(own), each.key)
        for each in integrations
        if each.adapter is not None
        and each.adapter.kind == "cli"
        and (own := _words(each.adapter.command or ""))
        and words[: len(own)] == own
    ]
    if not found:
        raise CapabilityNotDeclared(
            "The manifest names no command-line adapter for this program",
            details={"rule": "manifest.target-undeclared"},
        )
    used, key = max(found)
    return WantedTool(key, {"arguments": list(words[used:])})


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:
        return []
