"""Which command opens a file at a line in the developer's own editor?"""

import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

_CHOSEN = "LIME_EDITOR"
"""A command in which {file} and {line} stand for the place; said by whoever wants another than the first that is found."""
_EDITORS = {
    "code": "-g {file}:{line}",
    "cursor": "-g {file}:{line}",
    "codium": "-g {file}:{line}",
    "zed": "{file}:{line}",
    "subl": "{file}:{line}",
    "idea": "--line {line} {file}",
    "webstorm": "--line {line} {file}",
    "pycharm": "--line {line} {file}",
    "kate": "-l {line} {file}",
    "gedit": "+{line} {file}",
    "gnome-text-editor": "{file}",
}
"""Editors with a window of their own, and how each is told a line. One in a terminal has none to be shown in."""

Which = Callable[[str], str | None]


def editor_command(
    file: Path,
    line: int | None,
    environment: Mapping[str, str] = os.environ,
    which: Which = shutil.which,
) -> tuple[str, ...] | None:
    """The command, or None where no editor is known: the desktop then opens the file as it does others."""
    if chosen := environment.get(_CHOSEN, "").split():
        return _filled(chosen[0], chosen[1:] or ["{file}"], file, line)
    for name, arguments in _EDITORS.items():
        if program := which(name):
            return _filled(program, arguments.split(), file, line)
    return None


def _filled(program: str, arguments: list[str], file: Path, line: int | None) -> tuple[str, ...]:
    # Filled in word by word: a space in a file's name is no end of a word.
    words = {"file": str(file), "line": str(line or 1)}
    return (program, *(each.format_map(words) for each in arguments))


def file_in(package: Path, name: str) -> Path | None:
    """A file of the package by the name that a problem gives it; None where there is none, or it lies elsewhere."""
    root = package.resolve()
    found = (root / name).resolve()
    return found if found.is_file() and found.is_relative_to(root) else None
