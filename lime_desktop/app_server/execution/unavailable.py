"""The engine that is not there: every turn fails closed, with the reason and what to do about it."""

from collections.abc import AsyncIterator

from lime_desktop.app_server.runtime_core.backend import (
    ActionAnswer,
    EngineChoice,
    EngineDescription,
    TurnRequest,
)
from lime_desktop.protocol.calls.turns import RuntimeOptions
from lime_desktop.protocol.errors import EngineUnavailable
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.protocol.runtime.sessions import HistoryMessage


class UnavailableEngine:
    """Stands in for nothing: no answer is better than an invented one."""

    def __init__(
        self,
        reason: str = "No engine is set up.",
        setup_action: str = "Set up a model provider in Settings",
    ):
        self._reason = reason
        self._setup_action = setup_action

    def describe(self) -> EngineDescription:
        """Say why nothing works."""
        return EngineDescription(
            name="unavailable",
            version="1",
            is_product=True,
            unavailable_reason=self._reason,
            setup_action=self._setup_action,
        )

    async def preflight(self, request: TurnRequest) -> None:
        """Refuse."""
        del request
        raise self._refusal()

    async def run_turn(self, request: TurnRequest) -> AsyncIterator[ProposedEvent]:
        """Refuse, should a turn that was queued for another engine reach this one."""
        del request
        raise self._refusal()
        yield  # pyright: ignore[reportUnreachable] - makes this an async generator

    async def cancel_turn(self, turn_id: str) -> None:
        """Nothing runs here."""

    async def respond_action(self, turn_id: str, answer: ActionAnswer) -> None:
        """Nobody asked."""

    async def summarize(
        self,
        app_id: str,
        history: tuple[HistoryMessage, ...],
        options: RuntimeOptions | None = None,
        choice: EngineChoice | None = None,
    ) -> str:
        """Refuse."""
        del app_id, history, options, choice
        raise self._refusal()

    async def close(self) -> None:
        """Nothing is held."""

    def _refusal(self) -> EngineUnavailable:
        return EngineUnavailable(
            self._reason,
            details={"reasonCode": "engine_unavailable", "setupAction": self._setup_action},
        )
