"""Keeps the App Server's list of apps equal to what the registry was asked for: told whole on every connection, then change by change.

What nobody has dealt with is not told: of a thousand installed apps a few are used, and each is read and checked there.

An app the server does not know gets nothing from it, so a call can never be ahead of what is known of its caller.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable

from lime_desktop.background.observers import notify_all
from lime_desktop.host.app_server_client.connection import AppServerConnection
from lime_desktop.host.app_server_client.policy_payload import (
    told_budgets,
    told_defaults,
    told_risks,
    told_rules,
    told_settings,
)
from lime_desktop.host.apps.bundle import command_domains, declared_domains
from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp
from lime_desktop.host.proxy.access import AgentNetwork
from lime_desktop.overlay.surface import surface_of
from lime_desktop.protocol.calls.apps import (
    REGISTER_APP,
    UNREGISTER_APP,
    RegisterAppParams,
    RegisteredGrant,
    UnregisterAppParams,
)
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.ids import AppId
from lime_desktop.protocol.schedules import LIST_SCHEDULED_APPS, ListScheduledAppsParams

_log = logging.getLogger(__name__)

_AGAIN_S = 1.0
"""After a fault of our own; whoever calls waits meanwhile, because a right that was taken back may not be told yet."""

Registered = Callable[[AppServerConnection, str], None]
IsDeveloped = Callable[[RegisteredApp], bool]
"""Whether an app's folder was opened to work on it."""


def _tell_nobody(_connection: AppServerConnection, _app_id: str) -> None:
    """Not everybody wants to know."""


class AppRegistration:
    """Tells the server what the registry holds."""

    def __init__(
        self,
        registry: AppRegistry,
        registered: Registered = _tell_nobody,
        network: AgentNetwork | None = None,
        is_developed: IsDeveloped = lambda _: False,
    ) -> None:
        """Follow a registry; `registered` hears of every app that a server has taken."""
        self._registry = registry
        self._is_developed = is_developed
        self._registered = registered
        self._network = network
        self._connection: AppServerConnection | None = None
        self._told: dict[str, RegisterAppParams] = {}
        self._scheduled = frozenset[str]()
        self._changed = asyncio.Event()
        self._caught_up = asyncio.Event()
        self._caught_up.set()
        self._turn = asyncio.Lock()
        self._keeper: asyncio.Task[None] | None = None
        self._made: dict[str, tuple[RegisteredApp, RegisterAppParams]] = {}
        registry.watch(self._note_change)
        registry.watch_asking(self._note_change)

    async def introduce(self, connection: AppServerConnection) -> None:
        """Tell a server that has just started about every app in use, before anybody calls it."""
        async with self._turn:
            self._connection = connection
            self._told = {}
            self._scheduled = await _scheduled_apps(connection)
            await self._tell_differences(connection)

    def behind(self) -> Awaitable[object] | None:
        """Something to wait for while the server has not heard of the newest change."""
        return None if self._caught_up.is_set() or self._keeper is None else self._caught_up.wait()

    def refresh(self) -> None:
        """Something beside the registry has changed: tell the server where it makes a difference."""
        self._made.clear()
        self._note_change()

    def _note_change(self) -> None:
        self._caught_up.clear()
        self._changed.set()

    def start(self) -> None:
        """Begin to follow the registry."""
        if self._keeper is None:
            self._keeper = asyncio.get_running_loop().create_task(self._follow())

    async def stop(self) -> None:
        """Follow no longer."""
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.wait({self._keeper})
            self._keeper = None
            self._caught_up.set()

    async def _follow(self) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            try:
                async with self._turn:
                    if self._connection is not None:
                        await self._tell_differences(self._connection)
            except Exception:  # noqa: BLE001 - calls wait for what is told here, so it goes on
                _log.exception("the App Server could not be told of a change")
                await asyncio.sleep(_AGAIN_S)
                self._changed.set()
            if not self._changed.is_set():
                self._caught_up.set()

    async def _tell_differences(self, connection: AppServerConnection) -> None:
        # What a person allowed to start by itself is asked for by nobody else.
        asked_for = self._registry.asked_for | self._scheduled
        apps = [app for app in self._registry.apps if app.app_id in asked_for]
        wanted = await asyncio.to_thread(self._registrations, apps)
        for app_id in self._told.keys() - wanted.keys():
            await self._take_back(connection, app_id)
        news = [each for each in wanted.values() if self._told.get(each.app_id) != each]
        # None waits for another's answer; each is on its way before the next is looked at.
        await asyncio.gather(*(self._tell(connection, params) for params in news))

    def _registrations(self, apps: Iterable[RegisteredApp]) -> dict[str, RegisterAppParams]:
        """What the server is to know; an app that stands as it did says what it said."""
        found: dict[str, RegisterAppParams] = {}
        for app in apps:
            known = self._made.get(app.app_id)
            if known is not None and known[0] is app:
                found[app.app_id] = known[1]
            elif (made := _registration(app, self._network, self._is_developed)) is not None:
                self._made[app.app_id] = (app, made)
                found[app.app_id] = made
        return found

    async def _tell(self, connection: AppServerConnection, params: RegisterAppParams) -> None:
        # Kept even when refused: asking the same thing again would be refused again.
        self._told[params.app_id] = params
        try:
            await connection.call(REGISTER_APP, params)
        except AppError as error:
            _log.warning(
                "the App Server did not take an app",
                extra={"appId": params.app_id, "code": error.code},
            )
            return
        except BaseException:
            # Nobody knows whether it was heard: it is told again.
            self._told.pop(params.app_id, None)
            raise
        notify_all([self._registered], connection, params.app_id)

    async def _take_back(self, connection: AppServerConnection, app_id: str) -> None:
        del self._told[app_id]
        try:
            await connection.call(UNREGISTER_APP, UnregisterAppParams(app_id=AppId(app_id)))
        except AppError as error:
            _log.warning(
                "the App Server did not forget an app", extra={"appId": app_id, "code": error.code}
            )


async def _scheduled_apps(connection: AppServerConnection) -> frozenset[str]:
    try:
        listed = await connection.call(LIST_SCHEDULED_APPS, ListScheduledAppsParams())
    except AppError as error:
        _log.warning("the App Server did not say which apps have schedules: %s", error)
        return frozenset()
    return frozenset(listed.app_ids)


def _registration(
    app: RegisteredApp, network: AgentNetwork | None, is_developed: IsDeveloped
) -> RegisterAppParams | None:
    if not app.package.is_valid:
        return None
    try:
        said = {"keeps_schedules": True, "is_developed": is_developed(app)}
        return registration_of(app, network).model_copy(update=said)
    except OSError:
        _log.warning("an app's files are gone", extra={"appId": app.app_id})
        return None
    except Exception:  # noqa: BLE001 - what the server does not know gets nothing; the other apps go on
        _log.exception("an app could not be described", extra={"appId": app.app_id})
        return None


def registration_of(app: RegisteredApp, network: AgentNetwork | None = None) -> RegisterAppParams:
    """What the server is told of an app. Reads the package once to hash it."""
    policy, workspace = app.governing.policy, app.governing.workspace
    return RegisterAppParams(
        app_id=AppId(app.app_id),
        package_path=str(app.path.absolute()),
        package_hash=app.package.package_hash,
        readiness_state=app.readiness.status.value,
        grants=tuple(RegisteredGrant(permission=key) for key in sorted(app.granted)),
        rules=told_rules(policy),
        risk_rules=told_risks(policy),
        defaults=told_defaults(policy),
        ask_from=policy.ask_from,
        budgets=told_budgets(policy),
        settings=told_settings(
            app.governing.overlays, surface_of(app.package.manifest, app.package.workflows)
        ),
        workspace_id=None if workspace is None else workspace.workspace_id,
        installed_at_ms=None if app.installed is None else app.installed.installed_at_ms,
        network=network.for_app(app.app_id, declared_domains(app)) if network else None,
        command_network=(
            network.for_commands(app.app_id, command_domains(app)) if network else None
        ),
        runs_unconfined=app.installed is not None and app.installed.runs_unconfined,
    )
