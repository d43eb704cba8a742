"""Wraps every engine: a turn that is a hook of an app runs one tool, judged, asked about and told as in an agent's turn.

Only a turn that the service of hooks began in this process is one; what a client writes into a turn makes none.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass

from lime_desktop.app_package.lifecycle import LifecycleHook
from lime_desktop.app_server.execution.tool_rounds import Told, run_tools
from lime_desktop.app_server.lifecycle import hook_facts
from lime_desktop.app_server.runtime_core.backend import (
    ActionAnswer,
    EngineChoice,
    EngineMiddleware,
    ExecutionBackend,
    TurnRequest,
)
from lime_desktop.app_server.tools.answer_mailbox import Mailboxes
from lime_desktop.app_server.tools.arguments import arguments_for
from lime_desktop.app_server.tools.broker import ToolBroker
from lime_desktop.app_server.tools.tooling import ToolCall, ToolOutcome
from lime_desktop.app_server.tools.toolset import TurnToolset
from lime_desktop.protocol.calls.lifecycle_hooks import LONGEST_ANSWER_S, LONGEST_HOOK_S
from lime_desktop.protocol.errors import AppError, TaskTimedOut
from lime_desktop.protocol.runtime.events import ProposedEvent

_NOBODY = "host.nobody-to-ask"


@dataclass(frozen=True, slots=True)
class HookLimits:
    """How long a hook may take."""

    work_s: float = LONGEST_HOOK_S
    answer_s: float = LONGEST_ANSWER_S
    """A person's time, which counts beside it."""


class HookMiddleware(EngineMiddleware):
    """Runs the hooks that were begun; everything else is the engine's."""

    def __init__(self, engine: ExecutionBackend, limits: HookLimits | None = None) -> None:
        super().__init__(engine)
        self._limits = limits or HookLimits()
        self._begun: dict[str, tuple[LifecycleHook, ToolBroker]] = {}
        self._mailboxes = Mailboxes()

    def begin(self, turn_id: str, hook: LifecycleHook, tools: ToolBroker) -> None:
        """Take the turn of this id for a run of the hook, until `end`."""
        self._begun[turn_id] = (hook, tools)

    def end(self, turn_id: str) -> None:
        """The turn is over."""
        self._begun.pop(turn_id, None)
        self._mailboxes.close(turn_id)

    async def preflight(self, request: TurnRequest) -> EngineChoice | None:
        """No model is needed for a hook."""
        return None if request.turn_id in self._begun else await self._engine.preflight(request)

    def run_turn(self, request: TurnRequest) -> AsyncIterator[ProposedEvent]:
        """Run the hook, or let the engine work."""
        begun = self._begun.get(request.turn_id)
        return self._engine.run_turn(request) if begun is None else self._run(request, *begun)

    async def respond_action(self, turn_id: str, answer: ActionAnswer) -> None:
        """Hear a person's answer to what a hook asked."""
        if turn_id in self._begun:
            self._mailboxes.of(turn_id).deliver(answer)
        else:
            await self._engine.respond_action(turn_id, answer)

    async def _run(
        self, request: TurnRequest, hook: LifecycleHook, tools: ToolBroker
    ) -> AsyncIterator[ProposedEvent]:
        began = time.monotonic()
        yield hook_facts.started(hook, self._limits.work_s)
        outcome, category = ToolOutcome("", "The tool gave no result.", is_error=True), ""
        try:
            toolset = tools.toolset_for(request)
            call = await _call(request, hook, toolset)
            async with aclosing(self._within_time(request, call, toolset)) as stream:
                async for told in stream:
                    if isinstance(told, ToolOutcome):
                        outcome = told
                        continue
                    category = category or _refused_for_nobody(told)
                    yield told
        except TimeoutError:
            late = "The hook took too long and was stopped."
            yield hook_facts.failed(hook, "timeout", late, _since(began))
            # What it left open is closed by whoever ends the turn.
            raise TaskTimedOut(late) from None
        except AppError as error:
            outcome = ToolOutcome("", error.message, is_error=True, category=error.stable_code)
        if not outcome.is_error:
            yield hook_facts.completed(hook, _since(began))
            yield ProposedEvent(type="turn.completed", payload={})
            return
        fact = hook_facts.failed(hook, category or outcome.category, outcome.text, _since(began))
        yield fact
        told_end = {
            "failureCategory": fact.payload["errorCategory"],
            "message": fact.payload["message"],
            "recoveryHint": fact.payload["recoveryHint"],
        }
        yield ProposedEvent(type="turn.failed", payload=told_end)

    async def _within_time(
        self, request: TurnRequest, call: ToolCall, toolset: TurnToolset
    ) -> AsyncGenerator[Told]:
        """The call's facts and its outcome.

        Raises:
            TimeoutError: it took longer than it may.
        """
        loop, left = asyncio.get_running_loop(), self._limits.work_s
        stream = run_tools([call], toolset, self._mailboxes.of(request.turn_id))
        async with aclosing(stream):
            is_asking = False
            while True:
                began = loop.time()
                # Around each wait and not around all: whoever reads must not be cancelled for us.
                async with asyncio.timeout(self._limits.answer_s if is_asking else left):
                    told = await anext(stream, None)
                if told is None:
                    return
                if not is_asking:
                    left -= loop.time() - began
                is_asking = isinstance(told, ProposedEvent) and told.type == "action.required"
                yield told


async def _call(request: TurnRequest, hook: LifecycleHook, toolset: TurnToolset) -> ToolCall:
    """The hook as a call of its tool; raises where the app has none of that name."""
    row = await toolset.row(hook.tool, hook.action)
    arguments = arguments_for(row, hook.action, hook_facts.given(hook))
    return ToolCall(f"{request.turn_id}:hook", row.name, arguments)


def _refused_for_nobody(told: ProposedEvent) -> str:
    rules = told.payload.get("ruleRefs")
    is_so = told.type == "permission.evaluated" and isinstance(rules, list) and _NOBODY in rules
    return "nobody_to_ask" if is_so else ""


def _since(began: float) -> int:
    return int((time.monotonic() - began) * 1_000)
