"""One answer to one check, and how much it weighs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from lime_desktop.readiness.codes import REMEDIES, Code, Remedy


class Tier(StrEnum):
    """How much the app depends on it."""

    REQUIRED = "required"
    RECOMMENDED = "recommended"
    PERFORMANCE = "performance"


class Outcome(StrEnum):
    """What a check came to. Open is not a pass."""

    PASSED = "passed"
    FAILED = "failed"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What holding one need against the facts came to."""

    outcome: Outcome
    code: Code | None = None
    """Why it did not pass."""
    details: Mapping[str, str] = field(default_factory=dict[str, str])
    """What the message names: what was demanded, what is offered, the reason."""

    @property
    def is_passed(self) -> bool:
        """Whether nothing is left to do."""
        return self.outcome is Outcome.PASSED


PASSED = Verdict(Outcome.PASSED)


def failed(code: Code, **details: str) -> Verdict:
    """A need that is not met."""
    return Verdict(Outcome.FAILED, code, details)


def unknown(code: Code, **details: str) -> Verdict:
    """A need about which nothing can be said; never a pass."""
    return Verdict(Outcome.UNKNOWN, code, details)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A need of the app, and the verdict on it."""

    kind: str
    key: str
    tier: Tier | None
    """None for what the app can do without: worth showing, never worth a worse state."""
    verdict: Verdict
    version: str | None = None
    is_blocker: bool = False
    """The author says that the app must not start without it."""
    entries: frozenset[str] | None = None
    """The entries that need it; None for all of them."""
    source: str = "host"
    """``host``, or the name of the package's own check."""
    message: str | None = None
    """The author's words, used before ours."""
    remediation: str | None = None
    reason: str | None = None
    """Why the author needs it, shown beside the step that grants it."""

    @property
    def remedy(self) -> Remedy | None:
        """How it is set right; None if nothing is wrong."""
        return None if self.verdict.code is None else REMEDIES[self.verdict.code]

    @property
    def is_blocking(self) -> bool:
        """Whether it alone keeps the app from starting until something outside of setup changes."""
        if self.tier is not Tier.REQUIRED or self.verdict.outcome is not Outcome.FAILED:
            return False
        return self.is_blocker or (self.remedy is not None and self.remedy.blocks)

    def concerns(self, entry_key: str) -> bool:
        """Whether an entry depends on it."""
        return self.entries is None or entry_key in self.entries
