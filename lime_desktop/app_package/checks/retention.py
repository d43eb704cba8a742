"""`storage.retention`: days that can be read, for tables and deliverables that there are."""

from collections.abc import Iterator

from lime_desktop.app_package.checks.facts import PackageFacts
from lime_desktop.app_package.problem_kinds.rules import (
    REFERENCE_UNKNOWN,
    RETENTION_IGNORED,
    RETENTION_UNFIT,
)
from lime_desktop.app_package.problems import Problem
from lime_desktop.app_package.retention import KEYS, LONGEST_DAYS, days_in
from lime_desktop.app_package.storage_files import schema_path
from lime_desktop.app_package.text.located import LocatedList, LocatedMap
from lime_desktop.spelling import did_you_mean

_AT = ("storage", "retention")
_WANTED = f"Write whole days, from 1d to {LONGEST_DAYS}d."


def check(facts: PackageFacts) -> Iterator[Problem]:
    """Check every value, and what it is for."""
    written = facts.get(*_AT)
    if not isinstance(written, LocatedMap):
        return
    for key, value in written.items():
        place = facts.place(*_AT, key)
        if key not in KEYS:
            message = f"This host holds {', '.join(KEYS)}.{did_you_mean(key, set(KEYS))}"
            yield RETENTION_IGNORED.found(message, place)
        elif key == "values" and days_in(value) is None:
            yield RETENTION_UNFIT.found(_WANTED, place)
        elif key != "values":
            yield from _named(facts, key, value)


def _named(facts: PackageFacts, key: str, value: object) -> Iterator[Problem]:
    if not isinstance(value, LocatedMap):
        yield RETENTION_UNFIT.found(
            "Write an object: a name, and its days.", facts.place(*_AT, key)
        )
        return
    known = _tables(facts) if key == "tables" else facts.keys("artifactTypes")
    for name, days in value.items():
        place = facts.place(*_AT, key, name)
        if name not in known:
            message = f"The app declares none of this name.{did_you_mean(name, known)}"
            yield REFERENCE_UNKNOWN.found(message, place)
        if days_in(days) is None:
            yield RETENTION_UNFIT.found(_WANTED, place)


def _tables(facts: PackageFacts) -> set[str]:
    path = schema_path(facts.reader, facts.effective)
    schema = facts.reader.json(path).value if path is not None else None
    tables = schema.get("tables") if isinstance(schema, LocatedMap) else None
    if not isinstance(tables, LocatedList):
        return set()
    names = (each.get("name") for each in tables if isinstance(each, LocatedMap))
    return {name for name in names if isinstance(name, str)}
