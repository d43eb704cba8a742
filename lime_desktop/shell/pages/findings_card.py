"""What is wrong with an app, line by line: findings of readiness and problems of its package."""

from collections.abc import Iterable

from PySide6.QtWidgets import QFrame, QWidget

from lime_desktop.app_package.problems import Problem, Severity
from lime_desktop.host.wording.texts import Texts
from lime_desktop.readiness.result import Check
from lime_desktop.shell.widgets.parts import Tone, card, label, pill, row, set_tip
from lime_desktop.shell.widgets.status import problem_row

_TONES: dict[str, Tone] = {
    "error": "danger",
    "warning": "warning",
    "info": "info",
    "note": "plain",
}
_SHOWN_PROBLEMS = 30


def finding_row(texts: Texts, check: Check) -> QWidget:
    """One finding, with its code for whoever asks."""
    severity = pill(texts(f"severity.{check.severity}"), _TONES[check.severity])
    set_tip(severity, check.code or check.kind)
    return row(severity, label(check.message), stretch_at=1)


def problems_card(texts: Texts, problems: Iterable[Problem]) -> QFrame:
    """What is wrong, the worst first; notes are for the author, and lie among the details."""
    worst_first = sorted(problems, key=lambda each: list(Severity).index(each.severity))
    rows = [
        problem_row(each, _TONES[each.severity], texts) for each in worst_first[:_SHOWN_PROBLEMS]
    ]
    return card(label(texts("page.problems"), "heading"), *rows)
