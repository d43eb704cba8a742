"""An installed app made known to an App Server that a command started, under everything that holds for it in the window.

Its grants, its rules and those of whoever governs, its limits and its readiness are the same; what its agents fetch goes
through the host's own proxy and ledger.
"""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.apps.registration import registration_of
from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp
from lime_desktop.host.apps.setup_facts import SetupReading
from lime_desktop.host.proxy.access import AgentNetwork, ProxyAccess
from lime_desktop.host.proxy.thread import ProxyThread
from lime_desktop.host.requests.gate import refusal_of
from lime_desktop.host.requests.view_snapshots import policy_facts
from lime_desktop.policy.call import PolicyCall
from lime_desktop.policy.decide import decide
from lime_desktop.policy.decision import Denied
from lime_desktop.protocol.calls.apps import REGISTER_APP
from lime_desktop.protocol.errors import AppError, AppNotInstalled, ReadinessBlocked

_log = logging.getLogger(__name__)


@asynccontextmanager
async def app_without_window(
    center: AppCenter,
    call: CallServer,
    data_dir: Path,
    app_id: str,
    locale: str,
    *,
    require: Callable[[RegisteredApp], None],
) -> AsyncGenerator[RegisteredApp]:
    """The app, known to the server once `require` lets it pass.

    Raises:
        AppNotInstalled: there is no such app.
        AppError: what `require` says.
    """
    access = ProxyAccess()
    proxy, network = ProxyThread(access, data_dir / "network.db"), AgentNetwork(access)
    registry = AppRegistry(locale)
    setup = SetupReading(registry)
    try:
        await asyncio.to_thread(_open_network, proxy, network)
        await registry.follow(center)
        app = found_app(registry, app_id)
        # Known first, judged after: how it is set up is the server's to say.
        await call(REGISTER_APP, registration_of(app, network))
        await setup.read(call, app_id)
        app = found_app(registry, app_id)
        require(app)
        await call(REGISTER_APP, registration_of(app, network))
        yield app
    finally:
        await setup.close()
        await registry.close()
        await asyncio.to_thread(proxy.stop)


def found_app(registry: AppRegistry, app_id: str) -> RegisteredApp:
    """An app as the registry has it.

    Raises:
        AppNotInstalled: it has none of this id.
    """
    app = registry.app(app_id)
    if app is None:
        raise AppNotInstalled(f"{app_id} is not installed")
    return app


def require_ready(app: RegisteredApp) -> None:
    """Let nothing work that is not set up, or is switched off.

    Raises:
        ReadinessBlocked: it is so.
    """
    is_enabled = app.installed is None or app.installed.is_enabled
    if app.can_start and is_enabled and app.governing.is_allowed:
        return
    steps = [str(each.description) for each in app.readiness.setup_actions]
    raise ReadinessBlocked(
        f"{app.app_id} can't run yet", details={"reason": " ".join(steps) or "It is turned off."}
    )


def require_allowed(app: RegisteredApp, name: str, call: PolicyCall) -> None:
    """Refuse what no yes could let pass; that a person wants it, they said by asking for it.

    Raises:
        AppError: the app does not declare what the call names, or whoever governs here forbids it.
    """
    decision = decide(call, policy_facts(app, time.time_ns() // 1_000_000))
    if isinstance(decision, Denied):
        raise refusal_of(name, decision)


def _open_network(proxy: ProxyThread, network: AgentNetwork) -> None:
    try:
        network.open(proxy.start())
    except (AppError, OSError) as error:
        # Without the proxy there is no way out: agents work, and reach nothing.
        _log.warning("no network for agents: %s", error)
