"""An engine whose whole turn is one round of tool calls, and a toolset of tools that a test fills."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lime_desktop.app_server.execution.scripted import ScriptedEngine
from lime_desktop.app_server.execution.tool_rounds import run_tools
from lime_desktop.app_server.runtime_core.backend import (
    ActionAnswer,
    EngineChoice,
    EngineDescription,
    TurnRequest,
)
from lime_desktop.app_server.runtime_core.core import open_core
from lime_desktop.app_server.tools.answer_mailbox import AnswerMailbox, Mailboxes
from lime_desktop.app_server.tools.tooling import PolicyAsk, ToolCall, Tooling, ToolOutcome, Toolset
from lime_desktop.policy.decision import (
    Allowed,
    Decision,
    Denied,
    NeedsApproval,
    Question,
    Risk,
)
from lime_desktop.policy.rules import RuleRef
from lime_desktop.policy.vocabulary import RememberScope
from lime_desktop.protocol.approvals import ApprovalKind
from lime_desktop.protocol.calls.sessions import ToolDescription
from lime_desktop.protocol.calls.turns import RuntimeOptions
from lime_desktop.protocol.errors import DiskFull
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.protocol.runtime.sessions import HistoryMessage
from tests.app_server.runtime_core.runtime import LIMITS, Runtime

DONE = ProposedEvent(type="turn.completed")


def rule(rule_id: str) -> RuleRef:
    return RuleRef(rule_id, "host", "tests", f"The rule {rule_id} says so.")


ALLOWED = Allowed(rule=rule("fine"))
DENIED = Denied(rule=rule("never"), cause="rule", would_change="Nothing would.")


def needs(
    *rule_ids: str,
    remember: tuple[RememberScope, ...] = (),
    kind: ApprovalKind = "tool_confirmation",
) -> NeedsApproval:
    question = Question(
        kind=kind,
        title="May it?",
        subject="subject",
        reasons=tuple(map(rule, rule_ids)),
        risk=Risk("high"),
        leaves_machine=(),
        arguments_summary="",
        suggestions=(),
        if_refused=(),
        remember_scopes=remember,
    )
    return NeedsApproval(rule=rule(rule_ids[0]), question=question, would_change="A yes.")


Verdict = Callable[[ToolCall], Decision]
Body = Callable[[ToolCall, AnswerMailbox], AsyncIterator[ProposedEvent | ToolOutcome]]


@dataclass
class TestBox:
    """Tools as a test writes them. What really ran is in `ran`."""

    __test__ = False

    verdicts: Mapping[str, Verdict] = field(default_factory=dict[str, Verdict])
    bodies: Mapping[str, Body] = field(default_factory=dict[str, Body])
    readers: frozenset[str] = frozenset({"read"})
    ran: list[ToolCall] = field(default_factory=list[ToolCall])
    remembered: list[ToolCall] = field(default_factory=list[ToolCall])

    async def offers(self, query: str | None = None) -> tuple[ToolDescription, ...]:
        del query
        return ()

    async def describe(self, name: str) -> ToolDescription | None:
        if name == "missing":
            return None
        is_reader = name in self.readers
        return ToolDescription(
            tool_name=name,
            policy="allowed",
            is_read_only=is_reader,
            is_concurrency_safe=is_reader,
        )

    async def judge(self, call: ToolCall) -> Decision:
        return self.verdicts.get(call.name, lambda _call: ALLOWED)(call)

    async def judge_outside(self, call: ToolCall, asks: PolicyAsk) -> Decision:
        del asks
        return self.verdicts.get(call.name, lambda _call: needs("ask", remember=("session",)))(call)

    async def remember(self, call: ToolCall, needed: NeedsApproval, scope: RememberScope) -> None:
        del needed, scope
        self.remembered.append(call)

    async def run(
        self, call: ToolCall, mailbox: AnswerMailbox
    ) -> AsyncIterator[ProposedEvent | ToolOutcome]:
        self.ran.append(call)
        if body := self.bodies.get(call.name):
            async for told in body(call, mailbox):
                yield told
            return
        yield ToolOutcome(call.call_id, f"{call.name} did {call.arguments}")


@dataclass
class ForgetfulBox(TestBox):
    """Keeps no yes: its disk is full."""

    __test__ = False

    async def remember(self, call: ToolCall, needed: NeedsApproval, scope: RememberScope) -> None:
        del call, needed, scope
        raise DiskFull("The disk is full; nothing was written.")


@dataclass
class RoundEngine:
    """Runs the calls it was given as one round, then ends the turn."""

    calls: Sequence[ToolCall]
    toolset: Toolset
    outcomes: dict[str, ToolOutcome] = field(default_factory=dict[str, ToolOutcome])
    tooling: Tooling | None = None
    """Makes the tools of the turn itself, where they must know it."""
    _mailboxes: Mailboxes = field(default_factory=Mailboxes)

    def describe(self) -> EngineDescription:
        return EngineDescription("rounds", "1", is_product=False, can_resume=True)

    async def preflight(self, request: TurnRequest) -> None:
        del request

    async def run_turn(self, request: TurnRequest) -> AsyncIterator[ProposedEvent]:
        mailbox = self._mailboxes.of(request.turn_id)
        toolset = self.tooling.toolset_for(request) if self.tooling else self.toolset
        round_ = run_tools(self.calls, toolset, mailbox, open_action_ids=request.open_action_ids)
        async for told in round_:
            if isinstance(told, ToolOutcome):
                self.outcomes[told.call_id] = told
            else:
                yield told
        yield DONE

    async def cancel_turn(self, turn_id: str) -> None:
        self._mailboxes.close(turn_id)

    async def respond_action(self, turn_id: str, answer: ActionAnswer) -> None:
        self._mailboxes.of(turn_id).deliver(answer)

    async def summarize(
        self,
        app_id: str,
        history: tuple[HistoryMessage, ...],
        options: RuntimeOptions | None = None,
        choice: EngineChoice | None = None,
    ) -> str:
        del app_id, options, choice
        return f"{len(history)}"

    async def tools(self, session_id: str) -> tuple[ToolDescription, ...]:
        del session_id
        return await self.toolset.offers()

    async def close(self) -> None:
        await asyncio.sleep(0)


async def open_rounds(folder: Path, engine: RoundEngine) -> Runtime:
    """A real RuntimeCore over it."""
    core = await open_core(folder, engine, LIMITS, is_product=False)
    runtime = Runtime(core, ScriptedEngine({}))
    core.subscribe(runtime.hear)
    return runtime


def call(name: str, call_id: str | None = None, **arguments: Any) -> ToolCall:
    given: JsonObject = arguments
    return ToolCall(call_id or f"call_{name}", name, given)
