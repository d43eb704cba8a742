"""``lime-desktop open``: show a package in the window."""

from pathlib import Path

import click

from lime_desktop.cli import output
from lime_desktop.cli.window import open_window


@click.command()
@output.package_argument
@click.pass_context
def command(ctx: click.Context, package: Path) -> None:
    """Open Lime Desktop at a package: what it is, what it asks for, and the way in."""
    ctx.exit(open_window(package.resolve()))
