"""A turn that waits for a person, in a form that another process can take up."""

from typing import Literal

import msgspec
from pydantic import ValidationError
from pydantic_ai.messages import ModelMessage, ModelMessagesTypeAdapter

from lime_desktop.protocol.errors import TaskFailed
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.task_events import TokenUsage
from lime_desktop.protocol.wire import WireModel


class SavedOutcome(WireModel):
    """What came of a call that is over."""

    text: str
    is_error: bool


class SavedCall(WireModel):
    """A call of the last answer."""

    call_id: str
    position: int
    """Which of the answer's calls it is."""
    name: str
    arguments_json: str
    """As text: a null inside must stay a null."""
    outcome: SavedOutcome | None = None

    def arguments(self) -> JsonObject:
        """What it was called with."""
        return msgspec.json.decode(self.arguments_json)


class SavedConversation(WireModel):
    """Everything a turn must know to go on."""

    version: Literal[1] = 1
    messages_json: str
    calls: tuple[SavedCall, ...]
    rounds: int
    output_attempts: int
    usage: TokenUsage
    cost_usd: float
    is_priced: bool

    def conversation(self) -> list[ModelMessage]:
        """The messages so far; the last is the answer whose calls are open."""
        return ModelMessagesTypeAdapter.validate_json(self.messages_json)


def dump_messages(messages: list[ModelMessage]) -> str:
    """The messages as JSON text."""
    return ModelMessagesTypeAdapter.dump_json(messages).decode()


def read_saved(body: str) -> SavedConversation:
    """Read what an earlier process kept.

    Raises:
        TaskFailed: another version of this program wrote it.
    """
    try:
        return SavedConversation.model_validate_json(body)
    except ValidationError:
        raise TaskFailed(
            "What this turn had done so far cannot be read any more, so it cannot go on.",
            details={"reasonCode": "turn_state_unreadable"},
        ) from None
