"""How a run of a workflow and its steps stand, in words and tones."""

from datetime import datetime

from lime_desktop.host.runs.story_wording import failure_words
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.capability_calls.workflow import (
    WorkflowFailure,
    WorkflowRun,
    WorkflowStatus,
    WorkflowStep,
    is_persons_no,
)
from lime_desktop.protocol.errors import WorkflowStepFailed, error_for_code
from lime_desktop.protocol.plain_text import plain_line
from lime_desktop.protocol.schedules import StartedRun
from lime_desktop.protocol.task_events import Cost
from lime_desktop.runtime_views.story.words import cost_words, duration_words
from lime_desktop.shell.widgets.amounts import time_in_words
from lime_desktop.shell.widgets.parts import Tone

RUN_TONES: dict[WorkflowStatus, Tone] = {
    "running": "info",
    "waiting": "warning",
    "paused": "plain",
    "succeeded": "ok",
    "failed": "danger",
    "cancelled": "plain",
}
_BOX_TONES = {
    "running": "running",
    "waiting": "waiting",
    "failed": "failed",
    "succeeded": "done",
}
PERSONS_TURN = frozenset({"review", "input", "approval"})


def status_words(run: WorkflowRun, texts: Texts) -> str:
    """How the run stands; of one that waits, for whom."""
    if run.status == "waiting" and run.waits_for is not None:
        return waiting_words(run.waits_for, run.due_at, texts)
    return end_words(run, texts)


def end_words(run: WorkflowRun | StartedRun, texts: Texts) -> str:
    """How the run stands in a word; one that a rejection ended was not stopped by somebody."""
    if run.status == "cancelled" and run.decision is not None:
        return texts(f"workflow.ended.{run.decision}")
    return texts(f"workflow.status.{run.status}")


def started_words(run: StartedRun, texts: Texts) -> str:
    """How a run stands that something else than a page began, and why it failed."""
    if run.status == "waiting" and run.waits_for is not None:
        return waiting_words(run.waits_for, None, texts)
    words = end_words(run, texts)
    if run.status != "failed" or run.error is None:
        return words
    return f"{words} · {why_words(run.error, texts)}"


def waiting_words(waits_for: str, due_at: str | None, texts: Texts) -> str:
    """For what is waited, and until when."""
    words = texts(f"workflow.waits.{waits_for}")
    if words == f"workflow.waits.{waits_for}":
        words = texts("workflow.status.waiting")
    if due_at is None:
        return words
    return texts("workflow.until", words=words, time=time_in_words(at_ms(due_at), texts))


def step_words(step: WorkflowStep, texts: Texts) -> str:
    """How a step stands, who decided, what it took."""
    words = texts(f"workflow.step.{step.status}")
    if step.status == "waiting" and step.waits_for is not None:
        words = waiting_words(step.waits_for, None, texts)
    if step.decision is not None:
        words = texts(f"workflow.decided.{step.decided_by or 'person'}.{step.decision}")
    if step.is_inherited:
        words = texts("workflow.inherited")
    note = (texts("workflow.note", note=plain_line(step.note)),) if step.note else ()
    return " · ".join((words, *note, *_figures(step, texts)))


def step_tone(step: WorkflowStep) -> str:
    """The same as the style sheet knows it."""
    return _BOX_TONES.get(step.status, "plain")


def why_words(error: WorkflowFailure, texts: Texts) -> str:
    """Why a run or a step failed: in English as it was told, in another language by the kind of its code."""
    if is_persons_no(error):
        return texts("workflow.you-said-no")
    if error.code == WorkflowStepFailed.code:
        # By this one an author's own words are told.
        return error.message
    is_ours = error.code.startswith("APP_E")
    kind = error_for_code(error.code).stable_code if is_ours else error.code
    return failure_words(kind, error.message, texts)


def run_figures(run: WorkflowRun, texts: Texts) -> list[str]:
    """What a run has taken so far."""
    found: list[str] = []
    if run.finished_at:
        found.append(duration_words(_seconds(run.started_at, run.finished_at), texts))
    if run.cost_usd:
        found.append(_cost(run.cost_usd, texts))
    return found


def at_ms(moment: str) -> int:
    """A moment as milliseconds."""
    return round(datetime.fromisoformat(moment).timestamp() * 1_000)


def _figures(step: WorkflowStep, texts: Texts) -> list[str]:
    found: list[str] = []
    if step.finished_at and step.started_at and not step.is_inherited:
        found.append(duration_words(_seconds(step.started_at, step.finished_at), texts))
    if step.cost_usd:
        found.append(_cost(step.cost_usd, texts))
    return found


def _seconds(begin: str, end: str) -> float:
    return (at_ms(end) - at_ms(begin)) / 1_000


def _cost(usd: float, texts: Texts) -> str:
    return cost_words(Cost(amount=usd, currency="USD"), texts)
