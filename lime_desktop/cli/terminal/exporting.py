"""What commands that write a run as files have in common: which kind, where to, and how they say what they wrote."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from lime_desktop.cli.terminal.output import print_json, printable

_CommandT = TypeVar("_CommandT", bound=Callable[..., Any])


def export_options(
    kinds: Sequence[str], *, kind_help: str, into_help: str
) -> Callable[[_CommandT], _CommandT]:
    """Let a command ask for the kind of export and the folder it goes to."""
    kind = click.option(
        "--kind",
        type=click.Choice(kinds),
        default="evidence",
        show_default=True,
        help=kind_help,
    )
    into = click.option(
        "--into",
        type=click.Path(exists=True, file_okay=False, path_type=Path),
        default=Path(),
        show_default="the current folder",
        help=into_help,
    )
    return lambda command: kind(into(command))


def print_written(kind: str, written: Path, *, as_json: bool) -> None:
    """Say where it lies."""
    if as_json:
        print_json([{"ok": True, "kind": kind, "path": str(written)}])
    else:
        click.echo(printable(str(written)))
