"""One turn on a small model: choose tools one at a time, then answer, in words or in the form that was asked for."""

import json
import secrets
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import cast

from pydantic import JsonValue

from lime_desktop.app_server.answer_guards.token_limits import answer_tokens
from lime_desktop.app_server.execution.embedded import action_choice
from lime_desktop.app_server.execution.embedded.access import ModelAccess
from lime_desktop.app_server.execution.embedded.completions import (
    LIVELY,
    Message,
    Piece,
    Question,
    Usage,
)
from lime_desktop.app_server.execution.embedded.forms import bounded
from lime_desktop.app_server.execution.embedded.model_host import context_of
from lime_desktop.app_server.execution.embedded.prompt import ANSWER_TOKENS, FittedPrompt, fit
from lime_desktop.app_server.execution.engines import EngineTurn
from lime_desktop.app_server.execution.tool_rounds import run_tools
from lime_desktop.app_server.execution.turn_states import SavedTurn, TurnStates
from lime_desktop.app_server.models.store import InstalledModel
from lime_desktop.app_server.tools.tooling import ToolCall, ToolOutcome, Toolset
from lime_desktop.protocol.calls.sessions import ToolDescription
from lime_desktop.protocol.errors import InvalidInput
from lime_desktop.protocol.ids import JsonObject, ModelRequestId
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.protocol.wire import WireModel

MAX_TOOL_ROUNDS = 6
"""A small model that has not found its answer by then will not find it."""
_CHOICE_TOKENS = 400
_FROM_SOURCES = (
    "Answer in one or two sentences, only from what the passages say, in their words and with their numbers. "
    "If they do not say it, answer: The passages do not say."
)
_SOBER = 0.1
"""Choices and forms are not the place for fancy."""


class _Kept(WireModel):
    """What a turn that waits for a person needs to go on in another process."""

    later: list[Message]
    call: ToolCall
    usage: Usage


class EmbeddedTurn:
    """The work of one turn. Proposals come out; a lost model raises `ModelLost`."""

    def __init__(
        self, turn: EngineTurn, model: InstalledModel, access: ModelAccess, toolset: Toolset
    ) -> None:
        self._turn = turn
        self._request = turn.request
        self._model = model
        self._access = access
        self._toolset = toolset
        self._later: list[Message] = []
        self._usage = Usage()
        self._open_round: ModelRequestId | None = None
        self.has_output = False
        """Whether anything was said or done that cannot be taken back."""

    async def run(self, states: TurnStates) -> AsyncGenerator[ProposedEvent]:
        """Do it all, up to ``turn.completed``."""
        async for event in self._access.wake():
            yield event
        tools = (await self._toolset.offers(self._request.input.text))[: action_choice.MAX_TOOLS]
        if tools and self._turn.saved is None:
            yield _catalogue(tools)
        async for event in self._use_tools(tools, states):
            yield event
        async for event in self._answer():
            yield event

    def failed_round(self) -> list[ProposedEvent]:
        """What is to be said of a round that the model did not live to finish."""
        if self._open_round is None:
            return []
        payload: JsonObject = {
            "failureCategory": "engine_crashed",
            "error": "The model's process ended.",
            "retryable": True,
        }
        return [
            ProposedEvent(type="model.failed", model_request_id=self._open_round, payload=payload)
        ]

    async def _use_tools(
        self, tools: Sequence[ToolDescription], states: TurnStates
    ) -> AsyncGenerator[ProposedEvent]:
        call = self._restored() if self._turn.saved is not None else None
        taken_up = call is not None
        for _ in range(MAX_TOOL_ROUNDS if tools or call else 0):
            if call is None:
                async for told in self._choose(tools):
                    if isinstance(told, ToolCall):
                        call = told
                    else:
                        yield told
            if call is None:
                return
            async for event in self._run(call, states, is_taken_up=taken_up):
                yield event
            call, taken_up = None, False

    async def _choose(
        self, tools: Sequence[ToolDescription]
    ) -> AsyncGenerator[ProposedEvent | ToolCall]:
        prompt = await self._prompt(action_choice.instructions(tools))
        call_id = f"{self._request.turn_id}:{secrets.token_hex(4)}"
        for is_loose in (False, True):
            schema = action_choice.choice_schema(tools, is_loose=is_loose)
            question = Question(prompt.messages, _CHOICE_TOKENS, schema, _SOBER)
            text = ""
            try:
                async with aclosing(self._round(question)) as told:
                    async for each in told:
                        text += each.text if isinstance(each, Piece) else ""
                        if isinstance(each, ProposedEvent):
                            yield each
            except InvalidInput:
                # A tool's own schema says something that no grammar can: its arguments are judged afterwards anyway.
                if is_loose:
                    raise
                for event in self.failed_round():
                    yield event
                self._open_round = None
                continue
            call = action_choice.read_choice(text, call_id)
            yield self._completed(text="", stop_reason="tool_calls" if call else "stop")
            if call:
                yield call
            return

    async def _run(
        self, call: ToolCall, states: TurnStates, *, is_taken_up: bool
    ) -> AsyncGenerator[ProposedEvent]:
        self.has_output = True
        open_actions = self._request.open_action_ids if is_taken_up else ()
        running = run_tools([call], self._toolset, self._turn.mailbox, open_action_ids=open_actions)
        async with aclosing(running) as told:
            async for each in told:
                if isinstance(each, ToolOutcome):
                    self._later.extend(action_choice.told(call, each))
                    continue
                if each.type == "action.required":
                    # Before the question is a fact: no stored question may be without it.
                    await states.keep(self._saved(call))
                yield each

    async def _answer(self) -> AsyncGenerator[ProposedEvent]:
        schema = _wanted_form(self._turn)
        prompt = await self._prompt(_answer_instructions(self._turn, schema))
        yield prompt.fact(context_of(self._model))
        room = max(64, context_of(self._model) - prompt.tokens)
        question = Question(
            prompt.messages,
            min(answer_tokens(self._request, self._turn.model) or ANSWER_TOKENS, room),
            bounded(schema) if schema else None,
            _SOBER if schema or self._request.sources else LIVELY,
        )
        text, stop_reason = "", "stop"
        async with aclosing(self._round(question)) as told:
            async for each in told:
                if isinstance(each, ProposedEvent):
                    yield each
                    continue
                stop_reason = each.stop_reason or stop_reason
                if each.text:
                    text += each.text
                    self.has_output = True
                    yield self._delta(each.text)
        yield self._completed(text, "max_tokens" if stop_reason == "length" else "stop")
        ending: JsonObject = {"usage": _told(self._usage)}
        if schema is not None:
            ending |= _structured(text)
        yield ProposedEvent(type="turn.completed", payload=ending)

    async def _round(self, question: Question) -> AsyncGenerator[Piece | ProposedEvent]:
        self._open_round = ModelRequestId(f"request_{secrets.token_hex(8)}")
        self._message_id = f"message_{secrets.token_hex(8)}"
        self._round_usage = Usage()
        payload: JsonObject = {
            "provider": self._turn.model.provider_id,
            "model": self._turn.model.model_id,
            "messageId": self._message_id,
            "isLocal": True,
        }
        yield ProposedEvent(
            type="model.requested", model_request_id=self._open_round, payload=payload
        )
        async with aclosing(self._access.ask(question)) as told:
            async for each in told:
                if isinstance(each, Piece) and each.usage:
                    self._round_usage = each.usage
                    self._usage += each.usage
                yield each

    def _delta(self, text: str) -> ProposedEvent:
        payload: JsonObject = {"messageId": self._message_id, "delta": text}
        return ProposedEvent(type="model.delta", model_request_id=self._open_round, payload=payload)

    def _completed(self, text: str, stop_reason: str) -> ProposedEvent:
        request_id, self._open_round = self._open_round, None
        payload: JsonObject = {
            "messageId": self._message_id,
            "text": text,
            "stopReason": stop_reason,
            "usage": _told(self._round_usage),
        }
        return ProposedEvent(type="model.completed", model_request_id=request_id, payload=payload)

    async def _prompt(self, more_instructions: str) -> FittedPrompt:
        return await fit(
            self._request,
            self._access.count,
            context_of(self._model),
            more_instructions=more_instructions,
            later=self._later,
        )

    def _saved(self, call: ToolCall) -> SavedTurn:
        kept = _Kept(later=self._later, call=call, usage=self._usage)
        return SavedTurn(turn_id=self._request.turn_id, model=self._turn.model, body=kept.to_json())

    def _restored(self) -> ToolCall:
        """Where an earlier process was when it asked a person."""
        kept = _Kept.model_validate_json(self._turn.saved or "")
        self._later, self._usage = list(kept.later), kept.usage
        self.has_output = True
        return kept.call


def _structured(text: str) -> JsonObject:
    """The answer as a value; nothing where the room was used up in the middle of it."""
    try:
        return {"structuredOutput": cast("JsonValue", json.loads(text))}
    except ValueError:
        return {}


def _wanted_form(turn: EngineTurn) -> JsonObject | None:
    options = turn.request.options
    if options.structured_output and options.structured_output.schema_ is not None:
        return options.structured_output.schema_
    return options.output_schema


def _answer_instructions(turn: EngineTurn, schema: JsonObject | None) -> str:
    parts = [_FROM_SOURCES] if turn.request.sources else []
    if schema is not None:
        parts.append(
            f"Answer with one JSON value that fits this JSON Schema:\n{json.dumps(schema)}"
        )
    return "\n\n".join(parts)


def _catalogue(tools: Sequence[ToolDescription]) -> ProposedEvent:
    payload: JsonObject = {"tools": [tool.to_wire() for tool in tools]}
    return ProposedEvent(type="tool.catalog.resolved", payload=payload)


def _told(usage: Usage) -> JsonObject:
    return {
        "inputTokens": usage.input_tokens,
        "outputTokens": usage.output_tokens,
        "totalTokens": usage.input_tokens + usage.output_tokens,
    }
