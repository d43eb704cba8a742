"""What is planned for a run, and what time it is for it. Heeds nothing in an app that nobody works on."""

from lime_desktop.app_server.apps.registered import RegisteredApps
from lime_desktop.app_server.workflows.clock import Clock
from lime_desktop.app_server.workflows.detail import Failure, RunPlan
from lime_desktop.app_server.workflows.names import new_run_id
from lime_desktop.app_server.workflows.outcomes import Done, Failed, failed
from lime_desktop.app_server.workflows.run import OpenRun, Step
from lime_desktop.app_server.workflows.waits import WayOfRun
from lime_desktop.protocol.errors import AppNotInstalled, WorkflowNotDeveloped
from lime_desktop.protocol.ids import AppId
from lime_desktop.workflow_model.states import BranchState, State

NO_PLAN = RunPlan()
_CHANCE = 16
"""The end of a run's name that says nothing of when it began."""
_BY_DEVELOPER: dict[str, object] = {"decided_by": "developer"}


class Plans:
    """The plans of every run, by its facts; those of runs that have not begun, and steps that were allowed, in memory."""

    def __init__(self, apps: RegisteredApps, clock: Clock) -> None:
        self._apps = apps
        self._clock = clock
        self._next: dict[str, RunPlan] = {}
        self._allowed: set[WayOfRun] = set()
        self._first: dict[str, str] = {}
        """The app's runs are listed from this name on."""

    def require_developed(self, app_id: str) -> None:
        """Go on only for an app that somebody works on.

        Raises:
            WorkflowNotDeveloped: nobody does, as far as its host has said.
        """
        if not self._is_developed(app_id):
            raise WorkflowNotDeveloped("This app's folder was not opened to work on it")

    def of(self, run: OpenRun) -> RunPlan:
        """What holds for a run."""
        if not self._is_developed(run.app_id):
            return NO_PLAN
        return run.detail.plan or NO_PLAN

    def begin_with(self, app_id: str, plan: RunPlan) -> None:
        """Have the app's next runs begin with this."""
        self._next[app_id] = plan

    def forget(self, app_id: str) -> None:
        """The app's data is removed, and its plans with it."""
        self._next.pop(app_id, None)

    def for_new(self, app_id: str) -> RunPlan | None:
        """What a run of this app begins with."""
        return self._next.get(app_id) if self._is_developed(app_id) else None

    def leave_earlier(self, app_id: str) -> None:
        """List only what begins from now on."""
        self._first[app_id] = new_run_id(AppId(app_id))[:-_CHANCE]

    def is_listed(self, app_id: str, run_id: str) -> bool:
        """Whether an app is told of a run where it asks for all."""
        first = self._first.get(app_id)
        return first is None or run_id > first or not self._is_developed(app_id)

    def now_ms(self, run: OpenRun) -> int:
        """What time it is for a run."""
        return self._clock.now_ms() + self.of(run).ahead_ms

    def may_begin(self, run: OpenRun, way: WayOfRun) -> bool:
        """Whether the next state on a way may begin; a step that was allowed is taken by this."""
        if not self.of(run).is_held:
            return True
        if way not in self._allowed:
            return False
        self._allowed.discard(way)
        return True

    def allow(self, way: WayOfRun) -> None:
        """Let one state begin on a way."""
        self._allowed.add(way)

    def is_allowed(self, run_id: str) -> bool:
        """Whether a step was allowed that has not been taken."""
        return any(each.run_id == run_id for each in self._allowed)

    def outcome(self, run: OpenRun, step: Step, state: State) -> Done | Failed | None:
        """What a state comes to by plan; None where it is carried out."""
        plan = self.of(run)
        failure = plan.failures.get(state.key)
        if failure is not None and step.detail.attempt <= failure.until_attempt:
            error = Failure(failure.code, failure.message, failure.retryable)
            return Failed(error, notes=_BY_DEVELOPER)
        if not isinstance(state, BranchState) or state.key not in plan.branches:
            return None
        leads_to = plan.branches[state.key]
        if leads_to not in ways_of(state):
            message = f"This branch has no way to `{leads_to}`, as it was planned."
            return failed("invalid_input", message, is_final=True)
        return Done(next=(leads_to,), notes=_BY_DEVELOPER)

    def _is_developed(self, app_id: str) -> bool:
        try:
            return self._apps.get(app_id).registration.is_developed
        except AppNotInstalled:
            return False


def ways_of(state: BranchState) -> frozenset[str]:
    """The states that a branch can lead to."""
    return frozenset({*(each.next for each in state.cases), state.otherwise})
