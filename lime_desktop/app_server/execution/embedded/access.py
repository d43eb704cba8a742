"""One turn's access to the model: woken when needed, one question at a time among all turns."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

from lime_desktop.app_server.execution.embedded.completions import Completions, Piece, Question
from lime_desktop.app_server.execution.embedded.model_host import ModelHost, ServedModel
from lime_desktop.app_server.models.store import InstalledModel
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import ProposedEvent


class ModelAccess:
    """Asks one installed model, whichever process holds it now."""

    def __init__(self, host: ModelHost, model: InstalledModel, asking: asyncio.Lock) -> None:
        self._host = host
        self._model = model
        self._asking = asking
        self.last_served: ServedModel | None = None
        """The process that was asked last, for when it is lost."""

    async def wake(self) -> AsyncGenerator[ProposedEvent]:
        """Load the model, and say so where that takes a moment."""
        if self._loaded() is None:
            yield _status("preparing", f"Loading {self._model.record.title}")
            # A model that answers somebody else is not taken away from them.
            async with self._asking:
                await self._completions()

    async def ask(self, question: Question) -> AsyncGenerator[Piece | ProposedEvent]:
        """The answer as it comes; says so while another turn has the model."""
        if self._asking.locked():
            yield _status("waiting_provider", "Another task is using the model")
        async with self._asking:
            model = await self._completions()
            try:
                async with aclosing(model.stream(question)) as pieces:
                    async for piece in pieces:
                        yield piece
            finally:
                self._host.rest()

    async def count(self, text: str) -> int:
        """How many tokens a text has."""
        if model := self._loaded():
            return await model.count(text)
        async with self._asking:
            return await (await self._completions()).count(text)

    def _loaded(self) -> Completions | None:
        served = self._host.served
        if served is None or served.model_id != self._model.record.model_id:
            return None
        self.last_served = served
        return Completions(served)

    async def _completions(self) -> Completions:
        self.last_served = await self._host.serve(self._model)
        return Completions(self.last_served)


def _status(phase: str, detail: str) -> ProposedEvent:
    payload: JsonObject = {"phase": phase, "detail": detail}
    return ProposedEvent(type="run.status", phase=phase, payload=payload)
