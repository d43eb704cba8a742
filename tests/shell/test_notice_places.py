"""A notice stands where it covers nothing that can be pressed or typed into, on a page of an app as well (ours)."""

import asyncio
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from lime_desktop.shell.pages.home.home import HomePage
from lime_desktop.shell.window.app_tab.app_tab import AppTab
from tests.shell.conftest import WAIT_MS
from tests.shell.hands import ROOT, active_stage, ask
from tests.shell.stage import Stage


@pytest.fixture
def stage(
    qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Stage]:
    monkeypatch.setattr(QCursor, "pos", lambda: QPoint(-50, -50))
    yield from active_stage(qtbot, tmp_path / "home", loop)


def stack(stage: Stage) -> QRect:
    notices = stage.window.notices
    assert notices.isVisible()
    return QRect(notices.mapToGlobal(QPoint()), notices.size())


_CORNER = "position: fixed; width: 120px; height: 40px;"
_FULL_PAGE = f"""
<button id="lower" style="{_CORNER} right: 20px; bottom: 20px">Lower</button>
<input id="upper" style="{_CORNER} right: 20px; top: 20px">
"""
"""Controls where notices stand when nothing speaks against it."""


def open_full_page(stage: Stage, folder: Path) -> AppTab:
    package = shutil.copytree(ROOT / "sample_apps/hello-lime", folder / "full")
    page = package / "dist/ui/index.html"
    text = page.read_text(encoding="utf-8")
    page.write_text(text.replace("</body>", f"{_FULL_PAGE}</body>"), encoding="utf-8")
    [app] = stage.services.registry.add([package])
    stage.services.registry.grant(app.app_id, "keep-greeting")
    stage.window.open_app(app.app_id)
    tab = stage.window.workspace.current
    assert isinstance(tab, AppTab)
    return tab


def controls(tab: AppTab, qtbot: QtBot) -> list[QRect]:
    """Where the page's two controls are on the screen."""
    found: list[QRect] = []
    for name in ("lower", "upper"):
        box = f"d.getElementById('{name}').getBoundingClientRect()"
        left, top = (ask(tab, qtbot, f"{box}.{each}") for each in ("left", "top"))
        assert isinstance(left, int | float)
        assert isinstance(top, int | float)
        corner = tab.view.web_view.mapToGlobal(QPoint(round(left), round(top)))
        found.append(QRect(corner.x(), corner.y(), 120, 40))
    return found


def test_a_notice_from_before_makes_way_for_the_controls_of_a_page_that_comes_up(
    stage: Stage, qtbot: QtBot, tmp_path: Path
) -> None:
    """A bug: a notice of the start stood over what the page offered there."""
    notices = stage.window.notices
    notices.stand("crash", notices.note("It ended unexpectedly last time.", "warning"))
    tab = open_full_page(stage, tmp_path)
    qtbot.waitUntil(lambda: tab.session.is_ready, timeout=WAIT_MS)
    boxes = controls(tab, qtbot)
    qtbot.waitUntil(
        lambda: not any(stack(stage).intersects(each) for each in boxes), timeout=WAIT_MS
    )


def test_a_notice_over_an_open_page_leaves_its_controls_free(
    stage: Stage, qtbot: QtBot, tmp_path: Path
) -> None:
    tab = open_full_page(stage, tmp_path)
    with qtbot.waitSignal(tab.came_up, timeout=WAIT_MS):
        pass
    boxes = controls(tab, qtbot)
    stage.window.notices.toast("Report copied.", "success")
    qtbot.waitUntil(
        lambda: not any(stack(stage).intersects(each) for each in boxes), timeout=WAIT_MS
    )
    stage.window.show_home()
    known = stage.window.notices._page_controls
    qtbot.waitUntil(lambda: not [*known.obstacles(stage.window)], timeout=WAIT_MS)


def test_a_notice_leaves_the_buttons_of_the_windows_own_pages_free(
    stage: Stage, qtbot: QtBot
) -> None:
    """A bug: only strong buttons counted."""
    stage.window.show_home()
    home = stage.window.findChild(HomePage)
    assert home is not None
    plain = QPushButton("Show more", home)
    plain.move(home.width() - 140, home.height() - 60)
    plain.show()
    stage.window.notices.toast("Report copied.", "success")
    place = QRect(plain.mapToGlobal(QPoint()), plain.size())
    qtbot.waitUntil(lambda: not stack(stage).intersects(place))
