"""What of the standard's demands is not shown by a test yet, and why. The demands themselves are the product's.

Each demand is shown by at least one test that cites its id (``@pytest.mark.requirement("APP-03")``), or is deferred with the
reason and the subject of the work that will bring it. Of one that is shown only in part, ``remainder`` says what is
open. ``test_coverage.py`` keeps all of it honest, and ``python -m tests.conformance.report`` prints it for people.
"""

from dataclasses import dataclass

from lime_desktop.developer.conformance.demands import (
    APP_DEMANDS,
    PACKAGE_DEMANDS,
    RUN_DEMANDS,
    RUNTIME_DEMANDS,
    Demand,
    Source,
)

BACKENDS = "Supervised app backends"


@dataclass(frozen=True, slots=True)
class Deferral:
    """What is not shown yet and why, and which work will show it."""

    reason: str
    subject: str


@dataclass(frozen=True, slots=True)
class Requirement:
    """One demand, and what keeps it from being shown."""

    id: str
    source: Source
    sentence: str
    deferral: Deferral | None = None
    """Why no test shows it yet."""
    remainder: Deferral | None = None
    """Which part of it no test shows yet."""


_DEFERRED: dict[str, Deferral] = {}
_REMAINING = {
    "APP-30": Deferral(
        "Workers and backends over stdio are started behind the wall; other protocols are refused with a code.",
        BACKENDS,
    ),
}


def _required(demands: tuple[Demand, ...]) -> tuple[Requirement, ...]:
    return tuple(
        Requirement(
            each.id, each.source, each.sentence, _DEFERRED.get(each.id), _REMAINING.get(each.id)
        )
        for each in demands
    )


APP_REQUIREMENTS = _required(APP_DEMANDS)
RUNTIME_REQUIREMENTS = _required(RUNTIME_DEMANDS)
PAGE_REQUIREMENTS = _required((*PACKAGE_DEMANDS, *RUN_DEMANDS))
ALL_REQUIREMENTS = (*APP_REQUIREMENTS, *RUNTIME_REQUIREMENTS, *PAGE_REQUIREMENTS)
