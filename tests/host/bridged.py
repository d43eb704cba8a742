"""A page, its host and a real App Server in one process: text in at the bridge, text out.

Nothing in between is a stand-in but the window, which remembers what it was asked to do.
"""

import asyncio
import json
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from lime_desktop.app_server.assembly import open_services
from lime_desktop.app_server.execution.unavailable import UnavailableEngine
from lime_desktop.app_server.runtime_core.backend import ExecutionBackend
from lime_desktop.app_server.server.connection import Connection
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.opening import open_center
from lime_desktop.host.app_center.packages.trusting import TrustCheck
from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.app_server_client.connection import AppServerConnection
from lime_desktop.host.approvals.approvals import Approvals
from lime_desktop.host.approvals.question import Answer
from lime_desktop.host.apps.registration import AppRegistration
from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp
from lime_desktop.host.proxy.access import AgentNetwork
from lime_desktop.host.requests.view_bridge import ViewBridge, ViewParts
from lime_desktop.host.requests.view_snapshots import policy_facts
from lime_desktop.host.view.bodies import ViewBodies
from lime_desktop.host.view.opened_files import OpenedFilesQueue
from lime_desktop.host.view.subscriptions import (
    RunChanges,
    StorageChanges,
    TopicHub,
    WebhookArrivals,
)
from lime_desktop.policy.facts import PolicyFacts, Readiness
from lime_desktop.policy.rules import Rule
from lime_desktop.policy.vocabulary import ReadinessState
from lime_desktop.protocol.wire import Method, ParamsT, ResultT
from tests.host.app_center.opened import consent_to
from tests.host.bridge.test_session import snapshot
from tests.host.requests.test_app_requests import Window
from tests.jsonrpc.memory import connect

WAIT_S = 60.0


def run(scene: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run a scene; the bound is for a hang, not for a slow machine."""
    asyncio.run(asyncio.wait_for(scene(), WAIT_S))


class Bridged:
    """One page of one app."""

    def __init__(
        self,
        app: Callable[[], RegisteredApp],
        connection: AppServerConnection,
        topics: TopicHub | None = None,
        call: CallServer | None = None,
        center: AppCenter | None = None,
    ) -> None:
        self.window = Window()
        self.center = center
        """What is installed, where the app is."""
        self.approvals = Approvals()
        # Nobody sits there: what waits for a person is told to be open at once.
        self.approvals.calls.wait_s = 0
        self.connection = connection
        self.readiness: ReadinessState = "ready"
        self.rules: tuple[Rule, ...] = ()
        """What the organisation says, besides the manifest."""
        self.pushed: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        """What came without having been asked for."""
        self.bodies = ViewBodies()
        self.folder = Path()
        """Where a scene may put files of its own."""
        self.app = app
        """The app as it stands now."""
        self._app_id = app().app_id
        self._heard: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self._numbers = iter(range(1_000_000))
        entry = app().projection.entries[0].key if app().projection.entries else "main"
        storage_changes = StorageChanges()
        storage_changes.introduce(connection)
        webhook_arrivals = WebhookArrivals()
        webhook_arrivals.introduce(connection)
        run_changes = RunChanges()
        run_changes.introduce(connection)
        self.opened_files = OpenedFilesQueue()
        """What a person opened from outside."""
        self.entry_key = entry
        self.only_artifact: str | None = None
        """What the view was opened to show, once the bridge is renewed."""
        parts = ViewParts(
            app=app,
            entry_key=entry,
            snapshot=snapshot,
            facts=self._facts,
            call=call or connection.call,
            shell=self.window,
            approvals=self.approvals.calls,
            view_id="view",
            topics=topics or TopicHub(),
            bodies=self.bodies,
            storage_changes=storage_changes,
            webhook_arrivals=webhook_arrivals,
            run_changes=run_changes,
            opened_files=self.opened_files,
            post=self._hear,
            center=lambda: center,
            only_artifact=lambda: self.only_artifact,
        )
        self.bridge = ViewBridge(parts)
        self.session = self.bridge.session

    async def __call__(self, call: str, **arguments: object) -> dict[str, Any]:
        """Invoke `lime.storage.get` and give the payload of the answer."""
        capability, _, method = call.rpartition(".")
        payload = {"capability": capability, "method": method, "input": arguments}
        return await self.send("capability:invoke", payload)

    async def value(self, call: str, **arguments: object) -> Any:
        """The same for a call that has to succeed."""
        answer = await self(call, **arguments)
        assert answer["ok"], answer
        return answer["value"]

    async def allowed(self, call: str, **arguments: object) -> dict[str, Any]:
        """The answer to a call that a person is asked about, and says yes to until the view is closed."""
        assert await self.code(call, **arguments) == "APP_E010"
        asked = self.approvals.queue.open[0].question_id
        self.approvals.queue.answer([asked], Answer(is_yes=True, remember="session"))
        return await self(call, **arguments)

    async def code(self, call: str, **arguments: object) -> str:
        """The same for a call that has to be refused, and the code it is refused with."""
        answer = await self(call, **arguments)
        assert not answer["ok"], answer
        return answer["details"]["appErrorCode"]

    async def code_after_yes(self, call: str, **arguments: object) -> str:
        """The code of a call that a person says yes to and that is refused all the same."""
        answer = await self.allowed(call, **arguments)
        assert not answer["ok"], answer
        return answer["details"]["appErrorCode"]

    async def send(
        self, kind: str, payload: object, request_id: str | None = None
    ) -> dict[str, Any]:
        """Send a message, and give the payload of its answer."""
        return (await self.ask(kind, payload, request_id))["payload"]

    def ask(
        self, kind: str, payload: object, request_id: str | None = None
    ) -> "asyncio.Future[dict[str, Any]]":
        """Send a message; its answer comes."""
        request_id = request_id or f"r{next(self._numbers)}"
        answer = self._heard[request_id] = asyncio.get_running_loop().create_future()
        envelope = {
            "protocol": "lime.agentApp.bridge",
            "version": 1,
            "type": kind,
            "appId": self._app_id,
            "requestId": request_id,
            "payload": payload,
        }
        self.session.receive(json.dumps(envelope))
        return answer

    def tell(self, kind: str, payload: object) -> None:
        """Send a message that wants no answer."""
        envelope = {"protocol": "lime.agentApp.bridge", "version": 1, "type": kind}
        message = {**envelope, "appId": self._app_id, "payload": payload}
        self.session.receive(json.dumps(message))

    def _hear(self, text: str) -> None:
        message = json.loads(text)
        if message.get("requestId") in self._heard:
            self._heard.pop(message["requestId"]).set_result(message)
        else:
            self.pushed.put_nowait(message)

    def _facts(self) -> PolicyFacts:
        approvals = self.approvals.calls.facts(self._app_id)
        facts = policy_facts(self.app(), time.time_ns() // 1_000_000, approvals)
        readiness = Readiness(state=self.readiness)
        return replace(facts, readiness=readiness, rules=(*facts.rules, *self.rules))


@asynccontextmanager
async def bridged(
    data: Path,
    package: Path,
    engine: ExecutionBackend | None = None,
    *,
    is_installed: bool = False,
    network: AgentNetwork | None = None,
    has_models: bool = False,
) -> AsyncGenerator[Bridged]:
    """Show an app over a server on a data folder, with every permission it declares granted."""
    registry = AppRegistry("en")
    async with AsyncExitStack() as stack:
        center, server = None, _LateServer()
        if is_installed:
            center = await open_center(data / "host", server, TrustCheck(data / "trust.yaml"))
            stack.push_async_callback(center.close)
            if not center.installed():
                await install(center, package)
            await registry.follow(center)
            stack.push_async_callback(registry.close)
        else:
            _grant_all(registry, package)
        [app] = registry.apps
        serving = served(data, registry, engine, network, has_models=has_models)
        connection = await stack.enter_async_context(serving)
        server.connection = connection
        app_id = app.app_id
        page = Bridged(lambda: _on(registry, app_id), connection, center=center)
        page.folder = data.parent
        if center is not None:
            page.approvals.follow(center)
            stack.push_async_callback(page.approvals.close)
        stack.callback(page.bridge.close)
        yield page


def _grant_all(registry: AppRegistry, package: Path) -> None:
    [app] = registry.add([package])
    for permission in app.package.manifest.permissions:
        registry.grant(app.app_id, permission.key)


class _LateServer:
    """The app center's way to a server that is started after it."""

    connection: AppServerConnection

    async def __call__(
        self, method: Method[ParamsT, ResultT], params: ParamsT, *, timeout_s: float = WAIT_S
    ) -> ResultT:
        return await self.connection.call(method, params, timeout_s=timeout_s)


async def install(center: AppCenter, package: Path) -> None:
    """Install a package, or update to it, with everything it asks for."""
    review = await center.review(package)
    keys = (each.key for each in review.projection.manifest.permissions)
    await center.install(review, consent_to(review, *keys))


@asynccontextmanager
async def served(
    data: Path,
    registry: AppRegistry,
    engine: ExecutionBackend | None = None,
    network: AgentNetwork | None = None,
    *,
    has_models: bool = False,
) -> AsyncGenerator[AppServerConnection]:
    """A conversation with a server that knows the apps of a shelf; without an engine none works, or the product's own."""
    if not has_models:
        engine = engine or UnavailableEngine()
    is_product = engine is None or engine.describe().is_product
    async with open_services(data, engine, is_product=is_product) as services:
        client = AppServerConnection()
        connect(Connection(services).peer, client.peer)
        await client.introduce()
        await AppRegistration(registry, network=network).introduce(client)
        try:
            yield client
        finally:
            await client.close()


def _on(registry: AppRegistry, app_id: str) -> RegisteredApp:
    app = registry.app(app_id)
    assert app is not None
    return app


Scene = Callable[[Bridged], Awaitable[None]]


def play(
    data: Path,
    package: Path,
    scene: Scene,
    engine: ExecutionBackend | None = None,
    *,
    is_installed: bool = False,
) -> None:
    """Run a scene over an app and a server; the app is opened where it lies, or installed."""

    async def whole() -> None:
        async with bridged(data, package, engine, is_installed=is_installed) as page:
            await scene(page)

    run(whole)
