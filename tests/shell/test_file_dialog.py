"""The host's dialog for files in its own look: every button of it can be seen, in the window's language (ours)."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFileDialog, QLabel, QLineEdit, QMenu, QToolButton
from pytestqt.qtbot import QtBot

from lime_desktop.shell.dialogs.choosers import choose_save_path
from lime_desktop.shell.pages.home import HomePage
from tests.shell.hands import active_stage
from tests.shell.stage import Stage


@pytest.fixture
def stage(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Stage]:
    yield from active_stage(qtbot, tmp_path, loop, "dark")


_BORDER = 3


def drawn_size(button: QToolButton) -> QSize:
    """How much stands out from a button's ground, its border left out."""
    picture = button.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    ground = picture.pixelColor(_BORDER, _BORDER).lightness()
    seen = [
        (x, y)
        for x in range(_BORDER, picture.width() - _BORDER)
        for y in range(_BORDER, picture.height() - _BORDER)
        if abs(picture.pixelColor(x, y).lightness() - ground) > 60
    ]
    if not seen:
        return QSize(0, 0)
    across, down = {x for x, _ in seen}, {y for _, y in seen}
    return QSize(max(across) - min(across), max(down) - min(down))


def test_the_buttons_of_the_file_dialog_are_seen_in_the_dark(
    stage: Stage, qtbot: QtBot, loop: asyncio.AbstractEventLoop
) -> None:
    """A bug: they were dots, and one of them was black on black."""
    choosing = loop.create_task(
        choose_save_path(stage.window, stage.around.texts, "Notes", "a.txt")
    )
    qtbot.waitUntil(lambda: bool(stage.window.findChildren(QFileDialog)))
    [dialog] = stage.window.findChildren(QFileDialog)
    qtbot.waitUntil(dialog.isVisible)
    buttons = [each for each in dialog.findChildren(QToolButton) if each.isVisible()]
    always = {"toParentButton", "newFolderButton", "listModeButton", "detailModeButton"}
    assert always <= {each.objectName() for each in buttons}
    for each in buttons:
        if each.objectName() in always:
            assert max(drawn_size(each).width(), drawn_size(each).height()) >= 7, each.objectName()
    dialog.reject()
    qtbot.waitUntil(choosing.done)


def test_qts_own_words_are_in_the_windows_language(
    stage: Stage, qtbot: QtBot, loop: asyncio.AbstractEventLoop
) -> None:
    field = stage.window.findChildren(HomePage)[0].findChildren(QLineEdit)[0]
    words: dict[str, set[str]] = {}
    for locale in ("en", "zh-CN", "en"):
        stage.around.change(locale=locale)
        menu = field.createStandardContextMenu()
        assert isinstance(menu, QMenu)
        words[locale] = {each.text().partition("\t")[0] for each in menu.actions()}
        menu.deleteLater()
    assert {"&Undo", "&Copy", "&Paste", "Select All"} <= words["en"]
    assert {"复制(&C)", "粘贴(&P)"} <= words["zh-CN"]

    stage.around.change(locale="zh-CN")
    choosing = loop.create_task(
        choose_save_path(stage.window, stage.around.texts, "Notes", "a.txt")
    )
    qtbot.waitUntil(lambda: bool(stage.window.findChildren(QFileDialog)))
    [dialog] = stage.window.findChildren(QFileDialog)
    labels = [each.text() for each in dialog.findChildren(QLabel) if each.text()]
    assert [each for each in labels if each.isascii()] == []
    dialog.reject()
    qtbot.waitUntil(choosing.done)
    stage.around.change(locale="en")
