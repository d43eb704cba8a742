"""Notes by its keyboard: real keys in the real page, and what was stored is read from the App Server (ours)."""

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from lime_desktop.protocol.calls.storage_tables import (
    QUERY_ROWS,
    RUN_MIGRATIONS,
    QueryRowsParams,
    RunMigrationsParams,
)
from lime_desktop.protocol.ids import AppId
from tests.shell.conftest import OpenApp
from tests.shell.open_desktop import ROOT, OpenDesktop, Shown

pytestmark = pytest.mark.system

PACKAGE = ROOT / "sample_apps/notes"
APP_ID = AppId("notes")
GRANTS = ("keep-notes", "use-model", "keep-documents")
CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


class Typist:
    """Somebody who has only a keyboard."""

    def __init__(self, desktop: OpenDesktop, qtbot: QtBot) -> None:
        self.desktop = desktop
        self._qtbot = qtbot
        desktop.tab.activateWindow()
        view = desktop.tab.view.web_view
        QTest.mouseClick(view.focusProxy() or view, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: self._has_keyboard, timeout=30_000)

    @property
    def _has_keyboard(self) -> bool:
        return QApplication.focusWidget() is not None and bool(self.desktop.run("d.hasFocus()"))

    @property
    def _focused(self) -> QWidget:
        found = QApplication.focusWidget()
        assert found is not None
        return found

    def type(self, text: str) -> None:
        """Each letter to whatever has the keyboard by then."""
        for key in text:
            if key == "\n":
                self.press(Qt.Key.Key_Return)
            else:
                QTest.keyClicks(self._focused, key)

    def press(
        self, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
    ) -> None:
        QTest.keyClick(self._focused, key, modifiers)

    def is_at(self, element: str) -> None:
        """The keyboard is at an element of the page."""
        self._qtbot.waitUntil(
            lambda: self.desktop.run("d.activeElement.id") == element, timeout=30_000
        )

    def waits_for(self, expression: str, value: object) -> None:
        self._qtbot.waitUntil(lambda: self.desktop.run(expression) == value, timeout=30_000)


@pytest.fixture
def typist(open_app: OpenApp, qtbot: QtBot) -> Typist:
    desktop = open_app(Shown(PACKAGE, "notebook", GRANTS))
    desktop.start_server()
    desktop.ask(RUN_MIGRATIONS, RunMigrationsParams(app_id=APP_ID))
    desktop.read_setup()
    desktop.tab.reload()
    desktop.sees("editor", "Write your first note")
    return Typist(desktop, qtbot)


def stored(desktop: OpenDesktop, table: str = "note") -> list[dict[str, Any]]:
    """The rows of a table, as the App Server holds them."""
    asked = QueryRowsParams(app_id=APP_ID, query_json=json.dumps({"table": table}))
    page = json.loads(desktop.ask(QUERY_ROWS, asked).page_json)
    return [each["row"] for each in page["rows"]]


def test_a_note_is_written_linked_deleted_and_brought_back_by_keys_alone(typist: Typist) -> None:
    """Felt: a new note had no keyboard, and what was deleted was gone with the next start."""
    desktop = typist.desktop
    typist.press(Qt.Key.Key_N, CONTROL)
    typist.is_at("title")
    typist.type("Lime tree\nIt likes light.")
    typist.press(Qt.Key.Key_N, CONTROL)
    typist.is_at("title")
    typist.type("Garden\n- water [[li")
    typist.waits_for("d.getElementById('completions')?.hidden", value=False)
    typist.type("\n on Mondays\nprune")
    typist.press(Qt.Key.Key_S, CONTROL)
    typist.waits_for("d.querySelector('.saving').textContent", "Saved")
    assert {each["title"]: each["body"] for each in stored(desktop)} == {
        "Lime tree": "It likes light.",
        "Garden": "- water [[Lime tree]] on Mondays\n- prune",
    }

    typist.press(Qt.Key.Key_E, CONTROL)
    typist.waits_for("d.querySelector('#preview a.page')?.textContent", "Lime tree")
    typist.press(Qt.Key.Key_Backspace, CONTROL | SHIFT)
    typist.waits_for("d.getElementById('title')?.value", "Lime tree")
    assert [each["title"] for each in stored(desktop)] == ["Lime tree"]
    assert [each["title"] for each in stored(desktop, "trash")] == ["Garden"]
    typist.press(Qt.Key.Key_Z, CONTROL | SHIFT)
    typist.waits_for("d.getElementById('title')?.value", "Garden")
    assert stored(desktop, "trash") == []
    assert desktop.unnamed == ""


def test_all_notes_are_written_into_a_folder_that_the_person_chooses(
    typist: Typist, tmp_path: Path
) -> None:
    desktop = typist.desktop
    typist.press(Qt.Key.Key_N, CONTROL)
    typist.is_at("title")
    typist.type("Garden\nWater the lime tree.")
    typist.press(Qt.Key.Key_S, CONTROL)
    typist.waits_for("d.querySelector('.saving').textContent", "Saved")
    desktop.press("export-all")
    desktop.choose_file(tmp_path)
    desktop.sees("notice", "1 note exported.")
    [folder] = [each for each in tmp_path.iterdir() if each.name == "Notes"]
    assert (folder / "Garden.md").read_text() == "# Garden\n\nWater the lime tree.\n"
