"""``lime-desktop fixtures``: prove a provider against the seven fixtures of the specification, or play them."""

import asyncio
import shutil
import sys
from typing import TYPE_CHECKING

import click

from lime_desktop.cli.developing.app_run import patience_option
from lime_desktop.cli.terminal.command_group import CommandGroup
from lime_desktop.cli.terminal.output import ExitCode, print_json, printable
from lime_desktop.resources import resources_folder

if TYPE_CHECKING:
    from lime_desktop.developer.provider_fixtures.fixture import ProviderFixture
    from lime_desktop.developer.provider_fixtures.proof import Proof

_WORDS = {
    "schema": "valid schema",
    "first-screen": "first screen",
    "replay": "replay without loss",
    "expected": "shows what it should",
}


@click.group("fixtures", cls=CommandGroup)
def command() -> None:
    """Prove that a provider tells its work as the runtime demands. `fixtures run --json` prints JSON."""


@command.command("run")
@click.argument("provider", nargs=-1, type=click.UNPROCESSED, metavar="[-- COMMAND...]")
@click.option("--only", multiple=True, metavar="NAME", help="Prove this fixture alone.")
@patience_option(30.0, "How long a provider may say nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one object per fixture.")
@click.pass_context
def run(
    ctx: click.Context,
    provider: tuple[str, ...],
    *,
    only: tuple[str, ...],
    patience_s: float,
    as_json: bool,
) -> None:
    """Play each fixture with COMMAND and prove three things of what it tells.

    COMMAND is started once for each fixture. It reads {"kind": "turnStart", "request": {"fixture": …}} from its standard
    input, and {"kind": "actionRespond", …} for each question it asks; it writes one event per line, as
    {"type", "payload", ids}, until turn.completed or turn.failed. `lime-desktop fixtures play` is such a program. Without
    a COMMAND the fixtures are played as they are. Ends with 1 where anything does not hold.
    """
    if provider and shutil.which(provider[0]) is None:
        raise click.UsageError(f"There is no program {provider[0]}. Name one that can be run.")
    fixtures = _chosen(only)
    proofs = asyncio.run(_prove(fixtures, provider, patience_s))
    if as_json:
        print_json([_as_json(fixture, proof) for fixture, proof in proofs])
    else:
        for fixture, proof in proofs:
            _print(fixture, proof)
    ctx.exit(ExitCode.OK if all(proof.holds for _, proof in proofs) else ExitCode.PROBLEMS)


@command.command("play")
def play_fixture() -> None:
    """Play the fixture that is named on standard input: the smallest provider there is."""
    from lime_desktop.developer.provider_fixtures.player import play  # noqa: PLC0415 - one command

    play(sys.stdin, sys.stdout)


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one object per fixture.")
def list_fixtures(*, as_json: bool) -> None:
    """List the fixtures, and where their files lie."""
    fixtures = _chosen(())
    folder = resources_folder() / "provider_fixtures"
    if as_json:
        print_json([{"id": each.id, "title": each.title} for each in fixtures])
        return
    for each in fixtures:
        click.echo(f"{each.id:18} {printable(each.title)}")
    click.echo(str(folder))


def _chosen(only: tuple[str, ...]) -> "tuple[ProviderFixture, ...]":
    from lime_desktop.developer.provider_fixtures.fixture import (  # noqa: PLC0415 - loads models
        read_fixtures,
    )

    fixtures = read_fixtures(resources_folder() / "provider_fixtures")
    known = {each.id for each in fixtures}
    for name in only:
        if name not in known:
            names = ", ".join(sorted(known))
            raise click.BadParameter(
                f"There is no fixture {name}. There are: {names}", param_hint="--only"
            )
    return tuple(each for each in fixtures if not only or each.id in only)


async def _prove(
    fixtures: "tuple[ProviderFixture, ...]", provider: tuple[str, ...], patience_s: float
) -> "list[tuple[ProviderFixture, Proof]]":
    from lime_desktop.developer.provider_fixtures.running import (  # noqa: PLC0415 - loads the App Server
        prove_all,
    )

    schema = resources_folder() / "protocol" / "runtime-events.schema.json"
    return [each async for each in prove_all(fixtures, provider, schema, patience_s)]


def _print(fixture: "ProviderFixture", proof: "Proof") -> None:
    mark = click.style("ok  ", fg="green") if proof.holds else click.style("FAIL", fg="red")
    click.echo(f"{mark} {fixture.id:18} {printable(fixture.title)}")
    for demand, complaints in proof.complaints.items():
        for complaint in complaints:
            click.secho(f"     {_WORDS[demand]}: {printable(complaint)}", fg="red")


def _as_json(fixture: "ProviderFixture", proof: "Proof") -> dict[str, object]:
    return {
        "fixture": fixture.id,
        "holds": proof.holds,
        "demands": {
            demand: {"holds": not complaints, "complaints": list(complaints)}
            for demand, complaints in proof.complaints.items()
        },
    }
