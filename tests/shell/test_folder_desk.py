"""Folder Desk from a dropped folder to an approved change: a real page, real keys, a real App Server, a scripted agent (ours)."""

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from lime_desktop.host.approvals.question import NO, Answer
from lime_desktop.protocol.calls.approvals import LIST_GIVEN, ListGivenParams
from lime_desktop.protocol.capability_calls.artifacts import LIST_ARTIFACTS
from lime_desktop.protocol.capability_calls.evidence import LIST_EVIDENCE
from lime_desktop.protocol.capability_calls.storage_tables import QUERY_ROWS
from lime_desktop.protocol.ids import AppId
from tests.app_server.documents.written import pdf
from tests.shell.conftest import OpenApp
from tests.shell.dropping import drop_files
from tests.shell.open_desktop import ROOT, OpenDesktop, Shown
from tests.shell.typist import Typist
from tests.system.scripts import saying, write_scripts

pytestmark = pytest.mark.system

PACKAGE = ROOT / "sample_apps/folder-desk"
APP_ID = AppId("folder-desk")
GRANTS = ("keep-drafts", "use-model", "keep-documents")
CONTROL = Qt.KeyboardModifier.ControlModifier
QUESTION = "When does the ferry leave?"
SCRIPTS = {
    QUESTION: saying("The ferry leaves at 08:15 [1]."),
    "Write a short report*": saying("The ferry leaves at 08:15 [1]."),
    "Change the document*": saying("The ferry leaves at 08:15 from pier 4 [1]."),
}


def trip(folder: Path) -> Path:
    """A folder of a PDF, a table and a note."""
    folder.mkdir()
    (folder / "boats.pdf").write_bytes(
        pdf("Tickets are sold at the office.", "The ferry leaves at 08:15 from pier 4.")
    )
    (folder / "costs.csv").write_text("person,amount\nAnna,40\nBen,2\nAnna,2\n", "utf-8")
    (folder / "plan.md").write_text("# Plan\n\nWe meet on Thursday.\n", "utf-8")
    return folder


@pytest.fixture
def typist(open_app: OpenApp, qtbot: QtBot, tmp_path: Path) -> Typist:
    desktop = open_app(Shown(PACKAGE, "desk", GRANTS, write_scripts(tmp_path, SCRIPTS)))
    desktop.start_server()
    desktop.tab.reload()
    desktop.sees("main", "Drop a folder here")
    drop_files(desktop.tab.view.web_view, [trip(tmp_path / "Trip")])
    desktop.sees("folder-state", "3 files, all read.")
    return Typist(desktop, qtbot)


def ask(typist: Typist) -> None:
    typist.press(Qt.Key.Key_F, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    typist.is_at("question")
    typist.type(f"{QUESTION}\n")
    typist.desktop.sees("answer", "The ferry leaves at 08:15")


def drafts(desktop: OpenDesktop) -> list[dict[str, Any]]:
    """The drafts, as the App Server holds them."""
    return [each.row for each in desktop.ask_for_app(QUERY_ROWS, table="draft").rows]


def decisions(desktop: OpenDesktop) -> list[str]:
    """What was recorded of the person's decisions, the newest first."""
    found = desktop.ask_for_app(LIST_EVIDENCE, kind="change_decided").root
    return [each.message for each in found]


def test_a_dropped_folder_is_asked_by_keys_and_a_citation_opens_its_page(
    typist: Typist, tmp_path: Path
) -> None:
    desktop = typist.desktop
    given = desktop.ask(LIST_GIVEN, ListGivenParams(app_id=APP_ID)).things
    assert {(each.kind, each.places) for each in given} == {
        (kind, (str((tmp_path / "Trip").resolve()),)) for kind in ("knowledge", "file")
    }
    ask(typist)
    desktop.run("d.querySelector('#answer .cite').focus()")
    typist.press(Qt.Key.Key_Return)
    desktop.sees("cited", "The ferry leaves at 08:15 from pier 4.")
    page = "d.querySelector('#cited').closest('section').querySelector('.page-of').textContent"
    assert desktop.run(page) == "Page 2"
    typist.is_at("close-document")
    typist.press(Qt.Key.Key_Escape)
    typist.waits_for("d.querySelector('#document').hidden", value=True)
    typist.waits_for("d.activeElement.className", "cite")
    assert desktop.unnamed == ""
    assert str(tmp_path) not in str(desktop.run("d.documentElement.outerHTML"))

    desktop.tab.reload()
    desktop.sees("folder-state", "3 files, all read.")
    desktop.look(locale="zh-CN", theme_mode="dark")
    desktop.sees("folder-state", "3 个文件，已全部读取。")
    assert desktop.run("d.documentElement.dataset.limeThemeEffective") == "dark"


def test_a_change_is_made_only_when_the_person_approves_its_difference(typist: Typist) -> None:
    desktop = typist.desktop
    ask(typist)
    desktop.press("write-report")
    desktop.sees("draft-text", "boats.pdf, page 2")
    [written] = drafts(desktop)
    assert written["madeBy"] == "model"

    desktop.run("d.getElementById('wish').focus()")
    typist.type("Say from where\n")
    asked = desktop.answer(NO)
    assert asked.review is not None
    assert asked.review.content == {
        "before": written["markdown"],
        "after": "The ferry leaves at 08:15 from pier 4 [1].",
    }
    desktop.sees("notice", "Rejected. Nothing was changed.")
    assert drafts(desktop)[0]["markdown"] == written["markdown"]

    desktop.run("d.getElementById('wish').focus()")
    typist.type("Say the pier\n")
    mine = {"before": written["markdown"], "after": "At 08:15 from pier 4, be early [1]."}
    desktop.answer(Answer(is_yes=True, updated_arguments=mine))
    desktop.sees("notice", "Approved. The draft is changed.")
    assert drafts(desktop)[0]["markdown"] == "At 08:15 from pier 4, be early [1]."
    assert decisions(desktop) == ["modify: Say the pier", "reject: Say from where"]

    typist.press(Qt.Key.Key_S, CONTROL)
    desktop.sees("notice", "Saved as version 1 in Documents.")
    [document] = desktop.ask_for_app(LIST_ARTIFACTS).root
    assert (document.title, document.version) == (f"Report: {QUESTION}", 1)


def test_a_folder_that_is_closed_is_read_no_more_and_comes_back_by_keys(typist: Typist) -> None:
    desktop = typist.desktop
    desktop.press("close-folder")
    desktop.sees("main", "Drop a folder here")

    def held() -> set[str]:
        return {
            each.kind for each in desktop.ask(LIST_GIVEN, ListGivenParams(app_id=APP_ID)).things
        }

    assert held() == {"file"}
    typist.press(Qt.Key.Key_Z, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    desktop.sees("folder-state", "3 files, all read.")
    assert held() == {"file", "knowledge"}
