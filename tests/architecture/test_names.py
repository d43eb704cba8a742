"""Names say what a thing is (ours): no drawers for whatever did not fit elsewhere."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
SOURCES = [
    *sorted((ROOT / "lime_desktop").rglob("*.py")),
    *sorted((ROOT / "packaging").rglob("*.py")),
]

# Not core: RuntimeCore is a word of the standard, and its module is named after it.
EMPTY_MODULE_NAMES = {
    "base",
    "common",
    "helper",
    "helpers",
    "manager",
    "misc",
    "shared",
    "util",
    "utils",
}
# Not Info and Data: the wire has clientInfo and error.data.
EMPTY_CLASS_NAME = re.compile(r"(Manager|Helper|Util|Utils)$|^Base[A-Z]")


def classes() -> Iterator[str]:
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                yield node.name


def test_no_module_is_a_drawer() -> None:
    names = {part for path in SOURCES for part in path.relative_to(ROOT).with_suffix("").parts}
    assert names & EMPTY_MODULE_NAMES == set()


def test_no_class_has_an_empty_name() -> None:
    assert [name for name in classes() if EMPTY_CLASS_NAME.search(name)] == []


def test_every_package_says_what_it_answers() -> None:
    silent = [
        path.parent.relative_to(ROOT)
        for path in (ROOT / "lime_desktop").rglob("__init__.py")
        if ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) is None
    ]
    assert silent == []
