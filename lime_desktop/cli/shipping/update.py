"""``lime-desktop update``: the program itself, or an installed app if one is named."""

import sys
from collections.abc import Callable
from importlib import import_module
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
from lime_desktop.shipping.staging import Notify, Progress
from lime_desktop.shipping.updates import Ready, Refused, Updates

T = TypeVar("T")
_APP = "app"


class _UpdateGroup(CommandGroup):
    """What is no command of its own names an app, as it always did; a folder of such a name is ./check."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the command before an app's name, and `check` where nothing is said."""
        if not args:
            args = ["check"]
        elif args[0] not in {*self.commands, _APP, "-h", "--help"}:
            args = [_APP, *args]
        return super().parse_args(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load what updates an app only for that."""
        if cmd_name == _APP:
            return import_module("lime_desktop.cli.installed.install").update
        return super().get_command(ctx, cmd_name)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name every command."""
        return [*super().list_commands(ctx), _APP]


root_option = click.option(
    "--root",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="The installation's folder.  [default: the one this program runs from]",
)


@click.group(cls=_UpdateGroup)
def command() -> None:
    """Update Lime Desktop, or an app that is named: update APP. Each command supports --json.

    A new version is prepared beside the running one and starts after a restart. If it does not start, the version before
    is back by itself. A copy that a package manager installed is updated by that.
    """


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
