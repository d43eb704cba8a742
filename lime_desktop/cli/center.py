"""What the commands about installed apps share: the app center of a data folder, and how they end.

The center is the same that the window uses, so a command is refused while a window holds it.
"""

import asyncio
import locale
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Protocol, TypeVar

import click

from lime_desktop.cli import output
from lime_desktop.cli.failures import print_failure
from lime_desktop.host.app_center.center import AppCenter, open_center
from lime_desktop.host.app_server_client.on_demand import server_on_demand
from lime_desktop.host.app_server_client.sidecar import Sidecar, app_server_command
from lime_desktop.host.places import app_server_folder, user_data_folder
from lime_desktop.host.texts import Texts, read_texts
from lime_desktop.protocol.errors import AppError, ApprovalRequired
from lime_desktop.resources import resources_folder, sample_apps_folder

CommandT = TypeVar("CommandT", bound=Callable[..., Any])


class Shown(Protocol):
    """An answer that can be printed for programs and for people."""

    def document(self) -> object:
        """The answer as JSON."""
        ...

    def show(self) -> None:
        """Print the answer for a person."""
        ...


ShownT = TypeVar("ShownT", bound=Shown)


def data_option(command: CommandT) -> CommandT:
    """Let a command name the data folder it works on."""
    return click.option(
        "--data-dir",
        type=click.Path(path_type=Path, file_okay=False),
        default=user_data_folder,
        show_default="the folder of this user",
        help="Where apps are installed.",
    )(command)


yes_option = click.option("--yes", "-y", is_flag=True, help="Agree without a question.")


def run(
    ctx: click.Context,
    data_dir: Path,
    work: Callable[[AppCenter], Coroutine[Any, Any, ShownT]],
    *,
    as_json: bool,
) -> ShownT:
    """Do something with the app center, print what came of it and give it; a failure ends with the right code."""
    try:
        answer = asyncio.run(_carry_out(data_dir, work))
    except AppError as error:
        print_failure(error, as_json=as_json)
        needs_consent = isinstance(error, ApprovalRequired)
        ctx.exit(output.ExitCode.CONSENT if needs_consent else output.ExitCode.PROBLEMS)
    if as_json:
        output.print_json([answer.document()])
    else:
        answer.show()
    return answer


def run_step(
    ctx: click.Context,
    data_dir: Path,
    step: Callable[[AppCenter], Awaitable[object]],
    shown: Callable[[AppCenter], ShownT],
    *,
    as_json: bool,
) -> ShownT:
    """Change something in the app center, or only look, and print how it stands then."""

    async def work(center: AppCenter) -> ShownT:
        await step(center)
        return shown(center)

    return run(ctx, data_dir, work, as_json=as_json)


async def _carry_out(
    data_dir: Path, work: Callable[[AppCenter], Coroutine[Any, Any, ShownT]]
) -> ShownT:
    async with center_in(data_dir) as center:
        return await work(center)


@asynccontextmanager
async def center_in(data_dir: Path) -> AsyncGenerator[AppCenter]:
    """Open the app center of a folder, with an App Server that starts if somebody needs it."""

    def start() -> Coroutine[Any, Any, Sidecar]:
        return Sidecar.start(app_server_command(app_server_folder(data_dir)))

    async with server_on_demand(start) as call:
        center = await open_center(data_dir, call, built_in=(sample_apps_folder(),))
        try:
            yield center
        finally:
            await center.close()


def is_somebody_there() -> bool:
    """Whether a person can be asked."""
    return sys.stdin.isatty()


def require_consent(question: str, *, is_given: bool) -> None:
    """Ask a person to agree, unless they have; with nobody to ask, refuse.

    Raises:
        ApprovalRequired: nobody agreed.
    """
    if is_given:
        return
    if not is_somebody_there():
        raise ApprovalRequired("This needs your approval. Add --yes to approve it")
    if not click.confirm(output.printable(question), default=False, err=True):
        raise ApprovalRequired("Not approved. Nothing was changed")


def words() -> Texts:
    """The shell's texts in the language of this terminal."""
    wanted = locale.getlocale()[0] or "en"
    return read_texts(resources_folder() / "locales", [wanted])
