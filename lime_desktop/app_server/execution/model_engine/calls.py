"""The calls of one answer: read, run, kept while a person is asked, and given back to the model."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Self

import msgspec
from pydantic_ai.messages import ModelRequest, ModelResponse, ToolCallPart

from lime_desktop.app_server.execution import tool_facts
from lime_desktop.app_server.execution.model_engine.conversation import read_arguments, tool_return
from lime_desktop.app_server.execution.model_engine.saved_conversation import (
    SavedCall,
    SavedConversation,
    SavedOutcome,
)
from lime_desktop.app_server.execution.tool_rounds import run_tools
from lime_desktop.app_server.runtime_core.identities import new_id
from lime_desktop.app_server.tools.answer_mailbox import AnswerMailbox
from lime_desktop.app_server.tools.tooling import ToolCall, ToolOutcome, Toolset
from lime_desktop.protocol.runtime.events import ProposedEvent

Keep = Callable[[], Awaitable[None]]


@dataclass(slots=True)
class OpenCalls:
    """Calls under ids of ours: a provider may give two calls one id, or every turn the same ones."""

    parts: dict[str, ToolCallPart] = field(default_factory=dict[str, ToolCallPart])
    calls: list[ToolCall] = field(default_factory=list[ToolCall])
    outcomes: dict[str, ToolOutcome] = field(default_factory=dict[str, ToolOutcome])

    @classmethod
    def of(cls, response: ModelResponse) -> Self:
        """The calls of an answer."""
        opened = cls()
        for part in response.parts:
            if isinstance(part, ToolCallPart):
                opened._add(part)
        return opened

    @classmethod
    def taken_up(cls, saved: SavedConversation, response: ModelResponse) -> Self:
        """As an earlier process left them."""
        opened = cls()
        parts = [part for part in response.parts if isinstance(part, ToolCallPart)]
        for call in saved.calls:
            opened.parts[call.call_id] = parts[call.position]
            opened.calls.append(ToolCall(call.call_id, call.name, call.arguments()))
            if over := call.outcome:
                opened.outcomes[call.call_id] = ToolOutcome(
                    call.call_id, over.text, is_error=over.is_error
                )
        return opened

    async def run(
        self,
        toolset: Toolset,
        mailbox: AnswerMailbox,
        keep: Keep,
        open_actions: tuple[str, ...] = (),
    ) -> AsyncGenerator[ProposedEvent]:
        """Run what is not over. `keep` is awaited before a question is told, and after results while one is open."""
        for call_id in self._unreadable():
            for event in self._refuse(call_id):
                yield event
        is_asking = bool(open_actions)
        waiting = [call for call in self.calls if call.call_id not in self.outcomes]
        async with aclosing(
            run_tools(waiting, toolset, mailbox, open_action_ids=open_actions)
        ) as told:
            async for each in told:
                if isinstance(each, ToolOutcome):
                    self.outcomes[each.call_id] = each
                    if is_asking:
                        await keep()
                    continue
                if each.type == "action.required":
                    is_asking = True
                    await keep()
                yield each

    def returned(self) -> ModelRequest:
        """What came of them, for the model."""
        return ModelRequest(
            [tool_return(part, self.outcomes[call_id]) for call_id, part in self.parts.items()]
        )

    def saved(self) -> tuple[SavedCall, ...]:
        """In a form that another process can take up."""
        names = list(self.parts)
        return tuple(
            SavedCall(
                call_id=call.call_id,
                position=names.index(call.call_id),
                name=call.name,
                arguments_json=msgspec.json.encode(call.arguments).decode(),
                outcome=_saved(self.outcomes.get(call.call_id)),
            )
            for call in self.calls
        )

    def _add(self, part: ToolCallPart) -> None:
        call_id = new_id("call")
        self.parts[call_id] = part
        arguments = read_arguments(part)
        self.calls.append(ToolCall(call_id, part.tool_name, arguments or {}))

    def _unreadable(self) -> list[str]:
        return [
            call_id
            for call_id, part in self.parts.items()
            if call_id not in self.outcomes and read_arguments(part) is None
        ]

    def _refuse(self, call_id: str) -> list[ProposedEvent]:
        call = next(call for call in self.calls if call.call_id == call_id)
        outcome = ToolOutcome(
            call_id,
            "The arguments are no JSON object. Call the tool again with valid JSON.",
            is_error=True,
            category="invalid_arguments",
        )
        self.outcomes[call_id] = outcome
        return [tool_facts.started(call, None), tool_facts.ended(call, outcome, None)]


def _saved(outcome: ToolOutcome | None) -> SavedOutcome | None:
    return SavedOutcome(text=outcome.text, is_error=outcome.is_error) if outcome else None
