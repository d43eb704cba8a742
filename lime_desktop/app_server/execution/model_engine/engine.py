"""The engine as the router sees it: the models of providers, and turns on them. Light: loads no library by itself."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, cast

from lime_desktop.app_server.execution.engines import EngineDependencies, EngineTurn
from lime_desktop.app_server.providers.offers import offered_models
from lime_desktop.protocol.calls.models import ModelDescription, ModelObstacle
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.protocol.runtime.sessions import HistoryMessage

if TYPE_CHECKING:
    from lime_desktop.app_server.execution.model_engine.workshop import Workshop

NAME = "model"
_NOT_INSTALLED = ModelObstacle(
    reason_code="engine_not_installed",
    message="The part that talks to model providers is not installed.",
    setup_action="Install Lime Desktop with its `engines` extra",
)


class ModelEngine:
    """Runs turns on the providers of the store."""

    name = NAME

    def __init__(self, dependencies: EngineDependencies):
        self._dependencies = dependencies
        self._workshop: asyncio.Task[Workshop] | None = None
        self._is_installed = find_spec("pydantic_ai") is not None

    async def offers(self) -> tuple[ModelDescription, ...]:
        """The models of every provider that is set up."""
        providers = await self._dependencies.providers.list()
        found = [model for provider in providers for model in offered_models(provider, NAME)]
        if self._is_installed:
            return tuple(found)
        return tuple(model.model_copy(update={"obstacle": _NOT_INSTALLED}) for model in found)

    async def run_turn(self, turn: EngineTurn) -> AsyncIterator[ProposedEvent]:
        """Do the work."""
        workshop = await self._opened()
        async with aclosing(workshop.run(turn)) as events:
            async for event in events:
                yield event

    async def summarize(
        self, app_id: str, history: tuple[HistoryMessage, ...], model: ModelDescription
    ) -> str:
        """Ask the model for a summary."""
        workshop = await self._opened()
        return await workshop.summarize(app_id, history, model)

    async def close(self) -> None:
        """Close every connection."""
        if self._workshop is not None:
            await (await self._workshop).close()

    async def _opened(self) -> "Workshop":
        if self._workshop is None:
            self._workshop = asyncio.create_task(self._open())
        return await asyncio.shield(self._workshop)

    async def _open(self) -> "Workshop":
        # More than a second on a cold start: not on the loop, and not before somebody needs it.
        module = await asyncio.to_thread(import_module, f"{__package__}.workshop")
        return cast("Workshop", module.Workshop(self._dependencies))
