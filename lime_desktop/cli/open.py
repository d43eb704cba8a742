"""``lime-desktop open``: show a package in the window, or follow a ``lime://`` link into it."""

from pathlib import Path

import click

from lime_desktop.cli.window import open_window

_LINK = "lime:"


@click.command()
@click.argument("target", required=False, default="")
@click.pass_context
def command(ctx: click.Context, target: str) -> None:
    """Open Lime Desktop at a package (what it is, what it asks for, the way in) or at a lime:// link.

    Where Lime Desktop already runs, it comes forward and shows the target.
    """
    ctx.exit(open_window(_checked(target)))


def _checked(target: str) -> str:
    if not target or target.lower().startswith(_LINK):
        return target
    path = Path(target).resolve()
    if not path.exists():
        raise click.BadParameter(f"There is no package at {target}.", param_hint="TARGET")
    return str(path)
