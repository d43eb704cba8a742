"""Options that a vendor's commands share, and how they end."""

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Concatenate, ParamSpec

import click

from lime_desktop.app_package.problems import Problem
from lime_desktop.app_package.trust.signing_key import read_private_file
from lime_desktop.cli.terminal.output import ExitCode, print_fields, print_json, printable
from lime_desktop.shipping.publishing.keys import KeyFolder, refuse
from lime_desktop.shipping.publishing.repository import FRESH_DAYS
from lime_desktop.shipping.refusals import UpdateRefused
from lime_desktop.shipping.release import this_platform

P = ParamSpec("P")

repository_option = click.option(
    "--to",
    "folder",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="The published folder.",
)
days_option = click.option(
    "--fresh-days",
    type=click.IntRange(1, 365),
    default=FRESH_DAYS,
    show_default=True,
    help="How long clients believe this without a refresh.",
)
notes_option = click.option(
    "--notes",
    multiple=True,
    metavar="[LANGUAGE=]FILE",
    help="What is new, as text. Once for each language, such as zh-CN=news.md.",
)
platform_option = click.option(
    "--platform",
    default=this_platform,
    show_default="this computer's",
    help="The kind of computer, such as linux-x86_64.",
)


def key_options(command: Callable[..., None]) -> Callable[..., None]:
    """Let a command name the vendor's keys, and give them to it opened, as `keys`."""

    @functools.wraps(command)
    def run(
        *args: object,
        keys: Path,
        passphrase_file: Path | None,
        ask_passphrase: bool,
        **options: object,
    ) -> None:
        opened = _open_keys(keys, passphrase_file, ask=ask_passphrase)
        command(*args, keys=opened, **options)

    made: Callable[..., None] = run
    for option in (
        click.option("--ask-passphrase", is_flag=True, help="Ask for the keys' passphrase."),
        click.option(
            "--passphrase-file",
            type=click.Path(path_type=Path, exists=True, dir_okay=False),
            help="A file with the keys' passphrase in the first line.",
        ),
        click.option(
            "--keys",
            required=True,
            type=click.Path(path_type=Path, file_okay=False),
            help="The folder with your keys.",
        ),
    ):
        made = option(made)
    return made


def _open_keys(folder: Path, passphrase_file: Path | None, *, ask: bool) -> KeyFolder:
    """The keys, with their passphrase from a file or a person; never from the command line, where others see it."""
    passphrase: bytes | None = None
    if passphrase_file is not None:
        data = read_private_file(passphrase_file)
        if isinstance(data, Problem):
            raise refuse(data.message)
        passphrase = (data.splitlines() or [b""])[0] or None
    elif ask:
        answer: str = click.prompt("Passphrase", hide_input=True, err=True)
        passphrase = answer.encode()
    return KeyFolder(folder, passphrase)


def read_notes(notes: tuple[str, ...]) -> dict[str, str]:
    """What is new, by language, from the files that were named."""
    found: dict[str, str] = {}
    for each in notes:
        language, separator, name = each.rpartition("=")
        try:
            found[language if separator else "en"] = Path(name).read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise click.BadParameter(
                f"{name} can't be read: {error}", param_hint="--notes"
            ) from None
    return found


def print_facts(facts: dict[str, object], *, as_json: bool) -> None:
    """Say what was published."""
    if as_json:
        print_json([{"ok": True, **facts}])
    else:
        print_fields({name: str(value) for name, value in facts.items()})


def end_refused(
    command: Callable[Concatenate[click.Context, P], None],
) -> Callable[Concatenate[click.Context, P], None]:
    """A command that was refused says why, with its code, and ends with 1."""

    @functools.wraps(command)
    def run(ctx: click.Context, *args: P.args, **options: P.kwargs) -> None:
        try:
            command(ctx, *args, **options)
        except UpdateRefused as refused:
            if options.get("as_json"):
                print_json([{"ok": False, "code": refused.code, "reason": refused.reason}])
            else:
                click.secho(f"{refused.code}: {printable(refused.reason)}", fg="red", err=True)
            ctx.exit(ExitCode.PROBLEMS)

    return run
