"""Everything a person reads comes from the tables of texts, in every language (ours)."""

import ast
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SHELL = sorted((ROOT / "lime_desktop/shell").rglob("*.py"))
ENGLISH: dict[str, str] = json.loads((ROOT / "resources/locales/en.json").read_text("utf-8"))

SHOWS_TEXT = {
    "QLabel",
    "QPushButton",
    "QCheckBox",
    "QAction",
    "addAction",
    "addButton",
    "addItem",
    "addTab",
    "banner",
    "button",
    "icon_button",
    "label",
    "pill",
    "setAccessibleDescription",
    "setAccessibleName",
    "setInformativeText",
    "setPlaceholderText",
    "setText",
    "setTitle",
    "setToolTip",
    "setWindowTitle",
    "showMessage",
}


def calls(path: Path) -> Iterator[tuple[str, ast.Call]]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call):
            called = node.func
            name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            yield name, node


@pytest.mark.parametrize("path", SHELL, ids=lambda path: path.stem)
def test_no_visible_text_is_written_in_the_code(path: Path) -> None:
    found = [
        f"{path.name}:{call.lineno} {call.args[0].value!r}"
        for name, call in calls(path)
        if name in SHOWS_TEXT and call.args
        if isinstance(call.args[0], ast.Constant) and isinstance(call.args[0].value, str)
        if any(letter.isalpha() for letter in call.args[0].value)
    ]
    assert not found


@pytest.mark.parametrize("path", SHELL, ids=lambda path: path.stem)
def test_every_text_that_is_asked_for_exists(path: Path) -> None:
    asked = {
        call.args[0].value
        for name, call in calls(path)
        if name == "texts" and call.args and isinstance(call.args[0], ast.Constant)
    }
    assert asked <= ENGLISH.keys()


def test_every_section_of_the_settings_has_its_texts() -> None:
    pytest.importorskip("PySide6")
    from lime_desktop.shell.settings.table import SECTIONS  # noqa: PLC0415 - needs Qt

    wanted = {f"settings.{each.key}.{part}" for each in SECTIONS for part in ("title", "about")}
    assert wanted <= ENGLISH.keys()
