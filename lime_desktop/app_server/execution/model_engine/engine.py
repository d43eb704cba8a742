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
    from lime_desktop.app_server.execution.model_engine.model_library import ModelLibrary

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
        self._library: asyncio.Task[ModelLibrary] | None = None
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
        library = await self._opened()
        async with aclosing(library.run(turn)) as events:
            async for event in events:
                yield event

    async def summarize(
        self, app_id: str, history: tuple[HistoryMessage, ...], model: ModelDescription
    ) -> str:
        """Ask the model for a summary."""
        library = await self._opened()
        return await library.summarize(app_id, history, model)

    async def close(self) -> None:
        """Close every connection."""
        if self._library is not None:
            await (await self._library).close()

    async def _opened(self) -> "ModelLibrary":
        if self._library is None:
            self._library = asyncio.create_task(self._open())
        return await asyncio.shield(self._library)

    async def _open(self) -> "ModelLibrary":
        # More than a second on a cold start: not on the loop, and not before somebody needs it.
        module = await asyncio.to_thread(import_module, f"{__package__}.model_library")
        return cast("ModelLibrary", module.ModelLibrary(self._dependencies))
