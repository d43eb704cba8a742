"""The menu of a page: what is expected is there and works, what leads past the host is not (ours)."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QLabel, QLineEdit, QListWidget, QMenu
from pytestqt.qtbot import QtBot

from lime_desktop.shell.command_palette.dialog import CommandPalette
from lime_desktop.shell.dialogs.question_dialog import QuestionDialog
from lime_desktop.shell.window.app_tab.app_tab import AppTab
from tests.shell.hands import (
    SHIFT,
    active_stage,
    ask,
    open_page_with_a_field,
    page_widget,
    place_of,
    press_mouse,
    press_window,
)
from tests.shell.stage import Stage

EDITING = ["Undo", "Redo", "Cut", "Copy", "Paste", "Paste as plain text", "Select all"]


@pytest.fixture
def stage(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Stage]:
    yield from active_stage(qtbot, tmp_path, loop)


def menu_of(tab: AppTab, qtbot: QtBot) -> QMenu:
    qtbot.waitUntil(lambda: bool(_menus(tab)), timeout=30_000)
    return _menus(tab)[0]


def _menus(tab: AppTab) -> list[QMenu]:
    return [each for each in tab.view.findChildren(QMenu) if each.isVisible()]


def open_at(tab: AppTab, qtbot: QtBot, place: QPoint) -> QMenu:
    press_mouse(page_widget(tab), place, Qt.MouseButton.RightButton)
    return menu_of(tab, qtbot)


def names(menu: QMenu) -> list[str]:
    return [each.text().partition("\t")[0] for each in menu.actions() if not each.isSeparator()]


def choose(menu: QMenu, name: str) -> None:
    [found] = [each for each in menu.actions() if each.text().partition("\t")[0] == name]
    assert found.isEnabled()
    menu.setActiveAction(found)
    found.trigger()
    menu.close()


def is_enabled(menu: QMenu, name: str) -> bool:
    found: list[QAction] = [e for e in menu.actions() if e.text().partition("\t")[0] == name]
    return found[0].isEnabled()


def test_a_text_field_of_a_page_has_the_menu_of_a_text_field(stage: Stage, qtbot: QtBot) -> None:
    tab = open_page_with_a_field(stage, qtbot)
    QGuiApplication.clipboard().setText("lime ")
    ask(tab, qtbot, "field.setSelectionRange(0, 0); 0")

    menu = open_at(tab, qtbot, place_of(tab, qtbot, "field"))
    assert names(menu) == EDITING
    assert not is_enabled(menu, "Cut")
    choose(menu, "Paste")
    qtbot.waitUntil(lambda: "lime" in str(ask(tab, qtbot, "field.value")), timeout=30_000)

    ask(tab, qtbot, "field.value = 'zest'; field.select(); 0")
    menu = open_at(tab, qtbot, place_of(tab, qtbot, "field"))
    assert names(menu) == [*EDITING, "Look up “zest”"]
    choose(menu, "Cut")
    qtbot.waitUntil(lambda: ask(tab, qtbot, "field.value") == "", timeout=30_000)
    assert QGuiApplication.clipboard().text() == "zest"


def test_words_of_a_page_are_copied_and_looked_up_in_the_palette(
    stage: Stage, qtbot: QtBot
) -> None:
    tab = open_page_with_a_field(stage, qtbot)
    ask(
        tab,
        qtbot,
        "const p = d.createElement('p'); p.id = 'words'; p.textContent = 'privacy'; d.body.prepend(p);"
        "w.getSelection().selectAllChildren(p); 0",
    )
    menu = open_at(
        tab, qtbot, place_of(tab, qtbot, "d.getElementById('words').firstChild.parentNode")
    )
    assert names(menu) == ["Copy", "Look up “privacy”"]
    choose(menu, "Look up “privacy”")
    [palette] = stage.window.findChildren(CommandPalette)
    assert palette.findChildren(QLineEdit)[0].text() == "privacy"
    results = palette.findChildren(QListWidget)[0]
    assert results.item(0).text() == "Privacy"
    assert results.currentRow() == 0
    assert results.item(results.count() - 1).text() == "Search the web for “privacy”"

    # Nothing leaves before the person has seen the address and said yes.
    press_window(stage, Qt.Key.Key_Up)
    press_window(stage, Qt.Key.Key_Return)
    [question] = stage.window.findChildren(QuestionDialog)
    assert "https://duckduckgo.com/?q=privacy" in [e.text() for e in question.findChildren(QLabel)]
    question.reject()


@pytest.mark.parametrize(("key", "modifiers"), [(Qt.Key.Key_Menu, None), (Qt.Key.Key_F10, SHIFT)])
def test_the_menu_comes_by_the_keyboard_too(
    stage: Stage, qtbot: QtBot, key: Qt.Key, modifiers: Qt.KeyboardModifier | None
) -> None:
    tab = open_page_with_a_field(stage, qtbot)
    press_window(stage, key, modifiers or Qt.KeyboardModifier.NoModifier)
    assert names(menu_of(tab, qtbot)) == EDITING


def test_a_link_is_copied_or_opened_by_the_hosts_question_alone(stage: Stage, qtbot: QtBot) -> None:
    tab = open_page_with_a_field(stage, qtbot)
    ask(
        tab,
        qtbot,
        "const a = d.createElement('a'); a.id = 'out'; a.href = 'https://example.com/a?b=c'; a.textContent = 'out there';"
        "d.body.prepend(a); 0",
    )
    menu = open_at(tab, qtbot, place_of(tab, qtbot, "d.getElementById('out')"))
    assert names(menu) == ["Open link…", "Copy link"]
    choose(menu, "Copy link")
    assert QGuiApplication.clipboard().text() == "https://example.com/a?b=c"

    choose(open_at(tab, qtbot, place_of(tab, qtbot, "d.getElementById('out')")), "Open link…")
    [question] = stage.window.findChildren(QuestionDialog)
    assert question.isVisible()
    question.reject()


def test_the_page_itself_has_its_own_menu_and_only_developers_inspect(
    stage: Stage, qtbot: QtBot
) -> None:
    tab = open_page_with_a_field(stage, qtbot)
    blank = QPoint(page_widget(tab).width() - 3, page_widget(tab).height() - 3)
    expected = ["Back", "Forward", "Reload", "Find in page…", "Print…", "Select all"]

    menu = open_at(tab, qtbot, blank)
    assert names(menu) == expected
    assert not is_enabled(menu, "Back")
    menu.close()

    stage.services.settings.change(has_developer_tools=True, locale="zh-CN")
    menu = open_at(tab, qtbot, blank)
    assert names(menu)[0] == "后退"
    assert names(menu)[-1] == "检查"
    choose(menu, "检查")
    assert tab.inspector is not None


def test_an_app_may_have_a_menu_of_its_own_in_place_of_ours(stage: Stage, qtbot: QtBot) -> None:
    tab = open_page_with_a_field(stage, qtbot)
    ask(
        tab,
        qtbot,
        "w.menus = 0; d.addEventListener('contextmenu', e => { e.preventDefault(); w.menus += 1; }); 0",
    )
    press_mouse(page_widget(tab), place_of(tab, qtbot, "field"), Qt.MouseButton.RightButton)
    qtbot.waitUntil(lambda: ask(tab, qtbot, "w.menus") == 1, timeout=30_000)
    assert _menus(tab) == []
