"""`lime-desktop app-server`: run the sidecar that owns every runtime fact."""

import asyncio
import faulthandler
import logging
import os
from contextlib import AsyncExitStack
from pathlib import Path
from typing import IO

import click

from lime_desktop.app_server.children.leashed_process import scrub
from lime_desktop.app_server.execution.script_files import ScriptFile
from lime_desktop.app_server.execution.scripted import ScriptedEngine
from lime_desktop.app_server.execution.unavailable import UnavailableEngine
from lime_desktop.app_server.runtime_core.backend import ExecutionBackend
from lime_desktop.app_server.server.connection import Services
from lime_desktop.app_server.server.logs import log_to
from lime_desktop.app_server.server.serving import serve_socket, serve_streams, stop_on_signals
from lime_desktop.cli.terminal.failures import print_failure
from lime_desktop.cli.terminal.output import ExitCode
from lime_desktop.database.failures import opening_failure
from lime_desktop.database.private_files import make_private_from_now_on
from lime_desktop.jsonrpc.sockets import AddressInUseError
from lime_desktop.jsonrpc.stdio import take_standard_streams
from lime_desktop.protocol.errors import AppError, Conflict, InstallationBroken
from lime_desktop.protocol.start_failure import start_failure_line

_log = logging.getLogger(__name__)


@click.command("app-server")
@click.option("--stdio", "is_stdio", is_flag=True, help="Serve one client over stdin and stdout.")
@click.option(
    "--listen",
    "address",
    metavar="PATH",
    help="Serve several clients on a Unix socket, or a named pipe on Windows.",
)
@click.option(
    "--data-dir",
    # Readable or not is said by the server, with its code: a desktop started it.
    type=click.Path(path_type=Path, file_okay=False, readable=False),
    envvar="APP_SERVER_DATA_DIR",
    required=True,
    help="The data folder. Only one server can use it.",
)
@click.option(
    "--token-file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The token file for clients of --listen.  [default: DATA_DIR/app-server.token]",
)
@click.option(
    "--backend",
    type=click.Choice(["runtime", "unavailable"]),
    default="runtime",
    show_default=True,
    help="The engine for turns: the models that are set up, or none.",
)
@click.option(
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    default="warning",
    show_default=True,
    help="The log level on stderr, as lines of JSON.",
)
@click.option(
    "--test-scripts",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    hidden=True,
    help="Play scripts instead of running an engine. For tests only.",
)
@click.pass_context
def command(
    ctx: click.Context,
    *,
    is_stdio: bool,
    address: str | None,
    data_dir: Path,
    token_file: Path | None,
    backend: str,
    log_level: str,
    test_scripts: Path | None,
) -> None:
    """Run the App Server: sessions, turns, approvals and evidence over JSON-RPC.

    Ends when its client closes stdin, or on SIGTERM. Standard output carries the protocol alone.
    """
    # To stderr, which whoever started it reads: the stack of a crash, and nothing of what was worked on.
    faulthandler.enable()
    if is_stdio == bool(address):
        raise click.UsageError("Use either --stdio or --listen PATH.")
    make_private_from_now_on()
    # First of all: whatever is imported or printed later must find no keys and no stdout.
    removed = scrub(os.environ)
    streams = take_standard_streams() if is_stdio else None
    log_to(level=log_level)
    _log.info("environment scrubbed", extra={"count": len(removed)})
    engine = _chosen_engine(backend, test_scripts)
    token_file = token_file or data_dir / "app-server.token"
    try:
        asyncio.run(_serve(data_dir, engine, streams, address, token_file))
    except AppError as error:
        print_failure(error)
        # Last of all: whoever started this process reads from it why there is none.
        click.echo(start_failure_line(error), err=True)
        ctx.exit(ExitCode.PROBLEMS)


def _chosen_engine(backend: str, test_scripts: Path | None) -> ExecutionBackend | None:
    """None stands for the product's own engines."""
    if test_scripts:
        return ScriptedEngine(ScriptFile(test_scripts))
    return UnavailableEngine() if backend == "unavailable" else None


async def _serve(
    data_dir: Path,
    engine: ExecutionBackend | None,
    streams: tuple[IO[bytes], IO[bytes]] | None,
    address: str | None,
    token_file: Path,
) -> None:
    stop = asyncio.Event()
    stop_on_signals(stop)
    async with AsyncExitStack() as closing:
        services = await _open(data_dir, engine, closing)
        if streams is not None:
            await serve_streams(services, *streams, stop)
        elif address is not None:
            try:
                await serve_socket(services, address, token_file, stop)
            except AddressInUseError as error:
                raise Conflict(f"Another program is already using {error}") from error


async def _open(
    data_dir: Path, engine: ExecutionBackend | None, closing: AsyncExitStack
) -> Services:
    """Open everything that is served.

    Raises:
        AppError: what stands in the way, by its code.
    """
    try:
        # Not above: it joins everything there is, and `--help` needs none of it.
        from lime_desktop.app_server.assembly import open_services  # noqa: PLC0415
    except ImportError as error:
        _log.exception("a part of the program cannot be loaded")
        missing = error.name or "unknown"
        raise InstallationBroken(f"The part {missing} of the program cannot be loaded.") from error
    is_product = not isinstance(engine, ScriptedEngine)
    try:
        return await closing.enter_async_context(
            open_services(data_dir, engine, is_product=is_product)
        )
    except OSError as error:
        _log.exception("the data folder cannot be opened")
        raise opening_failure(error, data_dir) from error
