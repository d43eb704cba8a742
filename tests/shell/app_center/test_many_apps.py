"""Home with very many apps: what is in sight is made, the rest is a scroll, a key or a word away (ours)."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from lime_desktop.host.apps.reading_journal import ReadingJournal
from lime_desktop.shell.pages.home.home import HomePage
from lime_desktop.shell.widgets.app_cards import FIRST, STEP, AppCards
from lime_desktop.shell.widgets.tiles import Tile
from lime_desktop.shell.window.rail.rail import Rail
from tests.host.app_center.many_apps import app_name, install_many
from tests.host.app_center.opened import center_without_server
from tests.shell.app_center.test_window import Visitor

COUNT = 60


@pytest.fixture
def visitor(tmp_path: Path, qtbot: QtBot, loop: asyncio.AbstractEventLoop) -> Iterator[Visitor]:
    installing = loop.create_task(install_many(tmp_path / "data", COUNT))
    qtbot.waitUntil(installing.done, timeout=60_000)
    made = Visitor(tmp_path, qtbot, loop)
    made.stage.services.settings.change(is_welcomed=True)
    made.stage.window.show_home()
    yield made
    made.close()


def cards(visitor: Visitor) -> AppCards:
    [found] = [each for each in visitor.find(HomePage).findChildren(AppCards) if each.isVisible()]
    return found


def tiles(visitor: Visitor) -> list[Tile]:
    return cards(visitor).findChildren(Tile)


def shown_names(visitor: Visitor) -> list[str]:
    lists = visitor.find(HomePage).findChildren(AppCards)
    found = [each for shown in lists for each in shown.findChildren(Tile)]
    return [each.accessibleName() for each in found if each.isVisible()]


def more(visitor: Visitor) -> QPushButton:
    found = cards(visitor).findChildren(QPushButton)
    [button] = [each for each in found if each.text().startswith("Show ")]
    return button


def test_only_the_first_tiles_are_made_and_the_rest_is_counted(visitor: Visitor) -> None:
    visitor.wait_to_see("more apps")
    assert len(tiles(visitor)) == FIRST
    assert more(visitor).text() == f"Show {COUNT - FIRST} more apps"
    # The rail shows as many as can be told apart, and its own three places.
    places = visitor.find(Rail).findChildren(QToolButton)
    assert sum(each.isVisible() for each in places) == 24


def test_the_keyboard_goes_on_where_it_was(visitor: Visitor) -> None:
    visitor.wait_to_see("more apps")
    more(visitor).setFocus()
    QTest.keyClick(more(visitor), Qt.Key.Key_Space)
    made = tiles(visitor)
    assert len(made) == FIRST + STEP
    assert made[FIRST].hasFocus()
    assert made[FIRST].accessibleName() == f"App-{FIRST:04}"


def test_scrolling_to_the_end_makes_the_next_ones(visitor: Visitor) -> None:
    visitor.wait_to_see("more apps")
    page = visitor.find(HomePage)
    page.ensureWidgetVisible(more(visitor))
    visitor.until(lambda: len(tiles(visitor)) > FIRST)


def test_an_app_far_down_is_found_by_its_name_and_by_its_words(visitor: Visitor) -> None:
    visitor.wait_to_see("more apps")
    field = visitor.find(HomePage).findChild(QLineEdit)
    assert isinstance(field, QLineEdit)
    field.setText("app-0055")
    visitor.until(lambda: shown_names(visitor) == ["App-0055"])
    # Its words are in its package, which may not have been read yet: typing hurries that.
    visitor.stage.services.registry.read_rest(after_s=3_600)
    field.setText("word-0057")
    visitor.until(lambda: shown_names(visitor) == ["App-0057"])


@pytest.fixture
def hung(tmp_path: Path, qtbot: QtBot, loop: asyncio.AbstractEventLoop) -> Iterator[Visitor]:
    """A start after one that never got past the second of three apps."""

    async def prepare() -> None:
        await install_many(tmp_path / "data", 3)
        async with center_without_server(tmp_path) as center:
            app = center.installed_app(app_name(1))
            assert app is not None
        journal = ReadingJournal(tmp_path / "data/reading")
        journal.convict(app.package_hash)

    preparing = loop.create_task(prepare())
    qtbot.waitUntil(preparing.done, timeout=60_000)
    preparing.result()
    made = Visitor(tmp_path, qtbot, loop)
    made.stage.services.settings.change(is_welcomed=True)
    made.stage.window.show_home()
    yield made
    made.close()


def test_an_app_that_hung_its_reader_is_named_with_the_ways_out(hung: Visitor) -> None:
    hung.wait_to_see("could not finish reading this app")
    assert len(shown_names(hung)) == 2
    hung.press("Uninstall…")
    hung.wait_to_see("Choose what to delete")
    hung.stage.window.show_home()
    hung.press("Try again")
    hung.wait_to_see("reading the app again in isolation")
    hung.until(lambda: len(shown_names(hung)) == 3)
    assert hung.stage.services.registry.set_aside == ()
