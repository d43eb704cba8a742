"""A workflow of an app: its drawing, a run to begin, the runs there were, and one run as it goes."""

from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from time import time_ns
from typing import Any

from pydantic import JsonValue
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QVBoxLayout, QWidget

from lime_desktop.app_package.workflow_files import WorkflowFile
from lime_desktop.host.app_server_client.supervisor import (
    AppServerSupervisor,
    Running,
    ServerState,
)
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.requests.app_without_window import require_allowed
from lime_desktop.host.runs.run_actions import read_result
from lime_desktop.host.runs.workflow_exports import WorkflowExportKind, export_workflow_run
from lime_desktop.host.runs.workflow_runs import WorkflowRuns
from lime_desktop.policy.call import PolicyCall
from lime_desktop.protocol.calls.workflow_runs import (
    WORKFLOW_RUN_CHANGED,
    WorkflowRunChangedNotification,
)
from lime_desktop.protocol.capability_calls.workflow import (
    START_WORKFLOW,
    WorkflowRun,
    WorkflowRunDetails,
)
from lime_desktop.protocol.errors import AppError, WorkflowRunNotFound
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.dialogs.file_dialogs import choose_folder
from lime_desktop.shell.dialogs.questions import Question, ask
from lime_desktop.shell.layouts.edges import edge_to_edge
from lime_desktop.shell.surfaces.identity_bar import IdentityBar, put_under_bar
from lime_desktop.shell.surfaces.surface import Surface
from lime_desktop.shell.surfaces.workflow_picture import WorkflowPicture
from lime_desktop.shell.surfaces.workflow_run import RunActions, RunParts
from lime_desktop.shell.surfaces.workflow_start import StartCard, start_card
from lime_desktop.shell.surfaces.workflow_words import (
    RUN_TONES,
    at_ms,
    run_figures,
    status_words,
)
from lime_desktop.shell.widgets.amounts import ago_in_words
from lime_desktop.shell.widgets.focus import focus_first, focus_stop, focused_stop, has_keyboard
from lime_desktop.shell.widgets.page import Page
from lime_desktop.shell.widgets.parts import (
    button,
    card,
    column,
    label,
    name_button,
    pill,
    row,
    rows_card,
)
from lime_desktop.shell.widgets.work import Newest, Work

_SHOWN = 30


class WorkflowSurface(Surface):
    """The states as they were written, and what came of them; one that cannot be run says what it lacks."""

    def __init__(
        self,
        look: Look,
        server: AppServerSupervisor,
        data: Path,
        app: RegisteredApp,
        entry_key: str,
    ) -> None:
        super().__init__(app.app_id, entry_key)
        self._look = look
        self._call = server.call
        self._data = data
        self._app = app
        self._page = Page()
        self._work = Work(self, self.problem.emit)
        self._newest = Newest()
        self._run: WorkflowRunDetails | None = None
        self._run_id: str | None = None
        put_under_bar(self, IdentityBar(look, app, entry_key), self._page)
        entry = app.projection.entry(entry_key)
        self._workflow = _named(app, (entry.declared.workflow if entry else None) or "")
        key = self._workflow.key if self._workflow else ""
        self._runs = WorkflowRuns(server.call, app, entry_key, key, look.texts.locale)
        self._listed = _RunsList(look, self._open_run)
        self._start_card: StartCard | None = None
        self._show_whole()
        self._leave: Callable[[], None] = lambda: None
        if self._workflow is not None and self._workflow.described.definition is not None:
            title = app.entry_title(entry_key, look.texts.locale)
            self._parts = RunParts(look, app, self._workflow, title, self._actions())
            self._leave_states = server.watch(self._follow)
            self._work.start_when_running(server, self._read)
            self._follow(server.state)
        else:
            self._leave_states = _nothing

    def shut(self) -> None:
        """Leave; what runs goes on."""
        self._leave()
        self._leave_states()
        self._work.end()

    @property
    def run_id(self) -> str | None:
        """The run that is shown, if one is."""
        return self._run_id

    def open_run(self, run_id: str) -> None:
        """Show one run."""
        self._open_run(run_id)

    def _follow(self, state: ServerState) -> None:
        self._leave()
        self._leave = _nothing
        if isinstance(state, Running):
            self._leave = state.connection.listen(WORKFLOW_RUN_CHANGED, self._on_change)

    def _on_change(self, told: WorkflowRunChangedNotification) -> None:
        if told.app_id == self._app.app_id and self._run_id in {None, told.workflow_run_id}:
            self._work.start(self._read())

    async def _read(self) -> None:
        is_newest = self._newest.ask()
        run_id = self._run_id
        if run_id is None:
            listed = await self._runs.newest(_SHOWN)
            if is_newest():
                self._listed.show_runs(listed)
                self._tell_shown()
            return
        try:
            run = await self._runs.read(run_id)
        except WorkflowRunNotFound:
            # It was open at the last end, say, and went with the app's data: what there is is shown.
            if is_newest():
                self._go_back()
            return
        if is_newest() and run != self._run:
            is_other, had_keyboard = self._run is None, has_keyboard(self._page)
            self._run = run
            self._page.refill(*self._parts.parts(run))
            if is_other and had_keyboard:
                # By its place alone, the keyboard would come to stand on whatever is there: *Cancel run*, for one.
                focus_first(self._page)
            self._keep_in_sight()
            self._tell_shown()

    def _open_run(self, run_id: str) -> None:
        self._run_id, self._run = run_id, None
        self._parts.said = ""
        self.session_turned.emit()
        self._work.start(self._read())

    def _show_whole(self) -> None:
        """The workflow itself, with its runs."""
        self._run_id = self._run = None
        texts = self._look.texts
        title = self._app.entry_title(self._entry_key, texts.locale)
        parts: list[QWidget] = [label(title, "title")]
        if about := self._app.entry_about(self._entry_key, texts.locale):
            parts.append(label(about, "muted"))
        found = self._workflow
        if found is not None and (told := self._overview(found)):
            parts.append(label(told, "muted"))
        if found is not None and (start := start_card(texts, found, self._start)) is not None:
            self._listed = _RunsList(self._look, self._open_run)
            self._start_card = start
            parts += [start.whole, label(texts("workflow.runs"), "heading"), self._listed]
        if found is not None and found.described.outline.states:
            picture = WorkflowPicture(self._look, self._app, found)
            picture.canvas.walked_to.connect(self._page.ensureWidgetVisible)
            parts.append(card(label(texts("workflow.steps"), "heading"), picture))
        self._page.refill(*parts)

    def _tell_shown(self) -> None:
        """Once it is laid out: a notice that floats here looks for a corner that covers no button."""
        QTimer.singleShot(0, self, self.came_up.emit)

    def _overview(self, found: WorkflowFile) -> str:
        """What its author says of the whole, in the person's language where they do."""
        translated = self._app.workflow_about(found.key, self._look.texts.locale)
        written = translated or found.written.get("overview")
        return written if isinstance(written, str) else ""

    def _keep_in_sight(self) -> None:
        if self._parts.picture is not None:
            self._parts.picture.canvas.walked_to.connect(self._page.ensureWidgetVisible)

    def _go_back(self) -> None:
        self._show_whole()
        self.session_turned.emit()
        self._page.verticalScrollBar().setValue(0)
        self._work.start(self._read())

    def _start(self, given: JsonValue) -> None:
        self._work.start(self._begin(given))

    async def _begin(self, given: JsonValue) -> None:
        try:
            self._require_allowed()
            begun = await self._runs.start(given)
        except AppError as error:
            # It stands at what was filled in, and goes with the next try: a notice would outlast it.
            if self._start_card is None:
                raise
            self._start_card.tell(error)
            return
        self._open_run(begun.workflow_run_id)

    async def _fork(self, state: str) -> None:
        if self._run_id is not None:
            self._require_allowed()
            self._open_run((await self._runs.fork(self._run_id, state)).workflow_run_id)

    async def _show_document(self, artifact_id: str) -> None:
        self.artifact_wanted.emit(await read_result(self._call, self._app.app_id, artifact_id))

    def _require_allowed(self) -> None:
        call = PolicyCall(
            app_id=self._app.app_id,
            capability=START_WORKFLOW.capability,
            method=START_WORKFLOW.method,
            entry=self._entry_key,
            access="execute",
            has_idempotency_key=True,
        )
        require_allowed(self._app, START_WORKFLOW.name, call)

    def _actions(self) -> RunActions:
        runs = self._runs
        return RunActions(
            go_back=self._go_back,
            answer=self._answer,
            pause=partial(self._turn, runs.pause),
            resume=partial(self._turn, runs.resume),
            cancel=self._ask_to_cancel,
            retry=partial(self._turn, runs.retry),
            retry_with=lambda given: self._turn(lambda run_id: runs.retry_with(run_id, given)),
            fork=lambda state: self._work.start(self._fork(state)),
            export=self._choose_folder,
            show_document=lambda artifact_id: self._work.start(self._show_document(artifact_id)),
        )

    def _choose_folder(self, kind: WorkflowExportKind) -> None:
        choose_folder(self, self._look.texts("drawer.export.title"), partial(self.export, kind))

    def export(self, kind: WorkflowExportKind, folder: str) -> None:
        """Write the run that is shown below a folder."""
        if self._run is not None:
            self._work.start(self._write(self._run, kind, Path(folder)))

    async def _write(self, run: WorkflowRunDetails, kind: WorkflowExportKind, into: Path) -> None:
        texts = self._look.texts
        written = await export_workflow_run(self._call, kind, run, self._data, into, texts)
        if self._run_id == run.workflow_run_id:
            self._parts.said = texts("drawer.exported", name=written.name)
            self._page.refill(*self._parts.parts(self._run or run))
            self._keep_in_sight()

    def _ask_to_cancel(self) -> None:
        """Nothing brings a cancelled run back."""
        texts = self._look.texts
        question = Question(
            texts("workflow.cancel.title"),
            texts("workflow.cancel.text"),
            texts("asking.final"),
            yes=texts("workflow.cancel"),
            no=texts("workflow.cancel.no"),
            is_destructive=True,
        )
        ask(self, question, partial(self._turn, self._runs.cancel))

    def _answer(self) -> None:
        """Have the person asked what this run waits for, and nothing else."""
        if self._run_id is not None:
            self.questions_wanted.emit(self._run_id)

    def _turn(self, turn: Callable[[str], Coroutine[Any, Any, WorkflowRun]]) -> None:
        """Do something with the run that is shown, and read how it stands then."""
        run_id = self._run_id

        async def work() -> None:
            if run_id is not None:
                await turn(run_id)
                await self._read()

        self._work.start(work())


class _RunsList(QWidget):
    """The runs, newest first. Another list takes its place without touching what is typed above it."""

    def __init__(self, look: Look, show: Callable[[str], None]) -> None:
        super().__init__()
        self._look = look
        self._show = show
        self._runs: tuple[WorkflowRun, ...] | None = None
        self._shown: QWidget | None = None
        self._layout = edge_to_edge(QVBoxLayout(self), 0)

    def show_runs(self, runs: tuple[WorkflowRun, ...]) -> None:
        """These are the runs now."""
        if runs == self._runs:
            return
        self._runs, held = runs, focused_stop(self)
        before, self._shown = self._shown, self._list_of(runs)
        self._layout.addWidget(self._shown)
        if before is not None:
            self._layout.removeWidget(before)
            before.hide()
            before.deleteLater()
        if held is not None:
            focus_stop(self, held)

    def _list_of(self, runs: tuple[WorkflowRun, ...]) -> QWidget:
        if not runs:
            return label(self._look.texts("workflow.runs.none"), "muted")
        return rows_card(*map(self._row, runs))

    def _row(self, run: WorkflowRun) -> QWidget:
        texts = self._look.texts
        ago = ago_in_words(at_ms(run.started_at), time_ns() // 1_000_000, texts)
        words = column(label(ago), label(" · ".join(run_figures(run, texts)), "small"), spacing=0)
        show = button(texts("runs.show"), partial(self._show, run.workflow_run_id))
        name_button(show, texts, ago)
        return row(words, pill(status_words(run, texts), RUN_TONES[run.status]), show, stretch_at=0)


def _nothing() -> None:
    """There is nobody to leave."""


def _named(app: RegisteredApp, named: str) -> WorkflowFile | None:
    """A workflow by its key or the path of its file."""
    path = named.removeprefix("./")
    return next(
        (each for each in app.package.workflows if named == each.key or path == each.path), None
    )
