"""A page that is gone to has the keyboard where a person acts next, and Escape goes back from it (ours)."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QPushButton,
    QRadioButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from lime_desktop.host.user_profile.settings import read_settings
from lime_desktop.shell.pages.welcome_page import WelcomePage
from lime_desktop.shell.settings.table import SECTIONS
from lime_desktop.shell.window.rail.rail import Rail
from tests.host.app_center.packages import NOTES, WEATHER, make_package
from tests.shell.hands import ALT, CTRL, active_stage, focused, press_window
from tests.shell.stage import Stage

Finish = Callable[[Coroutine[Any, Any, None]], None]
WAIT_MS = 60_000


@pytest.fixture
def stage(
    qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop, finish: Finish
) -> Iterator[Stage]:
    stages = active_stage(qtbot, tmp_path, loop)
    made = next(stages)

    async def open_center() -> None:
        await made.open_center()

    finish(open_center())
    yield made
    # The window first: once the loop turns again, it is gone.
    next(stages, None)
    finish(made.leave())


def type_into_window(stage: Stage, text: str) -> None:
    for letter in text:
        press_window(stage, Qt.Key(ord(letter.upper())))


def go_to(stage: Stage, words: str) -> None:
    """By the palette, as whoever has no mouse does; the first that is found."""
    press_window(stage, Qt.Key.Key_K, CTRL)
    type_into_window(stage, words)
    press_window(stage, Qt.Key.Key_Return)


def words_on(widget: QWidget) -> str:
    return widget.text() if isinstance(widget, QAbstractButton) else widget.accessibleName()


def is_in_sight(stage: Stage, widget: QWidget) -> bool:
    seen = widget.visibleRegion().boundingRect()
    return widget.isVisible() and stage.window.isAncestorOf(widget) and not seen.isEmpty()


@pytest.mark.parametrize("begins_on_rail", [False, True])
@pytest.mark.parametrize(
    ("words", "kind", "at"),
    [
        ("home", QLineEdit, "Search by name"),
        ("general", QComboBox, "Language"),
        ("privacy", QPushButton, "Privacy"),
        ("details of hello", QPushButton, "Open"),
        ("welcome", QPushButton, "English"),
    ],
)
def test_a_page_of_the_palette_has_the_keyboard_where_a_person_acts_next(
    stage: Stage,
    qtbot: QtBot,
    words: str,
    kind: type[QWidget],
    at: str,
    *,
    begins_on_rail: bool,
) -> None:
    """A bug: it stayed on the rail, or wherever it was before."""
    [app] = stage.services.registry.add([stage.samples / "hello-lime"])
    stage.services.registry.grant(app.app_id, "keep-greeting")
    stage.window.show_overlays(app.app_id)
    rail = stage.window.findChildren(Rail)[0]
    if begins_on_rail:
        press_window(stage, Qt.Key.Key_F6)
        qtbot.waitUntil(lambda: rail.isAncestorOf(focused()))

    go_to(stage, words)

    qtbot.waitUntil(lambda: isinstance(focused(), kind) and not rail.isAncestorOf(focused()))
    assert words_on(focused()).startswith(at)
    assert is_in_sight(stage, focused())


def test_a_key_of_the_window_brings_the_keyboard_along_and_back_to_where_it_was(
    stage: Stage, qtbot: QtBot
) -> None:
    press_window(stage, Qt.Key.Key_F6)
    press_window(stage, Qt.Key.Key_Comma, CTRL)
    assert words_on(focused()) == "General"
    for _ in range(3):
        press_window(stage, Qt.Key.Key_Tab)
    left_at = words_on(focused())
    assert left_at != "General"
    press_window(stage, Qt.Key.Key_F6)
    assert stage.window.findChildren(Rail)[0].isAncestorOf(focused())
    press_window(stage, Qt.Key.Key_F6)
    qtbot.waitUntil(lambda: words_on(focused()) == left_at)


def sees(stage: Stage, words: str) -> bool:
    shown = (each for each in stage.window.findChildren(QLabel) if each.isVisible())
    return any(words in each.text() for each in shown)


def press_button(stage: Stage, words: str) -> None:
    """By Enter, with the keyboard led there."""
    buttons = (each for each in stage.window.findChildren(QPushButton) if each.isVisible())
    next(each for each in buttons if each.text() == words).setFocus()
    press_window(stage, Qt.Key.Key_Return)


def review(stage: Stage, qtbot: QtBot, folder: Path) -> None:
    stage.window.install_package(make_package(folder / "from", permissions=NOTES + WEATHER))
    qtbot.waitUntil(lambda: sees(stage, "It asks for"), timeout=WAIT_MS)


def test_a_review_begins_at_what_has_to_be_said_and_escape_leaves_it_as_its_button_does(
    stage: Stage, qtbot: QtBot, tmp_path: Path
) -> None:
    """A bug: Escape did nothing there."""
    stage.window.show_settings("privacy")
    review(stage, qtbot, tmp_path / "new")
    accepting = focused()
    assert isinstance(accepting, QCheckBox)
    assert is_in_sight(stage, accepting)

    press_window(stage, Qt.Key.Key_Escape)

    qtbot.waitUntil(lambda: sees(stage, "Privacy") and not sees(stage, "It asks for"))
    assert stage.services.registry.center is not None
    assert stage.services.registry.center.installed_app("notes") is None
    assert not stage.window.notices.cards, "nothing was chosen, so there is nothing to undo"
    assert is_in_sight(stage, focused())


def test_what_was_chosen_in_a_review_comes_back_by_undo(
    stage: Stage, qtbot: QtBot, tmp_path: Path
) -> None:
    review(stage, qtbot, tmp_path / "new")
    press_window(stage, Qt.Key.Key_Space)
    weather = stage.window.findChild(QCheckBox, "grant-weather")
    assert isinstance(weather, QCheckBox)
    before = weather.isChecked()
    weather.setFocus()
    press_window(stage, Qt.Key.Key_Space)
    assert weather.isChecked() is not before

    press_window(stage, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: sees(stage, "Notes was not installed."), timeout=WAIT_MS)
    for _ in range(4):
        if not stage.window.notices.isAncestorOf(focused()):
            press_window(stage, Qt.Key.Key_F6)
    assert words_on(focused()) == "Undo"
    press_window(stage, Qt.Key.Key_Return)

    qtbot.waitUntil(lambda: sees(stage, "It asks for"), timeout=WAIT_MS)
    again = stage.window.findChild(QCheckBox, "grant-weather")
    assert isinstance(again, QCheckBox)
    assert again is not weather
    assert again.isChecked() is not before
    accepting = [e for e in stage.window.findChildren(QCheckBox) if not e.objectName()]
    assert any(each.isChecked() for each in accepting if each.isVisible())
    press_window(stage, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not sees(stage, "It asks for"))


def test_escape_leaves_the_question_how_much_of_an_app_is_to_go(
    stage: Stage, qtbot: QtBot, tmp_path: Path
) -> None:
    review(stage, qtbot, tmp_path / "new")
    press_window(stage, Qt.Key.Key_Space)
    press_button(stage, "Install")
    center = stage.services.registry.center
    assert center is not None
    qtbot.waitUntil(lambda: center.installed_app("notes") is not None, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: sees(stage, "Permissions"), timeout=WAIT_MS)
    qtbot.waitUntil(lambda: words_on(focused()).startswith("Open"))
    assert is_in_sight(stage, focused())

    press_button(stage, "Uninstall…")
    qtbot.waitUntil(lambda: isinstance(focused(), QRadioButton), timeout=WAIT_MS)
    press_window(stage, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: sees(stage, "Permissions"))
    assert center.installed_app("notes") is not None


def test_a_second_enter_neither_stops_nor_agrees_to_what_the_first_began(
    stage: Stage, qtbot: QtBot, tmp_path: Path
) -> None:
    stage.window.install_package(make_package(tmp_path / "from", permissions=NOTES))
    for _ in range(5):
        press_window(stage, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: sees(stage, "It asks for"), timeout=WAIT_MS)
    for _ in range(5):
        press_window(stage, Qt.Key.Key_Return)
    assert sees(stage, "It asks for")
    assert stage.services.registry.center is not None
    assert stage.services.registry.center.installed_app("notes") is None
    press_window(stage, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not sees(stage, "It asks for"))


def test_whoever_opens_an_app_has_been_welcomed(stage: Stage, qtbot: QtBot) -> None:
    """A bug: Home was the welcome again after every app, until somebody pressed its button."""
    [app] = stage.services.registry.add([stage.samples / "hello-lime"])
    stage.services.registry.grant(app.app_id, "keep-greeting")
    stage.services.settings.change(is_welcomed=False)
    stage.window.show_home()
    [welcome] = stage.window.findChildren(WelcomePage)
    assert welcome.isVisible()

    go_to(stage, "greeting")
    qtbot.waitUntil(lambda: bool(stage.window.workspace.surfaces))
    press_window(stage, Qt.Key.Key_Home, ALT)

    assert not welcome.isVisible()
    assert sees(stage, "Apps")
    qtbot.waitUntil(lambda: read_settings(stage.services.folders.settings_file).is_welcomed)
    go_to(stage, "welcome")
    assert welcome.isVisible()


@pytest.mark.parametrize("locale", ["en", "zh-CN"])
def test_every_section_of_the_settings_is_found_first_by_its_name_and_by_its_key(
    stage: Stage, locale: str
) -> None:
    stage.add_samples()
    stage.services.settings.change(locale=locale)
    stage.window.show_palette()
    [field] = [e for e in stage.window.findChildren(QLineEdit) if e.isVisible() and e.hasFocus()]
    [found] = [e for e in stage.window.findChildren(QListWidget) if e.isVisible()]
    for section in SECTIONS:
        name = stage.services.look.texts(f"settings.{section.key}.title")
        for words in (name, section.key):
            field.setText(words)
            assert found.item(0).text() == name, words
    press_window(stage, Qt.Key.Key_Escape)


def test_the_keyboard_is_in_sight_in_a_low_window_too(stage: Stage, qtbot: QtBot) -> None:
    stage.window.resize(700, 480)
    go_to(stage, "models")
    qtbot.waitUntil(lambda: is_in_sight(stage, focused()))
