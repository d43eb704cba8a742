"""What `lime-desktop dev` prints: a few lines for a person who looks over now and then, or JSON for a program."""

import time

import click

from lime_desktop.app_package.problems import Problem
from lime_desktop.cli.terminal.output import SEVERITY_COLOURS, counted, print_fields, printable
from lime_desktop.developer.events import (
    AlreadyOpenEvent,
    CallEvent,
    DeveloperEvent,
    OpenedEvent,
    ProblemsEvent,
    ReloadedEvent,
    place_of,
)
from lime_desktop.developer.testing.outcomes import TestOutcome

_MET = {"styles": "styles swapped", "page": "page reloaded", "manifest": "package read again"}


def tell_program(event: DeveloperEvent) -> None:
    """One object a line, as it happens."""
    click.echo(event.model_dump_json(by_alias=True, exclude_none=True))


def tell_person(event: DeveloperEvent) -> None:
    """A line or a few in plain words."""
    match event:
        case OpenedEvent():
            _tell_opened(event)
        case ReloadedEvent():
            _tell_reloaded(event)
        case ProblemsEvent():
            _tell_problems(event.problems)
        case AlreadyOpenEvent():
            click.echo(f"{printable(event.package)} is already open. Its window is in front now.")
        case TestOutcome():
            _tell_tested(event)
        case CallEvent():
            pass


def _tell_opened(event: OpenedEvent) -> None:
    click.secho(f"{event.app_id} is open at its entry {event.entry_key}.", bold=True)
    fields = {"watching": event.package}
    if event.dev_server:
        fields["pages from"] = f"{event.dev_server} (the dev server)"
    if event.granted:
        fields["may use"] = f"{', '.join(event.granted)} (everything it declares)"
    print_fields(fields, indent=2)
    click.secho("Save a file to reload. Press Ctrl+C to quit.", dim=True)


def _tell_reloaded(event: ReloadedEvent) -> None:
    first, *more = event.files
    files = f"{first} and {counted(len(more), 'file')} more" if more else first
    duration = click.style(f"{event.took_ms} ms", fg="green" if event.took_ms <= 300 else "yellow")
    click.echo(f"{_now()}  {printable(files)}  {_MET[event.how]}  {duration}")


def _tell_tested(outcome: TestOutcome) -> None:
    sign = click.style("✓", fg="green") if outcome.has_passed else click.style("✗", fg="red")
    click.echo(f"{sign} {printable(outcome.file)}: {printable(outcome.name)}")
    for line in (*outcome.problem.splitlines(), *outcome.console):
        click.echo(f"    {printable(line)}")
    if outcome.picture:
        click.echo(f"    picture: {printable(outcome.picture)}")


def _tell_problems(problems: tuple[Problem, ...]) -> None:
    if not problems:
        click.secho(f"{_now()}  no problems", fg="green")
        return
    click.secho(f"{_now()}  {counted(len(problems), 'problem')}", bold=True)
    for problem in problems:
        severity = click.style(f"{problem.severity:<7}", fg=SEVERITY_COLOURS[problem.severity])
        place = click.style(printable(place_of(problem) or problem.code), bold=True)
        click.echo(f"  {severity}  {place}  {printable(problem.message)}")
        if problem.fix:
            click.secho(f"           {printable(problem.fix)}", dim=True)


def _now() -> str:
    return click.style(time.strftime("%H:%M:%S"), dim=True)
