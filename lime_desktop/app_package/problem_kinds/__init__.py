"""The catalogue of problem codes: one module per subject, each code declared exactly once.

A code is part of the public surface: editors, code hosts and scripts match on it. It is never
renamed and never reused.
"""

from types import ModuleType

from lime_desktop.app_package.problem_kinds import (
    archives,
    credentials,
    fields,
    files,
    layers,
    packing,
    rules,
    schedules,
    text,
    triggers,
    trust,
    workflows,
)
from lime_desktop.app_package.problems import ProblemKind

_SUBJECTS: tuple[ModuleType, ...] = (
    files,
    archives,
    text,
    layers,
    fields,
    rules,
    credentials,
    packing,
    trust,
    workflows,
    schedules,
    triggers,
)


def _declared_in(subject: ModuleType) -> list[ProblemKind]:
    return [value for value in vars(subject).values() if isinstance(value, ProblemKind)]


ALL_KINDS: tuple[ProblemKind, ...] = tuple(
    kind for subject in _SUBJECTS for kind in _declared_in(subject)
)
