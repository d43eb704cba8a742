"""What holds for the pages of every sample: both languages complete, no text missing, nothing fetched from elsewhere."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import cast

_ASKED = re.compile(r'(?:data-(?:text|label)=|texts\(\)?\(?)"([\w.]+)"')

_NAMES = "name|fileName|column|headline|title|query|question|section|filter"
"""Values that are somebody's words; in Chinese they stand in quotes, or alone, and never between spaces."""
_SPACED = re.compile(rf"[\u4e00-\u9fff] \{{(?:{_NAMES})\}}|\{{(?:{_NAMES})\}} [\u4e00-\u9fff]")

_ADDRESS = re.compile(r"https?://(?!www\.w3\.org/)")


def untranslated(app: Path) -> set[str]:
    """Keys that one language has and the other has not."""
    return _keys_of(app, "en") ^ _keys_of(app, "zh-CN")


def missing_texts(app: Path) -> set[str]:
    """Keys that a page names and no language has."""
    asked = {key for source in _sources(app) for key in _ASKED.findall(source)}
    assert asked
    return asked - _keys_of(app, "en")


def foreign_addresses(app: Path) -> list[str]:
    """Files of the page that name a server. The names of XML vocabularies look like addresses and are none."""
    files = [path for path in _ui(app).rglob("*") if path.suffix in {".html", ".js", ".css"}]
    return [path.name for path in files if _ADDRESS.search(path.read_text("utf-8"))]


def spaced_names(app: Path) -> list[str]:
    """Chinese texts in which a name runs into the sentence."""
    texts = (_ui(app) / "locales/zh-CN.json").read_text("utf-8").splitlines()
    return [line.strip() for line in texts if _SPACED.search(line)]


def _sources(app: Path) -> Iterator[str]:
    for path in _ui(app).rglob("*"):
        if path.suffix in {".html", ".js"}:
            yield path.read_text("utf-8")


def _keys_of(app: Path, locale: str) -> set[str]:
    tree = json.loads((_ui(app) / "locales" / f"{locale}.json").read_text("utf-8"))
    return set(_keys(tree))


def _keys(tree: object, prefix: str = "") -> Iterator[str]:
    if not isinstance(tree, dict):
        yield prefix.removeprefix(".")
        return
    branches = cast("dict[str, object]", tree)
    if branches.keys() == {"one", "other"}:
        # One text in two forms, chosen by a number.
        yield prefix.removeprefix(".")
    for name, branch in branches.items():
        yield from _keys(branch, f"{prefix}.{name}")


def _ui(app: Path) -> Path:
    return app / "dist/ui"
