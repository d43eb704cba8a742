"""Workflows put together: the store, the driver, the kinds of states, and who hears of what they do."""

from collections.abc import Callable
from dataclasses import dataclass

from lime_desktop.app_server.agent_tasks.service import AgentTasks
from lime_desktop.app_server.apps.registered import RegisteredApps
from lime_desktop.app_server.artifacts.service import AppArtifacts
from lime_desktop.app_server.checkpoints.service import Checkpoints
from lime_desktop.app_server.files.arrivals import FolderArrivals
from lime_desktop.app_server.quality.service import QualityGates
from lime_desktop.app_server.reviews.service import AppReviews
from lime_desktop.app_server.routes import AppCalls, Routes
from lime_desktop.app_server.runtime_core.core import RuntimeCore
from lime_desktop.app_server.storage.happenings import Happenings
from lime_desktop.app_server.tools.webhooks.queue import WebhookQueue
from lime_desktop.app_server.workflows.attempts import Attempts
from lime_desktop.app_server.workflows.calls import RunCalls
from lime_desktop.app_server.workflows.clock import Clock, SystemClock
from lime_desktop.app_server.workflows.compensation import Compensations
from lime_desktop.app_server.workflows.developed_runs import DevelopedRuns
from lime_desktop.app_server.workflows.driver import RunDriver
from lime_desktop.app_server.workflows.endings import Endings
from lime_desktop.app_server.workflows.leftovers import Leftovers
from lime_desktop.app_server.workflows.open_runs import OpenRuns
from lime_desktop.app_server.workflows.plans import Plans
from lime_desktop.app_server.workflows.run import OpenRun
from lime_desktop.app_server.workflows.run_states import RunStates
from lime_desktop.app_server.workflows.schedules.keeper import ScheduleKeeper
from lime_desktop.app_server.workflows.schedules.ledger import schedule_ledger
from lime_desktop.app_server.workflows.schedules.power import PowerSupplies
from lime_desktop.app_server.workflows.schedules.service import AppSchedules, ScheduleParts
from lime_desktop.app_server.workflows.schedules.starts import ScheduledStarts, StartParts
from lime_desktop.app_server.workflows.service import AppWorkflows
from lime_desktop.app_server.workflows.starting import RunStarter
from lime_desktop.app_server.workflows.step_turns import StepTurnMiddleware
from lime_desktop.app_server.workflows.steps.data import (
    ArtifactCreateKind,
    EvalKind,
    EvidenceRecordKind,
    KnowledgeSearchKind,
    StorageWriteKind,
)
from lime_desktop.app_server.workflows.steps.flow import (
    BranchKind,
    EndKind,
    ParallelKind,
    StartKind,
    WaitKind,
)
from lime_desktop.app_server.workflows.steps.people import HumanReviewKind, UserInputKind
from lime_desktop.app_server.workflows.steps.table import StepTable
from lime_desktop.app_server.workflows.steps.titles import StepTitles
from lime_desktop.app_server.workflows.steps.turns import StepTurns
from lime_desktop.app_server.workflows.steps.working import (
    AgentTaskKind,
    SubWorkflowKind,
    ToolCallKind,
)
from lime_desktop.app_server.workflows.store import RunStore
from lime_desktop.app_server.workflows.told import status_of
from lime_desktop.app_server.workflows.transitions import Transitions
from lime_desktop.app_server.workflows.triggers.causes import Causes
from lime_desktop.app_server.workflows.triggers.folders import FolderSource
from lime_desktop.app_server.workflows.triggers.keeper import TriggerKeeper
from lime_desktop.app_server.workflows.triggers.ledger import trigger_ledger
from lime_desktop.app_server.workflows.triggers.service import AppTriggers, TriggerParts
from lime_desktop.app_server.workflows.triggers.sources import (
    ArtifactSource,
    EventSource,
    HappeningSource,
    WebhookSource,
)
from lime_desktop.app_server.workflows.triggers.starts import EventStartParts, EventStarts
from lime_desktop.background.observers import Observers
from lime_desktop.protocol.calls.workflow_runs import WorkflowRunChangedNotification
from lime_desktop.protocol.ids import AppId, SessionId
from lime_desktop.workflow_model.kinds import StateKind

_ENDED = frozenset({"succeeded", "failed", "cancelled"})


@dataclass(frozen=True, slots=True)
class EventPlaces:
    """What happens in apps, and hears of it."""

    happenings: Happenings
    artifacts: AppArtifacts
    arrivals: FolderArrivals
    webhooks: WebhookQueue


@dataclass(frozen=True, slots=True)
class WorkflowParts:
    """What runs of workflows stand on."""

    core: RuntimeCore
    apps: RegisteredApps
    calls: AppCalls
    tasks: AgentTasks
    reviews: AppReviews
    gates: QualityGates
    middleware: StepTurnMiddleware
    waiting: EventPlaces
    """Where what happens in apps waits to start a workflow."""
    held: OpenRuns
    """Where the removal of an app's data reaches its runs."""
    checkpoints: Checkpoints
    """Where apps go back to what they had."""
    announce: Callable[[WorkflowRunChangedNotification], None]
    """Tells windows that a run has moved."""


@dataclass(frozen=True, slots=True)
class Workflows:
    """The workflows of every app, at work."""

    service: AppWorkflows
    driver: RunDriver
    keeper: ScheduleKeeper
    triggers: TriggerKeeper

    async def close(self) -> None:
        """Go on with nothing any more; the next process takes it up."""
        await self.triggers.close()
        await self.keeper.close()
        await self.driver.close()


def start_workflows(parts: WorkflowParts, routes: Routes, clock: Clock | None = None) -> Workflows:
    """Serve what is asked of workflows, and take up the runs of each app as its host tells of it."""
    time, core = clock or SystemClock(), parts.core
    store = RunStore(core.journal, core.store)
    heard = Observers[WorkflowRunChangedNotification]()
    heard.subscribe(parts.announce)
    plans = Plans(parts.apps, time)
    driver = RunDriver(store, time, plans, _teller(heard.notify))
    starter = RunStarter(core, parts.apps, store, time, plans, driver.resume)
    service = AppWorkflows(store, driver, starter, parts.reviews, plans)
    calls = RunCalls(parts.apps, parts.calls, time.now_ms)
    parts.middleware.judge = calls.judge
    turns = StepTurns(core)
    attempts = Attempts(_kinds(parts, calls, turns, service), parts.apps, plans, driver.announce)
    endings = Endings(driver, attempts, Compensations(turns, time, driver.announce))
    leftovers = Leftovers(store, turns, service.stop)
    driver.use(Transitions(driver, attempts, endings, plans), attempts, leftovers)
    core.subscribe(driver.waits.on_events)
    parts.apps.registered.subscribe(driver.app_came)
    parts.apps.unregistered.subscribe(driver.app_left)
    service.serve(routes, parts.calls)
    parts.checkpoints.hold(RunStates(store, service))
    DevelopedRuns(store, driver, plans).serve(routes)
    keeper, schedules = _schedules(parts, store, service, calls, time)
    heard.subscribe(lambda run: keeper.run_ended(run.app_id) if run.status in _ENDED else None)
    trigger_keeper, triggers = _triggers(parts, store, service, calls, time)
    schedules.serve(routes, parts.calls, triggers.allowed_apps)
    triggers.serve(routes)

    async def remove(app_id: AppId) -> None:
        await schedules.forbid_all(app_id)
        await triggers.forbid_all(app_id)
        await service.stop_all(app_id)
        plans.forget(app_id)

    parts.held.stop_all = remove
    return Workflows(service, driver, keeper, trigger_keeper)


def _schedules(
    parts: WorkflowParts, store: RunStore, runs: AppWorkflows, calls: RunCalls, clock: Clock
) -> tuple[ScheduleKeeper, AppSchedules]:
    """What starts runs by time; an app's schedules are looked at as its host tells of it."""
    ledger, power = schedule_ledger(parts.core), PowerSupplies()
    starts = ScheduledStarts(StartParts(runs.starter, store, calls, runs.stop, power), ledger)
    keeper = ScheduleKeeper(parts.apps, ledger, starts, clock)
    parts.apps.registered.subscribe(keeper.app_came)
    kept_by = ScheduleParts(ledger, keeper, starts, clock, power, store)
    return keeper, AppSchedules(parts.apps, kept_by, runs)


def _triggers(
    parts: WorkflowParts, store: RunStore, runs: AppWorkflows, calls: RunCalls, clock: Clock
) -> tuple[TriggerKeeper, AppTriggers]:
    """What starts runs when something happens; an app is looked at as its host tells of it, and whenever something did."""
    ledger, waiting = trigger_ledger(parts.core), parts.waiting
    causes = Causes(parts.core, store)
    starts = EventStarts(EventStartParts(runs.starter, store, calls, causes), ledger)
    sources: tuple[EventSource, ...] = (
        HappeningSource(waiting.happenings),
        ArtifactSource(waiting.artifacts),
        WebhookSource(waiting.webhooks),
        FolderSource(waiting.arrivals, clock),
    )
    waiting.happenings.now_ms = clock.now_ms
    keeper = TriggerKeeper(parts.apps, ledger, starts, sources, waiting.happenings, clock)
    parts.apps.registered.subscribe(keeper.app_came)
    waiting.happenings.heard.subscribe(keeper.look_soon)
    waiting.artifacts.kept.subscribe(keeper.look_soon)
    waiting.webhooks.added.subscribe(keeper.look_soon)
    kept_by = TriggerParts(
        ledger, keeper, waiting.happenings, waiting.arrivals, waiting.webhooks, clock, store
    )
    return keeper, AppTriggers(parts.apps, kept_by)


def _kinds(
    parts: WorkflowParts, calls: RunCalls, turns: StepTurns, service: AppWorkflows
) -> StepTable:
    """Every kind of state, and who carries it out."""
    core, titles = parts.core, StepTitles(parts.apps)
    return {
        StateKind.START: StartKind(),
        StateKind.END: EndKind(),
        StateKind.BRANCH: BranchKind(),
        StateKind.WAIT: WaitKind(),
        StateKind.PARALLEL: ParallelKind(),
        StateKind.AGENT_TASK: AgentTaskKind(parts.tasks, calls, turns),
        StateKind.TOOL_CALL: ToolCallKind(turns),
        StateKind.HUMAN_REVIEW: HumanReviewKind(core, parts.reviews, turns, titles),
        StateKind.USER_INPUT: UserInputKind(core, turns, titles),
        StateKind.STORAGE_WRITE: StorageWriteKind(calls, turns, parts.apps),
        StateKind.ARTIFACT_CREATE: ArtifactCreateKind(calls, turns, titles),
        StateKind.KNOWLEDGE_SEARCH: KnowledgeSearchKind(calls, turns),
        StateKind.EVIDENCE_RECORD: EvidenceRecordKind(calls, turns),
        StateKind.EVAL: EvalKind(parts.gates),
        StateKind.SUB_WORKFLOW: SubWorkflowKind(
            service.starter.start_within, service.read, service.stop
        ),
    }


def _teller(
    announce: Callable[[WorkflowRunChangedNotification], None],
) -> Callable[[OpenRun], None]:
    """Says of a run that has moved how it stands, and where a person is asked for it."""

    def tell(run: OpenRun) -> None:
        asking = next(
            (
                each.detail.session_id
                for each in run.steps
                if each.is_waiting and each.detail.session_id
            ),
            None,
        )
        changed = WorkflowRunChangedNotification(
            app_id=run.app_id,
            workflow_run_id=run.run_id,
            session_id=run.session_id,
            status=status_of(run.job, run.detail),
            asking_session_id=SessionId(asking) if asking else None,
        )
        announce(changed)

    return tell
