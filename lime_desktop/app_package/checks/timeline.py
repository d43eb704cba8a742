"""The app's dates: whether they have a zone, and whether they follow one another."""

from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise

from lime_desktop.app_package.checks.facts import PackageFacts
from lime_desktop.app_package.manifest import parse_time
from lime_desktop.app_package.problem_kinds import rules
from lime_desktop.app_package.problems import Problem

_IN_ORDER = ("createdAt", "releasedAt", "deprecatedAt", "endOfLifeAt")
_TIMES = (
    *((name,) for name in (*_IN_ORDER, "updatedAt")),
    ("supportWindow", "supportedUntil"),
    ("signature", "package", "timestamp"),
)


def check(facts: PackageFacts) -> Iterator[Problem]:
    """Check the app's dates."""
    for path in _TIMES:
        text = facts.text(*path)
        if text is not None and _moment(text) and not _has_zone(text):
            message = f"{'.'.join(path)} has no time zone."
            yield rules.TIME_WITHOUT_ZONE.found(message, facts.place(*path))
    known = [(name, moment) for name in _IN_ORDER if (moment := _moment(facts.text(name)))]
    for (earlier, first), (later, second) in pairwise(known):
        if second < first:
            message = f"{later} lies before {earlier}."
            yield rules.TIMES_OUT_OF_ORDER.found(message, facts.place(later))


def _moment(text: str | None) -> datetime | None:
    try:
        return parse_time(text) if text else None
    except (ValueError, OverflowError):
        return None


def _has_zone(text: str) -> bool:
    return datetime.fromisoformat(text).tzinfo is not None
