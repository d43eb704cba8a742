"""Play a scenario on a scripted engine, then hold everything it wrote against the rules."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lime_desktop.app_server.execution.scripted import Script
from tests.app_server.held_rules import check_everything
from tests.app_server.runtime_core.runtime import Scenario, open_runtime

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
