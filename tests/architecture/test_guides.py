"""The files that the guides send a reader to are there (ours: a newcomer was sent to one that had been renamed)."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GUIDES = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "packaging/docs/architecture.md")
ROOMS = (
    *(".", "lime_desktop", "lime_desktop/app_server", "lime_desktop/app_server/execution"),
    *("lime_desktop/app_server/runtime_core", "tests"),
)
PATH = re.compile(r"`((?:[a-z_]+/)+(?:[a-z_]+\.(?:py|js|json|qss|sh|toml))?)`")


def in_repository(path: str) -> bool:
    """Tell whether it is there from the root, or from the room that the sentence is about."""
    return any((ROOT / room / path).exists() for room in ROOMS)


@pytest.mark.parametrize("guide", GUIDES)
def test_every_path_that_a_guide_names_is_there(guide: str) -> None:
    text = (ROOT / guide).read_text(encoding="utf-8")
    named = PATH.findall(text)
    assert named
    assert sorted({each for each in named if not in_repository(each)}) == []
