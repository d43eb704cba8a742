"""Lets an agent hand a part of its work to another one: told as a subagent, with the task it belongs to.

The other agent has a conversation of its own and the same tools under the same policy. What it does is told within the
parent's turn; what it says on the way is its own business, and its last words are the result.
"""

import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import cast

from lime_desktop.app_server.apps.registered import RegisteredApp
from lime_desktop.app_server.runtime_core.backend import ExecutionBackend, TurnRequest
from lime_desktop.app_server.tools.answer_mailbox import AnswerMailbox
from lime_desktop.app_server.tools.catalogue import PolicyAsk, Tool, ToolRow
from lime_desktop.app_server.tools.tooling import ToolCall, ToolOutcome
from lime_desktop.background.tasks import BackgroundTasks
from lime_desktop.protocol.calls.turns import RuntimeOptions, TurnInput
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.ids import JsonObject, SubagentId, TaskId
from lime_desktop.protocol.runtime.event_types import EventType
from lime_desktop.protocol.runtime.events import ProposedEvent

_log = logging.getLogger(__name__)

_DEPTH = "subagentDepth"
_TOLD = ("tool.", "permission.", "action.", "sandbox.", "process.", "output.", "cost.", "runtime.")
"""What of a subagent's turn is told in its parent's; its model's words are not the parent's."""

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

    def note(self, event: ProposedEvent) -> None:
        key = str(event.payload.get("messageId", ""))
        if event.type == "model.delta":
            self.words[key] = self.words.get(key, "") + str(event.payload.get("delta", ""))
        elif event.type == "model.completed" and isinstance(event.payload.get("text"), str):
            self.words[key] = str(event.payload["text"])
        elif event.type == "turn.failed":
            self.failure = event.payload


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
        role, task = str(call.arguments["role"]), str(call.arguments["task"])
        child = _child(self._request, call, task)
        yield self._fact("subagent.spawned", call, {"role": role, "title": task[:200]})
        heard = _Heard()
        try:
            async with aclosing(self._work(child, mailbox, heard)) as work:
                async for event in work:
                    yield event.model_copy(update={"subagent_id": _id_of(call)})
        except AppError as error:
            heard.failure = {"failureCategory": error.stable_code, "message": error.message}
        if heard.failure is not None:
            yield self._fact("subagent.failed", call, {"status": "failed", **heard.failure})
            text = str(heard.failure.get("message", "The other agent failed."))
            yield ToolOutcome(call.call_id, text, is_error=True, category="subagent_failed")
            return
        yield self._fact("subagent.completed", call, {"status": "completed", "role": role})
        text = list(heard.words.values())[-1] if heard.words else "It had nothing to say."
        yield ToolOutcome(call.call_id, text, refs=(_id_of(call),))

    async def _work(
        self, child: TurnRequest, mailbox: AnswerMailbox, heard: _Heard
    ) -> AsyncGenerator[ProposedEvent]:
        """Run the other agent's turn; people answer its questions where they answer its parent's."""
        engine = self._engine()
        passing = BackgroundTasks(_log, AppError)

        async def pass_on(action_id: str) -> None:
            await engine.respond_action(child.turn_id, await mailbox.wait(action_id))

        stream = cast("AsyncGenerator[ProposedEvent]", engine.run_turn(child))
        try:
            async with aclosing(stream):
                async for event in stream:
                    heard.note(event)
                    if event.type.startswith(_TOLD):
                        yield event
                    if event.type == "action.required":
                        passing.spawn(pass_on(str(event.action_id)))
        finally:
            await passing.cancel()

    def _fact(self, event_type: EventType, call: ToolCall, payload: JsonObject) -> ProposedEvent:
        task_id = self._request.task_id
        return ProposedEvent(
            type=event_type,
            subagent_id=SubagentId(_id_of(call)),
            task_id=TaskId(task_id),
            parent_task_id=TaskId(task_id),
            payload={"parentTaskId": task_id, "parentToolCallId": call.call_id, **payload},
        )


def _id_of(call: ToolCall) -> str:
    return f"subagent:{call.call_id}"


def _child(request: TurnRequest, call: ToolCall, task: str) -> TurnRequest:
    """A turn of its own: nothing of the parent's past, the same app, and no subagents below it."""
    options = RuntimeOptions(
        stream=True,
        provider_preference=request.options.provider_preference,
        model_preference=request.options.model_preference,
        task_profile=request.options.task_profile,
        runtime_request=request.options.runtime_request,
        host_options={_DEPTH: 1},
    )
    return replace(
        request,
        turn_id=f"{request.turn_id}:{call.call_id}",
        input=TurnInput(text=task),
        options=options,
        history=(),
        summary_ref=None,
        open_action_ids=(),
        # What its parent used up since may rule a model out.
        choice=None,
    )
