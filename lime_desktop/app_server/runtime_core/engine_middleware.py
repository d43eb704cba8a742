"""A decorator around an engine: passes every call on, so that a subclass says only what it changes."""

from collections.abc import AsyncIterator

from lime_desktop.app_server.runtime_core.backend import (
    ActionAnswer,
    EngineChoice,
    EngineDescription,
    ExecutionBackend,
    TurnRequest,
)
from lime_desktop.protocol.calls.turns import RuntimeOptions
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.protocol.runtime.sessions import HistoryMessage


class EngineMiddleware:
    """Wraps an engine. What a subclass does not override, the engine does."""

    def __init__(self, engine: ExecutionBackend) -> None:
        self._engine = engine

    def describe(self) -> EngineDescription:
        """The engine behind."""
        return self._engine.describe()

    async def preflight(self, request: TurnRequest) -> EngineChoice | None:
        """What the engine refuses, or chooses."""
        return await self._engine.preflight(request)

    def run_turn(self, request: TurnRequest) -> AsyncIterator[ProposedEvent]:
        """The engine's work."""
        return self._engine.run_turn(request)

    async def cancel_turn(self, turn_id: str) -> None:
        """Stop the engine; what waits for a person stops with its turn."""
        await self._engine.cancel_turn(turn_id)

    async def respond_action(self, turn_id: str, answer: ActionAnswer) -> None:
        """Pass an answer on."""
        await self._engine.respond_action(turn_id, answer)

    async def summarize(
        self,
        app_id: str,
        history: tuple[HistoryMessage, ...],
        options: RuntimeOptions | None = None,
        choice: EngineChoice | None = None,
    ) -> str:
        """The engine's summary."""
        return await self._engine.summarize(app_id, history, options, choice)

    async def close(self) -> None:
        """Let the engine go."""
        await self._engine.close()
