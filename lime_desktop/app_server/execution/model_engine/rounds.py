"""One question to a model and its streamed answer, told as facts while it comes."""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field

from pydantic_ai.direct import model_request_stream
from pydantic_ai.exceptions import ModelConnectionError
from pydantic_ai.messages import (
    ModelMessage,
    ModelResponse,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ThinkingPart,
    ThinkingPartDelta,
)
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.settings import ModelSettings

from lime_desktop.app_server.execution.model_engine.conversation import clean_text
from lime_desktop.app_server.execution.model_engine.failures import (
    Failure,
    provider_failure,
    understand,
)
from lime_desktop.app_server.execution.thoughts import Thoughts
from lime_desktop.app_server.runtime_core.identities import new_id
from lime_desktop.protocol.ids import JsonObject, ModelRequestId
from lime_desktop.protocol.runtime.event_types import EventType
from lime_desktop.protocol.runtime.events import ProposedEvent

MAX_CHARACTERS = 2_000_000
"""What one answer may hold. No model writes this much; a broken one does."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a model is asked."""

    model: Model
    messages: Sequence[ModelMessage]
    parameters: ModelRequestParameters
    settings: ModelSettings


class RoundFailedError(Exception):
    """The answer did not come, or not whole. What it means is known; that it failed has been told."""

    def __init__(self, failure: Failure, *, has_output: bool):
        super().__init__(failure.reason)
        self.failure = failure
        self.has_output = has_output


@dataclass(slots=True)
class _Telling:
    """The facts of one round."""

    request_id: ModelRequestId
    message_id: str
    has_output: bool = False
    characters: int = 0
    thoughts: Thoughts = field(default_factory=Thoughts)

    def requested(self, about: JsonObject) -> ProposedEvent:
        return self._event("model.requested", about)

    def said(self, delta: str) -> ProposedEvent:
        return self._piece("model.delta", delta)

    def thought(self, delta: str) -> ProposedEvent:
        self.thoughts.add(clean_text(delta))
        return self._piece("reasoning.delta", delta)

    def summary(self) -> ProposedEvent | None:
        return self.thoughts.fact(self.message_id, self.request_id)

    def failed(self, failure: Failure) -> ProposedEvent:
        payload: JsonObject = {
            "failureCategory": failure.reason,
            "error": failure.error.message,
            "retryable": failure.may_pass,
        }
        return self._event("model.failed", payload)

    def _piece(self, kind: EventType, delta: str) -> ProposedEvent:
        self.has_output = True
        self.characters += len(delta)
        if self.characters > MAX_CHARACTERS:
            raise _TooLongError
        return self._event(kind, {"delta": clean_text(delta)})

    def _event(self, kind: EventType, payload: JsonObject) -> ProposedEvent:
        return ProposedEvent(
            type=kind,
            payload={"messageId": self.message_id, **payload},
            model_request_id=self.request_id,
        )


class _TooLongError(Exception):
    pass


async def stream_round(
    question: Question, about: JsonObject
) -> AsyncGenerator[ProposedEvent | ModelResponse]:
    """Ask; yields facts as the answer comes, and the whole answer last. Its end is the caller's to tell.

    Raises:
        RoundFailedError: after that was told.
    """
    telling = _Telling(ModelRequestId(new_id("request")), new_id("message"))
    yield telling.requested(about)
    try:
        async with model_request_stream(
            question.model,
            question.messages,
            model_request_parameters=question.parameters,
            model_settings=question.settings,
            instrument=False,
        ) as stream:
            async for event in stream:
                if fact := _fact(event, telling):
                    yield fact
            response = stream.get()
    except Exception as error:
        failure = _understood(error, has_output=telling.has_output)
        yield telling.failed(failure)
        raise RoundFailedError(failure, has_output=telling.has_output) from error
    if summary := telling.summary():
        yield summary
    response.metadata = {"messageId": telling.message_id, "requestId": telling.request_id}
    yield response


def completed(response: ModelResponse, payload: JsonObject) -> ProposedEvent:
    """That a round is over, with what the caller knows about it."""
    named = response.metadata or {}
    return ProposedEvent(
        type="model.completed",
        model_request_id=ModelRequestId(named["requestId"]),
        payload={
            "messageId": named["messageId"],
            "text": text_of(response),
            "stopReason": response.finish_reason or "unknown",
            **payload,
        },
    )


def text_of(response: ModelResponse) -> str:
    """The words of an answer, without its thoughts and calls."""
    return "".join(
        clean_text(part.content) for part in response.parts if isinstance(part, TextPart)
    )


def _fact(event: object, telling: _Telling) -> ProposedEvent | None:
    match event:
        case PartStartEvent(part=TextPart(content=text)) if text:
            return telling.said(text)
        case PartDeltaEvent(delta=TextPartDelta(content_delta=text)) if text:
            return telling.said(text)
        case PartStartEvent(part=ThinkingPart(content=text)) if text:
            return telling.thought(text)
        case PartDeltaEvent(delta=ThinkingPartDelta(content_delta=text)) if text:
            return telling.thought(text)
        case _:
            return None


def _understood(error: Exception, *, has_output: bool) -> Failure:
    if isinstance(error, _TooLongError):
        return Failure(provider_failure("output_too_long"), "output_too_long")
    failure = understand(error)
    if has_output and isinstance(error, ModelConnectionError):
        return Failure(provider_failure("stream_interrupted"), "stream_interrupted")
    return failure
