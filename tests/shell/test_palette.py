"""The palette names what it offers so that each row is understood alone, and shows whole rows (ours)."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QListWidget
from pytestqt.qtbot import QtBot

from lime_desktop.shell.command_palette.dialog import CommandPalette
from tests.shell.hands import active_stage, focused, press_window, type_keys
from tests.shell.stage import Stage


@pytest.fixture
def stage(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Stage]:
    for made in active_stage(qtbot, tmp_path, loop):
        made.add_samples()
        yield made


@pytest.fixture
def starting(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Stage]:
    """A window that knows no app yet."""
    yield from active_stage(qtbot, tmp_path, loop)


def opened(stage: Stage, qtbot: QtBot) -> QListWidget:
    press_window(stage, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    [palette] = stage.window.findChildren(CommandPalette)
    qtbot.waitUntil(palette.findChildren(QLineEdit)[0].hasFocus)
    return palette.findChildren(QListWidget)[0]


def rows(found: QListWidget) -> list[str]:
    return [found.item(at).text() for at in range(found.count())]


@pytest.mark.parametrize("locale", ["en", "zh-CN"])
def test_every_entry_is_named_with_its_app(stage: Stage, qtbot: QtBot, locale: str) -> None:
    """A bug: rows said "Desk" and "编辑", which is anybody's."""
    stage.add_every_kind()
    stage.services.settings.change(locale=locale)
    named = rows(opened(stage, qtbot))
    for app in stage.services.registry.apps:
        title = app.title(locale)
        entries = [each for each in app.entries if each.declared.visibility != "hidden"]
        assert len([each for each in named if title in each]) > len(entries), title
    desk = stage.services.registry.app("draft-desk")
    assert desk is not None
    title, editor = desk.title(locale), desk.entry_title("editor", locale)
    assert named[:2] == [title, f"{title} · {editor}"]


def test_the_name_of_an_app_finds_the_app_and_what_speaks_of_it(stage: Stage, qtbot: QtBot) -> None:
    """A bug: "notes" brought rows that only held its letters somewhere."""
    found = opened(stage, qtbot)
    type_keys("notes")
    assert rows(found)[0] == "Notes"
    assert "View details of Notes" in rows(found)
    assert not [each for each in rows(found) if each.startswith(("Theme", "Reload", "Close"))]


@pytest.mark.parametrize("locale", ["en", "zh-CN"])
@pytest.mark.parametrize(
    "app_id", ["notes", "draft-desk", "table-lens", "folder-desk", "invoice-desk"]
)
def test_an_apps_id_finds_first_what_opens_it_in_every_language(
    stage: Stage, qtbot: QtBot, locale: str, app_id: str
) -> None:
    """A bug: in Chinese "notes" found first what is known about Notes."""
    stage.services.settings.change(locale=locale)
    found = opened(stage, qtbot)
    type_keys(app_id)
    app = stage.services.registry.app(app_id)
    assert app is not None
    assert rows(found)[0] == app.title(locale)
    assert found.currentRow() == 0, "what Enter opens"


@pytest.mark.parametrize(
    ("locale", "typed"),
    [
        ("en", "draft details"),
        ("en", "draft desk details"),
        ("en", "draft-desk details"),
        ("zh-CN", "{title} 详情"),
        ("zh-CN", "{title}详情"),
        ("zh-CN", "draft-desk 详情"),
    ],
)
def test_the_page_of_an_app_is_found_by_its_name_and_details(
    stage: Stage, qtbot: QtBot, locale: str, typed: str
) -> None:
    """A bug: "draft details" found nothing, because the row says it the other way round."""
    stage.services.settings.change(locale=locale)
    app = stage.services.registry.app("draft-desk")
    assert app is not None
    found = opened(stage, qtbot)
    field = focused()
    assert isinstance(field, QLineEdit)
    field.insert(typed.format(title=app.title(locale)))
    about = stage.services.look.texts("palette.app", app=app.title(locale))
    assert rows(found)[:1] == [about]


@pytest.mark.parametrize("height", [780, 640, 613, 501])
def test_rows_are_whole_at_every_height(stage: Stage, qtbot: QtBot, height: int) -> None:
    """A bug: the last row was cut at the edge."""
    stage.window.resize(1180, height)
    found = opened(stage, qtbot)
    seen = found.viewport().rect()

    def cut() -> list[str]:
        places = [
            (found.item(at), found.visualItemRect(found.item(at))) for at in range(found.count())
        ]
        inside = [(item, place) for item, place in places if place.intersects(seen)]
        assert len(inside) < found.count(), "there is more than fits"
        return [item.text() for item, place in inside if not seen.contains(place)]

    seen = found.viewport().rect()
    assert cut() == []
    press_window(stage, Qt.Key.Key_PageDown)
    press_window(stage, Qt.Key.Key_PageDown)
    assert cut() == []


def test_apps_that_come_while_it_is_open_are_found_by_what_was_typed_before(
    starting: Stage, qtbot: QtBot
) -> None:
    """A bug: opened while Lime starts, it went on to say that nothing matches."""
    found = opened(starting, qtbot)
    type_keys("table lens")
    assert rows(found) == []
    [palette] = starting.window.findChildren(CommandPalette)
    said = [each.text() for each in palette.findChildren(QLabel) if each.isVisibleTo(palette)]
    assert starting.services.look.texts("palette.unread") in said
    starting.add_samples()
    qtbot.waitUntil(lambda: rows(found)[:1] == ["Table Lens"])
    assert found.currentRow() == 0, "what Enter opens"


def test_it_keeps_the_keyboard_when_a_tab_of_the_last_time_comes_back_below(
    stage: Stage, qtbot: QtBot
) -> None:
    """A bug: letters and Escape went to what had come up behind the palette, which stayed."""
    stage.services.registry.grant("hello-lime", "keep-greeting")
    found = opened(stage, qtbot)
    type_keys("no")
    stage.window.open_app("hello-lime")
    type_keys("tes")
    [palette] = stage.window.findChildren(CommandPalette)
    [field] = palette.findChildren(QLineEdit)
    assert field.text() == "notes"
    assert rows(found)[0] == "Notes"
    press_window(stage, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not stage.window.findChildren(CommandPalette))
    tab = stage.window.workspace.current
    assert tab is not None
    assert tab.isAncestorOf(focused()), "what came meanwhile has the keyboard now"
