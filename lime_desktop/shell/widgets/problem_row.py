"""One problem with a package as a row: its code, what is wrong and where, what to do."""

from PySide6.QtWidgets import QWidget

from lime_desktop.app_package.problems import Problem
from lime_desktop.host.wording.problems import tell_package_problem
from lime_desktop.host.wording.texts import Texts
from lime_desktop.shell.widgets.parts import Tone, column, label, pill, row, set_tip


def problem_row(problem: Problem, tone: Tone, texts: Texts) -> QWidget:
    """Say it in the person's language; the check's own words are in the tip."""
    told = tell_package_problem(problem, texts)
    words = [label(told.what), *(label(each, "small") for each in (told.where, told.fix) if each)]
    made = column(*words, spacing=2)
    if told.exactly:
        set_tip(made, told.exactly)
    return row(pill(problem.code, tone), made, stretch_at=1)
