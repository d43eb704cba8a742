"""lime.terminal.run: programs that the app's manifest names as command-line adapters, run for a page. No shell, no other program."""

import shlex

from pydantic import BaseModel

from lime_desktop.app_package.manifest.operations import Integration
from lime_desktop.host.capabilities.handler import Handlers, HandlerServices, ToolHandler
from lime_desktop.host.view.tool_calls import FoundTool, ToolCalls, WantedTool
from lime_desktop.protocol.capability_calls.tools import RunCommandParams
from lime_desktop.protocol.errors import (
    CapabilityNotAvailable,
    CapabilityNotDeclared,
    InvalidInput,
)

_NO_FOLDER = "Commands run in the app's own folder. Other folders are not available"


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call."""
    tools = ToolCalls(services)

    async def find(params: RunCommandParams) -> WantedTool:
        if params.cwd_ref is not None:
            raise CapabilityNotAvailable(_NO_FOLDER)
        return _wanted(services.app().package.manifest.integrations, params.command)

    async def run(tool: FoundTool, _: RunCommandParams) -> BaseModel:
        return (await tools.begin(tool)).as_command_run()

    return {"lime.terminal.run": ToolHandler(find, run)}


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
