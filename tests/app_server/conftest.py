"""Play a scenario on a scripted engine, then hold everything it wrote against the rules."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lime_desktop.app_server.execution.scripted import Script
from lime_desktop.protocol.runtime.event_types import is_extension
from tests.app_server.runtime_core.runtime import Runtime, Scenario, open_runtime
from tests.protocol.published_schemas import lime_profile

Play = Callable[..., None]


@pytest.fixture
def play(tmp_path: Path, upstream_data: Path) -> Play:
    """`play(scripts, scenario)`: every event is valid, every sequence whole, every rebuild equal."""

    def run(scripts: dict[str, Script], scenario: Scenario, **options: Any) -> None:
        async def whole() -> None:
            runtime = await open_runtime(tmp_path / "data", scripts, **options)
            try:
                await scenario(runtime)
                await check_everything(runtime, upstream_data)
            finally:
                await runtime.core.close()

        asyncio.run(whole())

    return run


async def check_everything(runtime: Runtime[Any], upstream_data: Path) -> None:
    schema = lime_profile(upstream_data, "event")
    for event in runtime.events:
        if not is_extension(event.type):
            schema.validate(event.to_wire())
    for session_id in {event.session_id for event in runtime.events}:
        told = [e.sequence for e in runtime.events if e.session_id == session_id]
        assert told == list(range(told[0], told[0] + len(told)))
        assert len({e.event_id for e in runtime.events}) == len(runtime.events)
        snapshot = (await runtime.read(session_id)).snapshot
        lime_profile(upstream_data, "snapshot").validate(snapshot.to_wire())
    for rebuilt in await runtime.rebuilt():
        assert rebuilt.is_equal, rebuilt.different
