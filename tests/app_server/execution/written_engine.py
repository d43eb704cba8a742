"""An engine for the router's tests: it plays what the test wrote, on the models the test named."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from lime_desktop.app_server.execution.engines import EngineTurn
from lime_desktop.protocol.calls.models import ModelDescription
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.protocol.runtime.sessions import HistoryMessage

Part: TypeAlias = Callable[[EngineTurn], AsyncIterator[ProposedEvent]]


def model(provider_id: str, model_id: str = "m", **more: Any) -> ModelDescription:
    stated = {"engine": "written", "title": model_id, **more}
    return ModelDescription.model_validate(
        {"provider_id": provider_id, "model_id": model_id, **stated}
    )


@dataclass
class WrittenEngine:
    play: Part
    models: tuple[ModelDescription, ...] = ()
    name: str = "written"
    turns: list[EngineTurn] = field(default_factory=list[EngineTurn])
    closed_streams: int = 0

    async def offers(self) -> tuple[ModelDescription, ...]:
        return self.models

    async def run_turn(self, turn: EngineTurn) -> AsyncIterator[ProposedEvent]:
        self.turns.append(turn)
        try:
            async for event in self.play(turn):
                yield event
        finally:
            self.closed_streams += 1

    async def summarize(
        self, app_id: str, history: tuple[HistoryMessage, ...], model: ModelDescription
    ) -> str:
        del app_id
        return f"{len(history)} by {model.model_id}"

    async def close(self) -> None:
        """Nothing is held."""
