"""A window with an app and a real App Server behind it, whose agents play scripts."""

import asyncio
import json
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

from pytestqt.qtbot import QtBot

from lime_desktop.host.app_server_client.connection import AppServerConnection
from lime_desktop.host.app_server_client.sidecar import Sidecar, app_server_command
from lime_desktop.host.app_server_client.supervisor import AppServerSupervisor, Running
from lime_desktop.host.apps.registration import AppRegistration
from tests.shell.conftest import WAIT_MS
from tests.shell.stage import Stage, set_stage


@contextmanager
def staged(
    folder: Path,
    qtbot: QtBot,
    look: str,
    package: Path,
    scripts: Mapping[str, object] | None = None,
) -> Generator[Stage]:
    """The window, its app registered where it lies, until it is left."""
    played = folder / "scripts.json"
    played.write_text(json.dumps(scripts or {}), encoding="utf-8")
    command = (*app_server_command(folder / "app-server"), "--test-scripts", str(played))

    async def prepare(connection: AppServerConnection) -> None:
        await AppRegistration(stage.services.registry).introduce(connection)

    server = AppServerSupervisor(lambda: Sidecar.start(command), prepare=prepare)
    stage = set_stage(folder, look, server)
    qtbot.addWidget(stage.window)
    stage.services.registry.add([package])
    server.start()
    qtbot.waitUntil(lambda: isinstance(server.state, Running), timeout=WAIT_MS)
    yield stage
    stage.window.shut()
    stopping = asyncio.ensure_future(server.stop(), loop=asyncio.get_event_loop())
    qtbot.waitUntil(stopping.done, timeout=WAIT_MS)
