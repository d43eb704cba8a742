"""Wraps every engine: a turn that works for a step of a run. It calls one tool, or asks a person whether a call may be made.

What it does is kept with the turn, so that every process can take it up; what came of it stands in its last fact.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import aclosing
from typing import Any

import msgspec
from pydantic import JsonValue

from lime_desktop.app_server.content_store import ContentStore
from lime_desktop.app_server.execution import tool_facts
from lime_desktop.app_server.execution.tool_rounds import Told, approval_id, run_tools
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
from lime_desktop.app_server.tools.tooling import KeyedCall, ToolCall, ToolOutcome
from lime_desktop.app_server.workflows.calls import WantedCall
from lime_desktop.policy.decision import Allowed, Decision, Denied
from lime_desktop.protocol.calls.turns import RuntimeOptions
from lime_desktop.protocol.capability_calls.workflow import SAID_NO
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import ProposedEvent

_METADATA = "workflowStep"
JudgeCall = Callable[[str, WantedCall, str], Decision]


def options_of(work: JsonObject) -> RuntimeOptions:
    """What travels with the turn. As text: the names of an app's own fields are its business."""
    return RuntimeOptions(metadata={_METADATA: msgspec.json.encode(work).decode()})


def work_in(options: RuntimeOptions) -> Mapping[str, Any] | None:
    """What a turn does for a step, if that is what it is for."""
    text = (options.metadata or {}).get(_METADATA)
    if not isinstance(text, str):
        return None
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except msgspec.DecodeError:
        return None


class StepTurnMiddleware(EngineMiddleware):
    """Runs the turns of steps; everything else is the engine's."""

    def __init__(self, engine: ExecutionBackend, content: ContentStore, tools: ToolBroker) -> None:
        super().__init__(engine)
        self._content = content
        self._tools = tools
        self._mailboxes = Mailboxes()
        self.judge: JudgeCall | None = None
        """Judges a call that a person may be asked about; set by whoever makes the calls of runs."""

    async def preflight(self, request: TurnRequest) -> EngineChoice | None:
        """No model is needed for it."""
        return None if work_in(request.options) else await self._engine.preflight(request)

    def run_turn(self, request: TurnRequest) -> AsyncIterator[ProposedEvent]:
        """Work for the step, or let the engine work."""
        work = work_in(request.options)
        return self._engine.run_turn(request) if work is None else self._run(request, work)

    async def respond_action(self, turn_id: str, answer: ActionAnswer) -> None:
        """Hear a person's answer."""
        if answer.action_id.startswith(turn_id):
            self._mailboxes.of(turn_id).deliver(answer)
        else:
            await self._engine.respond_action(turn_id, answer)

    async def _run(
        self, request: TurnRequest, work: Mapping[str, Any]
    ) -> AsyncGenerator[ProposedEvent]:
        outcome = ToolOutcome("", "It came to nothing.", is_error=True)
        call_id = f"{request.turn_id}:{'call' if 'call' in work else 'tool'}"
        stream = self._ask(request, work) if "call" in work else self._call(request, work)
        try:
            async with aclosing(stream):
                async for told in stream:
                    if isinstance(told, ToolOutcome):
                        outcome = told
                    else:
                        yield told
        except AppError as error:
            outcome = ToolOutcome(call_id, error.message, is_error=True, category=error.stable_code)
            for action_id in request.open_action_ids:
                # Asked by a process that knew the tool; it is there no more.
                yield tool_facts.withdrawn(action_id)
                yield tool_facts.ended(ToolCall(call_id, str(work.get("tool")), {}), outcome, None)
        finally:
            self._mailboxes.close(request.turn_id)
        yield await self._ended(outcome)

    async def _call(self, request: TurnRequest, work: Mapping[str, Any]) -> AsyncGenerator[Told]:
        if request.open_action_ids:
            # The process that asked is dead, and the host has yet to tell this one of the app.
            await self._tools.wait_for_app(request.app_id)
        toolset = self._tools.toolset_for(request)
        row = await toolset.row(work["tool"], work.get("action"))
        arguments = arguments_for(row, work.get("action"), work.get("input") or {})
        call = KeyedCall(
            f"{request.turn_id}:tool", row.name, arguments, idempotency_key=work["key"]
        )
        running = run_tools(
            [call],
            toolset,
            self._mailboxes.of(request.turn_id),
            open_action_ids=request.open_action_ids,
        )
        async with aclosing(running):
            async for told in running:
                yield told

    async def _ask(self, request: TurnRequest, work: Mapping[str, Any]) -> AsyncGenerator[Told]:
        """Whether a person lets a call of the run be made. It is made by the step, once they did."""
        wanted = WantedCall.from_json(work)
        call = ToolCall(f"{request.turn_id}:call", wanted.name, wanted.params)
        action_id = approval_id(call.call_id)
        if not request.open_action_ids:
            assert self.judge is not None, "nobody judges"  # noqa: S101 - a bug of ours
            decision = self.judge(request.app_id, wanted, request.session_id)
            yield tool_facts.started(call, None)
            yield tool_facts.evaluated(call, decision)
            match decision:
                case Allowed():
                    yield _said(call, "It may be made.", is_error=False)
                    return
                case Denied():
                    yield tool_facts.refused(call, decision)
                    yield _said(call, decision.rule.text, is_error=True)
                    return
                case _:
                    yield tool_facts.requested(call, decision, action_id)
                    yield tool_facts.asked(call, decision, action_id)
        answer = await self._mailboxes.of(request.turn_id).wait(action_id)
        is_yes = answer.behavior == "allow"
        outcome = _said(call, "Allowed." if is_yes else SAID_NO, is_error=not is_yes)
        yield tool_facts.ended(call, outcome, None)
        yield outcome

    async def _ended(self, outcome: ToolOutcome) -> ProposedEvent:
        told: dict[str, JsonValue] = {
            "text": outcome.text,
            "structured": outcome.structured,
            "refs": list[JsonValue](outcome.refs),
            "isError": outcome.is_error,
            "category": outcome.category,
        }
        reference = await asyncio.to_thread(
            self._content.put, "workflow", msgspec.json.encode(told)
        )
        return ProposedEvent(type="turn.completed", payload={"resultRef": reference})


def _said(call: ToolCall, text: str, *, is_error: bool) -> ToolOutcome:
    return ToolOutcome(call.call_id, text, is_error=is_error, category="permission_denied")
