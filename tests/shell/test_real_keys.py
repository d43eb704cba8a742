"""The window by its keyboard: every key goes to whatever has the focus, as a person's does (ours)."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLineEdit,
    QListWidget,
    QPushButton,
)
from pytestqt.qtbot import QtBot

from lime_desktop.host.user_profile.settings import read_settings
from lime_desktop.shell.command_palette.dialog import CommandPalette
from lime_desktop.shell.dialogs.question_dialog import QuestionDialog
from lime_desktop.shell.dialogs.questions import Question
from lime_desktop.shell.dialogs.questions import ask as ask_person
from lime_desktop.shell.window.rail.rail import Rail
from tests.shell.hands import active_stage, ask, focused, open_page_with_a_field, press, type_keys
from tests.shell.stage import Stage


@pytest.fixture
def stage(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Stage]:
    yield from active_stage(qtbot, tmp_path, loop)


def test_the_palette_keeps_the_keyboard_while_its_results_change(
    stage: Stage, qtbot: QtBot
) -> None:
    """A bug: the first result took the keyboard, and every letter after the first was lost."""
    stage.window.show_palette()
    [palette] = stage.window.findChildren(CommandPalette)
    field = palette.findChildren(QLineEdit)[0]
    qtbot.waitUntil(lambda: QApplication.focusWidget() is field)

    type_keys("privacy")
    press(Qt.Key.Key_Down)
    press(Qt.Key.Key_Up)
    press(Qt.Key.Key_Backspace)
    type_keys("y")

    assert field.text() == "privacy"
    assert palette.findChildren(QListWidget)[0].item(0).text() == "Privacy"
    press(Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not stage.window.findChildren(CommandPalette))


def test_a_language_chosen_by_keyboard_is_kept_and_the_keyboard_stays_on_its_box(
    stage: Stage, qtbot: QtBot
) -> None:
    """A bug: the box was destroyed inside its own signal, which ended the program."""
    stage.window.show_settings("general")
    box = _language_box(stage)
    box.setFocus()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is box)

    press(Qt.Key.Key_Down)

    qtbot.waitUntil(lambda: stage.services.look.texts.locale == "zh-CN")
    assert read_settings(stage.services.folders.settings_file).locale == "zh-CN"
    qtbot.waitUntil(lambda: QApplication.focusWidget() is _language_box(stage))

    press(Qt.Key.Key_Up)

    qtbot.waitUntil(lambda: stage.services.look.texts.locale == "en")
    assert read_settings(stage.services.folders.settings_file).locale == "en"


def _language_box(stage: Stage) -> QComboBox:
    boxes = stage.window.findChildren(QComboBox)
    return next(each for each in boxes if each.isVisible() and each.findData("zh-CN") >= 0)


def test_the_windows_keys_work_inside_a_pages_text_field_and_leave_its_text(
    stage: Stage, qtbot: QtBot
) -> None:
    """A bug: Ctrl+K deleted the rest of the line in the page, and no palette came.

    Which keys edit text differs between systems, Ctrl+A does everywhere: it stands for those that do somewhere.
    """
    tab = open_page_with_a_field(stage, qtbot)
    heard: list[str] = []
    action = QAction(stage.window)
    action.setShortcut(QKeySequence("Ctrl+A"))
    action.triggered.connect(lambda: heard.append("Ctrl+A"))
    stage.window.addAction(action)
    ask(tab, qtbot, "field.setSelectionRange(0, 0); 0")

    QTest.keyClick(focused(), Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(focused(), Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)

    qtbot.waitUntil(lambda: bool(stage.window.findChildren(CommandPalette)))
    assert heard == ["Ctrl+A"]
    assert ask(tab, qtbot, "field.value") == "one two"
    assert ask(tab, qtbot, "field.selectionEnd") == 0


def test_what_is_typed_right_after_the_palettes_key_is_in_the_palette(
    stage: Stage, qtbot: QtBot
) -> None:
    """A bug: a window of its own got the keyboard when the system came to it, and the first letters went to the page.

    So the keys go where the system sends them, to the window, and nothing is waited for in between.
    """
    tab = open_page_with_a_field(stage, qtbot)
    window = stage.window.windowHandle()

    QTest.keyClick(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    for key in (Qt.Key.Key_P, Qt.Key.Key_R, Qt.Key.Key_I, Qt.Key.Key_V):
        QTest.keyClick(window, key)

    [palette] = stage.window.findChildren(CommandPalette)
    assert palette.findChildren(QLineEdit)[0].text() == "priv"
    assert palette.window() is stage.window
    QTest.keyClick(window, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: tab.isAncestorOf(focused()))
    type_keys("x")
    qtbot.waitUntil(lambda: "x" in str(ask(tab, qtbot, "field.value")))
    assert "p" not in str(ask(tab, qtbot, "field.value"))


def test_the_windows_keys_do_nothing_below_the_palette_and_its_own_closes_it(
    stage: Stage, qtbot: QtBot
) -> None:
    stage.add_every_kind()
    stage.window.open_entry("every-kind", "strategist")
    window = stage.window.windowHandle()

    QTest.keyClick(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(window, Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(window, Qt.Key.Key_Tab)
    QTest.keyClick(window, Qt.Key.Key_Tab)
    assert len(stage.window.workspace.surfaces) == 1
    [palette] = stage.window.findChildren(CommandPalette)
    assert palette.isAncestorOf(focused())

    QTest.keyClick(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: not stage.window.findChildren(CommandPalette))


def test_f6_goes_from_the_page_to_the_rail_and_back_and_enter_opens_a_place(
    stage: Stage, qtbot: QtBot
) -> None:
    tab = open_page_with_a_field(stage, qtbot)
    rail = stage.window.findChildren(Rail)[0]

    press(Qt.Key.Key_F6)
    qtbot.waitUntil(lambda: rail.isAncestorOf(focused()))
    press(Qt.Key.Key_F6)
    qtbot.waitUntil(lambda: tab.isAncestorOf(focused()))
    assert ask(tab, qtbot, "d.activeElement === field") is True

    press(Qt.Key.Key_F6)
    qtbot.waitUntil(lambda: rail.isAncestorOf(focused()))
    press(Qt.Key.Key_Up)
    press(Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not tab.isVisible())


def test_enter_presses_the_button_that_has_the_keyboard_as_space_does(
    stage: Stage, qtbot: QtBot
) -> None:
    """A bug: outside of the rail only Space did."""
    stage.window.show_settings("general")
    heading = stage.services.look.texts("settings.privacy.title")
    sections = [each for each in stage.window.findChildren(QPushButton) if each.isVisible()]
    privacy = next(each for each in sections if each.text() == heading)

    for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
        stage.window.show_settings("general")
        privacy.setFocus()
        assert not privacy.isChecked()
        press(key)
        qtbot.waitUntil(privacy.isChecked)


def test_enter_opens_the_choice_that_has_the_keyboard(stage: Stage, qtbot: QtBot) -> None:
    stage.window.show_settings("general")
    box = _language_box(stage)
    box.setFocus()
    press(Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: box.view().isVisible())
    QTest.keyClick(box.view(), Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not box.view().isVisible())
    assert box.currentData() == "en"


@pytest.mark.parametrize("is_led_to_yes", [False, True])
def test_enter_answers_a_question_as_the_button_with_the_keyboard_says(
    stage: Stage, qtbot: QtBot, *, is_led_to_yes: bool
) -> None:
    """A bug: with the keyboard on the yes, Enter said no. Where nobody led it there, Enter is a no."""
    agreed: list[str] = []
    asked = Question("Sure?", "Delete it?", "All of it.", yes="Delete", no="Keep")
    ask_person(stage.window, asked, lambda: agreed.append("yes"))
    [question] = stage.window.findChildren(QuestionDialog)
    qtbot.waitUntil(question.isActiveWindow)
    if is_led_to_yes:
        press(Qt.Key.Key_Tab)
        qtbot.waitUntil(question.answers[0].hasFocus)
    with qtbot.waitSignal(question.finished):
        press(Qt.Key.Key_Return)
    assert agreed == (["yes"] if is_led_to_yes else [])


def test_the_drawer_has_the_keyboard_by_its_key_and_escape_leaves_it(
    stage: Stage, qtbot: QtBot
) -> None:
    tab = open_page_with_a_field(stage, qtbot)
    drawer = stage.window.drawer
    stage.window.toggle_drawer()
    qtbot.waitUntil(lambda: drawer.isAncestorOf(focused()))
    press(Qt.Key.Key_F6)
    qtbot.waitUntil(lambda: not drawer.isAncestorOf(focused()))
    for _ in range(4):
        if not drawer.isAncestorOf(focused()):
            press(Qt.Key.Key_F6)
    assert drawer.isAncestorOf(focused())
    press(Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: tab.isAncestorOf(focused()))
    assert not drawer.isVisible()
