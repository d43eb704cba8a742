"""Fits a conversation into a small model: what must be there, then as much of the past as there is room for."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from lime_desktop.app_server.execution.embedded.completions import Message
from lime_desktop.app_server.runtime_core.backend import TurnRequest
from lime_desktop.protocol.errors import ContextTooLong
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import ProposedEvent

ANSWER_TOKENS = 1_024
"""How long an answer may get; as much room is kept for it."""
_MESSAGE_TOKENS = 8
"""What the marks around a message take."""
_INSTRUCTIONS = "You are a helpful assistant. Answer briefly, and say so when you do not know."
_MAX_CHARACTERS = 40_000
"""Longer texts do not fit whatever they say; they are not even counted."""

CountTokens = Callable[[str], Awaitable[int]]


@dataclass(frozen=True, slots=True)
class FittedPrompt:
    """What the model reads."""

    messages: tuple[Message, ...]
    tokens: int
    omitted: int
    """How many earlier messages there was no room for."""

    def fact(self, context_tokens: int) -> ProposedEvent:
        """What was read and what was left out."""
        payload: JsonObject = {
            "messageCount": len(self.messages),
            "omittedMessageCount": self.omitted,
            "promptTokens": self.tokens,
            "contextTokens": context_tokens,
        }
        return ProposedEvent(type="context.resolved", payload=payload)


async def fit(
    request: TurnRequest,
    count: CountTokens,
    context_tokens: int,
    *,
    more_instructions: str = "",
    later: Sequence[Message] = (),
) -> FittedPrompt:
    """Choose what the model reads; `later` is what happened in this turn already.

    Raises:
        ContextTooLong: not even the input fits.
    """
    room = context_tokens - min(ANSWER_TOKENS, context_tokens // 2)
    first = Message(role="system", content=_instructions(request, more_instructions))
    said = Message(role="user", content=request.input.text)
    needed = sum([await _cost(message, count) for message in (first, said, *later)])
    if needed > room:
        raise ContextTooLong("The input is longer than the local model can read.")
    past = _past(request)
    kept: list[Message] = []
    for message in reversed(past):
        cost = await _cost(message, count)
        if needed + cost > room:
            break
        needed += cost
        kept.append(message)
    return FittedPrompt(
        (first, *reversed(kept), said, *later), needed, omitted=len(past) - len(kept)
    )


def _instructions(request: TurnRequest, more: str) -> str:
    asked = request.options.runtime_request
    own = (asked and asked.system_prompt) or _INSTRUCTIONS
    return f"{own}\n\n{more}" if more else own


def _past(request: TurnRequest) -> list[Message]:
    return [
        Message(role="assistant" if said.role == "assistant" else "user", content=said.text)
        for said in request.history
        if said.text
    ]


async def _cost(message: Message, count: CountTokens) -> int:
    content = message["content"]
    if len(content) > _MAX_CHARACTERS:
        return len(content)
    return await count(content) + _MESSAGE_TOKENS
