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

GROUND = "Ground: the repository, one protocol, and the package pipeline"
ENGINES = (
    "Engines: real models, an embedded offline default, tools, approvals and structured output"
)
SHELL = "The shell: sandboxed app views and Host Bridge v1"
HOST = "The host: app center, policy, approvals, and the Capability SDK"
BACKENDS = "Workflows and supervised app backends"


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


_NO_INSTALL = Deferral("Packages are opened where they lie; none is installed yet.", HOST)
_NO_MIGRATIONS = Deferral("Apps keep keys and values; no migration of an app is run yet.", HOST)
_NO_TOOLS = Deferral("No model, tool or process of a tool runs yet.", ENGINES)

_DEFERRED = {
    "APP-06": _NO_INSTALL,
    "APP-29": Deferral("lime.cloudSession is declared and refused.", HOST),
    "APP-38": _NO_TOOLS,
    "APP-40": _NO_TOOLS,
    "APP-43": Deferral("Health checks are read; nothing is run that could be healthy.", BACKENDS),
    "APP-45": _NO_MIGRATIONS,
    "APP-51": _NO_INSTALL,
    "APP-58": _NO_TOOLS,
    "APP-66": Deferral("lime.cloudSession hands no token out yet.", HOST),
    "RT-08": _NO_TOOLS,
    "RT-38": _NO_TOOLS,
    "RT-50": Deferral("No hook runs yet.", ENGINES),
    "RT-53": _NO_TOOLS,
}
_REMAINING = {
    "APP-05": Deferral("There is no installation to block yet.", HOST),
    "APP-11": Deferral(
        "Runtime facts name the app, not its package; no eval or migration runs.", HOST
    ),
    "APP-13": _NO_INSTALL,
    "APP-27": Deferral("Cancellation, time-out, cost limits, trace ids, mock: none yet.", HOST),
    "APP-30": Deferral("Workers and backends are read and checked, never started.", BACKENDS),
    "APP-32": Deferral("lime.agent does not hand the stream to apps yet.", HOST),
    "APP-41": Deferral("Workflows are read and checked, not run.", BACKENDS),
    "APP-47": _NO_INSTALL,
    "APP-48": Deferral("Migrations are planned, not run.", HOST),
    "APP-61": Deferral("The window offers links; its other questions are not drawn yet.", SHELL),
    "APP-62": Deferral(
        "Missing plane or terms only warn; a public local address goes unnoticed.", GROUND
    ),
    "APP-65": Deferral("A requirement that nobody serves goes unnoticed.", GROUND),
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
