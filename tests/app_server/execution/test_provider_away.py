"""A provider that is away is said to be, soon: before it was, a person waited for four tries in silence (ours)."""

import asyncio
import socket
from pathlib import Path
from typing import Any

from lime_desktop.app_server.runtime_core.running.driver import DEFAULT_LIMITS
from tests.app_server.execution.model_runtime import only, open_model_runtime
from tests.app_server.model_server import ModelServer, Reply
from tests.app_server.runtime_core.runtime import Runtime

SOON_S = 3.0


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


async def _asked(runtime: Runtime[Any]) -> None:
    await runtime.session()
    await runtime.turn("session_1", "Hello?", "turn_1")


def test_an_address_where_nothing_listens_is_tried_twice_and_no_more(tmp_path: Path) -> None:
    async def whole(server: ModelServer) -> None:
        server.port = free_port()
        async with open_model_runtime(tmp_path / "data", server) as runtime:
            await _asked(runtime)
            await runtime.ended("turn_1")
            events = runtime.of_turn("turn_1")
            assert len([e for e in events if e.type == "model.requested"]) == 2
            failed = only(events, "turn.failed").payload
            assert failed["reasonCode"] == "connection_refused"

    with ModelServer() as server:
        asyncio.run(whole(server))


def test_a_provider_that_says_nothing_is_told_of_while_it_is_waited_for(tmp_path: Path) -> None:
    assert DEFAULT_LIMITS.model_wonder_s < SOON_S

    async def whole(server: ModelServer) -> None:
        async with open_model_runtime(tmp_path / "data", server) as runtime:
            await _asked(runtime)
            told = await runtime.until(
                lambda e: e.payload.get("reasonCode") == "no_answer_yet", "no_answer_yet"
            )
            assert (told.phase, told.payload["model"]) == ("waiting_provider", "test-model")
            assert not [e for e in runtime.of_turn("turn_1") if e.type == "turn.failed"]
            await runtime.cancel("session_1", "turn_1")

    with ModelServer([Reply(end="hang")]) as server:
        asyncio.run(whole(server))
