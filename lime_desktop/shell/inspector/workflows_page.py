"""The runs of an app that somebody works on, led by hand: step by step, past a wait, another way, into a failure."""

import asyncio
from collections.abc import Awaitable, Callable

from PySide6.QtWidgets import QLabel, QWidget

from lime_desktop.host.app_server_client.calling import call_for_app
from lime_desktop.host.apps.provenance import provenance_of
from lime_desktop.host.runs.developed_runs import DevelopedRuns
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.calls.workflow_runs import DevelopedRunResult
from lime_desktop.protocol.capability_calls.workflow import (
    LIST_RUNS,
    ListWorkflowRunsParams,
    WorkflowRun,
    WorkflowStep,
)
from lime_desktop.protocol.errors import AppError
from lime_desktop.shell.inspector.inspected import InspectedView
from lime_desktop.shell.settings.section import choice, group, refill, setting
from lime_desktop.shell.widgets.page import Page
from lime_desktop.shell.widgets.parts import bare_check_box, button, column, label, row
from lime_desktop.shell.widgets.work import Work
from lime_desktop.workflow_model.definition import WorkflowDefinition
from lime_desktop.workflow_model.states import BranchState

_MOST_RUNS = 30
_MOST_LOOKS, _LOOK_S = 250, 0.02
_Doing = Callable[[], Awaitable[object]]


class WorkflowsPage(Page):
    """Read when it is turned to, after each thing that is done here, and on demand."""

    def __init__(self, inspected: InspectedView) -> None:
        super().__init__(margin=16)
        self._inspected = inspected
        self._texts = inspected.look.texts
        self._work = Work(self, self._show_problem)
        self._shown: DevelopedRunResult | None = None
        self._run_id = ""
        self._holds_next = False
        self._turn = asyncio.Lock()
        """One thing after the other: what was read first is shown first."""
        self._problem = label("", "muted")
        self._body = column(spacing=8)
        again = button(self._texts("inspector.state.again"), self.read)
        self.refill(row(again), self._problem, self._body)

    def read(self) -> None:
        """Show how the runs stand at this moment."""
        self._problem.setText("")
        self._work.start(self._read())

    def end(self) -> None:
        """Wait for nothing any more."""
        self._work.end()

    def words(self) -> str:
        """Everything that stands here."""
        return "\n".join(each.text() for each in self.findChildren(QLabel))

    @property
    def _runs(self) -> DevelopedRuns:
        return DevelopedRuns(self._inspected.call, self._inspected.app().app_id)

    async def _read(self) -> None:
        async with self._turn:
            await self._show()

    async def _show(self) -> None:
        app = self._inspected.app()
        caller = AppCaller(provenance=provenance_of(app), is_person=True)
        asked = ListWorkflowRunsParams(limit=_MOST_RUNS)
        listed = (await call_for_app(self._inspected.call, caller, LIST_RUNS, asked)).root
        if not any(each.workflow_run_id == self._run_id for each in listed):
            self._run_id = listed[0].workflow_run_id if listed else ""
        self._shown = await self._runs.read(self._run_id) if listed else None
        self._fill(listed)

    def _fill(self, listed: tuple[WorkflowRun, ...]) -> None:
        texts, told = self._texts, self._shown
        if told is None:
            refill(self._body, self._next_runs(), label(texts("inspector.workflows.none"), "muted"))
            return
        named = [(each.workflow_run_id, f"{each.title} · {each.started_at}") for each in listed]
        runs = setting(
            texts("inspector.workflows.run"), "", choice(named, self._run_id, self._choose)
        )
        refill(self._body, self._next_runs(), runs, self._controls(told), self._steps(told))

    def _choose(self, run_id: object) -> None:
        self._run_id = str(run_id)
        self.read()

    def _next_runs(self) -> QWidget:
        box = bare_check_box()
        box.setChecked(self._holds_next)
        box.toggled.connect(self._hold_next)
        return setting(self._texts("inspector.workflows.hold_next"), "", box)

    def _hold_next(self, is_on: bool) -> None:  # noqa: FBT001 - a signal's slot
        self._holds_next = is_on
        self._do(self._runs.plan(is_held=is_on))

    def _controls(self, told: DevelopedRunResult) -> QWidget:
        texts, runs, run_id = self._texts, self._runs, self._run_id
        is_open = told.run.finished_at is None
        before = ", ".join(told.held_before)
        step = button(texts("inspector.workflows.step"), lambda: self._do(runs.step(run_id)))
        step.setEnabled(bool(told.held_before))
        hold = button(
            texts("inspector.workflows.go_on" if told.is_held else "inspector.workflows.hold"),
            lambda: self._do(runs.hold(run_id, is_held=not told.is_held)),
        )
        hold.setEnabled(is_open)
        skip = button(
            texts("inspector.workflows.skip_wait"), lambda: self._do(runs.skip_wait(run_id))
        )
        skip.setEnabled(any(each.due_at is not None for each in told.run.steps))
        head = label(f"{told.run.status} · {told.run.state}", "strong")
        held = label(texts("inspector.workflows.before", states=before) if before else "", "muted")
        rows = [head, held, row(step, hold, skip)]
        definition = self._definition(told.run.key)
        if definition is not None and is_open:
            rows += [self._branches(definition), self._failing(definition)]
        return group(told.run.title, *rows)

    def _branches(self, definition: WorkflowDefinition) -> QWidget:
        ways = [
            (f"{state.key} → {leads_to}", self._forcing(state.key, leads_to))
            for state in definition.states.values()
            if isinstance(state, BranchState)
            for leads_to in dict.fromkeys([*(each.next for each in state.cases), state.otherwise])
        ]
        return self._pick("inspector.workflows.force", ways)

    def _failing(self, definition: WorkflowDefinition) -> QWidget:
        states = [(key, self._making_fail(key)) for key in definition.states]
        return self._pick("inspector.workflows.fail", states)

    def _forcing(self, state: str, leads_to: str) -> _Doing:
        return lambda: self._runs.force_branch(self._run_id, state, leads_to)

    def _making_fail(self, state: str) -> _Doing:
        return lambda: self._runs.fail_state(self._run_id, state)

    def _pick(self, key: str, options: list[tuple[str, _Doing]]) -> QWidget:
        """One of several, and the button that does it."""
        words = self._texts(key)
        box = choice([(each, each) for each, _ in options], None, lambda _: None)
        box.setAccessibleName(words)
        does = dict(options)
        act = button(words, lambda: self._do(does[box.currentText()]()))
        act.setEnabled(bool(options))
        return row(box, act, stretch_at=0)

    def _steps(self, told: DevelopedRunResult) -> QWidget:
        rows = [
            label(f"{each.state} · {each.status} · {each.attempt}{_why(each)}", "mono")
            for each in told.run.steps
        ]
        none = label(self._texts("inspector.workflows.no_steps"), "muted")
        return group(self._texts("inspector.workflows.steps"), *(rows or [none]))

    def _definition(self, key: str) -> WorkflowDefinition | None:
        found = (each for each in self._inspected.app().package.workflows if each.key == key)
        return next((each.described.definition for each in found), None)

    def _do(self, doing: Awaitable[object]) -> None:
        self._problem.setText("")
        self._work.start(self._done(doing))

    async def _done(self, doing: Awaitable[object]) -> None:
        async with self._turn:
            await doing
            await self._settle()
            await self._show()

    async def _settle(self) -> None:
        """Look again until the run stands still: what was pressed is seen at once."""
        for _ in range(_MOST_LOOKS):
            if not self._run_id or not (await self._runs.read(self._run_id)).is_moving:
                return
            await asyncio.sleep(_LOOK_S)

    def _show_problem(self, error: AppError) -> None:
        self._problem.setText(f"{error.code}: {error.message}")


def _why(step: WorkflowStep) -> str:
    said = [step.decided_by, None if step.error is None else step.error.code]
    return "".join(f" · {each}" for each in said if each)
