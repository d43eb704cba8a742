"""Leaving closes everything that was opened (a bug: one part that could not be closed kept the others open)."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from lime_desktop.database.lock import FolderLock
from lime_desktop.host.app_server_client.sidecar import Sidecar
from lime_desktop.protocol.errors import AppServerUnavailable
from lime_desktop.shell.startup.desktop_app import DesktopApp
from lime_desktop.shell.widgets.resource_folders import Folders
from tests.shell.conftest import RESOURCES


async def start_none() -> Sidecar:
    raise AppServerUnavailable("No server here")


def test_one_part_that_cannot_be_closed_keeps_no_other_open(
    tmp_path: Path,
    qtbot: QtBot,
    loop: asyncio.AbstractEventLoop,
    finish: Callable[[Coroutine[Any, Any, None]], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    del loop
    folders = Folders(RESOURCES, tmp_path / "data", tmp_path / "settings.json")
    desk = DesktopApp(folders, tmp_path / "no samples", start_server=start_none)
    qtbot.addWidget(desk.window)

    async def fail() -> None:
        raise OSError("the disk is full")

    async def life() -> None:
        await desk.open()
        assert desk.services.registry.center is not None
        monkeypatch.setattr(desk.services.approvals, "close", fail)
        desk.window.leave()
        with pytest.raises(OSError, match="full"):
            await desk.close()

    finish(life())
    # Whoever starts next finds the folder free, in this very process too.
    FolderLock(folders.data / "host").release()
