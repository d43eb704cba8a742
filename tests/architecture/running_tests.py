"""Which tests of a file pytest really runs. Reads the file as text; runs none of them."""

import ast
from functools import cache
from pathlib import Path
from typing import TypeGuard

ROOT = Path(__file__).parents[2]


@cache
def names_in(file: str) -> frozenset[str]:
    """The names of the tests of a file; none where there is no such file."""
    if not (ROOT / file).is_file():
        return frozenset()
    tree = ast.parse((ROOT / file).read_bytes())
    return frozenset(node.name for node in tree.body if _is_run(node))


def _is_run(node: ast.stmt) -> TypeGuard[ast.FunctionDef]:
    """Whether pytest runs it: its name says so, and no mark keeps it out everywhere."""
    if not isinstance(node, ast.FunctionDef) or not node.name.startswith("test_"):
        return False
    marks = {ast.unparse(mark).partition("(")[0] for mark in node.decorator_list}
    return marks.isdisjoint({"pytest.mark.skip", "pytest.mark.xfail"})
