"""``lime-desktop organisation``: whose rules hold on this machine."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import click

from lime_desktop.cli.installed.center import center_options, run_step
from lime_desktop.cli.terminal import output
from lime_desktop.cli.terminal.command_group import CommandGroup
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.governance.organisation import Organisation
from lime_desktop.policy.policy_file import PolicyFile


def rules_document(policy: PolicyFile) -> list[dict[str, str]]:
    """Each rule as JSON."""
    return [
        {"id": rule.ref.id, "effect": rule.effect, "text": rule.ref.text} for rule in policy.rules
    ]


def print_rules(policy: PolicyFile) -> None:
    """Print each rule on a line: what it does, and in whose words."""
    for rule in policy.rules:
        click.echo(f"{rule.effect}: {output.printable(rule.ref.text)}")


@click.group(cls=CommandGroup)
def command() -> None:
    """Show, join, update or leave an organization. Each command supports --json."""


@dataclass(frozen=True, slots=True)
class InForce:
    """What an organisation says."""

    organisation: Organisation | None

    def document(self) -> object:
        """Its name and how much it says, as JSON."""
        found = self.organisation
        if found is None:
            return {"ok": True, "organisation": None}
        return {
            "ok": True,
            "organisation": {
                "name": found.name,
                "source": found.source,
                "rules": rules_document(found.policy),
                "allowed": None if found.allowed is None else sorted(found.allowed),
                "blocked": sorted(found.blocked),
                "overlays": sorted(found.overlays),
                "branding": found.branding.to_wire(),
                "catalogs": list(found.catalogs),
            },
        }

    def show(self) -> None:
        """Print it."""
        found = self.organisation
        if found is None:
            click.echo("You are not in an organization.")
            return
        output.print_fields(
            {
                "name": found.name,
                "source": found.source,
                "blocked": ", ".join(sorted(found.blocked)),
            }
        )
        print_rules(found.policy)


def _run(
    ctx: click.Context,
    data_dir: Path,
    step: Callable[[AppCenter], Awaitable[object]],
    *,
    as_json: bool,
    only_reads: bool = False,
) -> None:
    run_step(ctx, data_dir, step, _shown, as_json=as_json, only_reads=only_reads)


def _shown(center: AppCenter) -> InForce:
    return InForce(center.membership.organisation)


async def _nothing(_center: AppCenter) -> None:
    """Only look."""


@command.command("show")
@center_options
def show(ctx: click.Context, data_dir: Path, as_json: bool) -> None:
    """Show the organization and its rules."""
    _run(ctx, data_dir, _nothing, as_json=as_json, only_reads=True)


@command.command("join")
@click.argument("source")
@center_options
def join(ctx: click.Context, source: str, data_dir: Path, as_json: bool) -> None:
    """Join the organization of a file or address."""
    _run(ctx, data_dir, lambda center: center.membership.join(source), as_json=as_json)


@command.command("refresh")
@center_options
def refresh(ctx: click.Context, data_dir: Path, as_json: bool) -> None:
    """Update the organization's rules. A file that is not valid changes nothing."""
    _run(ctx, data_dir, lambda center: center.membership.refresh(), as_json=as_json)


@command.command("leave")
@center_options
def leave(ctx: click.Context, data_dir: Path, as_json: bool) -> None:
    """Leave the organization."""
    _run(ctx, data_dir, lambda center: center.membership.leave(), as_json=as_json)
