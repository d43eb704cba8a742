"""What an engine knows of tools: what it may offer its model, whether a call may happen, and what came of it.

Knows no tool and no engine. Engines run calls through `tool_rounds` alone, so that every call of every engine is
judged, asked about and told in the same way.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Protocol

from pydantic import JsonValue

from lime_desktop.app_package.manifest.operations import SideEffect
from lime_desktop.app_server.runtime_core.backend import TurnRequest
from lime_desktop.app_server.tools.answer_mailbox import AnswerMailbox
from lime_desktop.app_server.tools.live_input import LiveInput
from lime_desktop.policy.call import Target
from lime_desktop.policy.decision import Decision, NeedsApproval
from lime_desktop.policy.vocabulary import Access, RememberScope
from lime_desktop.protocol.calls.sessions import ToolDescription
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import ProposedEvent


@dataclass(frozen=True, slots=True)
class ToolCall:
    """What a model wants done."""

    call_id: str
    """Used once in a whole session. Providers count from zero each time: put the turn's id before theirs."""
    name: str
    arguments: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LiveCall(ToolCall):
    """A call whose program goes on to read while it runs. Apart, since an agent's call is kept over a restart."""

    live_input: LiveInput = field(default_factory=LiveInput)


@dataclass(frozen=True, slots=True)
class KeyedCall(ToolCall):
    """A call that may be made again after a crash: the tool is told a key under which its effect is to be had once."""

    idempotency_key: str = ""


def key_of(call: ToolCall) -> str | None:
    """The key of a call that has one."""
    return call.idempotency_key if isinstance(call, KeyedCall) else None


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """What came of a call, as the model reads it. The facts have been told already."""

    call_id: str
    text: str
    is_error: bool = False
    refs: tuple[str, ...] = ()
    """Files, artifacts and sources that the result is about."""
    category: str = "tool_failed"
    """For errors: what kind of thing went wrong."""
    structured: JsonValue = None
    """The same in a form for programs, where the tool gives one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyAsk:
    """What policy is asked before a call: the same words an app's own call of that capability has."""

    capability: str
    """What the tool is, never what a manifest or a server says of it."""
    method: str
    also_as: tuple[str, ...] = ()
    """What a manifest calls it besides; it can only make the judgement stricter."""
    access: Access = "read"
    side_effect: SideEffect = "none"
    targets: tuple[Target, ...] = ()
    operation: str | None = None
    has_idempotency_key: bool = False
    program: tuple[str, ...] = ()
    """The program that would run and all of its words, for a person to read."""
    is_unconfined: bool = False
    """Whether nothing walls the program off."""
    bound_to: tuple[str, ...] = ()
    """What acts, where its arguments decide on whom: a yes that is kept holds for it and these very arguments alone."""
    binds_arguments: bool = True
    """Whether a kept yes is for these arguments; what is always the same program, and walled off, is agreed to as a whole."""


class Toolset(Protocol):
    """The tools of one turn."""

    async def offers(self, query: str | None = None) -> tuple[ToolDescription, ...]:
        """What the model is shown: all tools, or those that fit the query where the app wants few at a time."""
        ...

    async def describe(self, name: str) -> ToolDescription | None:
        """One tool, shown or not; None where there is none of that name."""
        ...

    async def judge(self, call: ToolCall) -> Decision:
        """Decide by policy whether the call may happen."""
        ...

    async def judge_outside(self, call: ToolCall, asks: PolicyAsk) -> Decision:
        """Decide likewise about what is in no toolset: an external agent would do it with a tool of its own."""
        ...

    async def remember(self, call: ToolCall, needed: NeedsApproval, scope: RememberScope) -> None:
        """Keep a yes for the rest of the task or the session, or for the workspace."""
        ...

    def run(
        self, call: ToolCall, mailbox: AnswerMailbox
    ) -> AsyncIterator[ProposedEvent | ToolOutcome]:
        """Carry an allowed call out: facts on the way, the outcome last. A tool that must ask waits at the mailbox."""
        ...


class Tooling(Protocol):
    """Makes the tools of a turn."""

    def toolset_for(self, request: TurnRequest) -> Toolset:
        """The tools that this turn's app may have. An app nobody registered has none."""
        ...
