"""A conversation that grew too long within its turn: told, put into words, and given back shorter."""

from collections.abc import AsyncGenerator, Callable, Sequence

from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import Model

from lime_desktop.app_server.execution.engines import EngineTurn
from lime_desktop.app_server.execution.model_engine.context_window import estimated_tokens
from lime_desktop.app_server.execution.model_engine.conversation import said_now
from lime_desktop.app_server.execution.model_engine.model_requests import RequestPace
from lime_desktop.app_server.execution.model_engine.rounds import text_of
from lime_desktop.app_server.execution.model_engine.shortening import Shortening, plan
from lime_desktop.app_server.execution.model_engine.summaries import ask_for_summary
from lime_desktop.protocol.calls.model_providers import ProviderLimits
from lime_desktop.protocol.errors import AppError, ContextTooLong
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import ProposedEvent

Spend = Callable[[ModelResponse], AsyncGenerator[ProposedEvent]]
"""Counts what an answer cost, and stops a turn that may not go on."""


class Compacting:
    """Shortens the conversation of one turn, as often as it has to be."""

    def __init__(self, turn: EngineTurn, model: Model, limits: ProviderLimits, pace: RequestPace):
        self._request = turn.request
        self._context_tokens = turn.model.context_tokens
        self._model = model
        self._limits = limits
        self._pace = pace
        # What was kept of a turn that waited may have been shortened before: its past is then not told again.
        past = turn.request.history if turn.saved is None else ()
        self._past = tuple(each.message_id for each in past if each.text)

    async def run(
        self, messages: Sequence[ModelMessage], reason: ContextTooLong, spend: Spend
    ) -> AsyncGenerator[ProposedEvent | list[ModelMessage]]:
        """What happens, and the conversation as it is afterwards.

        Raises:
            ContextTooLong: `reason`, where nothing can be left out or no summary be made.
        """
        shortening = plan(messages, said_now(self._request), self._context_tokens)
        if shortening is None:
            raise reason
        about = self._about(shortening)
        yield ProposedEvent(type="context.compaction.started", payload=about)
        done = dict(about)
        if shortening.old:
            try:
                summary = await self._summary(shortening)
            except AppError as error:
                failed: JsonObject = {**about, "error": error.message, "code": error.code}
                yield ProposedEvent(type="context.compaction.failed", payload=failed)
                raise reason from error
            async for event in spend(summary):
                yield event
            done["summary"] = text_of(summary)
        shorter = shortening.with_summary(str(done.get("summary", "")))
        done["tokensAfter"] = estimated_tokens(shorter)
        yield ProposedEvent(type="context.compaction.completed", payload=done)
        yield shorter

    async def _summary(self, shortening: Shortening) -> ModelResponse:
        told = shortening.transcript()
        return await ask_for_summary(self._model, told, self._limits, self._pace)

    def _about(self, shortening: Shortening) -> JsonObject:
        about: JsonObject = {
            "trigger": "context_full",
            "affectedTurns": [self._request.turn_id],
            "tokensBefore": estimated_tokens([*shortening.old, *shortening.recent]),
        }
        if past := self._past[: len(shortening.old)]:
            about["compactedThroughMessageId"] = past[-1]
        # Once: what a second summary stands for is this turn's own.
        self._past = ()
        return about
