"""A window to look at: real pages, real samples, a chosen look. Shared by the screenshots and the tests of looks."""

import asyncio
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QDialog, QWidget

from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_server_client.sidecar import Sidecar
from lime_desktop.host.app_server_client.supervisor import AppServerSupervisor
from lime_desktop.host.apps.registry import RegisteredApp, SetupFacts, find_packages
from lime_desktop.host.proxy.access import ProxyAccess
from lime_desktop.host.user_profile.settings import HostSettings
from lime_desktop.shell.app_view.profile import AppProfiles
from lime_desktop.shell.settings.section import EngineFacts
from lime_desktop.shell.startup.composition import Composition
from lime_desktop.shell.widgets.resource_folders import Folders
from lime_desktop.shell.window.app_tab.app_tab import AppTab
from lime_desktop.shell.window.main_window import MainWindow
from tests.app_server.twin import ServerTwin
from tests.host.app_center.opened import installed, opened

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

    services: Composition
    server: AppServerSupervisor
    window: MainWindow
    folder: Path
    samples: Path = ROOT / "sample_apps"
    _stack: AsyncExitStack = field(default_factory=AsyncExitStack)
    _twins: list[ServerTwin] = field(default_factory=list[ServerTwin])

    async def open_center(self) -> AppCenter:
        """Have a real app center over real services, until the stage is left."""
        if self.services.registry.center is None:
            center, twin = await self._stack.enter_async_context(opened(self.folder / "center"))
            self._twins.append(twin)
            self.services.brand.follow(center)
            await self.services.registry.follow(center)
        assert self.services.registry.center is not None
        return self.services.registry.center

    async def install(self, package: Path, *granted: str) -> None:
        """Install an app with these permissions; it has room, and its data are up to date."""
        center = await self.open_center()
        kept = await installed(center, package, *granted)
        await self.services.registry.close()
        app = self.services.registry.app(kept.app_id)
        assert app is not None
        steps = frozenset(step.id for step in app.projection.migrations)
        setup = SetupFacts(applied_migrations=steps, storage_quota_bytes=1 << 30)
        self.services.registry.learn(app.app_id, setup)

    async def keep_value(self, app_id: str, key: str, value: object) -> None:
        """Keep something in an app's storage."""
        await self._twins[0].keep(app_id, key, value)

    async def write(self, file: Path, text: str) -> None:
        """Write a file, and the folders it lies in."""
        await asyncio.to_thread(file.parent.mkdir, parents=True, exist_ok=True)
        await asyncio.to_thread(file.write_text, text, encoding="utf-8")

    def afterwards(self, work: Coroutine[Any, Any, None]) -> None:
        """Do this when the stage is left."""
        self._stack.push_async_callback(lambda: work)

    async def leave(self) -> None:
        """Close what was opened."""
        await self.services.registry.close()
        await self._stack.aclose()

    def scroll_down(self) -> None:
        """Show the end of every page that is longer than the window."""
        for area in self.window.findChildren(QAbstractScrollArea):
            if area.isVisible():
                area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())

    def add_samples(self) -> None:
        """Register the sample apps where they lie."""
        self.services.registry.add(find_packages(ROOT / "sample_apps"))

    def add_every_kind(self) -> None:
        """Register an app with an entry of each kind."""
        self.services.registry.add([ROOT / "tests/shell/packages/every-kind"])

    async def settle(self) -> None:
        """Let everything that was asked for be laid out and drawn."""
        for _ in range(5):
            # Not processEvents: Qt would step other tasks from inside this one.
            await asyncio.sleep(0.02)

    def shown(self) -> QWidget:
        """What a picture is taken of: a dialog on top, or the window."""
        dialogs = [each for each in self.window.findChildren(QDialog) if each.isVisible()]
        return dialogs[-1] if dialogs else self.window


def set_stage(folder: Path, look: str, server: AppServerSupervisor | None = None) -> Stage:
    """Open a window in a look; its files lie in the folder. Without a server, none will ever answer."""
    folders = Folders(ROOT / "resources", folder, folder / "settings.json")
    services = Composition(
        folders, HostSettings.model_validate({"is_welcomed": True, **LOOKS[look]})
    )
    server = server or AppServerSupervisor(lambda: Sidecar.start(()))

    # The program's own, as in the product: the engine asks them for files until a page is really gone.
    profiles = AppProfiles(folders.views, ProxyAccess(), QApplication.instance())

    def make_tab(app: RegisteredApp, entry_key: str) -> AppTab:
        return AppTab(services.for_tabs(), app, entry_key, server.call, profiles)

    window = MainWindow(
        services.for_window(),
        server,
        make_tab,
        EngineFacts(lambda: ("140.0.7339.207", "143.0.7499.109")),
    )
    window.resize(1180, 780)
    window.show()
    return Stage(services, server, window, folder)
