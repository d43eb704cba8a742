"""The rail by mouse and keyboard: menus, an order of one's own, and tabs that stay in sight (ours)."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QTabBar
from pytestqt.qtbot import QtBot

from lime_desktop.host.user_profile.settings import read_settings
from lime_desktop.shell.notices.notice_card import NoticeCard
from lime_desktop.shell.settings.page import SettingsPage
from lime_desktop.shell.surfaces.identity_bar import IdentityBar
from lime_desktop.shell.window.entries.tab_strip import TabStrip
from tests.shell.rail_hands import choose, icon, open_menu, rail
from tests.shell.stage import ROOT, Stage, set_stage

SAMPLES = ("hello-lime", "notes", "table-lens")


@pytest.fixture
def stage(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Stage]:
    del loop
    made = set_stage(tmp_path, "light")
    qtbot.addWidget(made.window)
    made.services.registry.add([ROOT / "sample_apps" / each for each in SAMPLES])
    made.add_every_kind()
    made.window.show_home()
    made.window.activateWindow()
    qtbot.waitUntil(made.window.isActiveWindow)
    QTest.qWait(1)  # what was put on the rail is shown when Qt's loop turns
    yield made
    made.window.shut()


def test_an_icon_has_a_menu_that_leads_everywhere(stage: Stage) -> None:
    menu = open_menu(stage, "every-kind")
    assert [each.text() for each in menu.actions() if each.text()] == [
        "Open",
        "Open beside",
        "Reload",
        "View details",
        "Permissions",
        "Move up",
        "Move down",
        "Remove from the list",
    ]
    choose(menu, "Open")
    assert [each.app_id for each in stage.window.workspace.surfaces] == ["every-kind"]
    choose(open_menu(stage, "hello-lime"), "View details")
    assert stage.window.workspace.isHidden()


def test_apps_are_dragged_into_an_order_that_is_kept(stage: Stage, qtbot: QtBot) -> None:
    assert rail(stage).order == (*SAMPLES, "every-kind")
    moved, first = icon(stage, "table-lens"), icon(stage, "hello-lime")
    begin = moved.rect().center()
    above = moved.mapFromGlobal(first.mapToGlobal(QPoint(24, -4)))
    QTest.mousePress(moved, Qt.MouseButton.LeftButton, pos=begin)
    for step in range(1, 6):
        place = begin + (above - begin) * step / 5
        QTest.mouseMove(moved, place)
    QTest.mouseRelease(moved, Qt.MouseButton.LeftButton, pos=above)
    wanted = ("table-lens", "hello-lime", "notes", "every-kind")
    qtbot.waitUntil(lambda: rail(stage).order == wanted)
    assert read_settings(stage.services.folders.settings_file).rail_order == wanted
    assert stage.window.workspace.surfaces == ()


def test_apps_are_moved_by_the_keyboard_which_goes_with_them(stage: Stage) -> None:
    icon(stage, "hello-lime").setFocus()
    QTest.keyClick(icon(stage, "hello-lime"), Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert rail(stage).order[:2] == ("notes", "hello-lime")
    assert icon(stage, "hello-lime").hasFocus()
    QTest.keyClick(icon(stage, "hello-lime"), Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert rail(stage).order[:2] == ("hello-lime", "notes")
    choose(open_menu(stage, "notes"), "Move up")
    assert rail(stage).order[:2] == ("notes", "hello-lime")


def test_what_was_opened_in_place_is_taken_off_the_list_and_brought_back(stage: Stage) -> None:
    """A bug: a package opened once stood in the list for good."""
    stage.window.add_package(ROOT / "sample_apps/hello-lime")
    assert stage.services.settings.current.package_paths == (str(ROOT / "sample_apps/hello-lime"),)
    choose(open_menu(stage, "hello-lime"), "Remove from the list")
    assert "hello-lime" not in rail(stage).order
    assert read_settings(stage.services.folders.settings_file).package_paths == ()
    [notice] = [each for each in stage.window.notices.cards if isinstance(each, NoticeCard)]
    [undo] = [each for each in notice.findChildren(QPushButton) if each.text() == "Undo"]
    QTest.mouseClick(undo, Qt.MouseButton.LeftButton)
    assert "hello-lime" in rail(stage).order
    assert stage.services.settings.current.package_paths == (str(ROOT / "sample_apps/hello-lime"),)


def tab_bar(stage: Stage) -> QTabBar:
    bars = stage.window.workspace.findChildren(QTabBar)
    return next(each for each in bars if each.count())


def test_tabs_stay_in_sight_and_in_place_over_the_shells_own_pages(
    stage: Stage, qtbot: QtBot
) -> None:
    """A bug: in Settings and on Home nothing said what was open."""
    for key in ("strategist", "report"):
        stage.window.open_entry("every-kind", key)
    strip = stage.window.findChild(TabStrip)
    assert strip is not None
    assert not strip.isVisible()
    before = [
        tab_bar(stage).mapTo(stage.window, tab_bar(stage).tabRect(at).center()) for at in (0, 1)
    ]
    stage.window.show_settings()
    [away] = strip.findChildren(QTabBar)
    qtbot.waitUntil(lambda: strip.isVisible() and strip.height() > 0)
    assert [away.mapTo(stage.window, away.tabRect(at).center()) for at in (0, 1)] == before
    assert [away.tabText(at) for at in (0, 1)] == [tab_bar(stage).tabText(at) for at in (0, 1)]
    QTest.mouseClick(away, Qt.MouseButton.LeftButton, pos=away.tabRect(0).center())
    front = stage.window.workspace.current
    assert stage.window.workspace.isVisible()
    assert front is not None
    assert front.entry_key == "strategist"


def test_a_tab_is_closed_and_reached_by_keyboard_from_a_page(stage: Stage) -> None:
    for key in ("strategist", "report"):
        stage.window.open_entry("every-kind", key)
    stage.window.show_settings()
    strip = stage.window.findChild(TabStrip)
    assert strip is not None
    [away] = strip.findChildren(QTabBar)
    closing = away.tabButton(1, QTabBar.ButtonPosition.RightSide)
    QTest.mouseClick(closing, Qt.MouseButton.LeftButton)
    assert [each.entry_key for each in stage.window.workspace.surfaces] == ["strategist"]
    assert stage.window.findChild(SettingsPage) is not None
    away.setFocus()
    QTest.keyClick(away, Qt.Key.Key_Return)
    assert stage.window.workspace.isVisible()


def test_one_row_names_an_app_and_offers_what_belongs_to_it(stage: Stage) -> None:
    """A bug: two rows one above the other said the same name."""
    for key in ("strategist", "report"):
        stage.window.open_entry("every-kind", key)
    [shown] = [
        each for each in stage.window.workspace.findChildren(IdentityBar) if each.isVisible()
    ]
    row = tab_bar(stage)
    middle = shown.mapTo(stage.window, shown.rect().center()).y()
    assert abs(middle - row.mapTo(stage.window, row.rect().center()).y()) <= 4
    surface = stage.window.workspace.current
    assert surface is not None
    assert surface.findChildren(IdentityBar) == []
    stage.window.workspace.split()
    bars = [each for each in stage.window.workspace.findChildren(IdentityBar) if each.isVisible()]
    assert len(bars) == 2
    stage.window.workspace.close_surface(surface)
    bars = [each for each in stage.window.workspace.findChildren(IdentityBar) if each.isVisible()]
    assert len(bars) == 1
