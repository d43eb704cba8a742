"""A tip shows other people's words as they are: Qt reads one that looks like markup as such (a bug: a task's words were)."""

import ast
from pathlib import Path

SHELL = Path(__file__).parents[2] / "lime_desktop/shell"
SETTERS = frozenset({"setToolTip", "setTabToolTip"})
OWN_WORDS = frozenset(
    {
        # Of our own locales.
        ("surfaces/chat/composer.py", "name"),
        # The desktop's own tray reads it, and Qt does not.
        ("window/tray.py", "self._brand.branding.product_name"),
    }
)


def test_every_tip_is_made_plain_or_known_to_be_ours() -> None:
    found = {
        (path.relative_to(SHELL).as_posix(), ast.unparse(node.args[-1]))
        for path in sorted(SHELL.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in SETTERS
    }
    assert {each for each in found if not each[1].startswith("plain_tip(")} == OWN_WORDS
