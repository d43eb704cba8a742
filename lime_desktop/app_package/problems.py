"""What a problem with a package looks like. Knows nothing of any particular check.

Loading never throws for what an author wrote: it collects problems, each with a stable code, the
place it was found, and what to do about it. The codes are declared in ``problem_kinds``.
"""

from enum import StrEnum
from typing import NamedTuple

from lime_desktop.protocol.wire import WireModel


class Severity(StrEnum):
    """How much a problem weighs."""

    ERROR = "error"
    """The package is invalid; it is shown and explained, but must not run."""
    WARNING = "warning"
    """The package works, but not as its author may expect."""
    NOTE = "note"
    """Worth knowing; nothing needs to change."""


class Problem(WireModel):
    """One thing found in a package, with its place and its remedy."""

    code: str
    """Stable name of the kind of problem, such as `FIELD_MISSING`."""
    severity: Severity
    message: str
    """What is wrong, in plain words. Never repeats a value that could be a secret."""
    file: str | None = None
    """Path inside the package, with forward slashes."""
    line: int | None = None
    """First line of the place, counted from 1."""
    key_path: str | None = None
    """Where in the effective manifest, such as `entries[0].route`."""
    fix: str | None = None
    """What to do."""


MAX_OF_A_KIND = 200
"""How many problems one check may report: nobody reads more, and listing them takes time."""


class Place(NamedTuple):
    """Where a problem was found; every part may be unknown."""

    file: str | None = None
    line: int | None = None
    key_path: str | None = None


NOWHERE = Place()


class ProblemKind(NamedTuple):
    """One code of the catalogue: its usual weight, its public meaning, its usual remedy."""

    code: str
    severity: Severity
    meaning: str
    fix: str

    def found(
        self,
        message: str,
        place: Place = NOWHERE,
        *,
        fix: str | None = None,
        severity: Severity | None = None,
    ) -> Problem:
        """A problem of this kind, with the kind's own severity and remedy unless told otherwise."""
        return Problem(
            code=self.code,
            severity=severity or self.severity,
            message=message,
            file=place.file,
            line=place.line,
            key_path=place.key_path,
            fix=fix or self.fix,
        )
