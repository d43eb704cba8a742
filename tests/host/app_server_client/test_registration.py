"""The App Server knows the shelf's apps: from the first call on, after every change, after every restart."""

import asyncio
import base64
from pathlib import Path

from lime_desktop.app_server.apps.registered import RegisteredApps
from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.routes import Routes
from lime_desktop.app_server.server.connection import Connection, Services
from lime_desktop.developer.options import DeveloperOptions, Developing
from lime_desktop.host.app_server_client.connection import AppServerConnection
from lime_desktop.host.apps.registration import AppRegistration
from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp
from lime_desktop.host.proxy.access import AgentNetwork, AuthenticatedApp, ProxyAccess
from lime_desktop.policy.domain_grants import DomainGrants
from lime_desktop.protocol.calls.apps import (
    REGISTER_APP,
    UNREGISTER_APP,
    RegisterAppParams,
    RegisterAppResult,
    UnregisterAppParams,
)
from lime_desktop.protocol.errors import AppNotInstalled
from lime_desktop.protocol.ids import AppId, SessionId
from lime_desktop.protocol.wire import Empty
from tests.app_server.apps.packages import write_app
from tests.app_server.bounded import run
from tests.jsonrpc.memory import connect

MORE = """\
permissions:
  - { key: keep, scope: storage, access: read-write, reason: To keep notes., required: false }
"""


class Server:
    """The registering part of an App Server, which says what it hears."""

    def __init__(self) -> None:
        self.apps = RegisteredApps()
        self.heard: asyncio.Queue[tuple[str, tuple[str, ...] | None]] = asyncio.Queue()

    async def register(self, params: RegisterAppParams, context: CallContext) -> RegisterAppResult:
        result = await self.apps.register(params, context)
        self.heard.put_nowait((params.app_id, tuple(each.permission for each in params.grants)))
        return result

    async def unregister(self, params: UnregisterAppParams, context: CallContext) -> Empty:
        result = await self.apps.unregister(params, context)
        self.heard.put_nowait((params.app_id, None))
        return result

    async def connect(self) -> AppServerConnection:
        routes = Routes()
        routes.add(REGISTER_APP, self.register)
        routes.add(UNREGISTER_APP, self.unregister)
        client = AppServerConnection()
        connect(Connection(Services(routes, _nobodys)).peer, client.peer)
        await client.introduce()
        return client


async def _nobodys(_session_id: SessionId) -> AppId | None:
    return None


def is_known(server: Server, app_id: str) -> bool:
    try:
        server.apps.get(app_id)
    except AppNotInstalled:
        return False
    return True


def test_a_new_server_knows_every_app_before_anybody_calls_it(tmp_path: Path) -> None:
    async def scene() -> None:
        registry = AppRegistry("en")
        registry.add([write_app(tmp_path, "notes"), write_app(tmp_path, "mail")])
        registration = AppRegistration(registry)
        for server in (Server(), Server()):
            await registration.introduce(await server.connect())
            assert is_known(server, "notes")
            assert is_known(server, "mail")

    run(scene())


def test_a_grant_reaches_the_running_server(tmp_path: Path) -> None:
    async def scene() -> None:
        registry, server = AppRegistry("en"), Server()
        registry.add([write_app(tmp_path, more=MORE)])
        registration = AppRegistration(registry)
        await registration.introduce(await server.connect())
        registration.start()
        assert await server.heard.get() == ("notes", ())
        registry.grant("notes", "keep")
        assert await server.heard.get() == ("notes", ("keep",))
        registry.revoke("notes", "keep")
        assert await server.heard.get() == ("notes", ())
        await registration.stop()

    run(scene())


def test_the_way_out_is_told_once_it_is_open_and_prints_as_stars(tmp_path: Path) -> None:
    """Ours: the server may be up before the proxy is, and what opens the proxy is in no log."""
    web = "permissions:\n  - { key: web, scope: network, reason: To read., required: false, domains: [a.example] }"

    async def scene() -> None:
        registry, server, access = AppRegistry("en"), Server(), ProxyAccess()
        registry.add([write_app(tmp_path, more=web), write_app(tmp_path, "mail")])
        agents = AgentNetwork(access)
        registration = AppRegistration(registry, network=agents)
        await registration.introduce(await server.connect())
        registration.start()
        assert {(await server.heard.get())[0] for _ in range(2)} == {"notes", "mail"}
        agents.open(4_711)
        registration.refresh()
        assert (await server.heard.get())[0] == "notes"
        told = server.apps.get("notes").registration
        assert told.network is not None
        proof = f"{told.network.user}:{told.network.proof.get_secret_value()}"
        guest = access.identify("Basic " + base64.b64encode(proof.encode()).decode())
        assert guest == AuthenticatedApp("notes", DomainGrants.of(["a.example"]))
        assert told.network.proof.get_secret_value() not in repr(told)
        assert server.apps.get("mail").registration.network is None
        await registration.stop()

    run(scene())


def test_who_calls_after_a_change_can_wait_until_the_server_has_heard_of_it(tmp_path: Path) -> None:
    """A bug: an app that was just installed was unknown to the server that was asked about it."""

    async def scene() -> None:
        registry, server = AppRegistry("en"), Server()
        registration = AppRegistration(registry)
        await registration.introduce(await server.connect())
        registration.start()
        assert registration.behind() is None
        registry.add([write_app(tmp_path)])
        news = registration.behind()
        assert news is not None
        await news
        assert is_known(server, "notes")
        assert registration.behind() is None
        await registration.stop()

    run(scene())


def test_only_what_changed_is_told_again(tmp_path: Path) -> None:
    async def scene() -> None:
        registry, server = AppRegistry("en"), Server()
        registration = AppRegistration(registry)
        await registration.introduce(await server.connect())
        registration.start()
        for name in ("notes", "mail"):
            registry.add([write_app(tmp_path, name)])
            assert await server.heard.get() == (name, ())
        assert server.heard.empty()
        await registration.stop()

    run(scene())


def test_an_app_that_broke_is_taken_back(tmp_path: Path) -> None:
    """Ours: the server must not go on serving what the host no longer trusts."""

    async def scene() -> None:
        registry, server = AppRegistry("en"), Server()
        package = write_app(tmp_path)
        registry.add([package])
        registration = AppRegistration(registry)
        await registration.introduce(await server.connect())
        registration.start()
        assert await server.heard.get() == ("notes", ())
        app_md = package / "APP.md"
        app_md.write_text(app_md.read_text().replace("appType: agent-app", "appType: 7"))
        registry.add([package])
        assert await server.heard.get() == ("notes", None)
        assert not is_known(server, "notes")
        await registration.stop()

    run(scene())


def test_a_refusal_does_not_stop_the_others(tmp_path: Path) -> None:
    async def scene() -> None:
        registry, server = AppRegistry("en"), Server()
        registry.add([write_app(tmp_path, "gone"), write_app(tmp_path, "notes")])
        (tmp_path / "gone" / "new.txt").write_text("changed since the host read it")
        registration = AppRegistration(registry)
        await registration.introduce(await server.connect())
        assert not is_known(server, "gone")
        assert is_known(server, "notes")

    run(scene())


def test_whoever_hears_of_a_registration_and_fails_keeps_nobody_waiting(tmp_path: Path) -> None:
    """A bug there ended the telling for good: every later call waited for it."""

    async def scene() -> None:
        def fail(_connection: AppServerConnection, app_id: str) -> None:
            raise RuntimeError(app_id)

        registry, server = AppRegistry("en"), Server()
        registration = AppRegistration(registry, fail)
        await registration.introduce(await server.connect())
        registration.start()
        for name in ("notes", "mail"):
            registry.add([write_app(tmp_path, name)])
            news = registration.behind()
            assert news is not None
            await news
            assert is_known(server, name)
        await registration.stop()

    run(scene())


def test_an_app_that_cannot_be_described_is_not_told_and_the_others_are(tmp_path: Path) -> None:
    class Stumbling(AgentNetwork):
        def for_app(self, app_id: str, declared: DomainGrants) -> None:
            del declared
            if app_id == "notes":
                raise RuntimeError("unexpected")

    async def scene() -> None:
        registry, server = AppRegistry("en"), Server()
        registration = AppRegistration(registry, network=Stumbling(ProxyAccess()))
        registry.add([write_app(tmp_path, "notes"), write_app(tmp_path, "mail")])
        await registration.introduce(await server.connect())
        assert is_known(server, "mail")
        assert not is_known(server, "notes")

    run(scene())


def test_a_change_that_could_not_be_told_is_told_again(tmp_path: Path) -> None:
    class Stumbling(AppRegistry):
        faults = 0

        @property
        def apps(self) -> tuple[RegisteredApp, ...]:
            if self.faults:
                self.faults -= 1
                raise RuntimeError("unexpected")
            return super().apps

    async def scene() -> None:
        registry, server = Stumbling("en"), Server()
        registration = AppRegistration(registry)
        await registration.introduce(await server.connect())
        registration.start()
        registry.add([write_app(tmp_path)])
        registry.faults = 1
        news = registration.behind()
        assert news is not None
        await news
        assert registry.faults == 0
        assert is_known(server, "notes")
        await registration.stop()

    run(scene())


def test_only_the_folder_that_is_worked_on_is_told_as_such(tmp_path: Path) -> None:
    """Security: an app that lies in another folder, and every app of a usual window, is none that anybody works on."""

    async def scene() -> None:
        registry = AppRegistry("en")
        mine, other = write_app(tmp_path, "notes"), write_app(tmp_path, "mail")
        registry.add([mine, other])
        developing = Developing(DeveloperOptions(package=mine), lambda _: None)
        said: dict[str, bool] = {}
        for window, registration in (
            ("developing", AppRegistration(registry, is_developed=developing.is_about)),
            ("usual", AppRegistration(registry)),
        ):
            server = Server()
            await registration.introduce(await server.connect())
            for app_id in ("notes", "mail"):
                said[f"{window} {app_id}"] = server.apps.get(app_id).registration.is_developed
        assert said == {
            "developing notes": True,
            "developing mail": False,
            "usual notes": False,
            "usual mail": False,
        }

    run(scene())
