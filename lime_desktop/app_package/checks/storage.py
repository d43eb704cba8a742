"""The app's data model and its migrations."""

import re
from collections.abc import Iterator

from lime_desktop.app_package.checks.facts import PackageFacts
from lime_desktop.app_package.problem_kinds import rules
from lime_desktop.app_package.problem_kinds.text import NOT_AN_OBJECT
from lime_desktop.app_package.problems import Place, Problem
from lime_desktop.app_package.storage_files import migration_files, schema_path
from lime_desktop.app_package.text.located import LocatedList, LocatedMap

_NUMBERED = re.compile(r"V?([0-9]{1,18})(?![0-9])", re.IGNORECASE)


def check(facts: PackageFacts) -> Iterator[Problem]:
    """Check the storage schema and the order of migrations."""
    path = schema_path(facts.reader, facts.effective)
    if path is not None:
        yield from _schema(facts, path)
    yield from _migrations(facts)


def _schema(facts: PackageFacts, path: str) -> Iterator[Problem]:
    parsed = facts.reader.json(path)
    schema = parsed.value
    if not isinstance(schema, LocatedMap):
        if not parsed.problems:
            yield NOT_AN_OBJECT.found("The file does not hold an object.", Place(path, 1))
        return
    namespace, declared = schema.get("namespace"), facts.text("storage", "namespace")
    if isinstance(namespace, str) and declared is not None and namespace != declared:
        place = Place(path, schema.origins["namespace"].line, "namespace")
        message = "The manifest names another namespace."
        yield rules.STORAGE_NAMESPACE_DIFFERS.found(message, place)
    yield from _tables(path, schema)


def _tables(path: str, schema: LocatedMap) -> Iterator[Problem]:
    tables = schema.get("tables")
    if tables is None:
        return
    if not isinstance(tables, LocatedList):
        place = Place(path, schema.origins["tables"].line, "tables")
        yield rules.STORAGE_SCHEMA_INVALID.found("tables is not a list.", place)
        return
    names: set[str] = set()
    for index, (table, origin) in enumerate(zip(tables, tables.origins, strict=True)):
        name = table.get("name") if isinstance(table, LocatedMap) else None
        place = Place(path, origin.line, f"tables[{index}]")
        if not isinstance(name, str) or not name:
            yield rules.STORAGE_SCHEMA_INVALID.found("The table has no name.", place)
        elif name in names:
            yield rules.STORAGE_SCHEMA_INVALID.found("Two tables have the same name.", place)
        else:
            names.add(name)
    yield from _indexes(path, schema, names)


def _indexes(path: str, schema: LocatedMap, tables: set[str]) -> Iterator[Problem]:
    indexes = schema.get("indexes")
    if not isinstance(indexes, LocatedList):
        return
    for number, (index, origin) in enumerate(zip(indexes, indexes.origins, strict=True)):
        table = index.get("table") if isinstance(index, LocatedMap) else None
        if not isinstance(table, str) or table not in tables:
            place = Place(path, origin.line, f"indexes[{number}].table")
            yield rules.REFERENCE_UNKNOWN.found("The schema has no such table.", place)


def _migrations(facts: PackageFacts) -> Iterator[Problem]:
    by_number: dict[int, str] = {}
    for path in migration_files(facts.reader, facts.effective):
        match = _NUMBERED.match(path.rpartition("/")[2])
        if match is None:
            message = "The file name does not begin with a number."
            yield rules.MIGRATION_UNORDERED.found(message, Place(path))
            continue
        other = by_number.setdefault(int(match[1]), path)
        if other != path and not _are_up_and_down(other, path):
            message = "Another migration has the same number."
            yield rules.MIGRATION_UNORDERED.found(message, Place(path))


def _are_up_and_down(one: str, other: str) -> bool:
    """Whether two files of one number are the two directions of one migration."""
    return {".down.", ".up."} == {mark for mark in (".down.", ".up.") if mark in one + other}
