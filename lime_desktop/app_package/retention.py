"""How long may an app's data stay? `storage.retention`, which the standard leaves open, in this host's form. Pure.

| key | value |
| --- | --- |
| ``values`` | whole days, such as ``90d`` or ``2 weeks``, for keys and values |
| ``tables`` | days for the rows of declared tables, by name |
| ``artifacts`` | days for deliverables, by type |

What counts is when something was last changed.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import cast

from lime_desktop.app_package.manifest.root import Manifest
from lime_desktop.durations import SECONDS, parse_duration

LONGEST_DAYS = 36_500
KEYS = ("values", "tables", "artifacts")


@dataclass(frozen=True, slots=True)
class Retention:
    """How many days each kind of data stays."""

    values: int | None = None
    tables: Mapping[str, int] = field(default_factory=dict[str, int])
    artifacts: Mapping[str, int] = field(default_factory=dict[str, int])


def retention_of(manifest: Manifest) -> Retention | None:
    """What a manifest declares; None where that is nothing that can be held."""
    written = manifest.storage.retention if manifest.storage else None
    if not written:
        return None
    found = Retention(
        days_in(written.get("values")),
        dict(_named(written.get("tables"))),
        dict(_named(written.get("artifacts"))),
    )
    return None if found == Retention() else found


def days_in(value: object) -> int | None:
    """The whole days that a text such as `30d` or `4 weeks` says."""
    seconds = parse_duration(value) if isinstance(value, str) else None
    days, rest = divmod(seconds or 0, SECONDS["day"])
    # What is less than a day is not held: old data is looked for once a day.
    return int(days) if not rest and 0 < days <= LONGEST_DAYS else None


def _named(value: object) -> Iterator[tuple[str, int]]:
    if not isinstance(value, Mapping):
        return
    for name, written in cast("Mapping[object, object]", value).items():
        if isinstance(name, str) and (days := days_in(written)) is not None:
            yield name, days
