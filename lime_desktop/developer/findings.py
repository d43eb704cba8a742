"""Everything that is wrong with an app that is worked on: its package, what keeps it from starting, its pages."""

from collections.abc import Iterable, Iterator

from lime_desktop.app_package.problems import Place, Problem, ProblemKind, Severity
from lime_desktop.host.shelf import ShelfApp

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
SANDBOX_UNDECIDED = ProblemKind(
    "SANDBOX_UNDECIDED",
    Severity.ERROR,
    "Chromium's sandbox cannot be on here, and without a screen nobody can be asked to do without it.",
    "Run as an ordinary user, or agree to it by --without-sandbox (the setting opensWithoutSandbox).",
)


def findings_of(app: ShelfApp, entry_key: str, package: Iterable[Problem]) -> tuple[Problem, ...]:
    """What speaks against an entry; notes are for `validate`."""
    told = (each for each in package if each.severity is not Severity.NOTE)
    return (*told, *_blockers(app, entry_key))


def _blockers(app: ShelfApp, entry_key: str) -> Iterator[Problem]:
    if not app.package.is_valid:
        return
    answer = app.readiness.entry(entry_key)
    if answer is None:
        yield ENTRY_UNKNOWN.found(f"There is no entry {entry_key or 'to start with'}.", _entries())
    elif not answer.ok:
        for check in answer.checks:
            if check.blocking:
                yield ENTRY_NOT_READY.found(check.message, fix=check.remediation)


def _entries() -> Place:
    return Place(key_path="entries")
