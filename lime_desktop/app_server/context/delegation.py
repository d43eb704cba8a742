"""Lets an agent hand a part of its work to another one: told as a task of its own, whose agent is a subagent.

The other agent has a conversation of its own, under the same policy, and of tools, knowledge and secrets no more than its
parent was given. What it does and makes is told within the parent's turn, under its own names; what it says on the way is
its own business, and its last words are the result.
"""

import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import cast

from lime_desktop.app_server.apps.registered import RegisteredApp
from lime_desktop.app_server.context.handoff_facts import HandOff
from lime_desktop.app_server.runtime_core.backend import ExecutionBackend, TurnRequest
from lime_desktop.app_server.task_request import limits_of_subagents
from lime_desktop.app_server.tools.answer_mailbox import AnswerMailbox
from lime_desktop.app_server.tools.catalogue import PolicyAsk, Tool, ToolRow
from lime_desktop.app_server.tools.tooling import ToolCall, ToolOutcome
from lime_desktop.background.tasks import BackgroundTasks
from lime_desktop.protocol.calls.turns import RuntimeOptions, TurnInput
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.ids import ActionId, JsonObject
from lime_desktop.protocol.runtime.events import ProposedEvent

_log = logging.getLogger(__name__)

_DEPTH = "subagentDepth"
_TOLD = (
    *("tool.", "permission.", "action.", "sandbox.", "process.", "output.", "cost.", "runtime."),
    *("artifact.", "evidence."),
)
"""What of a subagent's turn is told in its parent's; its model's words are not the parent's."""

_TOOL_ENDS = frozenset({"tool.result", "tool.failed"})

_ROW = ToolRow(
    name="delegate",
    title="Delegate a task",
    description="Give a part of the work to another agent, which sees only what you tell it, and get its answer.",
    input_schema={
        "type": "object",
        "properties": {
            "role": {"type": "string", "minLength": 1, "maxLength": 100},
            "task": {"type": "string", "minLength": 1, "maxLength": 50_000},
        },
        "required": ["role", "task"],
        "additionalProperties": False,
    },
    keywords=("subagent", "helper", "research", "委托", "子任务"),
    is_declared=False,
)


class DelegateTools:
    """Gives the tool to agents that are nobody's subagent themselves."""

    def __init__(self, engine: Callable[[], ExecutionBackend]) -> None:
        """Take the engine when it is needed: tools are there before engines are."""
        self._engine = engine

    async def tools_for(self, app: RegisteredApp, request: TurnRequest) -> Sequence[Tool]:
        """One tool, or none for a subagent."""
        del app
        is_subagent = bool((request.options.host_options or {}).get(_DEPTH))
        return [] if is_subagent else [Delegate(self._engine, request)]


@dataclass(slots=True)
class _Heard:
    """What a subagent has said."""

    words: dict[str, str] = field(default_factory=dict[str, str])
    failure: JsonObject | None = None
    tool_calls: int = 0

    def note(self, event: ProposedEvent) -> None:
        key = str(event.payload.get("messageId", ""))
        self.tool_calls += event.type in _TOOL_ENDS
        if event.type == "model.delta":
            self.words[key] = self.words.get(key, "") + str(event.payload.get("delta", ""))
        elif event.type == "model.completed" and isinstance(event.payload.get("text"), str):
            self.words[key] = str(event.payload["text"])
        elif event.type == "turn.failed":
            self.failure = event.payload

    def outcome(self, call_id: str, subagent_id: str) -> ToolOutcome:
        """What the agent that asked reads of it."""
        if self.failure is not None:
            text = str(self.failure.get("message", "The other agent failed."))
            return ToolOutcome(call_id, text, is_error=True, category="subagent_failed")
        text = list(self.words.values())[-1] if self.words else "It had nothing to say."
        return ToolOutcome(call_id, text, refs=(subagent_id,))


class Delegate:
    """The tool in the hands of one turn."""

    row = _ROW

    def __init__(self, engine: Callable[[], ExecutionBackend], request: TurnRequest) -> None:
        self._engine = engine
        self._request = request

    def asks(self, arguments: JsonObject) -> PolicyAsk:
        """The right to start agent tasks."""
        del arguments
        return PolicyAsk(capability="lime.agent", method="startTask", access="execute")

    async def run(
        self, call: ToolCall, mailbox: AnswerMailbox
    ) -> AsyncIterator[ProposedEvent | ToolOutcome]:
        """Have another agent do it."""
        hand_off = HandOff(
            self._request, call, str(call.arguments["role"]), str(call.arguments["task"])
        )
        for fact in hand_off.begun():
            yield fact
        heard = _Heard()
        try:
            async with aclosing(self._work(hand_off, mailbox, heard)) as work:
                async for event in work:
                    yield event
        except AppError as error:
            heard.failure = {"failureCategory": error.stable_code, "message": error.message}
        for fact in hand_off.done() if heard.failure is None else hand_off.failed(heard.failure):
            yield fact
        yield heard.outcome(call.call_id, hand_off.subagent_id)

    async def _work(
        self, hand_off: HandOff, mailbox: AnswerMailbox, heard: _Heard
    ) -> AsyncGenerator[ProposedEvent]:
        """Run the other agent's turn; people answer its questions where they answer its parent's."""
        engine, child = self._engine(), _child(hand_off)
        passing = BackgroundTasks(_log, AppError)
        answered: list[ActionId] = []

        async def pass_on(action_id: ActionId) -> None:
            answer = await mailbox.wait(action_id)
            answered.append(action_id)
            await engine.respond_action(child.turn_id, answer)

        stream = cast("AsyncGenerator[ProposedEvent]", engine.run_turn(child))
        try:
            async with aclosing(stream):
                async for event in stream:
                    heard.note(event)
                    while answered:
                        for fact in hand_off.answered(answered.pop(0)):
                            yield fact
                    for fact in _told(hand_off, event, heard.tool_calls):
                        yield fact
                    if event.type == "action.required" and event.action_id:
                        passing.spawn(pass_on(event.action_id))
        finally:
            await passing.cancel()


def _told(hand_off: HandOff, event: ProposedEvent, tool_calls: int) -> Sequence[ProposedEvent]:
    """What an event of the other agent's turn is in its parent's."""
    facts = [hand_off.own(event)] if event.type.startswith(_TOLD) else []
    if event.type in _TOOL_ENDS:
        facts.append(hand_off.progressed(tool_calls))
    if event.type == "action.required" and event.action_id:
        facts += hand_off.asks(event.action_id)
    return facts


def _child(hand_off: HandOff) -> TurnRequest:
    """A turn of its own: nothing of the parent's past, the same app, and no subagents below it."""
    request = hand_off.parent
    options = RuntimeOptions(
        stream=True,
        provider_preference=request.options.provider_preference,
        model_preference=request.options.model_preference,
        task_profile=request.options.task_profile,
        runtime_request=request.options.runtime_request,
        host_options={_DEPTH: 1, **limits_of_subagents(request.options)},
    )
    return replace(
        request,
        turn_id=f"{request.turn_id}:{hand_off.call.call_id}",
        task_id=hand_off.task_id,
        run_id=hand_off.run_id,
        parent_task_id=request.task_id,
        input=TurnInput(text=hand_off.objective),
        options=options,
        history=(),
        summary_ref=None,
        open_action_ids=(),
        # What its parent used up since may rule a model out.
        choice=None,
    )
