"""The engines of the product, one row each. Opening one is cheap: what it needs it loads with its first turn."""

from collections.abc import Callable
from dataclasses import dataclass

from lime_desktop.app_server.execution.acp.agents import agents_in
from lime_desktop.app_server.execution.acp.engine import AcpEngine
from lime_desktop.app_server.execution.embedded.engine import EmbeddedEngine
from lime_desktop.app_server.execution.engines import Engine, EngineDependencies
from lime_desktop.app_server.execution.model_engine.engine import ModelEngine
from lime_desktop.app_server.models.store import ModelStore, default_folder


@dataclass(frozen=True, slots=True)
class EngineRow:
    """One engine."""

    name: str
    open: Callable[[EngineDependencies], Engine]


def _open_embedded(dependencies: EngineDependencies) -> Engine:
    store = ModelStore(default_folder())
    return EmbeddedEngine(store, dependencies.tooling, dependencies.turn_states)


def _open_acp(dependencies: EngineDependencies) -> Engine:
    data_dir = dependencies.data_dir
    work = data_dir / "agent-work"
    engine = AcpEngine(
        agents_in(data_dir),
        work,
        dependencies.turn_states,
        dependencies.tooling,
        count=dependencies.count,
    )
    if dependencies.add_work is not None:
        dependencies.add_work(work, engine.end_of_app)
    return engine


ENGINES: tuple[EngineRow, ...] = (
    EngineRow("model", ModelEngine),
    EngineRow("acp", _open_acp),
    EngineRow("embedded", _open_embedded),
)
"""In the order in which they are preferred where nothing else decides."""


def open_engines(dependencies: EngineDependencies) -> tuple[Engine, ...]:
    """One of each."""
    return tuple(row.open(dependencies) for row in ENGINES)
