"""Wraps every engine: a turn that only waits for a review needs none, and goes on after a restart."""

import asyncio
from collections.abc import AsyncIterator

from lime_desktop.app_server.reviews.review_request import ReviewRequest, review_request_in
from lime_desktop.app_server.runtime_core.backend import (
    ActionAnswer,
    EngineChoice,
    EngineMiddleware,
    ExecutionBackend,
    TurnRequest,
)
from lime_desktop.app_server.runtime_core.review_names import is_review
from lime_desktop.protocol.runtime.events import ProposedEvent


class ReviewMiddleware(EngineMiddleware):
    """Asks, waits, and ends; everything else is the engine's."""

    def __init__(self, engine: ExecutionBackend) -> None:
        super().__init__(engine)
        self._answered: dict[str, asyncio.Event] = {}

    async def preflight(self, request: TurnRequest) -> EngineChoice | None:
        """Nothing can be missing for a review."""
        if review_request_in(request.options) is not None:
            return None
        return await self._engine.preflight(request)

    def run_turn(self, request: TurnRequest) -> AsyncIterator[ProposedEvent]:
        """Wait for a person, or let the engine work."""
        review = review_request_in(request.options)
        return self._engine.run_turn(request) if review is None else self._wait(request, review)

    async def respond_action(self, turn_id: str, answer: ActionAnswer) -> None:
        """Hear that a review is decided. What was decided is a fact already."""
        if is_review(answer.action_id):
            self._event(answer.action_id).set()
        else:
            await self._engine.respond_action(turn_id, answer)

    async def _wait(
        self, request: TurnRequest, review: ReviewRequest
    ) -> AsyncIterator[ProposedEvent]:
        if review.action_id not in request.open_action_ids:
            yield review.question()
        try:
            await self._event(review.action_id).wait()
        finally:
            self._answered.pop(review.action_id, None)
        yield ProposedEvent(type="turn.completed", payload={})

    def _event(self, action_id: str) -> asyncio.Event:
        return self._answered.setdefault(action_id, asyncio.Event())
