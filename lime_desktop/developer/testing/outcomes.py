"""How an app's tests ended."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from lime_desktop.protocol.wire import WireModel


class TestOutcome(WireModel):
    """One test of a page, or a file of tests that could not be loaded."""

    __test__ = False

    event: Literal["tested"] = "tested"
    file: str
    name: str
    problem: str = ""
    """Why it failed; empty where it passed."""
    took_ms: int = 0
    console: tuple[str, ...] = ()
    """What the page complained about meanwhile."""
    picture: str | None = None

    @property
    def has_passed(self) -> bool:
        """Whether it holds."""
        return not self.problem


@dataclass(slots=True)
class TestReport:
    """Every outcome so far."""

    __test__ = False

    outcomes: list[TestOutcome] = field(default_factory=list[TestOutcome])

    @property
    def failures(self) -> Sequence[TestOutcome]:
        """Those that do not hold."""
        return [each for each in self.outcomes if not each.has_passed]

    @property
    def has_passed(self) -> bool:
        """Whether something was tested, and all of it holds."""
        return bool(self.outcomes) and not self.failures
