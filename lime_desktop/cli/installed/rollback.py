"""``lime-desktop rollback``: an app as it was before its last update, with its data and permissions."""

from pathlib import Path

import click

from lime_desktop.cli.installed.center import data_option, require_consent, run, yes_option
from lime_desktop.cli.installed.install import Installed
from lime_desktop.cli.terminal import output
from lime_desktop.host.app_center.center import AppCenter


@click.command()
@click.argument("app_id", metavar="APP")
@click.option("--to", "point_id", metavar="POINT", help="A rollback version from `apps show`.")
@yes_option
@data_option
@output.json_option
@click.pass_context
def command(
    ctx: click.Context,
    app_id: str,
    point_id: str | None,
    yes: bool,
    data_dir: Path,
    as_json: bool,
) -> None:
    """Roll back an app's code, data and permissions. The current version can be restored with --to."""

    async def roll_back(center: AppCenter) -> Installed:
        if center.earlier_point(app_id) or point_id:
            # Where there is nothing to go back to, there is nothing to agree to either.
            require_consent(f"Roll back {app_id} to an earlier version?", is_given=yes)
        app = await center.roll_back(app_id, point_id)
        return Installed(app, tuple(grant.permission for grant in center.permits.grants(app_id)))

    run(ctx, data_dir, roll_back, as_json=as_json)
