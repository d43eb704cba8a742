"""What was seen of an app while it was open: what it asked the host for, what went wrong, how its own tests ended."""

from dataclasses import dataclass

from lime_desktop.app_package.problems import Problem
from lime_desktop.developer.events import CallEvent, DeveloperEvent, ProblemsEvent
from lime_desktop.developer.testing.outcomes import TestOutcome

READY = "app:ready"


@dataclass(frozen=True, slots=True)
class SeenPage:
    """One run, from the first page to the end."""

    calls: tuple[CallEvent, ...] = ()
    """What it asked, and each refusal as it came."""
    problems: tuple[Problem, ...] = ()
    tests: tuple[TestOutcome, ...] = ()

    @property
    def asked(self) -> tuple[str, ...]:
        """Everything it asked for, in order."""
        return tuple(each.name for each in self.calls if each.refusal is None)

    @property
    def refused(self) -> tuple[CallEvent, ...]:
        """What it did not get."""
        return tuple(each for each in self.calls if each.refusal is not None)


class PageWatch:
    """Gathers what is told while the app is open: a problem counts, also where it is gone with the next page.

    Calls are told from the first page on that has all it needs; problems count from then on as well.
    """

    def __init__(self) -> None:
        self._problems: dict[Problem, None] = {}
        self._calls: list[CallEvent] = []
        self._tests: list[TestOutcome] = []

    @property
    def seen(self) -> SeenPage:
        """All of it so far."""
        return SeenPage(tuple(self._calls), tuple(self._problems), tuple(self._tests))

    def hear(self, event: DeveloperEvent) -> None:
        """Take one event."""
        match event:
            case ProblemsEvent(problems=problems) if self._calls:
                self._problems.update(dict.fromkeys(problems))
            case TestOutcome():
                self._tests.append(event)
            case CallEvent():
                self._calls.append(event)
            case _:
                pass
