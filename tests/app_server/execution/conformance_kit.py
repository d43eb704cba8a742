"""What every engine must show, whatever it runs on. An engine joins by a `Stage` in `test_conformance`.

A stage brings the real engine behind the real router and RuntimeCore, and something that plays its model. The kit asks
for a play by name; how that is brought about is the stage's own business.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias

from lime_desktop.app_server.runtime_core.backend import TurnRequest
from lime_desktop.app_server.tools.answer_mailbox import AnswerMailbox
from lime_desktop.app_server.tools.tooling import ToolCall, ToolOutcome, Toolset
from lime_desktop.protocol.calls.sessions import ToolDescription
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import ProposedEvent
from tests.app_server.execution.rounds import TestBox, needs
from tests.app_server.runtime_core.runtime import Runtime, event

PlayName: TypeAlias = Literal[
    "text",
    "tool",
    "failing-tool",
    "question",
    "artifact",
    "subagent",
    "cut",
    "garbage",
    "flood",
    "hang",
]
"""`text` says "one two three"; the tools are those of `KitTools`; after a tool it says "done"."""

FLOOD = 3_000
"""How many pieces a flood has."""

TOOL_OF_PLAY: Mapping[str, str] = {
    "tool": "search",
    "failing-tool": "break",
    "question": "publish",
    "artifact": "report",
    "subagent": "delegate",
}
"""Which tool a play calls, with `ARGUMENTS`."""

ARGUMENTS: JsonObject = {"path": "a.txt"}


class Stage(Protocol):
    """An engine under test."""

    name: str
    has_own_tools: bool
    """Whether it brings its own, so that those of the kit never run."""
    skipped: Mapping[str, str]
    """Plays that the engine cannot give, and why."""

    def open(
        self, folder: Path, play: PlayName, tools: "KitTools"
    ) -> AbstractAsyncContextManager[Runtime[Any]]:
        """The engine on its data folder, ready for the play; opened twice to restart it."""
        ...

    def prompt(self, play: PlayName) -> str:
        """What to say to bring the play about."""
        ...


@dataclass
class KitTools(TestBox):
    """The tools of the plays. `publish` needs a yes."""

    __test__ = False

    readers: frozenset[str] = frozenset({"search"})

    def __post_init__(self) -> None:
        self.verdicts = {"publish": lambda _call: needs("ask")}
        self.bodies = {"break": _break, "report": _report, "delegate": _delegate}

    def toolset_for(self, request: TurnRequest) -> Toolset:
        del request
        return self

    async def offers(self, query: str | None = None) -> tuple[ToolDescription, ...]:
        del query
        return tuple(
            ToolDescription(
                tool_name=name,
                description=f"Does {name}.",
                input_schema={"type": "object", "properties": {"path": {"type": "string"}}},
                policy="allowed",
                is_concurrency_safe=name in self.readers,
            )
            for name in TOOL_OF_PLAY.values()
        )


async def _break(call: ToolCall, _mailbox: AnswerMailbox) -> AsyncIterator[ToolOutcome]:
    yield ToolOutcome(call.call_id, "The disk is read-only.", is_error=True, category="io_error")


async def _report(
    call: ToolCall, _mailbox: AnswerMailbox
) -> AsyncIterator[ProposedEvent | ToolOutcome]:
    payload = {"kind": "report", "title": "Report", "path": "out/report.md"}
    yield event("artifact.changed", payload, artifact_id=f"artifact:{call.call_id}")
    yield event("evidence.changed", {"packRef": "evidence://p"}, evidence_id=f"e:{call.call_id}")
    yield ToolOutcome(call.call_id, "written", refs=(f"artifact:{call.call_id}",))


async def _delegate(
    call: ToolCall, _mailbox: AnswerMailbox
) -> AsyncIterator[ProposedEvent | ToolOutcome]:
    named = {"subagent_id": f"sub:{call.call_id}"}
    yield event("subagent.spawned", {"role": "researcher", "title": "Research"}, **named)
    yield event("subagent.completed", {"summary": "found"}, **named)
    yield ToolOutcome(call.call_id, "researched")
