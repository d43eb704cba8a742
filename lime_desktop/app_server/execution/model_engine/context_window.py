"""Does the conversation fit the model? An estimate before anything is sent; the provider has the last word."""

from collections.abc import Sequence

from pydantic_ai.messages import ModelMessage, ModelMessagesTypeAdapter

from lime_desktop.protocol.calls.models import ModelDescription
from lime_desktop.protocol.errors import ContextTooLong
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import ProposedEvent

_LOW = 0.8
BYTES_PER_TOKEN = 4
"""Latin text has about four bytes a token, Chinese three: what is refused here would not have fitted anyway."""

_CERTAIN = 1.5
"""Refused only where the estimate is this far beyond the window: an estimate must not stop what might work."""


def estimated_tokens(messages: Sequence[ModelMessage]) -> int:
    """Roughly how many tokens the conversation has."""
    return len(ModelMessagesTypeAdapter.dump_json(list(messages))) // BYTES_PER_TOKEN


def is_beyond(used: int, context_tokens: int) -> bool:
    """Whether so many tokens cannot fit, however wrong the estimate is."""
    return used > context_tokens * _CERTAIN


def window_fact(messages: Sequence[ModelMessage], model: ModelDescription) -> ProposedEvent | None:
    """That the window is nearly full or more, where its size is known.

    Raises:
        ContextTooLong: it cannot fit.
    """
    if model.context_tokens is None:
        return None
    used = estimated_tokens(messages)
    if is_beyond(used, model.context_tokens):
        raise ContextTooLong(
            "The conversation does not fit the model's window.",
            details={"estimatedTokens": used, "contextTokens": model.context_tokens},
        )
    if used < model.context_tokens * _LOW:
        return None
    state: JsonObject = {
        "kind": "context",
        "state": "exceeded" if used > model.context_tokens else "low",
        "estimatedTokens": used,
        "limit": model.context_tokens,
    }
    return ProposedEvent(type="limit.changed", payload=state, limit_state=state)
