"""``lime-desktop apps auto-update``: how an app is updated, or every app of which nothing else is said."""

from dataclasses import dataclass
from pathlib import Path
from typing import cast

import click

from lime_desktop.cli.installed.center import data_option, run
from lime_desktop.cli.terminal import output
from lime_desktop.cli.terminal.language import words
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.changes.outcome_words import is_news, outcome_words
from lime_desktop.host.app_center.records.update_records import EVERY_APP, UpdatePolicy
from lime_desktop.protocol.errors import AppNotInstalled

_AS_DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class Policy:
    """How one app stands."""

    app_id: str
    title: str
    chosen: UpdatePolicy | None
    holds: UpdatePolicy
    outcome: object
    told: str
    """What came of the last version that was to be installed by itself."""

    def document(self) -> dict[str, object]:
        """The same as JSON."""
        return {
            "appId": self.app_id,
            "chosen": self.chosen,
            "policy": self.holds,
            "outcome": self.outcome,
        }


@dataclass(frozen=True, slots=True)
class Policies:
    """How apps are updated."""

    default: UpdatePolicy
    forced: UpdatePolicy | None
    apps: tuple[Policy, ...]

    def document(self) -> object:
        """The same as JSON."""
        return {
            "ok": True,
            "default": self.default,
            "forcedByOrganization": self.forced,
            "apps": [each.document() for each in self.apps],
        }

    def show(self) -> None:
        """Print a line for each app, and what holds for the others."""
        texts = words()
        rows = [(each.app_id, texts(f"auto-update.{each.holds}"), each.title) for each in self.apps]
        if rows:
            output.print_table([("APP", "UPDATES", ""), *rows])
        for told in filter(None, (each.told for each in self.apps)):
            click.echo(output.printable(told))
        usual = texts(f"auto-update.{self.default}")
        click.echo(f"{texts('auto-update.default.title')}: {usual}")
        if self.forced is not None:
            click.secho(texts(f"auto-update.forced.{self.forced}"), fg="yellow")


def _policies(center: AppCenter, app_id: str | None) -> Policies:
    policies, texts, found = center.update_policies, words(), list[Policy]()
    for app in center.installed():
        if app_id not in {None, app.app_id}:
            continue
        outcome = policies.outcome(app.app_id)
        holds = outcome is not None and is_news(app, outcome)
        told = outcome_words(app.title, outcome, texts) if outcome and holds else ""
        document = outcome.to_wire() if outcome and holds else None
        found.append(
            Policy(
                app.app_id,
                app.title,
                policies.chosen(app.app_id),
                policies.of(app.app_id),
                document,
                told,
            )
        )
    if app_id is not None and not found:
        raise AppNotInstalled(f"{app_id} is not installed")
    return Policies(policies.default, policies.forced, tuple(found))


@click.command("auto-update")
@click.argument("app_id", metavar="[APP]", required=False)
@click.argument(
    "policy", required=False, type=click.Choice(["ask", "always", "never", _AS_DEFAULT])
)
@click.option(
    "--default",
    "default",
    type=click.Choice(["ask", "always", "never"]),
    help="What holds for apps of which you say nothing else.",
)
@data_option
@output.json_option
@click.pass_context
def auto_update(
    ctx: click.Context,
    app_id: str | None,
    policy: str | None,
    default: str | None,
    data_dir: Path,
    as_json: bool,
) -> None:
    """Show or choose how apps are updated: ask, always (by itself) or never.

    By itself only from the same catalog and publisher, and only if the app gets nothing more than it has: else it asks,
    and says why. The window installs such updates while the app is closed.
    """

    async def work(center: AppCenter) -> Policies:
        if default is not None:
            await center.update_policies.choose(EVERY_APP, cast("UpdatePolicy", default))
        if app_id is not None and policy is not None:
            chosen = None if policy == _AS_DEFAULT else cast("UpdatePolicy", policy)
            await center.update_policies.choose(app_id, chosen)
        return _policies(center, app_id)

    run(ctx, data_dir, work, as_json=as_json, only_reads=policy is None and default is None)
