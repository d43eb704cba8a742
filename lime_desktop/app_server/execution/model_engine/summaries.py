"""Put a conversation into fewer words: one question, no tools."""

from collections.abc import Sequence
from contextlib import aclosing

from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, UserPromptPart
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.settings import ModelSettings

from lime_desktop.app_server.execution.model_engine.asking import RequestPace, ask
from lime_desktop.app_server.execution.model_engine.rounds import Question
from lime_desktop.protocol.calls.model_providers import ModelProvider
from lime_desktop.protocol.errors import TaskFailed

_WISH = (
    "Summarise this conversation for whoever continues it: what was asked, what was found and decided, what is still "
    "open. Keep names, numbers and references. Write the summary and nothing else."
)


async def summarize(
    model: Model, history: Sequence[ModelMessage], provider: ModelProvider
) -> ModelResponse:
    """The answer that is the summary. The facts of the round belong to no turn and are dropped."""
    messages = [*history, ModelRequest([UserPromptPart(_WISH)])]
    question = Question(model, messages, ModelRequestParameters(), ModelSettings())
    async with aclosing(ask(question, {}, provider.settings.limits, RequestPace())) as told:
        async for each in told:
            if isinstance(each, ModelResponse):
                return each
    raise TaskFailed("The model gave no answer.")
