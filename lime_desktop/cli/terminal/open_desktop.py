"""What commands share about a desktop that is open on their data folder: how they find it, and what is said where they cannot."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.app_server_client.sidecar import (
    Sidecar,
    app_server_command,
    server_on_demand,
)
from lime_desktop.host.startup.running_desktop import (
    OtherVersionError,
    RunningDesktop,
    running_desktop,
)
from lime_desktop.host.user_profile.user_paths import app_server_folder
from lime_desktop.protocol.errors import DatabaseBusy


async def start_server(data_dir: Path, *, is_apart: bool = False) -> Sidecar:
    """Start the App Server of a data folder for one command."""
    return await Sidecar.start(app_server_command(app_server_folder(data_dir)), is_apart=is_apart)


@asynccontextmanager
async def desktop_on(data_dir: Path) -> AsyncGenerator[RunningDesktop | None]:
    """The desktop that is open on a data folder, if it answers.

    Raises:
        DatabaseBusy: it is of another version, and knows other commands.
    """
    try:
        async with running_desktop(data_dir) as found:
            yield found
    except OtherVersionError as other:
        raise DatabaseBusy(
            f"Another version of Lime Desktop is open ({other}) and uses this data folder."
        ) from None


@asynccontextmanager
async def server_of(data_dir: Path) -> AsyncGenerator[CallServer]:
    """The App Server of a data folder: that of the desktop which is open on it, or one for this command."""
    async with (
        desktop_on(data_dir) as desktop,
        server_on_demand(partial(start_server, data_dir)) as own,
    ):
        yield own if desktop is None else desktop.call


def held_by(busy: DatabaseBusy) -> DatabaseBusy:
    """Say whose folder it is that cannot be had."""
    process = f" (process {busy.details['pid']})" if "pid" in busy.details else ""
    return DatabaseBusy(
        f"Lime Desktop is open{process} and uses this data folder.", details=busy.details
    )
