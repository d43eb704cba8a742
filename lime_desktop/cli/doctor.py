"""`lime-desktop doctor`: would Lime Desktop work here, and if not, what helps?"""

from collections import Counter

import click

from lime_desktop import __version__
from lime_desktop.cli.terminal.output import ExitCode, counted, json_option, print_json, printable
from lime_desktop.doctor.examination import examine
from lime_desktop.doctor.finding import Finding, Health

_COLOURS = {Health.OK: "green", Health.WARNING: "yellow", Health.ERROR: "red"}
_CHECK_WIDTH = 18


@click.command("doctor")
@json_option
@click.pass_context
def command(ctx: click.Context, *, as_json: bool) -> None:
    """Check this computer and the installation, and show how to fix problems."""
    found: list[Finding] = []
    for finding in examine():
        found.append(finding)
        if not as_json:
            _print_finding(finding)
    is_well = all(finding.health is not Health.ERROR for finding in found)
    if as_json:
        findings = [finding.to_json() for finding in found]
        print_json([{"ok": is_well, "version": __version__, "findings": findings}])
    else:
        _print_summary(found)
    ctx.exit(ExitCode.OK if is_well else ExitCode.PROBLEMS)


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
