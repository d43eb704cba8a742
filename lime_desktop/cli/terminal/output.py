"""What every command shares: its options, how it prints for people and programs, its exit codes.

Knows nothing of packages beyond the shape of a problem, so that importing it costs nothing.
"""

import json
import os
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from itertools import groupby
from pathlib import Path
from typing import Protocol

import click

from lime_desktop.protocol.plain_text import visible_line


class ExitCode(IntEnum):
    """What a caller may rely on. Scripts branch on these numbers."""

    OK = 0
    PROBLEMS = 1
    USAGE = 2
    CONSENT = 3
    """A person has to agree first, and nobody could be asked."""
    REGRESSION = 4
    """What was measured is worse than its baseline, by more than is tolerated."""
    STOPPED = 130
    """Somebody pressed Ctrl+C; what had finished by then is kept."""


class ShownProblem(Protocol):
    """What is printed of a problem; `app_package.problems.Problem` has this shape."""

    @property
    def code(self) -> str: ...  # noqa: D102
    @property
    def severity(self) -> str: ...  # noqa: D102
    @property
    def message(self) -> str: ...  # noqa: D102
    @property
    def file(self) -> str | None: ...  # noqa: D102
    @property
    def line(self) -> int | None: ...  # noqa: D102
    @property
    def key_path(self) -> str | None: ...  # noqa: D102
    @property
    def fix(self) -> str | None: ...  # noqa: D102


class PackagePath(click.ParamType[Path]):
    """A package folder or a `.lapp` archive that exists. What is inside is for the command to judge."""

    name = "package"

    def convert(
        self, value: str | Path, param: click.Parameter | None, ctx: click.Context | None
    ) -> Path:
        """Turn the argument into a path, or end with a usage error that says what to name instead."""
        path = Path(value)
        if path.name == "APP.md" and path.is_file():
            self.fail(
                f"{path} is one file of a package. Name its folder: {path.parent}", param, ctx
            )
        if not os.path.lexists(path):
            self.fail(f"{path} does not exist. Name a package folder or a .lapp file", param, ctx)
        if not os.access(path, os.R_OK):
            self.fail(f"{path} can't be read. Check its permissions", param, ctx)
        return path


_APP_NAME = re.compile(r"[a-z0-9][a-z0-9._-]*")


class PackageOrApp(click.ParamType[Path | str]):
    """A package, or else the name of an app: whether one of it is installed is for the command to find out."""

    name = "package"

    def convert(
        self, value: str | Path, param: click.Parameter | None, ctx: click.Context | None
    ) -> Path | str:
        """Take what exists for a package, and what could be a name for one."""
        text = str(value)
        is_name = _APP_NAME.fullmatch(text) and not text.endswith(".lapp")
        if is_name and not os.path.lexists(text):
            return text
        return PackagePath().convert(value, param, ctx)


json_option = click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print JSON: one object per package, one per line when several are named.",
)
package_argument = click.argument("package", type=PackagePath())
packages_argument = click.argument(
    "packages", type=PackagePath(), nargs=-1, required=True, metavar="PACKAGE..."
)
packages_or_apps_argument = click.argument(
    "packages", type=PackageOrApp(), nargs=-1, required=True, metavar="PACKAGE|APP..."
)

_SEVERITIES = ("error", "warning", "note")
SEVERITY_COLOURS = {"error": "red", "warning": "yellow", "note": "cyan"}
_WHOLE_PACKAGE = "(package)"
_MOST_PRINTED = 2_000
"""Characters of one line: more than any honest one has."""


def print_json(objects: Sequence[object]) -> None:
    """Print one object indented, several as one line each. Always UTF-8, whatever the locale."""
    indent = 2 if len(objects) == 1 else None
    for each in objects:
        text = json.dumps(each, ensure_ascii=False, indent=indent)
        # A lone surrogate (a file name that is not UTF-8) becomes \udcXX, which is valid JSON.
        click.echo(text.encode("utf-8", "backslashreplace"))


def print_problems(problems: Iterable[ShownProblem]) -> None:
    """Print problems under the file they are in: line, severity, code, message, what to do."""
    ordered = sorted(problems, key=lambda p: (p.file or "", p.line or 0, p.code))
    code_width = max((len(p.code) for p in ordered), default=0)
    line_width = max((len(str(p.line or "")) for p in ordered), default=0)
    for file, group in groupby(ordered, key=lambda p: p.file or _WHOLE_PACKAGE):
        click.secho(f"  {printable(file)}", bold=True)
        for problem in group:
            _print_problem(problem, line_width, code_width)


def _print_problem(problem: ShownProblem, line_width: int, code_width: int) -> None:
    severity = click.style(f"{problem.severity:<7}", fg=SEVERITY_COLOURS.get(problem.severity))
    line = click.style(f"{problem.line or '':>{line_width}}", dim=True)
    click.echo(f"    {line}  {severity}  {problem.code:<{code_width}}  {printable(_told(problem))}")
    if problem.fix:
        indent = " " * (4 + line_width + 2 + 7 + 2 + code_width + 2)
        click.secho(f"{indent}{printable(problem.fix)}", dim=True)


def _told(problem: ShownProblem) -> str:
    """The message, after the value it is about where it does not name that itself."""
    if not problem.key_path or problem.key_path in problem.message:
        return problem.message
    return f"{problem.key_path}: {problem.message}"


def print_summary(severities: Iterable[str], *, packages: int) -> None:
    """Close the output with one line: how many packages, and what was found in them."""
    counts = Counter(severities)
    found = ", ".join(counted(counts[s], s) for s in _SEVERITIES if counts[s])
    colour = next((SEVERITY_COLOURS[s] for s in _SEVERITIES if counts[s]), "green")
    click.secho(f"{counted(packages, 'package')}: {found or 'no problems'}", fg=colour, bold=True)


def print_table(rows: Sequence[Sequence[str]], *, indent: int = 0) -> None:
    """Print rows as aligned columns."""
    shown = [[printable(cell) for cell in row] for row in rows]
    widths = [max(map(columns, cells)) for cells in zip(*shown, strict=True)]
    for row in shown:
        cells = (
            cell + " " * (width - columns(cell)) for cell, width in zip(row, widths, strict=True)
        )
        click.echo((" " * indent + "  ".join(cells)).rstrip())


def print_fields(fields: Mapping[str, str], *, indent: int = 0) -> None:
    """Print names and values as two aligned columns, names dimmed."""
    width = max((len(name) for name in fields), default=0)
    for name, value in fields.items():
        click.echo(
            " " * indent + click.style(f"{name:<{width}}", dim=True) + f"  {printable(value)}"
        )


def printable(text: str) -> str:
    """One line with every hidden character visible, and bounded: a package may not drive the terminal or forge lines."""
    return visible_line(text, _MOST_PRINTED)


def columns(text: str) -> int:
    """Count the terminal columns a text takes: a Chinese character takes two."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def exit_code(severities: Iterable[str]) -> ExitCode:
    """Only errors fail a command; warnings and notes are there to be read."""
    return ExitCode.PROBLEMS if "error" in set(severities) else ExitCode.OK


def counted(count: int, noun: str) -> str:
    """Say how many, with an s where there are not exactly one."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
