"""The settings of models as commands reach them: in the App Server's own files, whether one runs or not."""

import asyncio
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

import click

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.execution.engines import EngineDependencies
from lime_desktop.app_server.execution.turn_states import TurnStates
from lime_desktop.app_server.providers.product_presets import offered_presets
from lime_desktop.app_server.providers.service import ProviderService
from lime_desktop.app_server.providers.store import open_provider_store
from lime_desktop.app_server.secrets.keyring_place import find_keyring
from lime_desktop.app_server.secrets.store import open_secret_store
from lime_desktop.app_server.tools.no_tools import NoTools
from lime_desktop.cli.terminal.failures import print_failure
from lime_desktop.cli.terminal.output import ExitCode
from lime_desktop.host.user_profile.user_paths import app_server_folder, user_data_folder
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.ids import TraceId

T = TypeVar("T")
Work = Callable[[ProviderService], Awaitable[T]]

CONTEXT = CallContext(trace_id=TraceId("cli"), client_name="lime-desktop")
data_dir_option = click.option(
    "--data-dir",
    type=click.Path(path_type=Path, file_okay=False),
    envvar="APP_SERVER_DATA_DIR",
    default=lambda: app_server_folder(user_data_folder()),
    help="The App Server's folder.  [default: the desktop's own]",
)


def run(data_dir: Path, work: Work[T]) -> T:
    """Do this with the settings; a refusal is printed and ends the command with 1."""

    async def whole() -> T:
        async with _opened(data_dir) as service:
            return await work(service)

    try:
        return asyncio.run(whole())
    except AppError as error:
        print_failure(error)
        sys.exit(ExitCode.PROBLEMS)


@asynccontextmanager
async def _opened(data_dir: Path) -> AsyncGenerator[ProviderService]:
    # The engines bring HTTP clients along: loaded once they are used, not to explain a command.
    from lime_desktop.app_server.execution.engine_table import open_engines  # noqa: PLC0415
    from lime_desktop.app_server.execution.router import EngineRouter  # noqa: PLC0415

    secrets = open_secret_store(data_dir, find_keyring)
    store = open_provider_store(data_dir, secrets)
    states = TurnStates(data_dir / "turn-states")
    # Only asked for what they offer: no turn is run from here.
    engines = open_engines(EngineDependencies(data_dir, states, store, NoTools()))
    try:
        yield ProviderService(store, EngineRouter(engines, states, store).supply, offered_presets())
    finally:
        store.close()
        secrets.close()
