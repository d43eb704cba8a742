"""A window to look at: real pages, real samples, a chosen look. Shared by the screenshots and the tests of looks."""

import asyncio
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtWidgets import QApplication, QWidget

from lime_desktop.host.app_server_client.sidecar import Sidecar
from lime_desktop.host.app_server_client.supervisor import AppServerSupervisor
from lime_desktop.host.settings import HostSettings
from lime_desktop.host.shelf import ShelfApp, find_packages
from lime_desktop.shell.app_tab import AppTab
from lime_desktop.shell.engine_facts import EngineFacts
from lime_desktop.shell.main_window import MainWindow
from lime_desktop.shell.surroundings import Folders, Surroundings

ROOT = Path(__file__).parents[2]

LOOKS: dict[str, dict[str, object]] = {
    "light": {"locale": "en", "theme_mode": "light"},
    "dark": {"locale": "en", "theme_mode": "dark"},
    "contrast-light": {"locale": "en", "theme_mode": "light", "is_high_contrast": True},
    "contrast-dark": {"locale": "en", "theme_mode": "dark", "is_high_contrast": True},
    "chinese": {"locale": "zh-CN", "theme_mode": "light"},
    "large-text": {"locale": "en", "theme_mode": "light", "text_scale": 1.5},
}
"""Every look that each screen is shown in."""


@dataclass(frozen=True)
class Stage:
    """A window in one look, with nobody at the other end of the App Server."""

    around: Surroundings
    server: AppServerSupervisor
    window: MainWindow

    def add_samples(self) -> None:
        """Put the sample apps on the shelf."""
        self.around.shelf.add(find_packages(ROOT / "sample_apps"))

    async def settle(self) -> None:
        """Let everything that was asked for be laid out and drawn."""
        for _ in range(5):
            # Not processEvents: Qt would step other tasks from inside this one.
            await asyncio.sleep(0.02)

    def shown(self) -> QWidget:
        """What a picture is taken of: a dialog on top, or the window."""
        return QApplication.activeModalWidget() or self.window


def set_stage(folder: Path, look: str) -> Stage:
    """Open a window in a look; its files lie in the folder."""
    folders = Folders(ROOT / "resources", folder, folder / "settings.json")
    around = Surroundings(folders, HostSettings.model_validate(LOOKS[look]))
    server = AppServerSupervisor(lambda: Sidecar.start(()))

    def make_tab(app: ShelfApp, entry_key: str) -> AppTab:
        return AppTab(around, app, entry_key, server.call)

    window = MainWindow(
        around, server, make_tab, EngineFacts(lambda: ("140.0.7339.207", "143.0.7499.109"))
    )
    window.resize(1180, 780)
    window.show()
    return Stage(around, server, window)
