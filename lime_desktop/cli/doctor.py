"""`lime-desktop doctor`: would Lime Desktop work here, and if not, what helps?"""

import shlex
from collections import Counter

import click

from lime_desktop import __version__
from lime_desktop.cli.terminal.output import ExitCode, counted, json_option, print_json, printable
from lime_desktop.doctor.examination import examine
from lime_desktop.doctor.finding import Finding, Health
from lime_desktop.doctor.repairs import commands_of, run

_COLOURS = {Health.OK: "green", Health.WARNING: "yellow", Health.ERROR: "red"}
_CHECK_WIDTH = 18


@click.command("doctor")
@click.option("--fix", "fixes", is_flag=True, help="Fix what a command can fix. Asks before each.")
@click.option("--yes", is_flag=True, help="With --fix: do not ask.")
@json_option
@click.pass_context
def command(ctx: click.Context, *, fixes: bool, yes: bool, as_json: bool) -> None:
    """Check this computer and the installation, and show how to fix problems."""
    found = _examined(as_json=as_json)
    if fixes and _mend(found, asks=not yes):
        found = _examined(as_json=as_json)
    is_well = all(finding.health is not Health.ERROR for finding in found)
    if as_json:
        findings = [finding.to_json() for finding in found]
        print_json([{"ok": is_well, "version": __version__, "findings": findings}])
    else:
        _print_summary(found)
    ctx.exit(ExitCode.OK if is_well else ExitCode.PROBLEMS)


def _examined(*, as_json: bool) -> list[Finding]:
    found: list[Finding] = []
    for finding in examine():
        found.append(finding)
        if not as_json:
            _print_finding(finding)
    return found


def _mend(found: list[Finding], *, asks: bool) -> bool:
    """Fix what can be fixed, each with a yes; says whether anything was run."""
    was_run = False
    for finding in found:
        commands = commands_of(finding)
        if finding.health is Health.OK or not commands:
            continue
        shown = printable(" && ".join(map(shlex.join, commands)))
        click.echo(f"\n{finding.check}: {shown}", err=True)
        if asks and not click.confirm("Run this?", default=False, err=True):
            continue
        was_run = True
        if not run(commands):
            click.secho(f"{finding.check}: this did not work", fg="red", err=True)
    return was_run


def _print_finding(finding: Finding) -> None:
    health = click.style(f"{finding.health:<7}", fg=_COLOURS[finding.health])
    click.echo(f"  {health}  {finding.check:<{_CHECK_WIDTH}}{printable(finding.message)}")
    if finding.fix:
        click.secho(" " * (11 + _CHECK_WIDTH) + printable(finding.fix), dim=True)


def _print_summary(found: list[Finding]) -> None:
    counts = Counter(finding.health for finding in found)
    bad = [health for health in (Health.ERROR, Health.WARNING) if counts[health]]
    verdict = ", ".join(counted(counts[health], health) for health in bad) or "no problems"
    colour = _COLOURS[bad[0] if bad else Health.OK]
    click.secho(f"{counted(len(found), 'check')}: {verdict}", fg=colour, bold=True)
