"""``lime-desktop update``: see what a new version changes, agree to what is new, and have it."""

from typing import Unpack

import click

from lime_desktop.cli.installed.install import (
    ConsentOptions,
    consent_options,
    take_in,
    target_argument,
)


@click.command()
@target_argument
@consent_options
@click.pass_context
def command(ctx: click.Context, *, target: str, **options: Unpack[ConsentOptions]) -> None:
    """Review and update an installed app from a package or a catalog. `rollback` undoes it."""
    take_in(ctx, target, options, is_update=True)
