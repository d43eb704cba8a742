"""The app center's pages over a real center and real services."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from lime_desktop.host.user_profile.settings import HostSettings
from lime_desktop.shell.app_center.flow import CenterFlow
from lime_desktop.shell.app_center.in_place import PackagesInPlace
from lime_desktop.shell.startup.composition import Composition
from lime_desktop.shell.widgets.resource_folders import Folders
from tests.host.app_center.opened import opened
from tests.shell.app_center.person import Person
from tests.shell.stage import ROOT


class Desk(Person):
    """A flow on a real center."""

    def __init__(self, folder: Path, qtbot: QtBot, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(qtbot, loop)
        self._stack = AsyncExitStack()
        self.center, self.server = self.wait(self._stack.enter_async_context(opened(folder)))
        folders = Folders(ROOT / "resources", folder / "data", folder / "settings.json")
        self.services = Composition(folders, HostSettings(locale="en", theme_mode="light"))
        self.services.brand.follow(self.center)
        self.wait(self.services.registry.follow(self.center))
        self.closed: list[str] = []
        self.finished: list[str] = []
        self.left: list[bool] = []
        self.flow = CenterFlow(
            self.services.look,
            self.services.registry,
            PackagesInPlace(self.services.registry, self.services.settings),
            self.closed.append,
        )
        self.flow.finished.connect(self.finished.append)
        self.flow.left.connect(lambda: self.left.append(True))
        self.flow.resize(900, 1000)
        self.flow.show()

    def widget(self) -> QWidget:
        return self.flow

    def close(self) -> None:
        self.flow.close()
        self.flow.deleteLater()
        self.wait(self.services.registry.close())
        self.wait(self._stack.aclose())
