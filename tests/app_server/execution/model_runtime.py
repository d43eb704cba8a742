"""RuntimeCore on the model engine, its provider a server of the test's, its tools a toolset of the test's."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from lime_desktop.app_server.execution.engines import EngineDependencies
from lime_desktop.app_server.execution.model_engine.engine import ModelEngine
from lime_desktop.app_server.execution.router import EngineRouter
from lime_desktop.app_server.execution.turn_states import TurnStates
from lime_desktop.app_server.providers.store import ProviderStore
from lime_desktop.app_server.runtime_core.backend import TurnRequest
from lime_desktop.app_server.tools.no_tools import NoTools
from lime_desktop.app_server.tools.tooling import Tooling, Toolset
from lime_desktop.app_server.traffic import CountTraffic, count_nothing
from lime_desktop.protocol.calls.sessions import ToolDescription
from lime_desktop.protocol.errors import Conflict
from lime_desktop.protocol.runtime.events import RuntimeEvent
from tests.app_server.execution.rounds import TestBox
from tests.app_server.model_server import ModelServer
from tests.app_server.providers.kept import open_store, settings
from tests.app_server.runtime_core.runtime import Runtime, open_runtime_on


@dataclass
class Offered(TestBox):
    """A test's tools, shown to the model under these names."""

    names: tuple[str, ...] = ()

    def toolset_for(self, request: TurnRequest) -> Toolset:
        del request
        return self

    async def offers(self, query: str | None = None) -> tuple[ToolDescription, ...]:
        del query
        found = [await self.describe(name) for name in self.names]
        return tuple(tool for tool in found if tool)


@asynccontextmanager
async def open_model_runtime(
    folder: Path,
    server: ModelServer,
    tooling: Tooling | None = None,
    key: str | None = None,
    count: CountTraffic = count_nothing,
    **more: Any,
) -> AsyncGenerator[Runtime[EngineRouter]]:
    """The provider `p1` is the server; more settings of it by name."""
    async with open_store(folder) as store:
        await set_up(store, server, key, **more)
        states = TurnStates(folder / "turn-states")
        engine = ModelEngine(EngineDependencies(folder, states, store, tooling or NoTools(), count))
        runtime = await open_runtime_on(EngineRouter([engine], states), folder)
        try:
            yield runtime
        finally:
            # After a crash only its sockets are left to close, as the system would.
            has_crashed = runtime.core.running._is_closing
            await (engine.close() if has_crashed else runtime.core.close())


async def set_up(store: ProviderStore, server: ModelServer, key: str | None, **more: Any) -> None:
    address = more.pop("base_url", server.url)
    stated = settings(address, **{"needsKey": key is not None, **more})
    try:
        await store.create("p1", stated)
    except Conflict:
        await store.change("p1", lambda _: stated)
    if key:
        await store.put_key("p1", SecretStr(key))


async def say(
    runtime: Runtime[Any], text: str = "hello", turn_id: str = "t1", **options: Any
) -> list[RuntimeEvent]:
    """Run a turn in a new session to its end; returns its events."""
    session = await runtime.session()
    await runtime.turn(session, text, turn_id, runtimeOptions=options)
    await runtime.ended(turn_id)
    return runtime.of_turn(turn_id)


def only(events: list[RuntimeEvent], event_type: str) -> RuntimeEvent:
    found = [e for e in events if e.type == event_type]
    assert len(found) == 1, (event_type, [e.type for e in events])
    return found[0]
