"""The page of conformance says who writes each type of event, and it is so (ours: a type that nobody writes is a promise)."""

import re
from pathlib import Path

import pytest

from lime_desktop.protocol.runtime.event_types import EXTENSION_EVENT_TYPES, PROFILE_EVENT_TYPES

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "packaging/docs/conformance.md").read_text(encoding="utf-8")
_ROW = re.compile(
    r"^\| `(?P<type>[a-z_.]+)` \| (?P<writer>[^|]+) \| (?P<why>[^|]*) \|$", re.MULTILINE
)
_READERS = ("/folds/", "/gates.py", "/log/advance.py", "/execution/scripted.py")
"""Code that names types because it reads or judges them, or plays what a test gives it."""
_SOURCES = {
    path: path.read_text(encoding="utf-8")
    for part in ("app_server", "developer/benchmark")
    for path in sorted((ROOT / "lime_desktop" / part).rglob("*.py"))
    if not any(each in path.as_posix() for each in _READERS)
}


def rows(heading: str) -> list[dict[str, str]]:
    part = PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    return [match.groupdict() for match in _ROW.finditer(part)]


PROFILE, ADDED = rows("Types of the profile"), rows("Types that we add")


def states(text: str, event_type: str) -> bool:
    """Whether code makes an event of this type, as all code here does."""
    made = rf'(?:type=|fact\(\s*|_of_process\(\s*|_event\(\s*|_piece\(\s*)"{re.escape(event_type)}"'
    return re.search(made, text) is not None


@pytest.mark.requirement("RT-13")
def test_every_type_has_its_row_in_the_order_of_the_profile() -> None:
    assert [row["type"] for row in PROFILE] == list(PROFILE_EVENT_TYPES)
    assert [row["type"] for row in ADDED] == list(EXTENSION_EVENT_TYPES)


@pytest.mark.parametrize("row", [*PROFILE, *ADDED], ids=lambda row: row["type"])
def test_a_type_is_written_where_the_page_says_or_by_nobody_with_a_reason(
    row: dict[str, str],
) -> None:
    if row["writer"] == "nobody":
        assert row["why"]
        assert [path for path, text in _SOURCES.items() if states(text, row["type"])] == []
        return
    path = ROOT / row["writer"].strip("`")
    assert f'"{row["type"]}"' in _SOURCES[path]
    assert row["why"] == ""
