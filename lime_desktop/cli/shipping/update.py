"""``lime-desktop update``: the program itself, or an installed app if one is named."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn, TypeVar

import click

from lime_desktop.cli.shipping.answers import print_answer, print_refusal, print_status
from lime_desktop.cli.terminal.command_group import CommandGroup
from lime_desktop.cli.terminal.language import words
from lime_desktop.cli.terminal.output import ExitCode, json_option, print_json
from lime_desktop.host.wording.texts import Texts
from lime_desktop.shipping.installation import find_installation, own_installation
from lime_desktop.shipping.refusals import UpdateRefused
from lime_desktop.shipping.sources import FileSource
from lime_desktop.shipping.states import Notify, Progress, Ready, Refused
from lime_desktop.shipping.updates import Updates

T = TypeVar("T")
root_option = click.option(
    "--root",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="The installation's folder.  [default: the one this program runs from]",
)


command = CommandGroup()
"""Their group says what they are for (`groups.py`), without loading them."""


@command.command("check")
@root_option
@json_option
@click.pass_context
def check(ctx: click.Context, *, root: Path | None, as_json: bool) -> None:
    """Check for a new version. Nothing is downloaded."""
    result = _run(ctx, lambda: _updates(root).check(), as_json=as_json)
    print_answer(result, words(), as_json=as_json)
    ctx.exit(ExitCode.PROBLEMS if isinstance(result, Refused) else ExitCode.OK)


@command.command("apply")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False), required=False)
@root_option
@json_option
@click.pass_context
def apply(ctx: click.Context, *, file: Path | None, root: Path | None, as_json: bool) -> None:
    """Download the newest version, or take it from FILE. It starts after a restart."""

    def work() -> Ready:
        source = FileSource(file) if file else None
        notify = _ignore if as_json else _progress_line(words())
        return _updates(root, source).apply(notify=notify, by_hand=True)

    print_answer(_run(ctx, work, as_json=as_json), words(), as_json=as_json)


@command.command("rollback")
@root_option
@json_option
@click.pass_context
def rollback(ctx: click.Context, *, root: Path | None, as_json: bool) -> None:
    """Roll back to the previous version. It starts after a restart."""
    version = _run(ctx, lambda: _updates(root).roll_back(), as_json=as_json)
    if as_json:
        print_json([{"ok": True, "result": "rolled-back", "version": version}])
    else:
        click.secho(words()("self-update.rolled-back", version=version), fg="green", bold=True)


@command.command("status")
@root_option
@json_option
@click.pass_context
def status(ctx: click.Context, *, root: Path | None, as_json: bool) -> None:
    """Show the version, its channel and what waits for a restart."""
    found = _run(ctx, lambda: _updates(root).status(), as_json=as_json)
    print_status(found, words(), as_json=as_json)


@command.command("channel")
@click.argument("name")
@root_option
@json_option
@click.pass_context
def channel(ctx: click.Context, *, name: str, root: Path | None, as_json: bool) -> None:
    """Choose the channel that updates come from, such as stable or beta."""
    _run(ctx, lambda: _updates(root).choose_channel(name), as_json=as_json)
    if as_json:
        print_json([{"ok": True, "channel": name}])
    else:
        click.echo(words()("self-update.channel", channel=name))


def _updates(root: Path | None, source: FileSource | None = None) -> Updates:
    installation = own_installation(root) if root else find_installation()
    return Updates(installation, source)


def _run(ctx: click.Context, work: Callable[[], T], *, as_json: bool) -> T:
    try:
        return work()
    except UpdateRefused as refused:
        _end(ctx, refused, as_json=as_json)


def _end(ctx: click.Context, refused: UpdateRefused, *, as_json: bool) -> NoReturn:
    print_refusal(Refused(refused.code, refused.reason), words(), as_json=as_json)
    ctx.exit(ExitCode.PROBLEMS)


def _ignore(progress: Progress) -> None:
    del progress


def _progress_line(texts: Texts) -> Notify:
    """A line that is written over and over, where somebody looks."""

    def show(progress: Progress) -> None:
        if not sys.stderr.isatty():
            return
        done, total = (
            f"{each / 1_000_000:.1f} MB" for each in (progress.done_bytes, progress.total_bytes)
        )
        is_last = progress.done_bytes >= progress.total_bytes
        text = texts("self-update.downloading", done=done, total=total)
        click.echo(f"\r{text}", nl=is_last, err=True)

    return show
