"""How an app stands, in a word and a colour, and what is wrong with its package."""

from PySide6.QtWidgets import QLabel, QWidget

from lime_desktop.app_package.problems import Problem
from lime_desktop.host.app_center.records.recalls import AppRecall
from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp
from lime_desktop.host.wording.problems import tell_package_problem
from lime_desktop.host.wording.texts import Texts
from lime_desktop.readiness.flow_chart import Status
from lime_desktop.shell.widgets.parts import Tone, column, label, pill, row, set_tip

_TONES: dict[Status, Tone] = {
    Status.READY: "ok",
    Status.READY_DEGRADED: "warning",
    Status.NEEDS_SETUP: "warning",
    Status.BLOCKED: "danger",
    Status.FAILED: "danger",
    Status.UNKNOWN: "plain",
}
_HANGS_ON_SETUP = (Status.NEEDS_SETUP, Status.READY_DEGRADED)
"""What an app lacks, or would do better with, counts as missing until somebody says that it is there."""


def standing_pill(texts: Texts, registry: AppRegistry, app: RegisteredApp) -> QLabel:
    """How an app stands; what hangs on the App Server's word is not called missing before that is heard."""
    status = app.readiness.status
    if status in _HANGS_ON_SETUP and registry.is_checking(app.app_id):
        return pill(texts("status.checking"), "plain")
    return status_pill(texts, status)


def status_pill(texts: Texts, status: Status) -> QLabel:
    """How an app or an entry stands."""
    return pill(texts(f"status.{status}"), _TONES[status])


def trust_pill(texts: Texts, app: RegisteredApp) -> QLabel:
    """What is known of who made an app: checked as it was installed; where it merely lies, only claimed."""
    if app.trust == "mismatched":
        return pill(texts("trust.mismatched"), "danger")
    if app.recall is not None:
        return recall_pill(texts, app.recall)
    if app.installed is not None:
        return pill(texts(f"review.verdict.{app.installed.verdict}"), "plain")
    return pill(texts(f"trust.{app.trust}"), "plain")


def recall_pill(texts: Texts, recall: AppRecall) -> QLabel:
    """That a version was withdrawn or revoked; why stands in the tip."""
    made = pill(texts(f"recall.{recall.kind}"), "danger" if recall.kind == "revoked" else "warning")
    set_tip(made, recall.reason_in(texts.locale))
    return made


def problem_row(problem: Problem, tone: Tone, texts: Texts) -> QWidget:
    """Say it in the person's language; the check's own words are in the tip."""
    told = tell_package_problem(problem, texts)
    words = [label(told.what), *(label(each, "small") for each in (told.where, told.fix) if each)]
    made = column(*words, spacing=2)
    if told.exactly:
        set_tip(made, told.exactly)
    return row(pill(problem.code, tone), made, stretch_at=1)
