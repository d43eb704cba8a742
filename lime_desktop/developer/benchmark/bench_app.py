"""An installed app made known to an App Server for a benchmark, under everything that holds for it in the window.

Its grants, its rules and those of whoever governs, its limits and its readiness are the same; what its agents fetch goes
through the host's own proxy and ledger.
"""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.apps.registration import registration_of
from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp
from lime_desktop.host.apps.setup_facts import SetupReading
from lime_desktop.host.proxy.access import AgentNetwork, ProxyAccess
from lime_desktop.host.proxy.thread import ProxyThread
from lime_desktop.host.requests.asked_call import targets_of
from lime_desktop.host.requests.gate import refusal_of
from lime_desktop.host.requests.view_snapshots import policy_facts
from lime_desktop.policy.call import PolicyCall
from lime_desktop.policy.decide import decide
from lime_desktop.policy.decision import Denied
from lime_desktop.protocol.agent_tasks import StartTaskParams
from lime_desktop.protocol.calls.apps import REGISTER_APP
from lime_desktop.protocol.capability_calls.agent import START_TASK
from lime_desktop.protocol.errors import AppError, AppNotInstalled, ReadinessBlocked

_log = logging.getLogger(__name__)


@asynccontextmanager
async def app_for_benchmark(
    center: AppCenter, call: CallServer, data_dir: Path, app_id: str, locale: str
) -> AsyncGenerator[RegisteredApp]:
    """The app, known to the server and ready to work.

    Raises:
        AppNotInstalled: there is no such app.
        ReadinessBlocked: it is not set up.
        PolicyDenied: whoever governs here lets it start no tasks.
    """
    access = ProxyAccess()
    proxy, network = ProxyThread(access, data_dir / "network.db"), AgentNetwork(access)
    registry = AppRegistry(locale)
    setup = SetupReading(registry)
    try:
        await asyncio.to_thread(_open_network, proxy, network)
        await registry.follow(center)
        app = _found(registry, app_id)
        # Known first, judged after: how it is set up is the server's to say.
        await call(REGISTER_APP, registration_of(app, network))
        await setup.read(call, app_id)
        app = _found(registry, app_id)
        _require_ready(app)
        require_task(app)
        await call(REGISTER_APP, registration_of(app, network))
        yield app
    finally:
        await setup.close()
        await registry.close()
        await asyncio.to_thread(proxy.stop)


def _open_network(proxy: ProxyThread, network: AgentNetwork) -> None:
    try:
        network.open(proxy.start())
    except (AppError, OSError) as error:
        # Without the proxy there is no way out: agents work, and reach nothing.
        _log.warning("no network for agents: %s", error)


def _found(registry: AppRegistry, app_id: str) -> RegisteredApp:
    app = registry.app(app_id)
    if app is None:
        raise AppNotInstalled(f"{app_id} is not installed")
    return app


def _require_ready(app: RegisteredApp) -> None:
    is_enabled = app.installed is None or app.installed.is_enabled
    if app.can_start and is_enabled and app.governing.is_allowed:
        return
    steps = [str(each.description) for each in app.readiness.setup_actions]
    raise ReadinessBlocked(
        f"{app.app_id} can't run yet", details={"reason": " ".join(steps) or "It is turned off."}
    )


def require_task(app: RegisteredApp, asked: StartTaskParams | None = None) -> None:
    """Refuse what no yes could let pass, of any task or of this one; that a person wants it, the command itself says.

    Raises:
        AppError: the app does not declare what the task names, or whoever governs here forbids it.
    """
    call = PolicyCall(
        app_id=app.app_id,
        capability=START_TASK.capability,
        method=START_TASK.method,
        entry=asked.entry if asked else None,
        targets=() if asked is None else targets_of(asked),
        access="execute",
        has_idempotency_key=True,
    )
    decision = decide(call, policy_facts(app, time.time_ns() // 1_000_000))
    if isinstance(decision, Denied):
        raise refusal_of(START_TASK.name, decision)
