"""What else a person brings into a page: dropped words and files, and words composed of several keys (ours)."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from lime_desktop.shell.command_palette.dialog import CommandPalette
from lime_desktop.shell.window.app_tab.app_tab import AppTab
from tests.shell.dropping import entering, letting_go, moving
from tests.shell.hands import (
    CTRL,
    active_stage,
    ask,
    focused,
    open_page_with_a_field,
    place_of,
    press_window,
)
from tests.shell.stage import Stage


@pytest.fixture
def stage(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Stage]:
    yield from active_stage(qtbot, tmp_path, loop)


def drop(tab: AppTab, qtbot: QtBot, place: QPoint, dropped: QMimeData) -> None:
    """Carry it over the page, until the page has heard of it, and let go."""
    view = tab.view.web_view
    ask(tab, qtbot, "w.over = 0; d.addEventListener('dragover', () => { w.over += 1; }); 0")
    QApplication.sendEvent(view, entering(place, dropped))

    def is_over() -> bool:
        QApplication.sendEvent(view, moving(place, dropped))
        return ask(tab, qtbot, "w.over > 2") is True

    qtbot.waitUntil(is_over, timeout=30_000)
    QApplication.sendEvent(view, letting_go(place, dropped))


def test_words_that_are_dropped_into_a_field_are_in_it(stage: Stage, qtbot: QtBot) -> None:
    tab = open_page_with_a_field(stage, qtbot)
    words = QMimeData()
    words.setText("dropped")
    drop(tab, qtbot, place_of(tab, qtbot, "field"), words)
    qtbot.waitUntil(lambda: "dropped" in str(ask(tab, qtbot, "field.value")), timeout=30_000)


def test_a_file_that_is_dropped_leads_the_page_nowhere_and_is_read_only_by_an_app_that_takes_it(
    stage: Stage, qtbot: QtBot, tmp_path: Path
) -> None:
    tab = open_page_with_a_field(stage, qtbot)
    file = tmp_path / "list.txt"
    file.write_text("limes", encoding="utf-8")
    dropped = QMimeData()
    dropped.setUrls([QUrl.fromLocalFile(str(file))])
    place = place_of(tab, qtbot, "d.body")
    drop(tab, qtbot, place, dropped)
    assert tab.view.page().url().path() == "/__lime__/frame.html"
    assert tab.session.is_ready

    ask(
        tab,
        qtbot,
        "w.read = ''; d.addEventListener('dragover', e => e.preventDefault());"
        "d.addEventListener('drop', async e => { e.preventDefault();"
        " w.read = await e.dataTransfer.files[0].text() + JSON.stringify(e.dataTransfer.types); }); 0",
    )
    drop(tab, qtbot, place, dropped)
    qtbot.waitUntil(lambda: str(ask(tab, qtbot, "w.read")).startswith("limes"), timeout=30_000)
    assert str(tmp_path) not in str(ask(tab, qtbot, "w.read"))


def compose(preedit: str, commit: str = "") -> None:
    event = QInputMethodEvent(preedit, [])
    if commit:
        event.setCommitString(commit)
    QApplication.sendEvent(focused(), event)


def test_words_composed_of_several_keys_arrive_in_a_page_and_in_the_palette(
    stage: Stage, qtbot: QtBot
) -> None:
    tab = open_page_with_a_field(stage, qtbot)
    ask(tab, qtbot, "field.value = ''; 0")
    for preedit, commit in (("n", ""), ("ni", ""), ("", "你")):
        compose(preedit, commit)
    qtbot.waitUntil(lambda: ask(tab, qtbot, "field.value") == "你", timeout=30_000)

    press_window(stage, Qt.Key.Key_K, CTRL)
    [palette] = stage.window.findChildren(CommandPalette)
    for preedit, commit in (("h", ""), ("hao", ""), ("", "好")):
        compose(preedit, commit)
    assert palette.findChildren(QLineEdit)[0].text() == "好"
    assert ask(tab, qtbot, "field.value") == "你"
