"""A task followed over the death of a real App Server: nothing is lost, and the page is told (the product's own promise)."""

import asyncio
import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from lime_desktop.host.app_server_client.connection import AppServerConnection
from lime_desktop.host.app_server_client.sidecar import Sidecar, app_server_command
from lime_desktop.host.app_server_client.supervisor import AppServerSupervisor, Running
from lime_desktop.host.apps.registration import AppRegistration
from lime_desktop.host.apps.registry import AppRegistry
from tests.app_server.apps.packages import write_app
from tests.host.bridged import Bridged
from tests.system.scripts import HOLD

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="processes die otherwise here"),
]


WAIT_S = 110.0
"""Two processes are started, one after the other, on a machine that may be busy."""


class Watched:
    """A supervised server, and the process that runs it now."""

    def __init__(self, data: Path, scripts: Path, registry: AppRegistry) -> None:
        self._command = (*app_server_command(data), "--test-scripts", str(scripts))
        self._registration = AppRegistration(registry)
        self.sidecar: Sidecar | None = None
        self.supervisor = AppServerSupervisor(self._start, prepare=self._prepare)

    async def running(self) -> None:
        """Wait until a server runs."""
        runs = asyncio.Event()
        leave = self.supervisor.watch(
            lambda state: runs.set() if isinstance(state, Running) else None
        )
        if not isinstance(self.supervisor.state, Running):
            await runs.wait()
        leave()

    @property
    def connection(self) -> AppServerConnection:
        """The conversation with the process of now."""
        assert self.sidecar is not None
        return self.sidecar.connection

    def kill(self) -> None:
        """Let the process die at once."""
        assert self.sidecar is not None
        os.kill(self.sidecar.pid, signal.SIGKILL)

    async def _start(self) -> Sidecar:
        self.sidecar = await Sidecar.start(self._command)
        return self.sidecar

    async def _prepare(self, connection: AppServerConnection) -> None:
        await self._registration.introduce(connection)


async def until(page: Bridged, event_type: str) -> list[dict[str, Any]]:
    """What is pushed, up to the first of a kind."""
    told: list[dict[str, Any]] = []
    while not told or told[-1]["eventType"] != event_type:
        told.append((await page.pushed.get())["payload"])
    return told


def test_a_task_is_followed_over_the_death_of_its_server(tmp_path: Path) -> None:
    scripts = tmp_path / "scripts.json"
    scripts.write_text(json.dumps({"hold": HOLD}))
    registry = AppRegistry("en")
    [app] = registry.add([write_app(tmp_path, capabilities="{lime.agent: '>=0.3.0'}")])

    async def scene() -> None:
        server = Watched(tmp_path / "data", scripts, registry)
        server.supervisor.start()
        try:
            await server.running()
            page = Bridged(lambda: app, server.connection, call=server.supervisor.call)
            task = await page.value("lime.agent.startTask", prompt="hold")
            wish = {"capability": "lime.agent", "topic": "task", "taskId": task["taskId"]}
            assert (await page.send("capability:subscribe", wish))["ok"] is True
            told = [(await page.pushed.get())["payload"]]
            server.kill()
            # The next server is there before anybody has to be told that there is none.
            told += await until(page, "task:update")
            events = [event for message in told for event in message.get("events", ())]
            assert [each["sequence"] for each in events] == list(range(1, len(events) + 1))
            assert events[-1]["type"] == "result"
            assert told[-1]["task"]["status"] == "failed"
            page.bridge.close()
        finally:
            await server.supervisor.stop()

    asyncio.run(asyncio.wait_for(scene(), WAIT_S))
