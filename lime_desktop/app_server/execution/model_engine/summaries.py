"""Put a conversation into fewer words: one question, no tools."""

from contextlib import aclosing

from pydantic_ai.messages import ModelRequest, ModelResponse, UserPromptPart
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.settings import ModelSettings

from lime_desktop.app_server.execution.model_engine.model_requests import RequestPace, ask
from lime_desktop.app_server.execution.model_engine.rounds import Question
from lime_desktop.protocol.calls.model_providers import ProviderLimits
from lime_desktop.protocol.errors import ProviderFailed

_WISH = (
    "Summarise this conversation for whoever continues it: what was asked, what was found and decided, what is still "
    "open. Keep names, numbers and references. Write the summary and nothing else."
)


async def ask_for_summary(
    model: Model, transcript: str, limits: ProviderLimits, pace: RequestPace
) -> ModelResponse:
    """The summary. What was said on the way to it belongs to no answer and is dropped.

    Raises:
        AppError: there is none to be had.
    """
    messages = [ModelRequest([UserPromptPart(transcript), UserPromptPart(_WISH)])]
    question = Question(model, messages, ModelRequestParameters(), ModelSettings())
    async with aclosing(ask(question, {}, limits, pace)) as told:
        async for each in told:
            if isinstance(each, ModelResponse):
                return each
    raise ProviderFailed("The model wrote no summary.")
