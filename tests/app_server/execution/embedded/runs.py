"""The embedded engine behind a real RuntimeCore, on the pretended model or on real weights."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lime_desktop.app_server.execution.embedded.engine import EmbeddedEngine
from lime_desktop.app_server.execution.embedded.model_host import PROGRAM, ModelHost
from lime_desktop.app_server.execution.router import EngineRouter
from lime_desktop.app_server.execution.turn_states import TurnStates
from lime_desktop.app_server.models.installation import install_file
from lime_desktop.app_server.models.store import ModelStore
from lime_desktop.app_server.runtime_core.backend import TurnRequest
from lime_desktop.app_server.tools.tooling import Toolset
from lime_desktop.protocol.calls.sessions import ToolDescription
from lime_desktop.protocol.ids import JsonObject
from tests.app_server.execution.rounds import TestBox
from tests.app_server.held_rules import check_everything
from tests.app_server.models.wheels import gguf
from tests.app_server.runtime_core.runtime import Runtime, open_runtime_on

PRETENDED = Path(__file__).with_name("pretend_model.py")
PATH_SCHEMA: JsonObject = {
    "type": "object",
    "properties": {"path": {"type": "string"}},
    "required": ["path"],
}


@dataclass
class OfferingBox(TestBox):
    """Tools that are shown to the model."""

    __test__ = False

    schemas: dict[str, JsonObject] = field(default_factory=dict[str, JsonObject])

    async def offers(self, query: str | None = None) -> tuple[ToolDescription, ...]:
        del query
        return tuple(
            ToolDescription(
                tool_name=name, description=f"Does {name}.", input_schema=schema, policy="allowed"
            )
            for name, schema in self.schemas.items()
        )


@dataclass
class BoxTooling:
    toolset: Toolset

    def toolset_for(self, request: TurnRequest) -> Toolset:
        del request
        return self.toolset


@dataclass
class Embedded:
    """What a scenario holds."""

    runtime: Runtime[EngineRouter]
    engine: EmbeddedEngine
    host: ModelHost

    async def run(self, text: str, turn_id: str = "turn_1", **options: Any) -> list[Any]:
        await self.runtime.turn("session_1", text, turn_id, runtimeOptions=options)
        await self.runtime.ended(turn_id)
        return self.runtime.of_turn(turn_id)


Scenario = Callable[[Embedded], Awaitable[None]]


async def open_embedded(
    folder: Path,
    toolset: TestBox,
    *,
    store: ModelStore | None = None,
    program: Path = PRETENDED,
    memory: int | None = None,
) -> Embedded:
    if store is None:
        store = ModelStore(folder / "models")
        if not store.installed():
            own = folder / "pretended.gguf"
            own.write_bytes(gguf("Pretended"))
            await install_file(store, own, lambda _progress: None)
    states = TurnStates(folder / "turn-states")
    host = ModelHost(program, available=lambda: memory)
    engine = EmbeddedEngine(store, BoxTooling(toolset), states, host)
    runtime = await open_runtime_on(EngineRouter([engine], states), folder / "data")
    return Embedded(runtime, engine, host)


def play(
    folder: Path,
    upstream_data: Path,
    scenario: Scenario,
    *,
    toolset: TestBox | None = None,
    **options: Any,
) -> None:
    """Run a scenario in a session; every event it made is valid, every rebuild equal."""

    async def whole() -> None:
        embedded = await open_embedded(folder, toolset or OfferingBox(), **options)
        try:
            await embedded.runtime.session()
            await scenario(embedded)
            await check_everything(embedded.runtime, upstream_data)
        finally:
            await embedded.runtime.core.close()
            await embedded.engine.close()

    asyncio.run(whole())


__all__ = ["PROGRAM", "Embedded", "OfferingBox", "open_embedded", "play"]
