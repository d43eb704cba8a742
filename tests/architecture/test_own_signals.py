"""No widget is deleted inside its own signal: that ends the program (a bug: a language chosen by keyboard did)."""

import ast
from collections.abc import Iterator
from pathlib import Path

SHELL = Path(__file__).parents[2] / "lime_desktop/shell"
MADE_ONCE = frozenset({"__init__", "_build", "_new_half", "_sections", "_scrolled"})
"""Where a widget is made: nothing was in it before."""
DELETING = frozenset({"setWidget", "setCentralWidget", "setCornerWidget", "setItemWidget"})
"""Qt deletes what was there before at once."""
SAFE = frozenset({("page.py", "put_into")})


def _calls(tree: ast.AST) -> Iterator[tuple[str, str]]:
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            for node in ast.walk(function):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                    yield function.name, node.func.attr


def test_what_a_widget_held_goes_later_never_at_once() -> None:
    found = [
        f"{path.relative_to(SHELL)}: {function} calls {name}"
        for path in sorted(SHELL.rglob("*.py"))
        for function, name in _calls(ast.parse(path.read_text("utf-8")))
        if name in DELETING and function not in MADE_ONCE and (path.name, function) not in SAFE
    ]
    # The palette's rows belong to rows that are new; a picture of a result is put into its own new area.
    assert found == [
        "command_palette/dialog.py: _filter calls setItemWidget",
        "surfaces/artifact_viewer.py: _content calls setWidget",
    ]


def test_nothing_is_deleted_by_hand_or_by_losing_its_parent() -> None:
    for path in sorted(SHELL.rglob("*.py")):
        text = path.read_text("utf-8")
        assert "shiboken6.delete" not in text, path
        assert "import delete" not in text, path
