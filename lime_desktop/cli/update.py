"""``lime-desktop update``: see what a new version changes, agree to what is new, and have it."""

from pathlib import Path
from typing import Unpack

import click

from lime_desktop.cli import output
from lime_desktop.cli.install import ConsentOptions, consent_options, take_in


@click.command()
@output.package_argument
@consent_options
@click.pass_context
def command(ctx: click.Context, *, package: Path, **options: Unpack[ConsentOptions]) -> None:
    """Update an installed app to a package, after a look at what changes; `rollback` undoes it."""
    take_in(ctx, package, options, is_update=True)
