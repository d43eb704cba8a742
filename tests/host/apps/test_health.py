"""Health checks run by the host with a real App Server: what was not tried is not said to have passed."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from lime_desktop.host.app_server_client.sidecar import Sidecar, app_server_command
from lime_desktop.host.apps.registration import AppRegistration
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.host.apps.setup_facts import SetupReading
from tests.app_server.apps.packages import write_app
from tests.app_server.bounded import run

pytestmark = pytest.mark.system

ENTRY = "entries: [{key: home, kind: command, title: Home, command: /home}]\n"
HEALTH = """\
health:
  startup:
    - {check: storage_accessible, timeout: 60s, critical: true}
    - {check: sdk_connection, critical: true}
  runtime:
    - {check: agent_runtime_available, interval: 1s}
    - {check: moon_phase, interval: 1s}
"""


class Desk:
    """An app with checks, and whoever runs them."""

    def __init__(self, folder: Path) -> None:
        self.registry = AppRegistry("en")
        files = {"evals/health.yaml": HEALTH}
        [app] = self.registry.add(
            [write_app(folder, capabilities="{lime.storage: '*'}", more=ENTRY, files=files)]
        )
        self.app_id = app.app_id
        self.setup = SetupReading(self.registry)
        self.registration = AppRegistration(self.registry, self.setup.was_registered)
        self._changed = asyncio.Event()
        self.registry.watch(self._changed.set)

    def status(self) -> str:
        app = self.registry.app(self.app_id)
        assert app is not None
        return app.readiness.status.value

    def outcomes(self) -> dict[str, tuple[str, str | None]]:
        app = self.registry.app(self.app_id)
        assert app is not None
        checks = [check for check in app.readiness.checks if check.kind == "health"]
        return {check.key: (check.outcome.value, check.code) for check in checks}

    async def until(self, is_so: Callable[[dict[str, tuple[str, str | None]]], bool]) -> None:
        while not is_so(self.outcomes()):
            self._changed.clear()
            await self._changed.wait()


@pytest.mark.requirement("APP-43")
def test_checks_run_on_their_schedule_and_a_failure_is_seen_and_gone_again(tmp_path: Path) -> None:
    async def scenario() -> None:
        desk = Desk(tmp_path)
        not_tried = ("unknown", "HEALTH_NOT_TRIED")
        assert set(desk.outcomes().values()) == {not_tried}
        sidecar = await Sidecar.start(app_server_command(tmp_path / "data"))
        await desk.registration.introduce(sidecar.connection)
        await desk.until(lambda found: found["storage_accessible"][0] == "passed")
        await desk.until(lambda found: found["agent_runtime_available"][0] == "passed")
        assert desk.outcomes()["sdk_connection"] == desk.outcomes()["moon_phase"] == not_tried
        # A page of the app said that it is ready.
        desk.setup.note_page(desk.app_id)
        assert desk.outcomes()["sdk_connection"] == ("passed", None)
        assert desk.outcomes()["moon_phase"] == not_tried

        await sidecar.stop()
        failing = ("failed", "HEALTH_RUNTIME_FAILED")
        await desk.until(lambda found: found["agent_runtime_available"] == failing)
        assert desk.status() == "ready-degraded"

        again = await Sidecar.start(app_server_command(tmp_path / "data"))
        await desk.registration.introduce(again.connection)
        await desk.until(lambda found: found["agent_runtime_available"][0] == "passed")
        await desk.setup.close()
        await again.stop()

    run(scenario())


def test_a_start_that_fails_blocks_until_it_is_tried_again(tmp_path: Path) -> None:
    async def scenario() -> None:
        desk = Desk(tmp_path)
        sidecar = await Sidecar.start(app_server_command(tmp_path / "data"))
        await sidecar.stop()
        await desk.setup.read(sidecar.connection.call, desk.app_id)
        assert desk.status() == "blocked"
        assert desk.outcomes()["storage_accessible"] == ("failed", "HEALTH_STARTUP_FAILED")
        again = await Sidecar.start(app_server_command(tmp_path / "data"))
        await desk.registration.introduce(again.connection)
        await desk.until(lambda found: found["storage_accessible"][0] == "passed")
        # Unsigned, and opened where it lies.
        assert desk.status() == "ready-degraded"
        await desk.setup.close()
        await again.stop()

    run(scenario())
