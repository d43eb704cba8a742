"""A panel stands beside what it belongs to, in the same tab: the standard calls it embedded (A-83), the keys are ours."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from lime_desktop.app_package.manifest import Entry, Manifest
from lime_desktop.host.apps.declared_panels import DeclaredPanel, declared_panel
from lime_desktop.shell.surfaces.surface import Surface
from lime_desktop.shell.widgets.focus import has_keyboard
from lime_desktop.shell.window.app_tab.app_tab import AppTab
from lime_desktop.shell.window.entries.panel_place import PanelFrame, PanelPlace
from tests.shell.stage import Stage, set_stage

APP = "every-kind"


@pytest.fixture
def stage(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Stage]:
    del loop
    made = set_stage(tmp_path, "light")
    qtbot.addWidget(made.window)
    made.add_every_kind()
    made.window.activateWindow()
    yield made
    made.window.shut()


def keys(surfaces: tuple[Surface, ...]) -> list[str]:
    return [each.entry_key for each in surfaces]


def open_panel(stage: Stage, entry_key: str = "page") -> tuple[Surface, Surface]:
    """Open an entry and the app's panel."""
    stage.window.open_entry(APP, entry_key)
    stage.window.open_entry(APP, "side")
    owner, panel = stage.window.workspace.surfaces
    return owner, panel


def place(stage: Stage) -> PanelPlace:
    return next(each for each in stage.window.findChildren(PanelPlace) if each.isVisible())


def frame(stage: Stage) -> PanelFrame:
    [found] = stage.window.workspace.panel_parts
    return found


def left_of(stage: Stage, surface: Surface) -> int:
    return surface.mapTo(stage.window, QPoint(0, 0)).x()


def test_a_panel_stands_beside_the_entry_in_front_and_has_no_tab(stage: Stage) -> None:
    owner, panel = open_panel(stage)
    space = stage.window.workspace
    assert keys(space.tabs) == ["page"]
    assert not space.is_split
    assert panel.isVisible()
    assert owner.isAncestorOf(panel)
    assert left_of(stage, panel) > left_of(stage, owner) + 300
    assert frame(stage).title.text() == "Side notes"


def test_it_is_a_view_of_its_own_with_the_app_s_profile_and_its_own_bridge(stage: Stage) -> None:
    owner, panel = open_panel(stage)
    assert isinstance(owner, AppTab)
    assert isinstance(panel, AppTab)
    assert panel.view.page() is not owner.view.page()
    assert panel.view.page().profile() is owner.view.page().profile()
    assert panel.session is not owner.session


def test_one_that_is_opened_first_brings_the_page_it_belongs_to(stage: Stage) -> None:
    stage.window.open_entry(APP, "side")
    assert keys(stage.window.workspace.tabs) == ["page"]
    assert keys(stage.window.workspace.surfaces) == ["page", "side"]


def test_it_stands_beside_whatever_of_its_app_is_in_front(stage: Stage) -> None:
    """Not only an app's pages have panels: a conversation of it has one as well."""
    stage.window.open_entry(APP, "page")
    stage.window.open_entry(APP, "strategist")
    stage.window.open_entry(APP, "side")
    assert keys(stage.window.workspace.surfaces) == ["page", "strategist", "side"]
    assert stage.window.workspace.current_tab is stage.window.workspace.tabs[1]


def test_f6_walks_from_the_page_to_its_panel_and_on(stage: Stage, qtbot: QtBot) -> None:
    owner, _panel = open_panel(stage)
    stage.window.workspace.take_keyboard(past_panels=True)
    qtbot.waitUntil(lambda: has_keyboard(owner) and not has_keyboard(frame(stage)))
    seen = list[str]()
    for _ in range(3):
        QTest.keyClick(stage.window, Qt.Key.Key_F6)
        at_panel, at_page = has_keyboard(frame(stage)), has_keyboard(owner)
        seen.append("panel" if at_panel else "page" if at_page else "rail")
    assert seen == ["panel", "rail", "page"]


def test_the_key_that_closes_closes_the_panel_that_has_the_keyboard(
    stage: Stage, qtbot: QtBot
) -> None:
    owner, panel = open_panel(stage)
    assert stage.window.workspace.current is panel
    QTest.keyClick(stage.window, Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: keys(stage.window.workspace.surfaces) == ["page"])
    assert has_keyboard(owner)
    assert not stage.window.findChildren(PanelPlace) or not any(
        each.isVisible() for each in stage.window.findChildren(PanelPlace)
    )
    assert owner.isVisible()
    QTest.keyClick(
        stage.window,
        Qt.Key.Key_T,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    )
    assert keys(stage.window.workspace.surfaces) == ["page", "side"]


def test_its_own_button_closes_it_and_says_what_it_closes(stage: Stage, qtbot: QtBot) -> None:
    open_panel(stage)
    buttons = frame(stage).findChildren(QToolButton)
    [closing] = [each for each in buttons if each.accessibleName() == "Close Side notes"]
    closing.click()
    qtbot.waitUntil(lambda: keys(stage.window.workspace.surfaces) == ["page"])


def test_an_entry_goes_with_its_panel_and_comes_back_before_it(stage: Stage, qtbot: QtBot) -> None:
    owner, _panel = open_panel(stage)
    space = stage.window.workspace
    space.close_by_hand(owner)
    qtbot.waitUntil(lambda: space.surfaces == ())
    stage.window.tabs.reopen()
    assert keys(space.surfaces) == ["page"]
    stage.window.tabs.reopen()
    assert keys(space.surfaces) == ["page", "side"]


def drag_line(stage: Stage, by: int) -> None:
    handle = place(stage).handle(1)
    middle = handle.rect().center()
    QTest.mousePress(handle, Qt.MouseButton.LeftButton, pos=middle)
    QTest.mouseMove(handle, middle + QPoint(by, 0))
    QTest.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=middle + QPoint(by, 0))


def test_its_width_is_the_person_s_and_is_found_again(stage: Stage, qtbot: QtBot) -> None:
    _owner, panel = open_panel(stage)
    before = frame(stage).width()
    drag_line(stage, -80)
    after = frame(stage).width()
    assert after > before + 40
    kept = stage.window.workspace.entries()
    assert [(each.panel_of, each.panel_width) for each in kept] == [(None, None), ("page", after)]
    stage.window.workspace.close_surface(panel)
    stage.window.open_entry(APP, "side")
    assert abs(frame(stage).width() - after) <= 2

    stage.window.workspace.close_all()
    for each in kept:
        stage.window._parts.opening.open_again(each)
    stage.window.show_entries()
    assert keys(stage.window.workspace.tabs) == ["page"]
    qtbot.waitUntil(lambda: abs(frame(stage).width() - after) <= 2)


def test_who_has_no_pointer_sizes_it_by_the_palette(stage: Stage) -> None:
    open_panel(stage)
    before = frame(stage).width()
    offered = {each.key: each for each in stage.window._parts.shortcuts if "panel" in each.key}
    offered["panel-wider"].run()
    assert frame(stage).width() == before + 60
    offered["panel-narrower"].run()
    offered["panel-narrower"].run()
    assert frame(stage).width() == before - 60
    assert stage.window.workspace.entries()[1].panel_width == before - 60
    for _ in range(20):
        offered["panel-wider"].run()
    assert stage.window.width() - frame(stage).width() > 380


def test_at_the_least_size_of_the_window_page_and_panel_have_room(
    stage: Stage, qtbot: QtBot
) -> None:
    owner, panel = open_panel(stage)
    stage.window.resize(900, 600)
    qtbot.waitUntil(lambda: stage.window.width() == 900)
    room = stage.window.rect()
    for each in (owner, panel):
        where = each.rect().translated(each.mapTo(stage.window, QPoint(0, 0)))
        assert room.contains(where)
    assert panel.height() >= 100
    assert panel.width() >= 240


def test_without_room_beside_it_stands_below_and_comes_back(stage: Stage, qtbot: QtBot) -> None:
    open_panel(stage)
    assert not place(stage).is_below
    stage.window.open_entry("every-kind", "prefs", beside=True)
    stage.window.resize(900, 600)
    qtbot.waitUntil(lambda: place(stage).is_below)
    stage.window.resize(1500, 800)
    qtbot.waitUntil(lambda: not place(stage).is_below)


def test_it_moves_with_its_entry_to_the_other_half(stage: Stage) -> None:
    open_panel(stage)
    stage.window.open_entry(APP, "prefs")
    space = stage.window.workspace
    space.turn_to(space.tabs[0])
    space.split()
    assert keys(space.surfaces) == ["prefs", "page", "side"]
    assert [each.is_beside for each in space.entries()] == [False, True, True]


@pytest.mark.parametrize(
    ("declared", "wanted"),
    [
        ([], DeclaredPanel()),
        ([{"key": "side", "position": "left", "width": 300}], DeclaredPanel("left", 300)),
        ([{"key": "side", "position": "top", "width": "wide"}], DeclaredPanel()),
        ([{"key": "side", "position": "bottom", "width": 9_000}], DeclaredPanel("bottom", 800)),
        ([{"key": "other", "position": "left"}], DeclaredPanel()),
    ],
)
def test_an_app_says_where_it_stands_and_how_wide(
    declared: list[dict[str, object]], wanted: DeclaredPanel
) -> None:
    facts = {"name": "a", "version": "1.0.0", "description": "a", "ui": {"panels": declared}}
    needed = {"manifestVersion": "0.10.0", "status": "ready", "appType": "agent-app"}
    manifest = Manifest.model_validate({**facts, **needed})
    entry = Entry(key="s", kind="panel", title="S", panel="side")
    assert declared_panel(manifest, entry) == wanted
