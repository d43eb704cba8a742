"""What is opened while a command holds the installed apps is shown once they are free (a bug: it was dropped)."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from lime_desktop.app_package.archive.opening import open_package
from lime_desktop.app_package.archive.packing import pack
from lime_desktop.database.lock import FolderLock
from lime_desktop.host.app_center.records.layout import CenterLayout
from lime_desktop.host.user_profile.settings import HostSettings
from lime_desktop.shell.startup.desktop_app import DesktopApp
from lime_desktop.shell.widgets.resource_folders import Folders
from tests.shell.conftest import RESOURCES
from tests.shell.test_leaving import start_none

SAMPLES = RESOURCES.parent / "sample_apps"
PATIENCE_S = 30


class HeldDesk:
    """A desktop whose installed apps a command holds."""

    def __init__(self, folder: Path, qtbot: QtBot) -> None:
        self.folders = Folders(RESOURCES, folder / "data", folder / "settings.json")
        self.folders.settings_file.write_text(
            HostSettings(locale="en", is_welcomed=True).model_dump_json(by_alias=True), "utf-8"
        )
        self.command = FolderLock(self.folders.data / "host")
        self.desk = DesktopApp(self.folders, SAMPLES, start_server=start_none)
        qtbot.addWidget(self.desk.window)

    @property
    def words(self) -> str:
        labels = self.desk.window.findChildren(QLabel)
        return "\n".join(each.text() for each in labels if each.isVisibleTo(self.desk.window))

    async def until(self, is_so: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not is_so():  # noqa: ASYNC110 - Qt tells nobody when a label changes
                await asyncio.sleep(0.02)


@pytest.fixture
def held(tmp_path: Path, qtbot: QtBot, loop: object) -> HeldDesk:
    del loop
    return HeldDesk(tmp_path, qtbot)


@pytest.mark.parametrize("is_start", [True, False], ids=["by its own start", "by a later one"])
@pytest.mark.parametrize("kind", ["link", "archive"])
def test_what_is_opened_while_a_command_holds_the_apps_waits_and_says_so(
    held: HeldDesk,
    tmp_path: Path,
    finish: Callable[[Coroutine[Any, Any, None]], None],
    kind: str,
    *,
    is_start: bool,
) -> None:
    archive = tmp_path / "hello.lapp"
    pack(open_package(SAMPLES / "hello-lime"), archive)
    target = "lime://app/hello-lime" if kind == "link" else str(archive)
    shown = "Hello Lime"
    told = held.desk.services.look.texts("target.held")

    async def life() -> None:
        desk = held.desk
        desk.fill(target if is_start else "")
        opening = asyncio.create_task(desk.open())
        if not is_start:
            await held.until(lambda: "Lime can't read the installed apps" in held.words)
            desk.show(target)
        await held.until(lambda: told in held.words)
        assert shown not in held.words
        desk.show("lime://settings/about")
        assert desk.services.look.texts("settings.about.title") in held.words, "it needs no apps"
        held.command.release()
        await held.until(lambda: told not in held.words and shown in held.words)
        await opening
        desk.window.leave()
        await desk.close()

    finish(life())


def test_apps_that_cannot_be_read_once_they_are_free_are_told_as_that(
    held: HeldDesk, finish: Callable[[Coroutine[Any, Any, None]], None]
) -> None:
    """A bug: the page said for ever that another process holds them."""

    async def life() -> None:
        desk = held.desk
        desk.fill("")
        opening = asyncio.create_task(desk.open())
        await held.until(lambda: "APP_E224" in held.words)
        CenterLayout(held.folders.data).database.write_bytes(b"no database" * 500)
        held.command.release()
        await held.until(lambda: "APP_E223" in held.words)
        assert "APP_E224" not in held.words
        await opening
        desk.window.leave()
        await desk.close()

    finish(life())
