"""``lime-desktop open``: show a package in the window, or follow a ``lime://`` link into it."""

from pathlib import Path

import click

from lime_desktop.cli.terminal.window import open_window

_LINK = "lime:"


@click.command()
@click.argument("target", required=False, default="")
@click.pass_context
def command(ctx: click.Context, target: str) -> None:
    """Open a package or a lime:// link in Lime Desktop.

    If Lime Desktop is running, its window comes to the front.
    """
    ctx.exit(open_window(_checked(target)))


def _checked(target: str) -> str:
    if not target or target.lower().startswith(_LINK):
        return target
    path = Path(target).resolve()
    if not path.exists():
        raise click.BadParameter(
            f"There is no package at {target}. Name a package folder or a .lapp file.",
            param_hint="TARGET",
        )
    return str(path)
