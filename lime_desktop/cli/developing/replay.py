"""``lime-desktop replay``: run an app's bundle against a recorded session, and say where it first differs."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from lime_desktop.cli.developing.app_run import patience_option
from lime_desktop.cli.terminal.output import ExitCode, PackagePath, print_json, printable

if TYPE_CHECKING:
    from lime_desktop.developer.recording.lines import Recording
    from lime_desktop.developer.recording.replay import Difference


@click.command()
@click.argument("recording", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("package", type=PackagePath(), required=False)
@patience_option(30.0, "How long to wait for a message of the app.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def command(
    ctx: click.Context,
    recording: Path,
    package: Path | None,
    *,
    patience_s: float,
    as_json: bool,
) -> None:
    """Replay a session that `dev --record` wrote, without a screen.

    The host's answers, the person's inputs, time and chance come from RECORDING; the app from PACKAGE, or from where it
    was recorded. Ends with 1 at the first message that differs. What a recording does not cover, such as workers, is
    said by a code.
    """
    from lime_desktop.developer.recording.lines import (  # noqa: PLC0415 - loads models
        RecordingUnreadable,
        read_recording,
    )

    try:
        read = read_recording(recording)
    except (RecordingUnreadable, UnicodeDecodeError) as error:
        raise click.BadParameter(f"{error}.", param_hint="RECORDING") from None
    place = package or Path(read.head.package)
    if not place.exists():
        raise click.UsageError(f"{place} no longer exists. Name the package.")
    from lime_desktop.desktop import replay  # noqa: PLC0415 - loads the desktop's parts

    difference = replay(read, place, patience_s)
    if as_json:
        print_json([_as_json(difference, read)])
    else:
        click.echo(_as_words(difference, len(read.events)))
        for note in read.notes:
            click.secho(f"  not covered: {note.code}  {printable(note.about)}", fg="yellow")
    ctx.exit(ExitCode.OK if difference is None else ExitCode.PROBLEMS)


def _as_json(difference: "Difference | None", read: "Recording") -> dict[str, object]:
    return {
        "events": len(read.events),
        "difference": None if difference is None else _difference(difference),
        "notCovered": [{"code": note.code, "about": note.about} for note in read.notes],
    }


def _difference(difference: "Difference") -> dict[str, object]:
    place = difference.place
    return {
        "event": difference.event,
        "path": place.path if place else None,
        "expected": difference.expected,
        "actual": difference.actual,
        "waitedFor": difference.waited_for or None,
    }


def _as_words(difference: "Difference | None", events: int) -> str:
    if difference is None:
        return f"No difference in {events} events."
    head = f"First difference at event {difference.event} of {events}"
    if difference.place is None:
        return f"{head}: the app never got past «{printable(difference.waited_for)}»."
    place = difference.place
    return f"{head}, {printable(place.path)}\n  recorded: {place.expected!r}\n  now:      {place.actual!r}"
