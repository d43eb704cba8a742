"""An app's page comes up on the theme's own ground: nothing is shown that nobody has drawn (ours)."""

import asyncio
import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QTimer
from pytestqt.qtbot import QtBot

from lime_desktop.shell.app_view.loading_cover import LoadingCover
from lime_desktop.shell.window.app_tab.app_tab import AppTab
from tests.shell.conftest import WAIT_MS
from tests.shell.hands import ROOT, active_stage, ask
from tests.shell.stage import Stage


@pytest.fixture(params=["light", "dark"])
def stage(
    request: pytest.FixtureRequest, qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop
) -> Iterator[Stage]:
    yield from active_stage(qtbot, tmp_path, loop, request.param)


@pytest.fixture
def bright(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Stage]:
    yield from active_stage(qtbot, tmp_path / "home", loop)


def test_a_page_that_opens_is_of_the_themes_colour_until_it_is_drawn(
    stage: Stage, qtbot: QtBot
) -> None:
    """A bug: in the light theme it was black for up to a second."""
    [app] = stage.services.registry.add([ROOT / "sample_apps/hello-lime"])
    stage.services.registry.grant(app.app_id, "keep-greeting")
    seen: dict[str, None] = {}

    def look() -> None:
        tab = stage.window.workspace.current
        if isinstance(tab, AppTab):
            place = tab.view.mapTo(stage.window, QPoint(8, tab.view.height() - 8))
            seen[stage.window.grab().toImage().pixelColor(place).name()] = None

    watch = QTimer(interval=5)
    watch.timeout.connect(look)
    watch.start()
    stage.window.open_app(app.app_id)
    tab = stage.window.workspace.current
    assert isinstance(tab, AppTab)
    ground = tab.view.findChild(LoadingCover)
    assert ground is not None
    ground.lifted.connect(watch.stop)
    assert tab.view.childAt(tab.view.rect().center()) is ground
    qtbot.waitUntil(ground.isHidden, timeout=WAIT_MS)
    assert [*seen] == [stage.services.look.appearance.theme.tokens["--lime-bg"]]
    painted = "w.performance.getEntriesByName('first-contentful-paint').length"
    assert (tab.session.is_ready, ask(tab, qtbot, painted)) == (True, 1)


def open_drawn(stage: Stage, qtbot: QtBot, package: Path) -> tuple[AppTab, LoadingCover]:
    [app] = stage.services.registry.add([package])
    stage.services.registry.grant(app.app_id, "keep-greeting")
    stage.window.open_app(app.app_id)
    tab = stage.window.workspace.current
    assert isinstance(tab, AppTab)
    ground = tab.view.findChild(LoadingCover)
    assert ground is not None
    assert ground.isVisible()
    qtbot.waitUntil(ground.isHidden, timeout=WAIT_MS)
    return tab, ground


def test_a_page_that_draws_and_never_starts_is_seen(
    bright: Stage, qtbot: QtBot, tmp_path: Path
) -> None:
    """Ours: what it shows is all that tells why it does not start."""
    package = shutil.copytree(ROOT / "sample_apps/hello-lime", tmp_path / "silent")
    (package / "dist/ui/app.js").write_text("", encoding="utf-8")
    tab, _ = open_drawn(bright, qtbot, package)
    assert not tab.session.is_ready


def test_a_page_in_sight_stays_there_while_it_is_loaded_anew(bright: Stage, qtbot: QtBot) -> None:
    tab, ground = open_drawn(bright, qtbot, ROOT / "sample_apps/hello-lime")
    tab.reload()
    assert ground.isHidden()
    qtbot.waitUntil(lambda: tab.session.is_ready, timeout=WAIT_MS)
    assert ground.isHidden()


def test_a_page_whose_process_ended_is_covered_until_it_is_drawn_again(
    bright: Stage, qtbot: QtBot
) -> None:
    tab, ground = open_drawn(bright, qtbot, ROOT / "sample_apps/hello-lime")
    os.kill(tab.view.page().renderProcessPid(), signal.SIGKILL)
    qtbot.waitUntil(ground.isVisible, timeout=WAIT_MS)
    qtbot.waitUntil(ground.isHidden, timeout=WAIT_MS)
    assert tab.session.is_ready


def test_a_page_that_is_in_sight_again_is_covered_until_it_is_drawn_anew(
    stage: Stage, qtbot: QtBot
) -> None:
    """A bug: in the dark theme every turn to another tab was a flash of white."""
    tab, ground = open_drawn(stage, qtbot, ROOT / "sample_apps/hello-lime")
    stage.window.show_home()
    qtbot.waitUntil(lambda: not tab.isVisible())
    stage.services.settings.change(
        theme_mode="light" if stage.services.settings.current.theme_mode == "dark" else "dark"
    )

    stage.window.open_app(tab.app_id)

    assert ground.isVisible()
    place = tab.view.mapTo(stage.window, QPoint(8, tab.view.height() - 8))
    shown = stage.window.grab().toImage().pixelColor(place).name()
    assert shown == stage.services.look.appearance.theme.tokens["--lime-bg"]
    qtbot.waitUntil(ground.isHidden, timeout=WAIT_MS)
