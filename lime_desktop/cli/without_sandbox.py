"""``lime-desktop apps without-sandbox``: whether an app's programs may run where no sandbox is."""

from dataclasses import dataclass
from pathlib import Path

import click

from lime_desktop.cli import output
from lime_desktop.cli.center import data_option, require_consent, run, yes_option
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.records import InstalledApp
from lime_desktop.host.app_center.review.programs import DeclaredProgram, declared_programs
from lime_desktop.host.unconfined import allow_unconfined
from lime_desktop.protocol.errors import AppNotInstalled

_MEANING = (
    "Its programs could read, change and delete every file of yours, reach every site and every device in your network,"
    " and start other programs. Nothing would hold them back or notice. Allow it until you take it back?"
)


@dataclass(frozen=True, slots=True)
class Standing:
    """How an app stands."""

    app: InstalledApp
    programs: tuple[DeclaredProgram, ...]

    def document(self) -> object:
        """The same as JSON."""
        return {
            "ok": True,
            "appId": self.app.app_id,
            "runsWithoutSandbox": self.app.runs_unconfined,
            "sinceMs": self.app.unconfined_since_ms,
            "programs": [each.line for each in self.programs],
        }

    def show(self) -> None:
        """Say it."""
        for each in self.programs:
            click.echo(f"  {output.printable(each.line)}")
        name = output.printable(f"{self.app.title} ({self.app.app_id})")
        if self.app.runs_unconfined:
            click.secho(f"{name}: its programs run even where no sandbox is.", fg="red", bold=True)
            click.echo(
                f"Take it back: lime-desktop apps without-sandbox {self.app.app_id} --revoke"
            )
        else:
            click.secho(f"{name}: its programs run in a sandbox, or not at all.", bold=True)


@click.command("without-sandbox")
@click.argument("app_id", metavar="APP")
@click.option("--allow", "change", flag_value="allow", help="Let its programs run without one.")
@click.option("--revoke", "change", flag_value="revoke", help="Take that back.")
@yes_option
@data_option
@output.json_option
@click.pass_context
def without_sandbox(
    ctx: click.Context,
    app_id: str,
    change: str | None,
    yes: bool,
    data_dir: Path,
    as_json: bool,
) -> None:
    """Show or change whether an app's programs may run where no sandbox is."""

    async def work(center: AppCenter) -> Standing:
        await _standing(center, app_id)
        if change == "allow":
            require_consent(_MEANING, is_given=yes)
            await allow_unconfined(center, app_id)
        elif change == "revoke":
            await center.permits.stop_running_unconfined(app_id)
        return await _standing(center, app_id)

    run(ctx, data_dir, work, as_json=as_json)


async def _standing(center: AppCenter, app_id: str) -> Standing:
    app = center.installed_app(app_id)
    if app is None:
        raise AppNotInstalled(f"No app {app_id} is installed")
    return Standing(app, declared_programs((await center.package(app_id)).manifest))
