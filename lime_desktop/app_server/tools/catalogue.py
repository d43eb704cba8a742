"""What a tool is, to everybody: its row in the catalogue, what policy is asked about it, and how it runs."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from lime_desktop.app_server.apps.registered import RegisteredApp
from lime_desktop.app_server.runtime_core.backend import TurnRequest
from lime_desktop.app_server.tools.answer_mailbox import AnswerMailbox
from lime_desktop.app_server.tools.tooling import PolicyAsk, ToolCall, ToolOutcome
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import ProposedEvent

Owner = Literal["local", "mcp"]
"""Who carries a call out: this machine's own code and programs, or a tool server."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolRow:
    """One line of the catalogue."""

    name: str
    """As the model calls it: letters, digits, ``_`` and ``-``."""
    description: str
    input_schema: JsonObject
    title: str | None = None
    keywords: tuple[str, ...] = ()
    output_schema: JsonObject | None = None
    owner: Owner = "local"
    is_read_only: bool = False
    is_destructive: bool = False
    unavailable_reason: str | None = None
    """Why it cannot be called now; a tool that can has none."""
    unavailable_code: str = "tool_unavailable"
    """The same as a stable word."""
    is_declared: bool = True
    """The manifest names it. The host's own tools it need not name, and an app that says nothing of tools gets none of them."""
    declared_as: str = ""
    """The key that the manifest gives it, where it does."""
    action: str = ""
    """Its own name, where one key stands for several tools."""
    has_methods: bool = False
    """Its arguments are `method` and `input`: one key stands for a program with methods of its own, which runs them beside each other."""
    cost: str | None = "free"
    """What a call costs, for a person to read; None where nobody knows."""


class Tool(Protocol):
    """Something an agent can have done."""

    @property
    def row(self) -> ToolRow:
        """Its line in the catalogue."""
        ...

    def asks(self, arguments: JsonObject) -> PolicyAsk:
        """What policy must allow for these arguments. Arguments may be empty: then for a call in general."""
        ...

    def run(
        self, call: ToolCall, mailbox: AnswerMailbox
    ) -> AsyncIterator[ProposedEvent | ToolOutcome]:
        """Do it. Only ever called after policy allowed what `asks` said, with arguments that fit the schema."""
        ...


class ToolSource(Protocol):
    """Where tools come from."""

    async def tools_for(self, app: RegisteredApp, request: TurnRequest) -> Sequence[Tool]:
        """The tools that an app's turn could have, able to run now or not."""
        ...
