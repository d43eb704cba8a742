"""What everybody expects of a page by keys and pointer: find, zoom, back, tabs, in a real engine (ours)."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QTabBar
from pytestqt.qtbot import QtBot

from lime_desktop.host.user_profile.settings import read_settings
from lime_desktop.shell.app_view.find_bar import FindBar
from lime_desktop.shell.app_view.zoom import ZoomCard
from lime_desktop.shell.command_palette.dialog import CommandPalette
from lime_desktop.shell.dialogs.shortcuts_sheet import ShortcutsSheet
from lime_desktop.shell.window.app_tab.app_tab import AppTab
from tests.shell.hands import (
    ALT,
    CTRL,
    NO_BUTTON,
    NONE,
    ROOT,
    SHIFT,
    active_stage,
    ask,
    focused,
    open_page_with_a_field,
    page_widget,
    press,
    press_mouse,
    press_window,
    type_keys,
)
from tests.shell.stage import Stage


@pytest.fixture
def stage(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Stage]:
    yield from active_stage(qtbot, tmp_path, loop)


def words_of(widget: FindBar | ZoomCard | ShortcutsSheet) -> list[str]:
    return [each.text() for each in widget.findChildren(QLabel)]


def turn_wheel(tab: AppTab, notches: int, modifiers: Qt.KeyboardModifier) -> None:
    widget = page_widget(tab)
    middle = widget.rect().center()
    there = QPointF(widget.mapToGlobal(middle))
    turned = QPoint(0, 120 * notches)
    phase = Qt.ScrollPhase.NoScrollPhase
    event = QWheelEvent(
        QPointF(middle),
        there,
        QPoint(),
        turned,
        NO_BUTTON,
        modifiers,
        phase,
        False,  # noqa: FBT003 - Qt's signature
    )
    QApplication.sendEvent(widget, event)


def test_a_page_is_zoomed_by_keys_and_wheel_and_the_app_keeps_its_size(
    stage: Stage, qtbot: QtBot
) -> None:
    tab = open_page_with_a_field(stage, qtbot)
    page, services = tab.view.page(), stage.services
    card = tab.findChildren(ZoomCard)[0]

    press_window(stage, Qt.Key.Key_Plus, CTRL)
    press_window(stage, Qt.Key.Key_Plus, CTRL)
    assert page.zoomFactor() == pytest.approx(1.25)
    assert card.isVisible()
    assert "125%" in words_of(card)
    turn_wheel(tab, -1, CTRL)
    assert page.zoomFactor() == pytest.approx(1.1)
    turn_wheel(tab, 1, NONE)
    assert page.zoomFactor() == pytest.approx(1.1)
    assert ask(tab, qtbot, "field.value") == "one two"
    qtbot.waitUntil(
        lambda: read_settings(services.folders.settings_file).page_zoom == {"hello-lime": 110}
    )

    tab.reload()
    qtbot.waitUntil(lambda: tab.session.is_ready, timeout=60_000)
    qtbot.waitUntil(lambda: page.zoomFactor() == pytest.approx(1.1))
    press_window(stage, Qt.Key.Key_0, CTRL)
    assert page.zoomFactor() == pytest.approx(1.0)
    assert services.settings.current.page_zoom == {}
    for _ in range(20):
        press_window(stage, Qt.Key.Key_Minus, CTRL)
    assert page.zoomFactor() == pytest.approx(0.5)


def test_words_are_found_in_the_page_counted_and_walked_through(stage: Stage, qtbot: QtBot) -> None:
    tab = open_page_with_a_field(stage, qtbot)
    ask(
        tab,
        qtbot,
        "d.body.append(...['lemon tree', 'lemon pie', 'lemons'].map(t => { const p = d.createElement('p'); p.textContent = t; return p; })); 0",
    )
    bar = tab.findChildren(FindBar)[0]

    press_window(stage, Qt.Key.Key_F, CTRL)
    qtbot.waitUntil(lambda: bar.isVisible() and bar.isAncestorOf(focused()))
    type_keys("lemon")
    qtbot.waitUntil(lambda: "1 of 3" in words_of(bar), timeout=30_000)
    press(Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "2 of 3" in words_of(bar), timeout=30_000)
    press(Qt.Key.Key_Return, SHIFT)
    qtbot.waitUntil(lambda: "1 of 3" in words_of(bar), timeout=30_000)
    press_window(stage, Qt.Key.Key_F3)
    qtbot.waitUntil(lambda: "2 of 3" in words_of(bar), timeout=30_000)
    type_keys("ade")
    qtbot.waitUntil(lambda: "No results" in words_of(bar), timeout=30_000)

    press(Qt.Key.Key_Escape)
    assert not bar.isVisible()
    qtbot.waitUntil(lambda: tab.isAncestorOf(focused()))
    qtbot.waitUntil(lambda: ask(tab, qtbot, "d.activeElement === field") is True)
    assert ask(tab, qtbot, "field.value") == "one two"


def test_an_app_with_a_search_of_its_own_has_the_key_for_it(stage: Stage, qtbot: QtBot) -> None:
    """Browsers leave it to the page as well; the keys of the window itself they do not."""
    tab = open_page_with_a_field(stage, qtbot)
    ask(
        tab,
        qtbot,
        "w.heard = []; d.addEventListener('keydown', e => { w.heard.push(e.key); if (e.key !== 'Control') e.preventDefault(); }); 0",
    )

    press_window(stage, Qt.Key.Key_F, CTRL)
    press_window(stage, Qt.Key.Key_K, CTRL)

    qtbot.waitUntil(lambda: ask(tab, qtbot, "w.heard.includes('f')") is True)
    assert len(stage.window.findChildren(CommandPalette)) == 1
    assert not tab.findChildren(FindBar)[0].isVisible()
    assert ask(tab, qtbot, "w.heard.includes('k')") is False


def test_back_and_forward_stay_inside_the_apps_own_history(stage: Stage, qtbot: QtBot) -> None:
    tab = open_page_with_a_field(stage, qtbot)
    tab.reload()
    qtbot.waitUntil(lambda: tab.session.is_ready, timeout=60_000)
    tab.setFocus()

    def where() -> object:
        return ask(tab, qtbot, "w.location.hash")

    # What a page does without a person's act leaves nothing to go back to, as in every browser.
    press_mouse(page_widget(tab), QPoint(5, 5), Qt.MouseButton.LeftButton)
    for place in ("#one", "#two"):
        ask(tab, qtbot, f"w.history.pushState({{}}, '', '{place}'); 0")
    qtbot.waitUntil(lambda: tab.page.can_go(-1))

    press_window(stage, Qt.Key.Key_Left, ALT)
    qtbot.waitUntil(lambda: where() == "#one")
    press_mouse(page_widget(tab), QPoint(5, 5), Qt.MouseButton.BackButton)
    qtbot.waitUntil(lambda: where() == "")
    for _ in range(3):
        press_window(stage, Qt.Key.Key_Left, ALT)
    assert not tab.page.can_go(-1)
    press_window(stage, Qt.Key.Key_Right, ALT)
    qtbot.waitUntil(lambda: where() == "#one")
    press_mouse(page_widget(tab), QPoint(5, 5), Qt.MouseButton.ForwardButton)
    qtbot.waitUntil(lambda: where() == "#two")
    assert tab.view.page().url().path() == "/__lime__/frame.html"
    assert tab.session.is_ready


def test_an_app_has_the_keyboard_as_soon_as_it_is_open(stage: Stage, qtbot: QtBot) -> None:
    """A bug: the page around the app had it, and no key reached the app before somebody clicked into it."""
    [app] = stage.services.registry.add([ROOT / "sample_apps/hello-lime"])
    stage.services.registry.grant(app.app_id, "keep-greeting")
    stage.window.open_app(app.app_id)
    tab = stage.window.workspace.current
    assert isinstance(tab, AppTab)
    qtbot.waitUntil(lambda: tab.session.is_ready, timeout=60_000)
    ask(tab, qtbot, "w.heard = ''; d.addEventListener('keydown', e => { w.heard += e.key; }); 0")
    qtbot.waitUntil(lambda: ask(tab, qtbot, "d.hasFocus()") is True)
    press_window(stage, Qt.Key.Key_X)
    qtbot.waitUntil(lambda: ask(tab, qtbot, "w.heard") == "x")

    press_window(stage, Qt.Key.Key_F6)
    press_window(stage, Qt.Key.Key_F6)
    qtbot.waitUntil(lambda: ask(tab, qtbot, "d.hasFocus()") is True)
    press_window(stage, Qt.Key.Key_Y)
    qtbot.waitUntil(lambda: ask(tab, qtbot, "w.heard") == "xy")


def test_a_pages_own_access_keys_work(stage: Stage, qtbot: QtBot) -> None:
    tab = open_page_with_a_field(stage, qtbot)
    ask(
        tab,
        qtbot,
        "const b = d.createElement('button'); b.accessKey = 'g'; b.onclick = () => { w.gone = true; };"
        "d.body.append(b); 0",
    )
    press_window(stage, Qt.Key.Key_G, ALT)
    qtbot.waitUntil(lambda: ask(tab, qtbot, "w.gone === true") is True)


def test_the_keyboard_goes_along_to_the_page_that_is_turned_to(stage: Stage, qtbot: QtBot) -> None:
    tab = open_page_with_a_field(stage, qtbot)
    press_window(stage, Qt.Key.Key_Home, ALT)
    type_keys("notes")
    fields = [e for e in stage.window.findChildren(QLineEdit) if e.isVisible()]
    assert [each.text() for each in fields] == ["notes"]
    press_window(stage, Qt.Key.Key_1, CTRL)
    qtbot.waitUntil(lambda: tab.isAncestorOf(focused()))
    qtbot.waitUntil(lambda: ask(tab, qtbot, "d.activeElement === field") is True)


def open_keys(stage: Stage) -> list[str]:
    return [each.entry_key for each in stage.window.workspace.surfaces]


def current_key(stage: Stage) -> str:
    surface = stage.window.workspace.current
    assert surface is not None
    return surface.entry_key


def test_tabs_are_walked_closed_and_opened_again_by_their_keys(stage: Stage) -> None:
    stage.add_every_kind()
    for key in ("strategist", "flow", "report"):
        stage.window.open_entry("every-kind", key)

    press_window(stage, Qt.Key.Key_Tab, CTRL)
    assert current_key(stage) == "strategist"
    press_window(stage, Qt.Key.Key_Tab, CTRL | SHIFT)
    assert current_key(stage) == "report"
    press_window(stage, Qt.Key.Key_2, CTRL)
    assert current_key(stage) == "flow"
    press_window(stage, Qt.Key.Key_9, CTRL)
    assert current_key(stage) == "report"
    press_window(stage, Qt.Key.Key_8, CTRL)
    assert current_key(stage) == "report"

    press_window(stage, Qt.Key.Key_W, CTRL)
    press_window(stage, Qt.Key.Key_W, CTRL)
    assert open_keys(stage) == ["strategist"]
    press_window(stage, Qt.Key.Key_T, CTRL | SHIFT)
    assert current_key(stage) == "flow"
    press_window(stage, Qt.Key.Key_T, CTRL | SHIFT)
    assert open_keys(stage) == ["strategist", "flow", "report"]
    press_window(stage, Qt.Key.Key_T, CTRL | SHIFT)
    assert open_keys(stage) == ["strategist", "flow", "report"]


def test_the_middle_button_closes_a_tab(stage: Stage) -> None:
    stage.add_every_kind()
    for key in ("strategist", "flow"):
        stage.window.open_entry("every-kind", key)
    bar = next(e for e in stage.window.workspace.findChildren(QTabBar) if e.count() == 2)
    QTest.mouseClick(bar, Qt.MouseButton.MiddleButton, NONE, bar.tabRect(0).center())
    assert open_keys(stage) == ["flow"]
    assert stage.window.tabs.can_reopen()


def test_what_was_closed_because_its_app_went_is_not_opened_again(stage: Stage) -> None:
    stage.add_every_kind()
    stage.window.open_entry("every-kind", "flow")
    stage.window.close_app("every-kind")
    assert not stage.window.tabs.can_reopen()
    stage.window.tabs.reopen()
    assert open_keys(stage) == []


@pytest.mark.parametrize(("key", "modifiers"), [(Qt.Key.Key_F1, NONE), (Qt.Key.Key_Slash, CTRL)])
def test_every_key_is_listed_in_both_languages(
    stage: Stage, qtbot: QtBot, key: Qt.Key, modifiers: Qt.KeyboardModifier
) -> None:
    open_page_with_a_field(stage, qtbot)
    for locale, wanted in {"en": "Find in page…", "zh-CN": "在页面中查找…"}.items():
        stage.services.settings.change(locale=locale)
        press_window(stage, key, modifiers)
        [sheet] = stage.window.findChildren(ShortcutsSheet)
        words = words_of(sheet)
        assert wanted in words
        assert {"Ctrl+K", "Ctrl+1 … Ctrl+9", "Ctrl+Shift+T", "Ctrl+R, F5"} <= set(words)
        assert not [each for each in words if each.startswith("command.")]
        press_window(stage, Qt.Key.Key_Escape)
        qtbot.waitUntil(lambda: not stage.window.findChildren(ShortcutsSheet))


def test_the_palette_offers_what_can_be_done_to_the_page_in_front(
    stage: Stage, qtbot: QtBot
) -> None:
    def offered(word: str) -> list[str]:
        stage.window.show_palette()
        [palette] = [e for e in stage.window.findChildren(CommandPalette) if e.isVisible()]
        palette.findChildren(QLineEdit)[0].setText(word)
        found = [offer.name for offer in palette._found]
        palette.close_sheet()
        return found

    assert "Zoom in" not in offered("Zoom in")
    tab = open_page_with_a_field(stage, qtbot)
    assert offered("Zoom in")[0] == "Zoom in"
    stage.window.show_palette()
    type_keys("Zoom in")
    press_window(stage, Qt.Key.Key_Return)
    assert tab.view.page().zoomFactor() == pytest.approx(1.1)
