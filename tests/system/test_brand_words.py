"""Every text of a product's window, in both languages: it speaks of itself, of its one app, and of nothing else (ours)."""

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from lime_desktop import __version__
from lime_desktop.shell.settings.table import SECTIONS
from tests.shell.conftest import loop as loop  # noqa: PLC0414 - the same fixture, and it makes the engine ready
from tests.system.first_start import FirstStart
from tests.system.test_opened_files import install, stamped

pytestmark = [pytest.mark.system, pytest.mark.timeout(300)]
STRAYS = {
    "en": re.compile(r"\bLime\b|(?<!\+)\bHome\b|\b[Aa]pps\b|\bapp center\b|\b[Cc]atalogs?\b"),
    "zh-CN": re.compile(r"Lime|主页|其他应用|所有应用|每个应用|应用中心|目录"),
}
RUNTIME = f"Lime Desktop {__version__}"
"""What it runs on is named, in About and on the product's page, and nowhere else."""


def texts_of(window: QWidget) -> Iterator[str]:
    """Whatever can be read of it, by eye or by ear."""
    for each in window.findChildren(QWidget):
        if each.isVisible():
            yield from (each.toolTip(), each.accessibleName(), each.accessibleDescription())
        if isinstance(each, QLabel | QAbstractButton) and each.isVisible():
            yield each.text()
        if isinstance(each, QLineEdit) and each.isVisible():
            yield each.placeholderText()
        if isinstance(each, QAbstractItemView) and each.isVisible():
            model = each.model()
            yield from (str(model.index(row, 0).data()) for row in range(model.rowCount()))
    yield from (each.text() for each in window.findChildren(QAction))
    yield window.windowTitle()


class Reader(FirstStart):
    """Somebody who reads everything that is on the screen."""

    def look(self, where: str) -> None:
        pattern = STRAYS[self.desk.services.look.texts.locale]
        read = (text.replace(RUNTIME, "") for text in texts_of(self.window))
        found = {text for text in read if pattern.search(text)}
        assert not found, where


@pytest.mark.parametrize("locale", STRAYS)
def test_no_text_of_a_products_window_speaks_of_lime_home_or_other_apps(
    locale: str, tmp_path: Path, qtbot: QtBot, loop: asyncio.AbstractEventLoop
) -> None:
    """A bug: the app's page led "Back to Home", and About spoke of Lime's other protections."""
    (tmp_path / "scripts.json").write_text("{}")
    product = stamped(tmp_path, "notes")
    (product / "branding.json").write_text(
        (product / "branding.json").read_text("utf-8").replace("Example Notes", "Harbour"),
        "utf-8",
    )
    reader = Reader(tmp_path, tmp_path / "scripts.json", qtbot, loop, product)
    window = reader.window
    try:
        reader.desk.services.settings.change(locale=locale)
        reader.wait_to_see(reader.says("review.install"))
        install(reader)
        reader.until(lambda: window.workspace.current is not None)
        reader.look("the app")
        window.show_home()
        reader.look("its own page")
        window.show_details("notes")
        reader.wait_to_see("Harbour")
        reader.look("readiness and permissions")
        for section in SECTIONS:
            window.show_settings(section.key)
            reader.look(f"settings: {section.key}")
        window.toggle_drawer()
        reader.look("runs")
        window.toggle_drawer()
        window.show_palette()
        reader.look("search")
        window.show_shortcuts()
        reader.look("shortcuts")
    finally:
        reader.close()
