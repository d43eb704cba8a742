"""Wraps every engine: before it works for an app that declares a checkpoint's scope, what is there is copied."""

import logging
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import cast

from lime_desktop.app_server.checkpoints.service import Checkpoints
from lime_desktop.app_server.runtime_core.backend import (
    EngineMiddleware,
    ExecutionBackend,
    TurnRequest,
)
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.runtime.events import ProposedEvent

_log = logging.getLogger(__name__)


class CheckpointMiddleware(EngineMiddleware):
    """An engine whose turns can be gone back before."""

    def __init__(self, engine: ExecutionBackend, checkpoints: Checkpoints) -> None:
        super().__init__(engine)
        self._checkpoints = checkpoints

    async def run_turn(self, request: TurnRequest) -> AsyncIterator[ProposedEvent]:
        """Copy first. A turn that is taken up again was copied before; one without a copy is run all the same, and says so."""
        if not request.open_action_ids:
            try:
                said = request.input.text.partition("\n")[0]
                await self._checkpoints.take(request.app_id, request.session_id, said)
            except AppError as error:
                _log.warning("a checkpoint could not be taken", exc_info=True)
                yield _not_taken(error)
        stream = cast("AsyncGenerator[ProposedEvent]", self._engine.run_turn(request))
        async with aclosing(stream):
            async for event in stream:
                yield event


def _not_taken(error: AppError) -> ProposedEvent:
    return ProposedEvent(
        type="runtime.warning",
        payload={
            "code": "checkpoint_not_taken",
            "message": f"What this turn changes cannot be brought back: {error.message}",
            "failureCategory": error.stable_code,
            "recoverable": True,
        },
    )
