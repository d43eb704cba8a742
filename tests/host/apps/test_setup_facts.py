"""What a real App Server holds for an app decides whether it may start, and changes as it is set up."""

import asyncio
from pathlib import Path

import pytest

from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_server_client.sidecar import Sidecar, app_server_command
from lime_desktop.host.apps.fix_places import can_be_taken, is_hopeless
from lime_desktop.host.apps.registration import AppRegistration, registration_of
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.host.apps.setup_facts import SetupReading
from lime_desktop.protocol.calls.apps import REGISTER_APP
from lime_desktop.protocol.calls.mcp_servers import (
    ADD_MCP_SERVER,
    REMOVE_MCP_SERVER,
    AddMcpServerParams,
    McpServerSettings,
    RemoveMcpServerParams,
)
from lime_desktop.protocol.calls.secrets import BIND_SECRET, BindSecretParams
from lime_desktop.protocol.calls.storage_tables import RUN_MIGRATIONS, RunMigrationsParams
from lime_desktop.protocol.ids import AppId
from tests.app_server.apps.packages import write_app
from tests.app_server.bounded import run
from tests.app_server.tools.mcp.conftest import command_of
from tests.app_server.twin import ServerTwin
from tests.host.app_center.opened import installed, opened

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


async def _steps_after_install(center: AppCenter, server: ServerTwin, package: Path) -> set[str]:
    """What a person is left to do once the app is installed, and the server was told of it."""
    registry = AppRegistry("en")
    await installed(center, package)
    await registry.follow(center)
    [app] = registry.apps
    await server(REGISTER_APP, registration_of(app))
    setup = SetupReading(registry)
    await setup.read(server, app.app_id)
    await setup.close()
    await registry.close()
    now = registry.app(app.app_id)
    assert now is not None
    return {each.kind for each in now.readiness.setup_actions}


@pytest.mark.parametrize("has_data", [False, True], ids=["no data yet", "data of before"])
def test_first_migrations_run_at_install_without_a_question_and_later_ones_do_not(
    tmp_path: Path, *, has_data: bool
) -> None:
    """The standard: data that are not there yet are brought to their form by the install; what is there is asked about."""
    wanted = {"capabilities": "{lime.storage: '*', lime.secrets: '*'}"}
    schema = {name: text for name, text in FILES.items() if name.endswith(".json")}
    without = MORE.replace(", migrations: ./storage/migrations", "")
    before = write_app(tmp_path / "1", **wanted, more=without, files=schema)
    package = write_app(tmp_path / "2", **wanted, more=MORE, files=FILES)
    told = package / "APP.md"
    told.write_text(told.read_text("utf-8").replace("version: 1.2.3", "version: 2.0.0"), "utf-8")

    async def scenario() -> None:
        async with opened(tmp_path / "host") as (center, server):
            if has_data:
                await _steps_after_install(center, server, before)
                await server.keep("notes", "kept", 1)
            left = await _steps_after_install(center, server, package)
            assert left & {"configure-secret", "run-migration"} == (
                {"configure-secret", "run-migration"} if has_data else {"configure-secret"}
            )

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


NEEDS_SERVER = """\
entries: [{key: home, kind: command, title: Home, command: /home}]
integrations:
  - {key: repo, provider: github, role: source, required: true, adapter: {kind: mcp, server: GitHub MCP}}
operations: [{key: list_issues, type: read, integration: repo, sideEffect: none, required: true}]
toolRefs: [{key: ask, provider: "mcp:GitHub MCP", required: true}]
"""


def codes(registry: AppRegistry, app_id: str) -> set[str]:
    app = registry.app(app_id)
    assert app is not None
    checks = app.readiness.checks
    return {str(check.code) for check in checks if check.outcome != "passed" and check.required}


def test_a_tool_server_that_is_set_up_satisfies_who_names_it(tmp_path: Path) -> None:
    """A bug: nobody told readiness of tools and connections, so such an app stayed blocked for ever."""

    async def scenario() -> None:
        registry = AppRegistry("en")
        path = write_app(tmp_path, capabilities="{lime.mcp: '*'}", more=NEEDS_SERVER)
        [app] = registry.add([path])
        setup = SetupReading(registry)
        registration = AppRegistration(registry, setup.was_registered)
        sidecar = await Sidecar.start(app_server_command(tmp_path / "data"))
        call = sidecar.connection.call
        await registration.introduce(sidecar.connection)
        await setup.read(call, app.app_id)
        lacking = {"TOOL_SERVER_REQUIRED", "OPERATION_UNAVAILABLE"}
        assert codes(registry, app.app_id) & lacking == lacking

        other = McpServerSettings(server_id="other", command=command_of("raw_server.py"))
        await call(ADD_MCP_SERVER, AddMcpServerParams(settings=other))
        await setup.read_all(call)
        assert codes(registry, app.app_id) & lacking == lacking

        named = other.model_copy(update={"server_id": "github", "aliases": ("GitHub MCP",)})
        await call(ADD_MCP_SERVER, AddMcpServerParams(settings=named))
        await setup.read_all(call)
        assert not codes(registry, app.app_id) & lacking

        await call(REMOVE_MCP_SERVER, RemoveMcpServerParams(server_id="github"))
        await setup.read_all(call)
        assert codes(registry, app.app_id) & lacking == lacking
        await setup.close()
        await sidecar.stop()

    run(scenario())


BEYOND_REACH = """\
entries:
  - {key: home, kind: command, title: Home, command: /home}
  - {key: flow, kind: workflow, title: Flow, workflow: review}
services: [{key: backend, kind: worker, required: true}]
workflows: [{key: review, path: ./workflows/review.md, required: true}]
toolRefs: [{key: search, provider: lime-cloud, required: true}]
integrations: [{key: table, provider: cloud.table, role: data, required: true, adapter: {kind: api}}]
"""


def test_what_nobody_can_run_here_does_not_pass_and_says_so(tmp_path: Path) -> None:
    """A bug: a required workflow that cannot be run or a backend counted as passed."""
    registry = AppRegistry("en")
    files = {"workflows/review.md": "# Review\n"}
    path = write_app(tmp_path, capabilities="{lime.workflow: '*'}", more=BEYOND_REACH, files=files)
    [app] = registry.add([path])
    assert app.readiness.status == "blocked"
    assert codes(registry, app.app_id) >= {
        "SERVICE_REQUIRED",
        "WORKFLOW_NOT_EXECUTABLE",
        "TOOL_UNSUPPORTED",
        "INTEGRATION_UNDESCRIBED",
    }
    hopeless = [step for step in app.readiness.setup_actions if is_hopeless(app, step)]
    assert {step.key.partition("/")[2] for step in hopeless} >= {
        "backend",
        "search",
        "table",
    }
    assert not any(can_be_taken(app, step) for step in hopeless)
