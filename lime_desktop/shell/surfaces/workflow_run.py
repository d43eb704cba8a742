"""One run of a workflow: how it stands, what it waits for, what can be done, the picture filled in, and every step."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice

from pydantic import JsonValue
from PySide6.QtWidgets import QMenu, QPlainTextEdit, QPushButton, QWidget

from lime_desktop.app_package.workflow_files import WorkflowFile
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.runs.workflow_exports import WORKFLOW_EXPORT_KINDS, WorkflowExportKind
from lime_desktop.host.wording.joining import sentences
from lime_desktop.protocol.capability_calls.workflow import (
    WorkflowRunDetails,
    WorkflowStep,
    is_persons_no,
)
from lime_desktop.protocol.plain_text import plain_line
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.layouts.flow import flow
from lime_desktop.shell.surfaces.workflow_picture import WorkflowPicture
from lime_desktop.shell.surfaces.workflow_words import (
    PERSONS_TURN,
    RUN_TONES,
    run_figures,
    status_words,
    step_words,
    waiting_words,
    why_words,
)
from lime_desktop.shell.widgets.focus import begin_here
from lime_desktop.shell.widgets.fold import DetailFold
from lime_desktop.shell.widgets.menus import open_below
from lime_desktop.shell.widgets.parts import (
    banner,
    button,
    card,
    column,
    label,
    name_button,
    pill,
    row,
    rows_card,
    section_heading,
)
from lime_desktop.shell.widgets.typed_json import read_typed_json
from lime_desktop.workflow_model.kinds import StateKind

_MAIN_WAY = "0"
_MOST_DOCUMENTS = 3


@dataclass(frozen=True, slots=True)
class RunActions:
    """What a person does with the run."""

    go_back: Callable[[], None]
    answer: Callable[[], None]
    pause: Callable[[], None]
    resume: Callable[[], None]
    cancel: Callable[[], None]
    retry: Callable[[], None]
    retry_with: Callable[[JsonValue], None]
    fork: Callable[[str], None]
    export: Callable[[WorkflowExportKind], None]
    show_document: Callable[[str], None]


class RunParts:
    """Makes the parts of a run's page anew for each change."""

    def __init__(
        self,
        look: Look,
        app: RegisteredApp,
        workflow: WorkflowFile,
        title: str,
        actions: RunActions,
    ) -> None:
        self._title = title
        self._look = look
        self._app = app
        self._workflow = workflow
        self._actions = actions
        self._picture: WorkflowPicture | None = None
        self.said = ""
        """What was done with the run that no fact tells of."""

    def parts(self, run: WorkflowRunDetails) -> Iterator[QWidget]:
        """The page from its top to its bottom."""
        texts, actions = self._look.texts, self._actions
        yield row(button(texts("workflow.back"), actions.go_back, "link"))
        state = pill(status_words(run, texts), RUN_TONES[run.status])
        figures = label(" · ".join(run_figures(run, texts)), "muted")
        yield row(label(self._title, "title"), figures, state, stretch_at=0)
        yield from self._waiting(run)
        yield from self._failure(run)
        yield flow(*self._tools(run))
        if self.said:
            yield label(self.said, "small")
        yield card(label(texts("workflow.steps"), "heading"), self._drawing(run))
        if run.input is not None:
            yield self._values(texts("workflow.input"), run.input)
        if run.output is not None:
            yield self._values(texts("workflow.output"), run.output)
        yield section_heading(texts("workflow.steps"))
        yield rows_card(*(self._step(run, each) for each in run.steps))

    @property
    def picture(self) -> WorkflowPicture | None:
        """The drawing that is shown."""
        return self._picture

    def _waiting(self, run: WorkflowRunDetails) -> Iterator[QWidget]:
        # Why it waits to be retried is said with what failed, and what can be done about it.
        if run.waits_for is None or run.waits_for == "retry" or run.finished_at:
            return
        words = waiting_words(run.waits_for, run.due_at, self._look.texts)
        if run.waits_for not in PERSONS_TURN:
            yield banner(words, "info")
            return
        answer = button(self._look.texts("workflow.answer"), self._actions.answer, "primary")
        begin_here(answer)
        yield banner(words, "warning", answer)

    def _failure(self, run: WorkflowRunDetails) -> Iterator[QWidget]:
        if run.error is None or run.status not in {"failed", "waiting"}:
            return
        texts = self._look.texts
        failed = next((each for each in reversed(run.steps) if each.error is not None), None)
        title = self._name(failed) if failed else run.state
        words = texts("workflow.failed", state=title, message=why_words(run.error, texts))
        # What the person did themselves needs no code to be looked up by.
        code = [] if is_persons_no(run.error) else [pill(run.error.code, "plain")]
        yield banner(sentences(texts, words), "danger", *code)
        if _can_retry(run):
            yield row(button(texts("workflow.retry"), self._actions.retry, "primary"))
            if failed is not None:
                yield self._editor(failed)

    def _tools(self, run: WorkflowRunDetails) -> Iterator[QWidget]:
        texts, actions = self._look.texts, self._actions
        for document in documents_of(run):
            opening = partial(actions.show_document, document.artifact_id)
            yield button(texts("workflow.document", name=plain_line(document.title)), opening)
        if run.status == "paused":
            # While it waits for the person, the answer is what leads it on.
            role = "" if run.waits_for in PERSONS_TURN else "primary"
            yield button(texts("workflow.resume"), actions.resume, role)
        if run.status in {"running", "waiting"}:
            yield button(texts("workflow.pause"), actions.pause)
        if run.status in {"running", "waiting", "paused"}:
            yield button(texts("workflow.cancel"), actions.cancel, "danger")
        export = button(texts("drawer.export"), lambda: self._choose_kind(export), "link")
        yield export

    def _choose_kind(self, beneath: QPushButton) -> None:
        menu = QMenu(beneath)
        for kind in WORKFLOW_EXPORT_KINDS:
            words = self._look.texts(f"drawer.export.{kind}")
            menu.addAction(words, partial(self._actions.export, kind))
        open_below(menu, beneath)

    def _editor(self, failed: WorkflowStep) -> QWidget:
        texts = self._look.texts
        return DetailFold(texts("workflow.edit"), lambda: self._input_box(failed))

    def _input_box(self, failed: WorkflowStep) -> QWidget:
        texts = self._look.texts
        box = QPlainTextEdit(_written(failed.input))
        box.setProperty("role", "mono")
        box.setAccessibleName(texts("workflow.edit"))
        box.setTabChangesFocus(True)
        box.setMaximumHeight(160)
        wrong = label(texts("workflow.edit.wrong"), "danger")
        wrong.hide()

        def retry() -> None:
            try:
                given = read_typed_json(box.toPlainText())
            except ValueError:
                wrong.show()
                return
            self._actions.retry_with(given)

        return column(box, wrong, row(button(texts("workflow.retry.edited"), retry)))

    def _drawing(self, run: WorkflowRunDetails) -> QWidget:
        before = self._picture.chosen if self._picture else None
        steps = (each for each in run.steps)
        self._picture = WorkflowPicture(self._look, self._app, self._workflow, steps)
        self._picture.choose(before)
        return self._picture

    def _step(self, run: WorkflowRunDetails, step: WorkflowStep) -> QWidget:
        texts = self._look.texts
        told = step_words(step, texts)
        if step.attempt > 1:
            told = f"{told} · {texts('workflow.attempt', count=step.attempt)}"
        words = column(label(self._name(step)), label(told, "small"), spacing=0)
        tools: list[QWidget] = []
        if _can_fork(run, step):
            fork = button(texts("workflow.fork"), partial(self._actions.fork, step.state))
            name_button(fork, texts, self._name(step))
            tools.append(fork)
        parts: list[QWidget] = [row(words, *tools, stretch_at=0)]
        if step.error is not None:
            why = f"{step.error.code}  {why_words(step.error, texts)}"
            parts.append(label(why, "danger"))
        if step.input is not None:
            parts.append(self._values(texts("workflow.input"), step.input))
        if step.output is not None:
            parts.append(self._values(texts("workflow.output"), step.output))
        return column(*parts, spacing=2)

    def _name(self, step: WorkflowStep) -> str:
        """What a step is called in the person's language; one that the workflow has no more, as it was called then."""
        if step.state not in self._workflow.described.outline.keys:
            return plain_line(step.title)
        return self._app.step_title(self._workflow.key, step.state, self._look.texts.locale)

    def _values(self, title: str, value: JsonValue) -> QWidget:
        from lime_desktop.shell.surfaces.chat.code_box import CodeBox  # noqa: PLC0415 - only what is opened needs it

        def make() -> QWidget:
            box = CodeBox(self._look.texts, "json")
            box.show_code(_written(value))
            return box

        return DetailFold(title, make)


def _can_retry(run: WorkflowRunDetails) -> bool:
    return run.status == "failed" or (run.status == "waiting" and run.waits_for == "retry")


@dataclass(frozen=True, slots=True)
class MadeDocument:
    """A deliverable that a run has made."""

    artifact_id: str
    title: str


def documents_of(run: WorkflowRunDetails) -> tuple[MadeDocument, ...]:
    """What its steps have made, the first few of many: the rest is among the app's documents."""
    made = (each for each in run.steps if each.kind == StateKind.ARTIFACT_CREATE)
    outputs = (each.output for each in made if isinstance(each.output, dict))
    found = {
        str(output["id"]): str(output.get("title") or output["id"])
        for output in outputs
        if output.get("id")
    }
    return tuple(MadeDocument(*each) for each in islice(found.items(), _MOST_DOCUMENTS))


def _can_fork(run: WorkflowRunDetails, step: WorkflowStep) -> bool:
    """Where several go at once, a new run cannot begin on one of the ways."""
    is_main = step.step_id.rsplit(":", 2)[1] == _MAIN_WAY
    return is_main and run.finished_at is not None and step.status in {"succeeded", "failed"}


def _written(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)
