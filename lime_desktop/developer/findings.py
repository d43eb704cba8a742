"""Everything that is wrong with an app that is worked on: its package, what keeps it from starting, its pages."""

from collections.abc import Iterable, Iterator

from lime_desktop.app_package.problems import Place, Problem, ProblemKind, Severity
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.readiness.findings import Outcome, Tier
from lime_desktop.readiness.result import Check

ENTRY_UNKNOWN = ProblemKind(
    "ENTRY_UNKNOWN",
    Severity.ERROR,
    "The entry that was to be opened is not declared.",
    "Declare it under entries, or open another one.",
)
ENTRY_NOT_READY = ProblemKind(
    "ENTRY_NOT_READY",
    Severity.ERROR,
    "The entry cannot start on this host as it stands.",
    "Do what its readiness says.",
)
NOTHING_RECORDED = ProblemKind(
    "NOTHING_RECORDED",
    Severity.ERROR,
    "The recording is empty: the app was never open.",
    "Do what its readiness says, and record again.",
)
SANDBOX_UNDECIDED = ProblemKind(
    "SANDBOX_UNDECIDED",
    Severity.ERROR,
    "Chromium's sandbox cannot be on here, and without a screen nobody can be asked to do without it.",
    "Run as an ordinary user, or agree to it by --without-sandbox (the setting opensWithoutSandbox).",
)


def findings_of(
    app: RegisteredApp, entry_key: str, package: Iterable[Problem], *, knows_setup: bool
) -> tuple[Problem, ...]:
    """What speaks against an entry; notes are for `validate`. What may only be not known yet is left out."""
    told = (each for each in package if each.severity is not Severity.NOTE)
    return (*told, *_unmet(app, entry_key, knows_setup=knows_setup))


def _unmet(app: RegisteredApp, entry_key: str, *, knows_setup: bool) -> Iterator[Problem]:
    if not app.package.is_valid:
        return
    answer = app.readiness.entry(entry_key)
    if answer is None:
        yield ENTRY_UNKNOWN.found(f"There is no entry {entry_key or 'to start with'}.", _entries())
    elif not answer.ok:
        for check in answer.checks:
            if check.blocking or (knows_setup and _is_unmet(check)):
                yield ENTRY_NOT_READY.found(check.message, fix=check.remediation)


def _is_unmet(check: Check) -> bool:
    return check.tier is Tier.REQUIRED and check.outcome is not Outcome.PASSED


def _entries() -> Place:
    return Place(key_path="entries")
