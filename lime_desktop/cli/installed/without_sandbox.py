"""``lime-desktop apps without-sandbox``: whether an app's programs may run where no sandbox is."""

from dataclasses import dataclass
from pathlib import Path

import click

from lime_desktop.cli.installed.center import center_options, require_consent, run, yes_option
from lime_desktop.cli.terminal import output
from lime_desktop.cli.terminal.language import words
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.records.records import InstalledApp
from lime_desktop.host.app_center.review.programs import DeclaredProgram, declared_programs
from lime_desktop.host.apps.app_access import allow_unconfined
from lime_desktop.protocol.errors import AppNotInstalled


@dataclass(frozen=True, slots=True)
class SandboxStatus:
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
        """Print whether it may, which programs it is about, and how to change it."""
        texts, runs = words(), self.app.runs_unconfined
        said = texts("unconfined.on" if runs else "unconfined.off", app=self.app.title)
        click.secho(output.printable(said), fg="red" if runs else None, bold=True)
        if not self.programs:
            click.echo(texts("unconfined.programs.none"))
            return
        click.echo(texts("review.programs"))
        for each in self.programs:
            click.echo(f"  {output.printable(each.words_for_people.words(texts))}")
        way = "--revoke" if runs else "--allow"
        click.echo(texts("unconfined.revoke.how" if runs else "unconfined.allow.how"))
        click.echo(f"  lime-desktop apps without-sandbox {self.app.app_id} {way}")


@click.command("without-sandbox")
@click.argument("app_id", metavar="APP")
@click.option(
    "--allow", "change", flag_value="allow", help="Allow its programs to run without a sandbox."
)
@click.option("--revoke", "change", flag_value="revoke", help="Revoke it.")
@yes_option
@center_options
def without_sandbox(
    ctx: click.Context,
    app_id: str,
    change: str | None,
    yes: bool,
    data_dir: Path,
    as_json: bool,
) -> None:
    """Show or change whether an app's programs can run without a sandbox."""

    async def work(center: AppCenter) -> SandboxStatus:
        now = await _standing(center, app_id)
        if change == "allow":
            meaning = words()("unconfined.meaning", app=now.app.title)
            require_consent(f"{meaning} {words()('unconfined.question')}", is_given=yes)
            await allow_unconfined(center, app_id)
        elif change == "revoke":
            await center.permissions.stop_running_unconfined(app_id)
        return await _standing(center, app_id)

    run(ctx, data_dir, work, as_json=as_json)


async def _standing(center: AppCenter, app_id: str) -> SandboxStatus:
    app = center.installed_app(app_id)
    if app is None:
        raise AppNotInstalled(f"{app_id} is not installed")
    return SandboxStatus(app, declared_programs((await center.package(app_id)).manifest))
