"""What a real App Server holds for an app decides whether it may start, and changes as it is set up."""

import asyncio
from pathlib import Path

import pytest

from lime_desktop.host.app_server_client.sidecar import Sidecar, app_server_command
from lime_desktop.host.apps.registration import AppRegistration
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.host.apps.setup_facts import SetupReading
from lime_desktop.protocol.calls.secrets import BIND_SECRET, BindSecretParams
from lime_desktop.protocol.calls.storage_tables import RUN_MIGRATIONS, RunMigrationsParams
from lime_desktop.protocol.ids import AppId
from tests.app_server.apps.packages import write_app
from tests.app_server.bounded import run

pytestmark = pytest.mark.system

MORE = """\
entries: [{key: home, kind: command, title: Home, command: /home}]
secrets: [{key: api_key, required: true, description: A key}]
storage: {namespace: notes, schema: ./storage/schema.json, migrations: ./storage/migrations}
"""
FILES = {
    "storage/schema.json": '{"tables": [{"name": "note", "columns": [{"name": "id", "type": "integer"}]}]}',
    "storage/migrations/001_init.sql": "CREATE TABLE tag (id INTEGER PRIMARY KEY);",
}


class Desk:
    """A registry with one app, and a server that knows it."""

    def __init__(self, folder: Path) -> None:
        self.registry = AppRegistry("en")
        path = write_app(
            folder, capabilities="{lime.storage: '*', lime.secrets: '*'}", more=MORE, files=FILES
        )
        [app] = self.registry.add([path])
        self.app_id = AppId(app.app_id)
        self.setup = SetupReading(self.registry)
        self.registration = AppRegistration(self.registry, self.setup.was_registered)
        self.changed = asyncio.Event()
        self.registry.watch(self.changed.set)

    def todo(self) -> set[str]:
        app = self.registry.app(self.app_id)
        assert app is not None
        return {each.kind for each in app.readiness.setup_actions}

    async def until_known(self) -> None:
        """The registry has heard from the server at least once."""
        while not self.changed.is_set():
            await self.changed.wait()


def test_steps_go_as_they_are_done(tmp_path: Path) -> None:
    async def scenario() -> None:
        desk = Desk(tmp_path)
        assert {"configure-secret", "run-migration"} <= desk.todo()
        sidecar = await Sidecar.start(app_server_command(tmp_path / "data"))
        call = sidecar.connection.call
        await desk.registration.introduce(sidecar.connection)

        value = BindSecretParams(app_id=desk.app_id, slot="api_key", value="planted")
        await call(BIND_SECRET, value)
        await desk.setup.read(call, desk.app_id)
        assert "configure-secret" not in desk.todo()

        await call(RUN_MIGRATIONS, RunMigrationsParams(app_id=desk.app_id))
        await desk.setup.read(call, desk.app_id)
        assert "run-migration" not in desk.todo()
        await desk.setup.close()
        await sidecar.stop()

    run(scenario())


def test_the_data_of_an_app_that_is_worked_on_follow_its_migrations(tmp_path: Path) -> None:
    async def scenario() -> None:
        desk = Desk(tmp_path)
        desk.setup.work_on(desk.app_id)
        sidecar = await Sidecar.start(app_server_command(tmp_path / "data"))
        await desk.registration.introduce(sidecar.connection)
        await desk.setup.read(sidecar.connection.call, desk.app_id)
        assert desk.todo() & {"configure-secret", "run-migration"} == {"configure-secret"}
        await desk.setup.close()
        await sidecar.stop()

    run(scenario())


def test_a_server_that_comes_back_is_asked_again(tmp_path: Path) -> None:
    async def scenario() -> None:
        first = Desk(tmp_path)
        sidecar = await Sidecar.start(app_server_command(tmp_path / "data"))
        await first.registration.introduce(sidecar.connection)
        value = BindSecretParams(app_id=first.app_id, slot="api_key", value="planted")
        await sidecar.connection.call(BIND_SECRET, value)
        await first.setup.close()
        await sidecar.stop()

        second = Desk(tmp_path)
        assert "configure-secret" in second.todo()
        sidecar = await Sidecar.start(app_server_command(tmp_path / "data"))
        await second.registration.introduce(sidecar.connection)
        await second.until_known()
        assert "configure-secret" not in second.todo()
        await second.setup.close()
        await sidecar.stop()

    run(scenario())
