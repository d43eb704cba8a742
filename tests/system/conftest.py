"""Start servers that are gone when the test is."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.system.server_process import ServerProcess

StartServer = Callable[..., ServerProcess]


@pytest.fixture
def start_server(tmp_path: Path) -> Iterator[StartServer]:
    """`start_server(*options, scripts=…)`: a real process on this test's own data folder."""
    started: list[ServerProcess] = []

    def start(*options: str, **more: Any) -> ServerProcess:
        server = ServerProcess(tmp_path / "data", *options, **more)
        started.append(server)
        return server

    yield start
    for server in started:
        if server.process.poll() is None:
            server.kill()
        else:
            server.wait()
