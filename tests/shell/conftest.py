"""A real engine without a screen. Its flags and scheme must be in place before the first application object."""

import asyncio
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import pytest
import qasync
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
if hasattr(os, "geteuid") and os.geteuid() == 0:
    # Chromium refuses its own sandbox as root; the security suite runs again as an ordinary user.
    os.environ.setdefault("QTWEBENGINE_DISABLE_SANDBOX", "1")

from lime_desktop.host.ui_bundle import UiBundle
from lime_desktop.shell.app_view.engine import prepare_engine
from lime_desktop.shell.app_view.view import AppView, ViewOf

prepare_engine()

RESOURCES = Path(__file__).parents[2] / "resources"


class Files:
    """The files of a bundle, in memory."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = files

    def read(self, path: str) -> bytes:
        return self.files[path]


class ShownApp:
    """An app in a real view, and everything that came out of it."""

    def __init__(self, view: AppView, qtbot: QtBot) -> None:
        self.view = view
        self.received: list[str] = []
        self.oversized: list[tuple[str, int]] = []
        self.refused: list[tuple[str, str]] = []
        self.console: list[str] = []
        self.ended: list[tuple[int, int]] = []
        self._qtbot = qtbot
        view.received.connect(self.received.append)
        view.oversized.connect(self._keep_oversized)
        view.refused.connect(self._keep_refused)
        view.console.connect(self._keep_console)
        view.renderer_ended.connect(self._keep_ended)

    def _keep_oversized(self, request_id: str, length: int) -> None:
        self.oversized.append((request_id, length))

    def _keep_refused(self, guard: str, address: str) -> None:
        self.refused.append((guard, address))

    def _keep_console(self, _level: int, message: str, _line: int, _source: str) -> None:
        self.console.append(message)

    def _keep_ended(self, status: int, code: int) -> None:
        self.ended.append((status, code))

    def wait(self, condition: Callable[[], bool]) -> None:
        """Wait until something is so, bounded."""
        self._qtbot.waitUntil(condition, timeout=15_000)

    def hear(self, count: int = 1) -> list[str]:
        """Wait until the app has said so many things."""
        self.wait(lambda: len(self.received) >= count)
        return self.received


class ShowApp(Protocol):
    """Opens an app made of a few files in a view of its own."""

    def __call__(
        self, files: dict[str, str], app_id: str = "demo", route: str = "/"
    ) -> ShownApp: ...


@pytest.fixture
def loop(qapp: QApplication) -> Iterator[asyncio.AbstractEventLoop]:
    """Run asyncio on Qt's own loop, as the program does; pytest-qt turns that loop while it waits."""
    loop = qasync.QEventLoop(qapp)
    # Not `already_running`: ending that would make Qt refuse every later loop of this process.
    asyncio._set_running_loop(loop)
    yield loop
    asyncio._set_running_loop(None)
    loop.close()


@pytest.fixture
def show_app(qtbot: QtBot, tmp_path: Path) -> Iterator[ShowApp]:
    """Open an app made of a few files in a view of its own."""
    views: list[AppView] = []

    def show(files: dict[str, str], app_id: str = "demo", route: str = "/") -> ShownApp:
        bundle = UiBundle(
            Files({f"dist/ui/{name}": text.encode() for name, text in files.items()}),
            "dist/ui",
            {"frame.html": (RESOURCES / "view/frame.html").read_bytes()},
        )
        relay = (RESOURCES / "view/relay.js").read_text()
        view = AppView(ViewOf(app_id, "Demo", route, bundle, relay), tmp_path / app_id)
        views.append(view)
        shown = ShownApp(view, qtbot)
        view.resize(640, 480)
        view.show()
        view.load()
        return shown

    yield show
    for view in views:
        with qtbot.waitSignal(view.page().destroyed, timeout=15_000):
            view.shut()
        view.close()
        view.deleteLater()
