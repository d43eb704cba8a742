"""States written as a Markdown table, as upstream's own example apps do."""

import re

from lime_desktop.app_package.text.located import LocatedList, LocatedMap, Origin

_COLUMNS = {
    "state": "key",
    "key": "key",
    "状态": "key",
    "kind": "kind",
    "type": "kind",
    "类型": "kind",
    "description": "description",
    "说明": "description",
    "next": "next",
    "下一步": "next",
}
_KIND_COLUMN = re.compile(r"kind|type|类型", re.IGNORECASE)
_RULE = re.compile(r"\|?[\s:|-]+\|?")
_NOTHING = {"", "-", "—", "–", "none", "end of workflow"}


def states_from_table(body: str, file: str, first_line: int) -> LocatedList | None:
    """The states of the first table that has a column for the state and one for its kind."""
    lines = body.split("\n")
    for number, line in enumerate(lines[:-1]):
        # Cheap tests first: a megabyte of bars must not take a second.
        if not _KIND_COLUMN.search(line) or not _RULE.fullmatch(lines[number + 1].strip()):
            continue
        columns = [_COLUMNS.get(cell.casefold()) for cell in _cells(line)]
        if "key" in columns and "kind" in columns:
            return _states(lines, number + 2, columns, file, first_line)
    return None


def _states(
    lines: list[str], start: int, columns: list[str | None], file: str, first_line: int
) -> LocatedList:
    states = LocatedList(Origin(file, first_line + start))
    for number, line in enumerate(lines[start:], start):
        if "|" not in line:
            break
        origin = Origin(file, first_line + number)
        state = LocatedMap(origin)
        for column, cell in zip(columns, _cells(line), strict=False):
            if column is not None and cell.casefold() not in _NOTHING:
                state.put(column, _next(cell, origin) if column == "next" else cell, origin)
        states.put(state, origin)
    return states


def _next(cell: str, origin: Origin) -> object:
    names = [name.strip(" `") for name in re.split(r"[,/、]", cell)]
    if len(names) == 1:
        return names[0]
    listed = LocatedList(origin)
    for name in filter(None, names):
        listed.put(name, origin)
    return listed


def _cells(line: str) -> list[str]:
    return [cell.strip().strip("`") for cell in line.strip().strip("|").split("|")]
