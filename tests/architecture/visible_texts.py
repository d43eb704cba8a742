"""Where a person reads something: the tables of texts, the command line, the sample apps, the guides."""

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

from lime_desktop.protocol.errors import ALL_ERRORS
from lime_desktop.readiness.wording.chinese import CHINESE
from lime_desktop.readiness.wording.english import ENGLISH

ROOT = Path(__file__).parents[2]
APPS = tuple(sorted(path.parent for path in ROOT.glob("sample_apps/*/APP.md")))
Where = Literal["locales", "cli", "samples", "guides"]
_HAN = re.compile(r"[\u4e00-\u9fff]")
_WRITTEN_FOR_PEOPLE = re.compile(
    r"^\s*(?:- )?\{?\s*(?:description|shortDescription|displayName|title|label|reason|message|userAction"
    r"|recovery|summary|zh-CN|en):\s+(?P<text>.+)$"
)


@dataclass(frozen=True, slots=True)
class VisibleText:
    """One text that a person may read, and where it stands."""

    where: Where
    place: str
    text: str

    @property
    def locale(self) -> str:
        """The language it is written in, by its script."""
        return "zh-CN" if _HAN.search(self.text) else "en"


def table(locale: str) -> dict[str, str]:
    """The window's texts of one language."""
    path = ROOT / f"resources/locales/{locale}.json"
    return cast("dict[str, str]", json.loads(path.read_text("utf-8")))


def all_texts() -> Iterator[VisibleText]:
    """Everything, in every language."""
    for locale in ("en", "zh-CN"):
        for key, text in table(locale).items():
            yield VisibleText("locales", f"{locale}:{key}", text)
    yield from _package_problems()
    yield from _readiness()
    for error in ALL_ERRORS:
        yield VisibleText("cli", error.code, error.user_action)
    for path in sorted((ROOT / "lime_desktop/cli").glob("*.py")):
        yield from _command_texts(path)
    for app in (*APPS, *sorted((ROOT / "resources/templates").iterdir())):
        yield from _app_texts(app)
    for path in sorted((ROOT / "packaging/docs").glob("*.md")):
        yield from _guide(path)


def _package_problems() -> Iterator[VisibleText]:
    told = json.loads((ROOT / "resources/package_problems/zh-CN.json").read_text("utf-8"))
    for key, text in cast("dict[str, str]", told).items():
        yield VisibleText("locales", f"zh-CN:{key}", text)


def _readiness() -> Iterator[VisibleText]:
    for language in (ENGLISH, CHINESE):
        for code, words in language.findings.items():
            for text in words:
                yield VisibleText("locales", f"readiness:{code}", text)


def _command_texts(path: Path) -> Iterator[VisibleText]:
    """Strings with a space in them: what a command prints, asks or explains. Plain docstrings are for readers of code."""
    tree = ast.parse(path.read_text("utf-8"))
    passed_over = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    passed_over -= {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.decorator_list
        if isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            continue
        if " " in node.value.strip() and id(node) not in passed_over:
            yield VisibleText("cli", f"{path.name}:{node.lineno}", node.value)


def _app_texts(app: Path) -> Iterator[VisibleText]:
    for path in sorted(app.rglob("locales/*.json")):
        for key, text in _flat(json.loads(path.read_text("utf-8"))):
            yield VisibleText("samples", f"{path.relative_to(ROOT)}:{key}", text)
    for path in sorted([*app.glob("*.yaml"), *app.glob("APP.md")]):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if found := _WRITTEN_FOR_PEOPLE.match(line):
                yield VisibleText("samples", f"{path.relative_to(ROOT)}:{number}", found["text"])


def _flat(value: object, key: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, dict):
        for name, inner in cast("dict[str, object]", value).items():
            yield from _flat(inner, f"{key}.{name}")


def _guide(path: Path) -> Iterator[VisibleText]:
    """Prose alone: commands, code and file names are what they are."""
    prose = re.sub(r"^```.*?^```", "", path.read_text("utf-8"), flags=re.S | re.M)
    for line in prose.splitlines():
        words = re.sub(r"`[^`]*`|\]\([^)]*\)", "", line)
        if words.strip():
            yield VisibleText("guides", f"{path.name}: {words[:60]}", words)
