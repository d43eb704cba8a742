"""Tabs, split, palette, keyboard, memory and links of the window (ours)."""

import asyncio
from collections.abc import Iterator
from functools import partial
from itertools import cycle
from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QFileDialog,
    QLabel,
    QLineEdit,
    QListWidget,
    QMenu,
    QPushButton,
    QTabBar,
    QToolButton,
)
from pytestqt.qtbot import QtBot

from lime_desktop.host.app_server_client.supervisor import Down, Running, Starting
from lime_desktop.host.apps.registry import SetupFacts
from lime_desktop.host.view.shell_port import FileQuestion
from lime_desktop.shell.command_palette.dialog import CommandPalette
from lime_desktop.shell.dialogs.choosers import choose_files
from lime_desktop.shell.pages.home.home import HomePage
from lime_desktop.shell.pages.home.offers import PackageChooser
from lime_desktop.shell.surfaces.identity_bar import IdentityBar
from lime_desktop.shell.surfaces.surface import Surface
from lime_desktop.shell.surfaces.waiting import WaitingSurface
from lime_desktop.shell.surfaces.workflow import WorkflowSurface
from lime_desktop.shell.widgets.graph_canvas import NodeBox
from lime_desktop.shell.window.shown_target import show_target
from lime_desktop.shell.window.tray import Tray
from tests.shell.stage import Stage, set_stage


@pytest.fixture
def stage(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Stage]:
    del loop
    made = set_stage(tmp_path, "light")
    qtbot.addWidget(made.window)
    made.add_every_kind()
    yield made
    made.window.shut()


def open_keys(stage: Stage) -> list[str]:
    return [each.entry_key for each in stage.window.workspace.surfaces]


def words(stage: Stage) -> str:
    labels = stage.window.findChildren(QLabel)
    return "\n".join(each.text() for each in labels if each.isVisible())


def test_the_current_tab_moves_beside_the_others_and_back(stage: Stage) -> None:
    stage.window.open_entry("every-kind", "strategist")
    stage.window.open_entry("every-kind", "report")
    space = stage.window.workspace
    assert not space.is_split
    space.split()
    assert space.is_split
    assert [entry.is_beside for entry in space.entries()] == [False, True]
    space.split()
    assert not space.is_split


def test_one_tab_alone_is_not_split(stage: Stage) -> None:
    stage.window.open_entry("every-kind", "strategist")
    stage.window.workspace.split()
    assert not stage.window.workspace.is_split


def test_closing_one_half_leaves_the_other_in_its_place(stage: Stage) -> None:
    stage.window.open_entry("every-kind", "strategist")
    stage.window.open_entry("every-kind", "report", beside=True)
    first, second = stage.window.workspace.surfaces
    stage.window.workspace.close_surface(first)
    assert not stage.window.workspace.is_split
    assert stage.window.workspace.current is second


def test_what_was_open_is_open_again_at_the_next_start(stage: Stage) -> None:
    stage.window.open_entry("every-kind", "strategist")
    stage.window.open_entry("every-kind", "report", beside=True)
    stage.window.open_entry("every-kind", "strategist")
    stage.window.leave()
    stage.window.restore_place()
    stage.window.restore_entries()
    entries = stage.window.workspace.entries()
    assert {each.entry_key: each.is_beside for each in entries} == {
        "strategist": False,
        "report": True,
    }
    assert [each.entry_key for each in entries if each.is_current] == ["strategist"]


def test_what_is_open_is_kept_while_the_window_never_comes_to_rest(
    stage: Stage, qtbot: QtBot
) -> None:
    """A bug: each further change put the writing off again, so that a kill forgot every tab."""
    kept = stage.folder / "window.json"
    stage.window.restore_entries()
    stage.window.open_entry("every-kind", "report")
    sizes = cycle((QSize(900, 700), QSize(910, 700)))
    moving = QTimer(stage.window, interval=20)
    moving.timeout.connect(lambda: stage.window.resize(next(sizes)))
    moving.start()
    qtbot.waitUntil(lambda: kept.exists() and "report" in kept.read_text("utf-8"))
    moving.stop()


def test_tabs_that_come_back_were_not_worked_in(stage: Stage, qtbot: QtBot) -> None:
    """A bug: after a restart Home said "Just now" of everything, in the order of the tabs."""
    for key in ("report", "strategist", "report"):
        stage.window.open_entry("every-kind", key)
    before = stage.services.recent.entries
    assert [each.entry_key for each in before] == ["report", "strategist"]
    stage.window.leave()
    stage.window.shut()
    later = set_stage(stage.folder, "light")
    qtbot.addWidget(later.window)
    later.add_every_kind()
    later.window.restore_entries()
    assert open_keys(later) == ["report", "strategist"]
    assert later.services.recent.entries == before
    later.window.shut()


@pytest.mark.parametrize("goes_home", [True, False])
def test_who_went_home_while_the_program_started_stays_there(
    stage: Stage, qtbot: QtBot, *, goes_home: bool
) -> None:
    """A bug: what was in front at the last end came over the home that the person had just asked for."""
    stage.window.open_entry("every-kind", "strategist")
    stage.window.leave()
    stage.window.shut()
    later = set_stage(stage.folder, "light")
    qtbot.addWidget(later.window)
    later.add_every_kind()
    later.window.show()
    later.window.activateWindow()
    qtbot.waitUntil(later.window.isActiveWindow)
    if goes_home:
        QTest.keyClick(later.window, Qt.Key.Key_Home, Qt.KeyboardModifier.AltModifier)
    later.window.restore_entries()
    assert open_keys(later) == ["strategist"]
    assert later.window.findChildren(HomePage)[0].isVisible() is goes_home
    later.window.shut()


def set_up_notes(stage: Stage) -> None:
    """What the App Server says of the data of Notes, some time after the start."""
    app = stage.services.registry.app("notes")
    assert app is not None
    steps = frozenset(each.id for each in app.projection.migrations)
    stage.services.registry.learn("notes", SetupFacts(applied_migrations=steps))


def add_notes(stage: Stage) -> None:
    [app] = stage.services.registry.add([stage.samples / "notes"])
    stage.services.registry.grant("notes", *(each.key for each in app.package.manifest.permissions))


@pytest.mark.parametrize("was_in_front", [True, False])
def test_a_tab_whose_setup_is_not_known_yet_waits_and_is_not_forgotten(
    stage: Stage, qtbot: QtBot, *, was_in_front: bool
) -> None:
    """A bug: whatever the App Server had to say a word about was gone from the tabs after every start."""
    tabs = ["strategist", "notebook"]
    add_notes(stage)
    set_up_notes(stage)
    for app_id, key in (("every-kind", "strategist"), ("notes", "notebook")):
        stage.window.open_entry(app_id, key)
    if not was_in_front:
        stage.window.open_entry("every-kind", "strategist")
    stage.window.leave()
    stage.window.shut()
    later = set_stage(stage.folder, "light")
    qtbot.addWidget(later.window)
    later.add_every_kind()
    add_notes(later)
    later.window.restore_entries()
    assert open_keys(later) == tabs
    later.window.leave()
    last = set_stage(stage.folder, "light")
    qtbot.addWidget(last.window)
    last.add_every_kind()
    add_notes(last)
    last.window.restore_entries()
    set_up_notes(last)
    assert open_keys(last) == tabs
    current = last.window.workspace.current
    assert current is not None
    qtbot.waitUntil(lambda: not isinstance(last.window.workspace.current, WaitingSurface))
    assert (current.entry_key == "notebook") is was_in_front
    for each in (later, last):
        each.window.shut()


def test_an_app_that_is_gone_is_not_opened_again(stage: Stage, tmp_path: Path) -> None:
    stage.window.open_entry("every-kind", "strategist")
    stage.window.leave()
    later = set_stage(tmp_path, "light")
    later.window.restore_entries()
    assert open_keys(later) == []
    later.window.shut()


def test_a_workflow_that_cannot_be_run_says_so_and_shows_its_steps(stage: Stage) -> None:
    stage.window.open_entry("every-kind", "flow")
    assert isinstance(stage.window.workspace.current, WorkflowSurface)
    assert "It is described, not executable." in words(stage)
    steps = [each.accessibleName() for each in stage.window.findChildren(NodeBox)]
    assert "review (A person decides)" in steps


def test_the_palette_opens_an_entry_by_a_trigger_word_and_the_keyboard_alone(
    stage: Stage, qtbot: QtBot
) -> None:
    QTest.keyClick(stage.window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    if not stage.window.findChildren(CommandPalette):
        stage.window.show_palette()  # some platforms give an offscreen window no shortcuts
    [palette] = stage.window.findChildren(CommandPalette)
    line = palette.findChildren(QLineEdit)[0]
    QTest.keyClicks(line, "strateg")
    results = palette.findChildren(QListWidget)[0]
    assert results.item(0).text() == "Every Kind · Content strategist"
    QTest.keyClick(line, Qt.Key.Key_Down)
    QTest.keyClick(line, Qt.Key.Key_Up)
    QTest.keyClick(line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: open_keys(stage) == ["strategist"], timeout=30_000)


def test_the_palette_finds_settings_commands_and_triggers(stage: Stage) -> None:
    stage.window.show_palette()
    [palette] = stage.window.findChildren(CommandPalette)
    line = palette.findChildren(QLineEdit)[0]
    results = palette.findChildren(QListWidget)[0]
    for typed, first in {"privacy": "Privacy", "quit": "Quit", "theme dark": "Theme: Dark"}.items():
        line.setText(typed)
        assert results.item(0).text() == first
    line.setText("周报")
    assert results.count() > 0
    line.setText("no such thing anywhere")
    assert results.count() == 0


def test_the_palettes_field_stays_where_it_is_when_nothing_matches(stage: Stage) -> None:
    stage.window.show_palette()
    [palette] = stage.window.findChildren(CommandPalette)
    line = palette.findChildren(QLineEdit)[0]
    places: list[int] = []
    for typed in ("privacy", "no such thing anywhere"):
        line.setText(typed)
        QTest.qWait(0)
        places.append(line.mapTo(palette, line.rect().topLeft()).y())
    assert places[0] == places[1]


@pytest.mark.parametrize(
    "link",
    ["lime://install/x?yes=all", "lime://app/x?grant=all", "lime://app/../x", "LIME://app/x\ny"],
)
def test_a_hostile_link_changes_nothing_and_is_told(stage: Stage, link: str) -> None:
    show_target(stage.window, stage.services.registry, link)
    assert open_keys(stage) == []
    assert "Something went wrong" in words(stage)


def test_what_fails_again_is_said_once(stage: Stage) -> None:
    for _ in range(3):
        show_target(stage.window, stage.services.registry, "lime://app/../x")
    assert words(stage).count("Something went wrong") == 1


def test_links_lead_to_entries_and_settings(stage: Stage) -> None:
    show_target(stage.window, stage.services.registry, "lime://app/every-kind/flow")
    assert open_keys(stage) == ["flow"]
    show_target(stage.window, stage.services.registry, "lime://settings/about")
    assert "Version, components and protection" in words(stage)


def test_the_progress_line_says_what_is_coming_and_goes(stage: Stage) -> None:
    stage.window.show_server(Starting(1))
    assert "Starting agents and storage" in words(stage)
    stage.window.show_server(Down("it ended with code 1", 4.0))
    assert "Starting agents and storage" in words(stage), "one that is back in a second"
    stage.window.show_server(Down("it ended with code 1", 4.0, attempts=2))
    assert "Agents and storage are not available" in words(stage)
    assert stage.window.progress.coming == ()
    assert not isinstance(stage.server.state, Running)


def test_escape_leaves_the_welcome_for_the_apps_and_that_is_kept(stage: Stage) -> None:
    stage.services.settings.change(is_welcomed=False)
    stage.window.show_home()
    assert "Welcome to Lime Desktop" in words(stage)
    QTest.keyClick(stage.window, Qt.Key.Key_Escape)
    assert "Welcome to Lime Desktop" not in words(stage)
    assert stage.services.settings.current.is_welcomed


def test_the_first_start_welcomes_and_the_choice_to_begin_is_kept(stage: Stage) -> None:
    stage.services.settings.change(is_welcomed=False)
    stage.window.show_home()
    assert "Welcome to Lime Desktop" in words(stage)
    stage.services.settings.change(locale="zh-CN")
    assert "欢迎使用 Lime Desktop" in words(stage)


def test_nobody_is_notified_who_wants_no_notices(stage: Stage) -> None:
    tray = Tray(
        stage.services.look,
        stage.services.settings,
        stage.services.brand,
        stage.services.registry,
        stage.services.approvals,
        stage.window,
    )
    stage.services.settings.change(has_notifications=False)
    assert not tray.notify("An agent needs your approval", "for you")


def test_without_a_tray_closing_the_window_ends_the_program(stage: Stage, qtbot: QtBot) -> None:
    stage.services.settings.change(stays_in_tray=True)
    with qtbot.waitSignal(stage.window.leaving, timeout=30_000):
        stage.window.close()


def test_with_a_tray_closing_the_window_keeps_it_running(stage: Stage) -> None:
    stage.services.settings.change(stays_in_tray=True)
    stage.window.has_tray = True
    stage.window.open_entry("every-kind", "strategist")
    stage.window.close()
    assert not stage.window.isVisible()
    assert open_keys(stage) == ["strategist"]
    stage.window.come_forward()
    assert stage.window.isVisible()


class Watcher(Surface):
    """Keeps what it hears of being seen."""

    def __init__(self) -> None:
        super().__init__("every-kind", "strategist")
        self.heard: list[bool] = []

    def set_visible(self, *, visible: bool) -> None:
        if self.heard[-1:] != [visible]:
            self.heard.append(visible)


def test_what_is_open_hears_whether_it_can_be_seen(stage: Stage) -> None:
    surface, window = Watcher(), stage.window
    window.open_entry("every-kind", "report")
    window.workspace.add(surface)
    assert surface.heard == [True]
    leave_and_return = {
        window.show_home: partial(window.open_entry, "every-kind", "strategist"),
        window.showMinimized: window.showNormal,
        window.hide: window.show,
        partial(window.open_entry, "every-kind", "report"): partial(window.workspace.step, 1),
    }
    for leave, come_back in leave_and_return.items():
        leave()
        assert surface.heard.pop() is False
        come_back()
        assert surface.heard == [True]


def test_what_is_open_speaks_the_language_of_now(stage: Stage) -> None:
    stage.window.open_entry("every-kind", "strategist")
    stage.services.settings.change(locale="zh-CN")
    bar = next(each for each in stage.window.workspace.findChildren(QTabBar) if each.count())
    assert bar.tabText(0) == "各类入口 · 内容策划"
    closing = bar.tabButton(0, QTabBar.ButtonPosition.RightSide)
    assert "内容策划" in closing.toolTip()
    [identity] = stage.window.workspace.findChildren(IdentityBar)
    assert "各类入口" in identity.accessibleName()
    [trust] = [each for each in identity.findChildren(QLabel) if each.isVisible()]
    assert trust.toolTip().startswith("各类入口 · 内容策划")
    offered = identity.findChildren(QToolButton)[0]
    assert offered.toolTip() == stage.services.look.texts("chat.past")


def test_the_arrow_keys_walk_the_rail(stage: Stage) -> None:
    rail = stage.window._rail
    rail.take_keyboard()
    before = rail._focused()
    QTest.keyClick(rail, Qt.Key.Key_Down)
    after = rail._focused()
    # An offscreen window that is not active gives no focus; then there is nothing to walk.
    assert (before, after) in {(None, None), (0, 1)}


@pytest.mark.parametrize("ending", ["close", "leave"])
def test_the_window_can_be_closed_while_an_app_asks_for_a_file(
    stage: Stage, qtbot: QtBot, loop: asyncio.AbstractEventLoop, ending: str
) -> None:
    """A bug: the dialog went with the window, was deleted once more, and a traceback was left."""
    stage.window.open_entry("every-kind", "strategist")
    surface = stage.window.workspace.current
    assert surface is not None
    asking = loop.create_task(
        choose_files(surface, stage.services.look.texts, "App", FileQuestion())
    )
    qtbot.waitUntil(lambda: any(each.isVisible() for each in surface.findChildren(QFileDialog)))
    QTest.keyClicks(surface.findChildren(QFileDialog)[0], "report")
    getattr(stage.window, ending)()
    qtbot.waitUntil(asking.done)
    assert asking.result() == ()


def test_the_window_can_be_closed_while_a_package_is_chosen(stage: Stage, qtbot: QtBot) -> None:
    home = stage.window.findChild(HomePage)
    assert home is not None
    under = home.findChild(QPushButton)
    assert under is not None
    chooser = home.findChild(PackageChooser)
    assert chooser is not None
    chooser.open_under(under)
    [menu] = home.findChildren(QMenu)
    menu.actions()[0].trigger()
    menu.close()
    qtbot.waitUntil(lambda: any(each.isVisible() for each in home.findChildren(QFileDialog)))
    with qtbot.waitSignal(stage.window.leaving, timeout=30_000):
        stage.window.close()
    assert not any(each.isVisible() for each in home.findChildren(QFileDialog))
