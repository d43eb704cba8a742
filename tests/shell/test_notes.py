"""Notes by its keyboard: real keys in the real page, and what was stored is read from the App Server (ours)."""

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from lime_desktop.protocol.calls.storage_tables import RUN_MIGRATIONS, RunMigrationsParams
from lime_desktop.protocol.capability_calls.storage_tables import QUERY_ROWS
from lime_desktop.protocol.ids import AppId
from tests.shell.conftest import OpenApp
from tests.shell.open_desktop import ROOT, OpenDesktop, Shown
from tests.shell.typist import Typist
from tests.system.scripts import saying, write_scripts

pytestmark = pytest.mark.system

PACKAGE = ROOT / "sample_apps/notes"
APP_ID = AppId("notes")
GRANTS = ("keep-notes", "use-model", "keep-documents")
CONTROL = Qt.KeyboardModifier.ControlModifier
SUMMARIZE = "Summarize this note in at most three short sentences. Use only what it says."
SHIFT = Qt.KeyboardModifier.ShiftModifier


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
    return [each.row for each in desktop.ask_for_app(QUERY_ROWS, table=table).rows]


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


def test_what_is_typed_while_it_loads_presses_no_button(typist: Typist) -> None:
    """A bug: the first space pressed *New note*, and the rest of the sentence became its title."""
    desktop = typist.desktop
    is_new = "d?.activeElement?.id === 'first'"
    desktop.tab.reload()
    for _ in range(100):
        if desktop.run(is_new) is True:
            break
        typist.type("in it goes ")
    typist.type("Lime trees like light and\nwater ")
    assert desktop.run(is_new) is True
    assert desktop.run("d.getElementById('title') === null") is True
    assert stored(desktop) == []
    # Tab says where one is, and what is pressed then is meant.
    typist.press(Qt.Key.Key_Tab)
    typist.press(Qt.Key.Key_Tab, SHIFT)
    typist.waits_for(is_new, value=True)
    typist.press(Qt.Key.Key_Space)
    typist.is_at("title")


def test_what_is_in_the_trash_is_read_and_restored_by_keys(typist: Typist) -> None:
    """Ours: undo is for a moment, Restore for ever; nothing had shown that it brings a note back."""
    desktop = typist.desktop
    typist.press(Qt.Key.Key_N, CONTROL)
    typist.is_at("title")
    typist.type("Garden\nWater the lime tree.")
    typist.press(Qt.Key.Key_S, CONTROL)
    typist.waits_for("d.querySelector('.saving').textContent", "Saved")
    typist.press(Qt.Key.Key_Backspace, CONTROL | SHIFT)
    typist.waits_for("d.getElementById('open-trash')?.textContent.includes('1')", value=True)
    desktop.run("d.getElementById('open-trash').focus()")
    typist.press(Qt.Key.Key_Return)
    typist.waits_for("d.getElementById('back') !== null", value=True)
    desktop.run("d.querySelector('button.note').focus()")
    typist.press(Qt.Key.Key_Return)
    typist.waits_for("d.getElementById('restore') !== null", value=True)
    desktop.sees("editor", "Water the lime tree.")
    desktop.run("d.getElementById('restore').focus()")
    typist.press(Qt.Key.Key_Return)
    typist.waits_for("d.getElementById('title')?.value", "Garden")
    assert [each["body"] for each in stored(desktop)] == ["Water the lime tree."]
    assert stored(desktop, "trash") == []


def test_a_summary_reads_as_markdown(open_app: OpenApp, qtbot: QtBot, tmp_path: Path) -> None:
    """A bug: what a model marks up was shown in one line with its signs, `**` and all."""
    told = f'{SUMMARIZE}\n\nInput, as data:\n```json\n"Water the lime tree."\n```'
    scripts = write_scripts(tmp_path, {told: saying("Water the **lime tree**.\n\n- the lime tree")})
    desktop = open_app(Shown(PACKAGE, "notebook", GRANTS, scripts))
    desktop.start_server()
    desktop.ask(RUN_MIGRATIONS, RunMigrationsParams(app_id=APP_ID))
    desktop.read_setup()
    desktop.tab.reload()
    desktop.sees("editor", "Write your first note")
    typist = Typist(desktop, qtbot)
    typist.press(Qt.Key.Key_N, CONTROL)
    typist.is_at("title")
    typist.type("Garden\nWater the lime tree.")
    typist.press(Qt.Key.Key_S, CONTROL)
    typist.waits_for("d.querySelector('.saving').textContent", "Saved")
    desktop.run("d.getElementById('summarize').focus()")
    typist.press(Qt.Key.Key_Return)
    desktop.sees("summary", "Water the lime tree.")
    typist.waits_for("d.querySelector('#summary strong')?.textContent", "lime tree")
    assert desktop.run("d.querySelector('#summary li').textContent") == "the lime tree"


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
