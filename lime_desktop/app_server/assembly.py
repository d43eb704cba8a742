"""The App Server put together: one core, its services, one table of routes, and their end."""

import asyncio
import contextlib
import os
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path

from lime_desktop.app_server.agent_tasks.declared_errors_middleware import (
    DeclaredErrorsMiddleware,
)
from lime_desktop.app_server.agent_tasks.output_check_middleware import OutputCheckMiddleware
from lime_desktop.app_server.agent_tasks.output_rows import RowWriter
from lime_desktop.app_server.agent_tasks.output_writer import OutputWriter
from lime_desktop.app_server.agent_tasks.service import AgentTasks
from lime_desktop.app_server.agent_tasks.task_lookup import task_finder
from lime_desktop.app_server.agent_tasks.task_starter import TaskResources
from lime_desktop.app_server.app_evidence.service import AppEvidence, open_evidence
from lime_desktop.app_server.app_services import open_app_services
from lime_desktop.app_server.apps.budget_middleware import BudgetMiddleware
from lime_desktop.app_server.apps.registered import RegisteredApps
from lime_desktop.app_server.apps.spending import open_spending
from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.checkpoints.checkpoint_middleware import CheckpointMiddleware
from lime_desktop.app_server.checkpoints.service import Checkpoints
from lime_desktop.app_server.content_store import ContentStore
from lime_desktop.app_server.context.attachments import AttachedFiles
from lime_desktop.app_server.context.context_middleware import ContextMiddleware, ContextSources
from lime_desktop.app_server.context.delegation import DelegateTools
from lime_desktop.app_server.context.skill_tool import SkillTools
from lime_desktop.app_server.evidence.artifacts import ArtifactReadings
from lime_desktop.app_server.evidence.exports import EvidenceExports
from lime_desktop.app_server.execution.acp.agents import ExternalAgents, agents_in
from lime_desktop.app_server.execution.acp.checking import AgentCheck
from lime_desktop.app_server.execution.engines import EngineDependencies
from lime_desktop.app_server.execution.router import open_router
from lime_desktop.app_server.execution.turn_states import TurnStates
from lime_desktop.app_server.lifecycle.hook_middleware import HookMiddleware
from lime_desktop.app_server.lifecycle.service import LifecycleHooks
from lime_desktop.app_server.models.service import LocalModels
from lime_desktop.app_server.models.store import ModelStore, default_folder
from lime_desktop.app_server.providers.app_models import AppModels
from lime_desktop.app_server.providers.product_presets import offered_presets
from lime_desktop.app_server.providers.routing import AvailableModels
from lime_desktop.app_server.providers.service import FindSupply, ProviderService
from lime_desktop.app_server.providers.store import ProviderStore, open_provider_store
from lime_desktop.app_server.reviews.review_middleware import ReviewMiddleware
from lime_desktop.app_server.reviews.service import AppReviews
from lime_desktop.app_server.routes import AppCalls, Routes
from lime_desktop.app_server.runtime_core.backend import (
    EngineChoice,
    ExecutionBackend,
    TurnRequest,
)
from lime_desktop.app_server.runtime_core.core import RuntimeCore, open_core
from lime_desktop.app_server.runtime_core.identities import now
from lime_desktop.app_server.secrets.keyring_place import find_keyring
from lime_desktop.app_server.secrets.store import SecretStore, open_secret_store
from lime_desktop.app_server.server.capability_listing import CapabilityListing
from lime_desktop.app_server.server.connection import Services
from lime_desktop.app_server.server.data_incidents import DataIncidents
from lime_desktop.app_server.server.fan_out import FanOut
from lime_desktop.app_server.server.telemetry import start_telemetry
from lime_desktop.app_server.skills.installed import InstalledSkills
from lime_desktop.app_server.skills.library import SkillLibrary
from lime_desktop.app_server.skills.switches import SkillSwitches
from lime_desktop.app_server.tools.agent_tools import AgentTools
from lime_desktop.app_server.tools.webhooks.queue import open_webhook_queue
from lime_desktop.app_server.tools.webhooks.service import Webhooks
from lime_desktop.app_server.traffic import AppTraffic, open_traffic
from lime_desktop.app_server.workflows.assembly import EventPlaces, WorkflowParts, start_workflows
from lime_desktop.app_server.workflows.clock import Clock
from lime_desktop.app_server.workflows.open_runs import OpenRuns
from lime_desktop.app_server.workflows.step_turns import StepTurnMiddleware
from lime_desktop.database.lock import FolderLock
from lime_desktop.durable_files.writing import sweep_leftovers
from lime_desktop.protocol.app_call import APP_CALL, APP_UNDO
from lime_desktop.protocol.calls.agent_tasks import READ_AGENT_TRAFFIC
from lime_desktop.protocol.calls.apps import REGISTER_APP, UNREGISTER_APP
from lime_desktop.protocol.calls.artifacts import READ_ARTIFACTS
from lime_desktop.protocol.calls.capabilities import LIST_CAPABILITIES
from lime_desktop.protocol.calls.data_incidents import LIST_DATA_INCIDENTS
from lime_desktop.protocol.calls.evidence import (
    EXPORT_EVIDENCE,
    EXPORT_REPLAY_CASE,
)
from lime_desktop.protocol.calls.external_agents import (
    ADD_AGENT,
    CHECK_AGENT,
    LIST_AGENTS,
    REMOVE_AGENT,
)
from lime_desktop.protocol.calls.local_models import (
    CANCEL_LOCAL_MODEL,
    INSTALL_LOCAL_MODEL,
    LIST_LOCAL_MODELS,
    LOCAL_MODEL_CHANGED,
    REMOVE_LOCAL_MODEL,
    LocalModel,
    LocalModelNotification,
)
from lime_desktop.protocol.calls.model_providers import (
    CREATE_PROVIDER,
    DELETE_PROVIDER,
    FETCH_MODELS,
    FIND_SERVERS,
    LIST_PROVIDERS,
    TEST_CONNECTION,
    UPDATE_PROVIDER,
    UPDATE_PROVIDER_KEY,
)
from lime_desktop.protocol.calls.models import (
    LIST_MODELS,
    MODELS_CHANGED,
    PREFER_MODEL,
    ModelDescription,
)
from lime_desktop.protocol.calls.turns import START_TURN, StartTurnParams, StartTurnResult
from lime_desktop.protocol.calls.webhooks import WEBHOOK_RECEIVED, WebhookReceivedNotification
from lime_desktop.protocol.calls.workflow_runs import (
    WORKFLOW_RUN_CHANGED,
    WorkflowRunChangedNotification,
)
from lime_desktop.protocol.ids import RuntimeId
from lime_desktop.protocol.wire import Empty

_LEFTOVERS = (
    "*.partial",
    "content/*/*.partial",
    "turn-states/*.partial",
    "agent-approvals/*.partial",
    "evidence/*/.*.partial",
    "apps/export-*",
)
"""What a killed server leaves half written. Named one by one: elsewhere apps and agents have files of their own."""


@asynccontextmanager
async def open_services(
    data_dir: Path,
    engine: ExecutionBackend | None = None,
    *,
    is_product: bool = True,
    clock: Clock | None = None,
) -> AsyncGenerator[Services]:
    """Open the data folder and give what connections need; close everything in order afterwards.

    Without an `engine` named, the product's own run turns, chosen by the router.
    """
    async with AsyncExitStack() as closing:
        fan_out = FanOut()
        found = closing.enter_context(contextlib.closing(DataIncidents(fan_out)))
        # Before anything is opened, until everything is closed: a second server must touch nothing of ours.
        closing.callback((await asyncio.to_thread(_hold, data_dir)).release)
        secrets = closing.enter_context(
            contextlib.closing(open_secret_store(data_dir, find_keyring))
        )
        providers = closing.enter_context(
            contextlib.closing(open_provider_store(data_dir, secrets))
        )
        apps = RegisteredApps()
        traffic = closing.enter_context(contextlib.closing(open_traffic(data_dir)))
        evidence = closing.enter_context(contextlib.closing(await open_evidence(data_dir)))
        # Before whatever runs turns, and closed after it: a turn's last writes are still taken.
        app_services = open_app_services(data_dir, apps, secrets, evidence, fan_out)
        closing.push_async_callback(app_services.close)
        skills = SkillLibrary(
            InstalledSkills(data_dir / "skills"), SkillSwitches(data_dir / "skill-switches")
        )
        webhooks = await closing.enter_async_context(_webhooks(data_dir, apps, secrets, fan_out))
        tools = AgentTools(
            data_dir,
            apps,
            app_services.for_agents,
            secrets,
            webhooks,
            traffic.count,
            SkillTools(skills),
            DelegateTools(lambda: in_context),
        )
        closing.push_async_callback(tools.close)
        router = await open_router(
            EngineDependencies(
                data_dir,
                TurnStates(data_dir / "turn-states"),
                providers,
                tools.broker,
                traffic.count,
                tools.work_folders.add,
            ),
            lambda: fan_out.announce(MODELS_CHANGED, Empty()),
        )
        closing.push_async_callback(router.close)
        content = ContentStore(data_dir / "content")

        sources = ContextSources(
            apps=apps,
            store=content,
            skills=skills,
            search=app_services.knowledge.search,
            choose=_as_chosen if engine else router.choose,
            files=AttachedFiles(app_services.opened_files),
        )
        in_context = ContextMiddleware(engine or router, sources)
        spending = closing.enter_context(contextlib.closing(open_spending(data_dir)))
        in_budget = BudgetMiddleware(in_context, apps, spending)
        checked = OutputCheckMiddleware(
            in_budget,
            OutputWriter(content, evidence, app_services.artifacts, RowWriter(app_services.tables)),
        )
        checkpoints = Checkpoints(
            data_dir / "checkpoints",
            apps,
            app_services.checkpoint_parts,
            lambda: core.journal,
            fan_out.announce_storage_changes,
        )
        revertible = CheckpointMiddleware(checked, checkpoints)
        stepping = StepTurnMiddleware(revertible, content, tools.broker)
        hooked = HookMiddleware(ReviewMiddleware(stepping))
        core = await open_core(
            data_dir,
            DeclaredErrorsMiddleware(hooked, apps, evidence),
            is_product=is_product,
            is_held=True,
        )
        closing.push_async_callback(core.close)
        _observe(core, fan_out, evidence, closing)
        routes, app_calls = Routes(), AppCalls()
        closing.push_async_callback(_add_local_models(routes, fan_out).close)
        add_runtime_routes(routes, core, data_dir)
        _add_apps(routes, apps, app_calls)
        kept = (
            tools.approvals,
            tools.work_folders,
            traffic,
            checkpoints,
            skills.switches,
            webhooks,
            (open_runs := OpenRuns()),
        )
        app_services.serve(routes, app_calls, kept)
        checkpoints.serve(routes)
        tools.serve(routes, app_calls)
        _add_reports(routes, traffic, found)
        _add_external_agents(routes, agents_in(data_dir))
        _add_models(routes, app_calls, providers, _only(engine) if engine else router.supply)
        tasks = AgentTasks(
            core,
            apps,
            TaskResources(tools.inventory, sources.files.refs, app_services.tables.names),
        )
        app_services.serve_tasks(routes, app_calls, tasks, skills)
        app_services.quality.write_facts_to(core, task_finder(core.journal))
        (reviews := AppReviews(core)).serve(routes, app_calls)
        parts = WorkflowParts(
            core=core,
            apps=apps,
            calls=app_calls,
            tasks=tasks,
            reviews=reviews,
            gates=app_services.quality,
            middleware=stepping,
            waiting=EventPlaces(
                app_services.happenings,
                app_services.artifacts,
                app_services.references.arrivals,
                webhooks.queue,
            ),
            held=open_runs,
            checkpoints=checkpoints,
            announce=partial(_tell_of_run, fan_out),
        )
        closing.push_async_callback(start_workflows(parts, routes, clock).close)
        LifecycleHooks(core, hooked, tools.for_hooks).serve(routes)
        yield Services(routes, core.sessions.owner_of, fan_out, app_calls=app_calls)


@asynccontextmanager
async def _webhooks(
    data_dir: Path, apps: RegisteredApps, secrets: SecretStore, fan_out: FanOut
) -> AsyncGenerator[Webhooks]:
    """What is sent to apps from outside; a sender is asked to come again until the host has told of its app."""

    def announce(received: WebhookReceivedNotification) -> None:
        fan_out.announce(WEBHOOK_RECEIVED, received, received.app_id)

    webhooks = Webhooks(apps, secrets, open_webhook_queue(data_dir), announce)
    await webhooks.open()
    try:
        yield webhooks
    finally:
        await webhooks.close()


def _tell_of_run(fan_out: FanOut, changed: WorkflowRunChangedNotification) -> None:
    fan_out.announce(WORKFLOW_RUN_CHANGED, changed, changed.app_id)


def _observe(
    core: RuntimeCore, fan_out: FanOut, evidence: AppEvidence, closing: AsyncExitStack
) -> None:
    """Tell connections what happens, and trace it where the environment asks for it."""
    core.subscribe(fan_out.publish)
    if telemetry := start_telemetry(os.environ):
        closing.callback(telemetry.stop)
        core.subscribe(telemetry.observe)
        evidence.kept.subscribe(telemetry.note_evidence)


def _hold(data_dir: Path) -> FolderLock:
    """Take the folder; nobody else is writing in it then, so what is half written is nobody's. Blocks."""
    lock = FolderLock(data_dir)
    sweep_leftovers(data_dir, _LEFTOVERS)
    return lock


async def _as_chosen(request: TurnRequest) -> EngineChoice:
    """Where an engine was named, nothing is left to choose."""
    return request.choice or EngineChoice()


def _only(engine: ExecutionBackend) -> FindSupply:
    """Where an engine was named, it runs every turn, and the models of the router's run none."""

    async def supply() -> AvailableModels:
        said = engine.describe()
        if said.unavailable_reason is not None:
            return AvailableModels(())
        offer = ModelDescription(
            engine=said.name, provider_id=said.name, model_id=said.name, title=said.name
        )
        return AvailableModels((offer,))

    return supply


def add_runtime_routes(routes: Routes, core: RuntimeCore, data_dir: Path) -> None:
    """Lead every method about runtime facts to its owner."""
    core.serve(routes)
    listing = CapabilityListing(routes, RuntimeId(core.runtime_id), core.engine.describe, now)
    routes.add(LIST_CAPABILITIES, listing.list_capabilities)

    async def start_turn(params: StartTurnParams, context: CallContext) -> StartTurnResult:
        listing.require(params.runtime_options.capability_id)
        return await core.turns.start(params, context)

    routes.add(START_TURN, start_turn)
    routes.add(READ_ARTIFACTS, ArtifactReadings(core.journal, core.store).read)
    evidence = EvidenceExports(core.journal, core.store, core.runtime_id, data_dir)
    routes.add(EXPORT_EVIDENCE, evidence.export)
    routes.add(EXPORT_REPLAY_CASE, evidence.export_replay_case)


def _local_models(fan_out: FanOut) -> LocalModels:
    def announce(model: LocalModel) -> None:
        fan_out.announce(LOCAL_MODEL_CHANGED, LocalModelNotification(model=model))

    store = ModelStore(default_folder())
    store.sweep_abandoned()
    return LocalModels(store, announce)


def _add_local_models(routes: Routes, fan_out: FanOut) -> LocalModels:
    models = _local_models(fan_out)
    routes.add(LIST_LOCAL_MODELS, models.list)
    routes.add(INSTALL_LOCAL_MODEL, models.install)
    routes.add(CANCEL_LOCAL_MODEL, models.cancel)
    routes.add(REMOVE_LOCAL_MODEL, models.remove)
    return models


def _add_reports(routes: Routes, traffic: AppTraffic, found: DataIncidents) -> None:
    routes.add(READ_AGENT_TRAFFIC, traffic.read)
    routes.add(LIST_DATA_INCIDENTS, found.list)


def _add_apps(routes: Routes, apps: RegisteredApps, app_calls: AppCalls) -> None:
    routes.add(APP_CALL, app_calls.answer)
    routes.add(APP_UNDO, app_calls.undo)
    routes.add(REGISTER_APP, apps.register)
    routes.add(UNREGISTER_APP, apps.unregister)


def _add_models(
    routes: Routes, app_calls: AppCalls, store: ProviderStore, supply: FindSupply
) -> None:
    service = ProviderService(store, supply, offered_presets())
    AppModels(store, service.find_models).serve(app_calls)
    routes.add(LIST_MODELS, service.list_models)
    routes.add(PREFER_MODEL, service.prefer_model)
    routes.add(LIST_PROVIDERS, service.list)
    routes.add(CREATE_PROVIDER, service.create)
    routes.add(UPDATE_PROVIDER, service.update)
    routes.add(DELETE_PROVIDER, service.delete)
    routes.add(TEST_CONNECTION, service.test_connection)
    routes.add(FETCH_MODELS, service.fetch_models)
    routes.add(FIND_SERVERS, service.find_servers)
    routes.add(UPDATE_PROVIDER_KEY, service.update_key)


def _add_external_agents(routes: Routes, agents: ExternalAgents) -> None:
    routes.add(LIST_AGENTS, agents.list)
    routes.add(ADD_AGENT, agents.add)
    routes.add(REMOVE_AGENT, agents.remove)
    routes.add(CHECK_AGENT, AgentCheck(agents).check)
