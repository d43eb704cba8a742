"""A page is printed by the person's wish, where they say, and whole (ours)."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QImage
from PySide6.QtPdf import QPdfDocument
from PySide6.QtPrintSupport import QPrinter
from PySide6.QtWidgets import QFileDialog, QLineEdit
from pytestqt.qtbot import QtBot

from lime_desktop.shell.app_view.printing import PrintDialog, make_pdf, paint_pages
from tests.shell.hands import (
    CTRL,
    active_stage,
    ask,
    open_page_with_a_field,
    page_widget,
    press_mouse,
    press_window,
)
from tests.shell.stage import Stage

Finish = Callable[[Coroutine[Any, Any, None]], None]
LONG = "for (let n = 0; n < 200; n++) d.body.append(Object.assign(d.createElement('p'), {textContent: 'line ' + n})); 0"


@pytest.fixture
def stage(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Stage]:
    yield from active_stage(qtbot, tmp_path, loop)


def pages_of(path: Path) -> int:
    document = QPdfDocument()
    document.load(str(path))
    return document.pageCount()


def test_a_page_longer_than_the_window_is_printed_to_its_end(
    stage: Stage, qtbot: QtBot, tmp_path: Path, finish: Finish
) -> None:
    tab = open_page_with_a_field(stage, qtbot)
    ask(tab, qtbot, LONG)

    async def print_it() -> None:
        body = await make_pdf(tab.view.page())
        made = tmp_path / "page.pdf"
        made.write_bytes(body)
        assert pages_of(made) > 2
        # A printer that writes what it would put on paper.
        printer = QPrinter()
        printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
        printer.setOutputFileName(str(tmp_path / "paper.pdf"))
        assert paint_pages(body, printer) == pages_of(made)
        del printer
        assert pages_of(tmp_path / "paper.pdf") == pages_of(made)

    finish(print_it())


def test_a_dark_page_is_dark_on_white_on_paper(
    stage: Stage, qtbot: QtBot, tmp_path: Path, finish: Finish
) -> None:
    stage.services.settings.change(theme_mode="dark")
    tab = open_page_with_a_field(stage, qtbot)
    colours = "JSON.stringify([w.getComputedStyle(d.body).backgroundColor])"
    qtbot.waitUntil(lambda: "255, 255, 255" not in str(ask(tab, qtbot, colours)))

    async def print_it() -> None:
        made = tmp_path / "page.pdf"
        made.write_bytes(await make_pdf(tab.view.page()))
        document = QPdfDocument()
        document.load(str(made))
        # What the page leaves blank is see-through here, as paper is.
        picture = document.render(0, QSize(300, 424)).convertToFormat(QImage.Format.Format_ARGB32)
        drawn = [
            picture.pixelColor(x, y)
            for x in range(picture.width())
            for y in range(picture.height())
            if picture.pixelColor(x, y).alpha() > 200
        ]
        ink = [each for each in drawn if each.lightness() < 140]
        assert ink
        assert len(ink) < 0.1 * picture.width() * picture.height()

    finish(print_it())


def dialogs(stage: Stage) -> list[PrintDialog]:
    return [each for each in stage.window.findChildren(PrintDialog) if each.isVisible()]


def test_the_person_chooses_the_file_and_it_is_there(
    stage: Stage, qtbot: QtBot, tmp_path: Path
) -> None:
    tab = open_page_with_a_field(stage, qtbot)
    press_window(stage, Qt.Key.Key_P, CTRL)
    qtbot.waitUntil(lambda: bool(dialogs(stage)), timeout=30_000)
    [asked] = dialogs(stage)
    assert asked.printer == ""
    qtbot.waitUntil(asked.answers[0].isEnabled, timeout=30_000)
    asked.answers[0].click()

    def choosing() -> list[QFileDialog]:
        return [each for each in tab.findChildren(QFileDialog) if each.isVisible()]

    qtbot.waitUntil(lambda: bool(choosing()), timeout=30_000)
    [chooser] = choosing()
    assert [Path(each).name for each in chooser.selectedFiles()] == ["Hello Lime.pdf"]
    chooser.findChildren(QLineEdit)[0].setText(str(tmp_path / "kept"))
    chooser.accept()
    kept = tmp_path / "kept.pdf"
    qtbot.waitUntil(kept.exists, timeout=60_000)
    qtbot.waitUntil(lambda: kept.read_bytes().startswith(b"%PDF"), timeout=30_000)


def test_an_app_prints_nothing_by_itself(stage: Stage, qtbot: QtBot) -> None:
    """It may only bring up the host's question, and that only where somebody has just pressed something in it."""
    tab = open_page_with_a_field(stage, qtbot)
    refused: list[str] = []

    def keep(guard: str, _address: str) -> None:
        refused.append(guard)

    tab.view.refused.connect(keep)
    tab.view.input.begin_anew()
    ask(tab, qtbot, "w.setTimeout(() => w.print(), 0); 0")
    qtbot.waitUntil(lambda: any("printing" in each for each in refused), timeout=30_000)
    assert dialogs(stage) == []

    press_mouse(page_widget(tab), QPoint(5, 5), Qt.MouseButton.LeftButton)
    ask(tab, qtbot, "w.setTimeout(() => w.print(), 0); 0")
    qtbot.waitUntil(lambda: bool(dialogs(stage)), timeout=30_000)
    ask(tab, qtbot, "w.setTimeout(() => w.print(), 0); 0")
    [asked] = dialogs(stage)
    assert not asked.answers[0].isEnabled()
    asked.reject()
    qtbot.waitUntil(lambda: dialogs(stage) == [])
