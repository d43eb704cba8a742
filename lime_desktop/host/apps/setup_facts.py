"""How an app is set up, as the App Server knows it: its secrets, migrations, knowledge, tools and connections.

Read when the server has been told of the app and after every fix; the registry judges the app anew by it.
"""

import asyncio
import logging
from dataclasses import replace

from lime_desktop.app_package.backends import backends_of
from lime_desktop.background.tasks import BackgroundTasks
from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.app_server_client.connection import AppServerConnection
from lime_desktop.host.apps.health import (
    PAGE_CHECKS,
    intervals,
    read_usage,
    run_startup_checks,
    try_check,
)
from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp, SetupFacts
from lime_desktop.protocol.calls.knowledge import LIST_KNOWLEDGE, ListKnowledgeParams
from lime_desktop.protocol.calls.secrets import LIST_SECRETS, ListSecretsParams
from lime_desktop.protocol.calls.skills import LIST_APP_SKILLS, ListAppSkillsParams
from lime_desktop.protocol.calls.storage_tables import (
    LIST_MIGRATIONS,
    RUN_MIGRATIONS,
    ListMigrationsParams,
    RunMigrationsParams,
)
from lime_desktop.protocol.calls.tools import (
    LIST_APP_TOOLS,
    READ_SANDBOX,
    ListAppToolsParams,
    ListAppToolsResult,
    ReadSandboxParams,
)
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.ids import AppId

_log = logging.getLogger(__name__)

_CLOSE_S = 5.0
_BOUND = frozenset({"bound", "indexing"})


class SetupReading:
    """Keeps the registry's picture of every app's setup fresh."""

    def __init__(self, registry: AppRegistry) -> None:
        self._registry = registry
        self._worked_on: set[str] = set()
        self._tasks = BackgroundTasks(_log, AppError)
        self._watching = BackgroundTasks(_log, AppError)
        self._watched: dict[str, AppServerConnection] = {}
        self._known: dict[str, SetupFacts] = {}
        self._runtime: dict[str, dict[str, bool]] = {}
        """What the checks of each app came to that run on a schedule."""
        self._with_pages: set[str] = set()
        """The apps of which a page was loaded and its SDK spoke to the host, since the window was opened."""

    def work_on(self, app_id: str) -> None:
        """Take an app for one whose data are its developer's own: they follow every migration without a question."""
        self._worked_on.add(app_id)

    def note_page(self, app_id: str) -> None:
        """A page of an app said that it is ready: what only a page can show has been tried, and works."""
        if app_id not in self._with_pages:
            self._with_pages.add(app_id)
            if (known := self._known.get(app_id)) is not None:
                self._learn(app_id, known)

    def was_registered(self, connection: AppServerConnection, app_id: str) -> None:
        """The server has been told of an app: ask what it holds for it."""
        # What is not known counts as missing.
        self._tasks.spawn(self.read(connection.call, app_id))
        self._watch_health(connection, app_id)

    async def read(self, call: CallServer, app_id: str) -> None:
        """Read one app's setup now."""
        app = self._registry.app(app_id)
        if app is not None:
            if app_id in self._worked_on:
                await _migrate(call, app)
            else:
                await _begin_data(call, app)
            self._learn(app_id, await read_setup(call, app))

    def _watch_health(self, connection: AppServerConnection, app_id: str) -> None:
        """Begin to run an app's checks on their schedule; with a new server, from the start."""
        app = self._registry.app(app_id)
        if app is None or self._watched.get(app_id) is connection:
            return
        self._watched[app_id] = connection
        for check, interval_s in intervals(app).items():
            self._watching.spawn(self._repeat(connection, app_id, check, interval_s))

    async def _repeat(
        self, connection: AppServerConnection, app_id: str, check: str, interval_s: float
    ) -> None:
        while self._watched.get(app_id) is connection:
            app = self._registry.app(app_id)
            if app is None or check not in intervals(app):
                return
            is_passed = await try_check(check, connection.call, app, min(interval_s, _CLOSE_S))
            self._runtime.setdefault(app_id, {})[check] = is_passed
            if (known := self._known.get(app_id)) is not None:
                self._learn(app_id, known)
            await asyncio.sleep(interval_s)

    def _learn(self, app_id: str, setup: SetupFacts) -> None:
        """Tell the registry of a setup, with what the checks came to that run beside it."""
        self._known[app_id] = setup
        results = self._runtime.get(app_id, {})
        by_pages = PAGE_CHECKS if app_id in self._with_pages else frozenset[str]()
        told = replace(
            setup,
            tried_startup_checks=setup.tried_startup_checks | by_pages,
            tried_runtime_checks=frozenset(results),
            failed_runtime_checks=frozenset(each for each in results if not results[each]),
        )
        self._registry.learn(app_id, told)

    def read_soon(self, call: CallServer, app_id: str) -> None:
        """Read one app again that was read before; nobody waits for it."""
        if self._registry.knows_setup(app_id):
            self._tasks.spawn(self.read(call, app_id))

    async def read_all(self, call: CallServer) -> None:
        """Something that any app may need was set up or taken away: read again whoever was read before."""
        for app in self._registry.apps:
            if self._registry.knows_setup(app.app_id):
                await self.read(call, app.app_id)

    async def close(self) -> None:
        """Wait for what is on its way."""
        self._watched.clear()
        await self._watching.cancel()
        await self._tasks.finish(_CLOSE_S)


async def _begin_data(call: CallServer, app: RegisteredApp) -> None:
    """Bring data that do not exist yet to their newest form: there is nothing to lose, and so nothing to ask."""
    if app.installed is None or not app.projection.migrations:
        return
    app_id = AppId(app.app_id)
    listed = await call(LIST_MIGRATIONS, ListMigrationsParams(app_id=app_id))
    usage = await read_usage(call, app)
    if listed.applied or not listed.pending or usage.keys or usage.rows:
        return
    await _migrate(call, app)


async def _migrate(call: CallServer, app: RegisteredApp) -> None:
    if not app.projection.migrations:
        return
    try:
        await call(RUN_MIGRATIONS, RunMigrationsParams(app_id=AppId(app.app_id)))
    except AppError as error:
        # The step stays on the app's page, where the person sees what is wrong when they take it.
        _log.warning("an app's data could not be migrated: %s", error, extra={"code": error.code})


async def read_setup(call: CallServer, app: RegisteredApp) -> SetupFacts:
    """Ask for what the app's manifest speaks of, and nothing else."""
    app_id, manifest = AppId(app.app_id), app.package.manifest
    secrets: frozenset[str] = frozenset()
    migrations: frozenset[str] = frozenset()
    if manifest.secrets:
        bound = await call(LIST_SECRETS, ListSecretsParams(app_id=app_id))
        secrets = frozenset(each.slot for each in bound.bindings)
    if app.projection.migrations:
        listed = await call(LIST_MIGRATIONS, ListMigrationsParams(app_id=app_id))
        # The server remembers a step by its file, the plan by the name without its ending.
        migrations = frozenset(
            step.id
            for step in app.projection.migrations
            if step.path.rpartition("/")[2] in listed.applied
        )
    knowledge: dict[str, str | None] = {}
    if manifest.knowledge_templates:
        templates = (await call(LIST_KNOWLEDGE, ListKnowledgeParams(app_id=app_id))).templates
        knowledge = {each.key: None for each in templates if each.status in _BOUND}
    room: int | None = None
    if manifest.storage is not None:
        usage = await read_usage(call, app)
        room = max(usage.quota_bytes - usage.used_bytes, 0)
    there = await _tools(call, app)
    started = await run_startup_checks(call, app)
    return SetupFacts(
        configured_secrets=secrets,
        applied_migrations=migrations,
        bound_knowledge=knowledge,
        storage_quota_bytes=room,
        tried_startup_checks=frozenset(started),
        failed_startup_checks=frozenset(each for each in started if not started[each]),
        available_tools=frozenset(there.tools),
        available_integrations=frozenset(there.integrations),
        available_services=frozenset(there.services),
        available_skills=await _skills(call, app),
        command_sandbox_absence=await _missing_sandbox(call, app),
    )


async def _tools(call: CallServer, app: RegisteredApp) -> ListAppToolsResult:
    """The tools, connections and backends that are there, by the names that its manifest may use."""
    manifest = app.package.manifest
    checks = manifest.readiness
    asked = (*checks.required, *checks.recommended, *checks.performance) if checks else ()
    named = (*manifest.tool_refs, *manifest.integrations, *manifest.operations, *manifest.services)
    if not (named or asked):
        return ListAppToolsResult(tools=(), integrations=())
    return await call(LIST_APP_TOOLS, ListAppToolsParams(app_id=AppId(app.app_id)))


async def _skills(call: CallServer, app: RegisteredApp) -> dict[str, str | None]:
    """The skills from elsewhere that are here, with their versions."""
    manifest = app.package.manifest
    if not (manifest.skill_refs or (manifest.skills and manifest.skills.references)):
        return {}
    asked = ListAppSkillsParams(app_id=AppId(app.app_id))
    listed = (await call(LIST_APP_SKILLS, asked)).skills
    # One in another version is here as well: readiness says which is asked for.
    return {
        each.skill_id: each.version
        for each in listed
        if each.kind == "reference" and each.reason_code != "not_installed"
    }


async def _missing_sandbox(call: CallServer, app: RegisteredApp) -> str | None:
    """Why the app's programs cannot be walled off here, and what would help."""
    manifest = app.package.manifest
    has_command = any(each.adapter and each.adapter.kind == "cli" for each in manifest.integrations)
    if not (has_command or backends_of(manifest)):
        return None
    found = await call(READ_SANDBOX, ReadSandboxParams())
    return " ".join(part for part in (found.absence, found.mend) if part) or None
