"""Tabs in a narrow window: the app is read first, and what closes it stands clear of its neighbours (ours)."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from lime_desktop.shell.surfaces.identity_bar import IdentityBar
from lime_desktop.shell.window.entries.tab_strip import EntryTabs, TabStrip
from tests.shell.hands import CTRL, ROOT, active_stage, press_window
from tests.shell.stage import Stage

_CLEAR = 12


@pytest.fixture
def stage(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Stage]:
    yield from active_stage(qtbot, tmp_path, loop)


def open_entries(stage: Stage, *keys: str) -> None:
    stage.add_every_kind()
    for key in keys:
        stage.window.open_entry("every-kind", key)
    QApplication.processEvents()


def open_another_app(stage: Stage) -> None:
    [app] = stage.services.registry.add([ROOT / "sample_apps/hello-lime"])
    stage.services.registry.grant(app.app_id, "keep-greeting")
    stage.window.open_app(app.app_id)
    stage.window.open_entry("every-kind", "report")
    QApplication.processEvents()


def tabs(stage: Stage) -> EntryTabs:
    return next(each for each in stage.window.workspace.findChildren(EntryTabs) if each.count())


def drawn(stage: Stage) -> list[str]:
    bar = tabs(stage)
    return [bar.drawn_text(at) for at in range(bar.count())]


def test_the_entrys_name_goes_before_the_apps_is_cut(stage: Stage) -> None:
    """A bug: in a window of 900 pixels the apps' own names were cut."""
    stage.window.resize(1180, 640)
    open_entries(stage, "report")
    open_another_app(stage)
    assert drawn(stage) == ["Every Kind · Weekly report", "Hello Lime · Greeting"]
    stage.services.settings.change(text_scale=1.5)
    stage.window.resize(640, 640)
    QApplication.processEvents()
    assert drawn(stage) == ["Every Kind", "Hello Lime"]
    assert [tabs(stage).tabText(at) for at in range(2)] == [
        "Every Kind · Weekly report",
        "Hello Lime · Greeting",
    ]


def test_entries_of_one_app_are_told_apart_where_there_is_little_room(stage: Stage) -> None:
    open_entries(stage, "strategist", "flow", "report")
    stage.window.resize(700, 640)
    QApplication.processEvents()
    assert drawn(stage) == ["Content strategist", "Publish", "Weekly report"]


def test_what_closes_a_tab_stands_clear_of_what_is_beside_it(stage: Stage) -> None:
    """A bug: in a crowded row it touched the pill that says who vouches for the app."""
    open_entries(stage, "strategist", "flow", "report")
    stage.window.resize(700, 640)
    QApplication.processEvents()
    bar = tabs(stage)
    closing = bar.tabButton(bar.count() - 1, QTabBar.ButtonPosition.RightSide)
    [identity] = [e for e in stage.window.findChildren(IdentityBar) if e.isVisible()]
    pill = identity.findChildren(QWidget)[0]
    end = closing.mapTo(stage.window, QPoint(closing.width(), 0)).x()
    assert pill.mapTo(stage.window, QPoint()).x() - end >= _CLEAR


def test_either_every_tab_has_its_whole_name_or_none(stage: Stage) -> None:
    """A bug: in one row some tabs were named whole and some were not, and apps' names were cut beside empty room."""
    open_entries(stage, "report")
    open_another_app(stage)
    stage.services.settings.change(text_scale=1.5)
    whole = ["Every Kind · Weekly report", "Hello Lime · Greeting"]
    short = ["Every Kind", "Hello Lime"]
    seen: list[list[str]] = []
    for width in range(1180, 600, -10):
        stage.window.resize(width, 640)
        QApplication.processEvents()
        seen.append(drawn(stage))
    assert seen[0] == whole
    assert seen[-1] == short
    assert all(each in (whole, short) for each in seen)


def test_a_tab_with_a_short_name_is_no_wider_than_it(stage: Stage) -> None:
    """A bug: at large text "Hello Lime" stood alone in the middle of a tab with room for more."""
    open_entries(stage, "report")
    open_another_app(stage)
    stage.services.settings.change(text_scale=1.5)
    stage.window.resize(1180, 640)
    QApplication.processEvents()
    bar = tabs(stage)
    spare = [bar.tabRect(at).width() - advance(bar, at) for at in range(2)]
    stage.window.resize(640, 640)
    QApplication.processEvents()
    assert drawn(stage) == ["Every Kind", "Hello Lime"]
    now = [bar.tabRect(at).width() - advance(bar, at) for at in range(2)]
    assert now == pytest.approx(spare, abs=2)


def test_tabs_stay_as_they_are_when_settings_are_turned_to(stage: Stage) -> None:
    """A bug: above the settings, which have more room, the same tabs had other names and other widths."""
    open_entries(stage, "report")
    open_another_app(stage)
    stage.services.settings.change(text_scale=1.5)
    stage.window.resize(740, 640)
    QApplication.processEvents()
    assert drawn(stage) == ["Every Kind", "Hello Lime"]
    before = [tabs(stage).tabRect(at).width() for at in range(2)]
    stage.window.show_settings("general")
    QApplication.processEvents()
    [strip] = stage.window.findChildren(TabStrip)
    [bar] = strip.findChildren(EntryTabs)
    assert [bar.drawn_text(at) for at in range(2)] == ["Every Kind", "Hello Lime"]
    assert [bar.tabRect(at).width() for at in range(2)] == before


def test_tabs_opened_since_have_room_above_the_settings(stage: Stage, qtbot: QtBot) -> None:
    """A bug: the row stayed as wide as when the settings were last seen, and four tabs were cut to one's room."""
    stage.window.resize(1300, 640)
    open_entries(stage, "report")
    press_window(stage, Qt.Key.Key_Comma, CTRL)
    [strip] = stage.window.findChildren(TabStrip)
    [bar] = strip.findChildren(EntryTabs)
    qtbot.waitUntil(lambda: bar.isVisible() and bar.count() == 1)
    press_window(stage, Qt.Key.Key_1, CTRL)
    open_entries(stage, "strategist", "flow")
    press_window(stage, Qt.Key.Key_Comma, CTRL)
    qtbot.waitUntil(lambda: bar.isVisible() and bar.count() == 3)
    qtbot.waitUntil(lambda: bar.width() >= bar.sizeHint().width())
    assert all(bar.rect().contains(bar.tabRect(at)) for at in range(3))


def advance(bar: EntryTabs, at: int) -> int:
    return bar.fontMetrics().horizontalAdvance(bar.drawn_text(at))
