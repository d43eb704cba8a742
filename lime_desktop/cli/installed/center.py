"""What the commands about installed apps share: the app center of a data folder, and how they end.

The center is the same that the window uses: while a window holds it, a command looks on, and has what it would change
done by the desktop that is open. Where that does not answer, what only reads still does, and the rest is refused.
"""

import asyncio
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

import click

from lime_desktop.cli.installed.hook_questions import HookQuestions
from lime_desktop.cli.terminal import output
from lime_desktop.cli.terminal.failures import print_failure
from lime_desktop.cli.terminal.language import words
from lime_desktop.cli.terminal.open_desktop import desktop_on, held_by, start_server
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.governance.product_rules import ProductRules, product_rules
from lime_desktop.host.app_center.opening import look_at_center, open_center
from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.app_server_client.connection import AppServerConnection
from lime_desktop.host.app_server_client.sidecar import Sidecar, server_on_demand
from lime_desktop.host.apps.hook_runner import HookRunner
from lime_desktop.host.startup.lent_center import lend
from lime_desktop.host.user_profile.user_paths import user_data_folder
from lime_desktop.product import BrandingBroken, Product, product_folder, this_product
from lime_desktop.protocol.errors import AppError, ApprovalRequired, DatabaseBusy
from lime_desktop.resources import sample_apps_folder

CommandT = TypeVar("CommandT", bound=Callable[..., Any])
P = ParamSpec("P")
R = TypeVar("R")


class Shown(Protocol):
    """An answer that can be printed for programs and for people."""

    def document(self) -> object:
        """The answer as JSON."""
        ...

    def show(self) -> None:
        """Print the answer for a person."""
        ...


ShownT = TypeVar("ShownT", bound=Shown)


def center_options(command: Callable[Concatenate[click.Context, P], R]) -> Callable[P, R]:
    """Let a command name the data folder it works on and print JSON, and give it its context."""
    return data_option(output.json_option(click.pass_context(command)))


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
    only_reads: bool = False,
) -> ShownT:
    """Do something with the app center, print what came of it and give it; a failure ends with the right code."""
    try:
        answer = asyncio.run(_carry_out(data_dir, work, only_reads=only_reads))
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
    only_reads: bool = False,
) -> ShownT:
    """Change something in the app center, or only look, and print how it stands then."""

    async def work(center: AppCenter) -> ShownT:
        await step(center)
        return shown(center)

    return run(ctx, data_dir, work, as_json=as_json, only_reads=only_reads)


async def _carry_out(
    data_dir: Path,
    work: Callable[[AppCenter], Coroutine[Any, Any, ShownT]],
    *,
    only_reads: bool,
) -> ShownT:
    async with center_in(data_dir, only_reads=only_reads) as center:
        return await work(center)


@asynccontextmanager
async def center_in(data_dir: Path, *, only_reads: bool = False) -> AsyncGenerator[AppCenter]:
    """Open the app center of a folder, with an App Server that starts if somebody needs it.

    Raises:
        DatabaseBusy: Lime Desktop is open on it and does not answer, and something is to be changed.
    """
    async with AsyncExitStack() as ends:
        center = await _open(data_dir, ends, only_reads=only_reads)
        ends.push_async_callback(center.close)
        yield center


@asynccontextmanager
async def center_and_server(data_dir: Path) -> AsyncGenerator[tuple[AppCenter, CallServer]]:
    """Both, for a command that has agents work: its App Server goes on through Ctrl+C, so that the command can end that.

    Raises:
        DatabaseBusy: Lime Desktop is open on it.
    """
    async with server_in(data_dir, is_apart=True) as call:
        try:
            center = await _open_own(data_dir, call, await _given())
        except DatabaseBusy as busy:
            raise held_by(busy) from None
        try:
            yield center, call
        finally:
            await center.close()


def server_in(
    data_dir: Path,
    *,
    is_apart: bool = False,
    greet: Callable[[AppServerConnection], None] = lambda _connection: None,
) -> AbstractAsyncContextManager[CallServer]:
    """The App Server of a folder, which starts if somebody needs it; `greet` hears of each that does."""

    async def start() -> Sidecar:
        sidecar = await start_server(data_dir, is_apart=is_apart)
        greet(sidecar.connection)
        return sidecar

    return server_on_demand(start)


@asynccontextmanager
async def _served(data_dir: Path) -> AsyncGenerator[CallServer]:
    """The App Server of a folder; what a hook asks is put to whoever sits at the terminal."""
    if not is_somebody_there():
        async with server_in(data_dir) as call:
            yield call
        return
    questions = HookQuestions(words())
    async with server_in(data_dir, greet=questions.introduce) as call:
        try:
            yield call
        finally:
            await questions.close()


@dataclass(frozen=True, slots=True)
class _Given:
    """What comes with the program itself."""

    samples: tuple[Path, ...]
    rules: ProductRules


async def _given() -> _Given:
    product = this_product()
    samples = () if product.is_branded else (sample_apps_folder(),)
    return _Given(samples, await asyncio.to_thread(_rules_of, product))


async def _open_own(data_dir: Path, call: CallServer, given: _Given) -> AppCenter:
    center = await open_center(data_dir, call, built_in=given.samples, rules=given.rules)
    center.hooks.runner = HookRunner(center, call, is_attended=is_somebody_there())
    return center


async def _open(data_dir: Path, ends: AsyncExitStack, *, only_reads: bool) -> AppCenter:
    given = await _given()
    call = await ends.enter_async_context(_served(data_dir))
    try:
        return await _open_own(data_dir, call, given)
    except DatabaseBusy as busy:
        held = held_by(busy)
    desktop = await ends.enter_async_context(desktop_on(data_dir))
    if desktop is None and not only_reads:
        raise held
    call = call if desktop is None else desktop.call
    center = await look_at_center(data_dir, call, held, given.samples, given.rules)
    if desktop is not None:
        lend(center, desktop)
    return center


def _rules_of(product: Product) -> ProductRules:
    try:
        return product_rules(product, product_folder())
    except BrandingBroken as broken:
        # Without what came with it nobody can say which rules hold.
        raise click.ClickException(
            f"{product.name} is damaged: {broken}. Install it again."
        ) from None


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
