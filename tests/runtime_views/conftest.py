"""Sessions as RuntimeCore really writes them, for the views to be made of."""

import asyncio
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.runtime.sessions import SessionSnapshot
from tests.app_server.runtime_core.runtime import open_runtime
from tests.app_server.runtime_core.test_provider_fixtures import FIXTURES

Recorded = tuple[tuple[RuntimeEvent, ...], SessionSnapshot]
Record = Callable[[str], Recorded]


@pytest.fixture(scope="session")
def record(tmp_path_factory: pytest.TempPathFactory) -> Record:
    """`record("text-basic")`: the events of a session in which that fixture was played, and its snapshot."""

    @cache
    def of(name: str) -> Recorded:
        return asyncio.run(_play(tmp_path_factory.mktemp("views"), name))

    return of


async def _play(folder: Path, name: str) -> Recorded:
    runtime = await open_runtime(folder, FIXTURES)
    try:
        session_id = await runtime.session()
        await runtime.turn(session_id, name, "turn_1")
        if name == "hitl-action":
            await runtime.saw("action.required")
            await runtime.respond(session_id, "action_1", decision="allow_once")
        await runtime.ended("turn_1")
        snapshot = (await runtime.read(session_id)).snapshot
        return tuple(runtime.events), snapshot
    finally:
        await runtime.core.close()
