"""Invoice Desk from a dropped folder to booked rows, an export and a report: a real page, real runs, no model (ours)."""

import json
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from lime_desktop.host.approvals.question import NO, YES, Answer, Question
from lime_desktop.protocol.capability_calls.artifacts import LIST_ARTIFACTS
from lime_desktop.protocol.capability_calls.evidence import LIST_EVIDENCE
from lime_desktop.protocol.capability_calls.storage_tables import INSERT_ROW, QUERY_ROWS
from lime_desktop.protocol.capability_calls.workflow import LIST_RUNS
from tests.app_server.documents.written import pdf
from tests.shell.conftest import OpenApp
from tests.shell.dropping import drop_files
from tests.shell.open_desktop import ROOT, WAIT_MS, OpenDesktop, Shown
from tests.shell.typist import Typist

pytestmark = pytest.mark.system

PACKAGE = ROOT / "sample_apps/invoice-desk"
GRANTS = ("keep-books", "keep-documents", "use-model")
CONTROL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
SUPPLIER = {
    "id": "s1",
    "name": "Nordlicht GmbH",
    "alias": "",
    "vatId": "DE123456789",
    "iban": "DE89370400440532013000",
    "taxRate": 19,
}


def invoice(number: str, *, tax: str = "19.00", total: str = "119.00") -> bytes:
    """A PDF with an invoice of the supplier, one line below the other."""
    lines = (
        "Nordlicht GmbH",
        f"Invoice number: {number}",
        "Invoice date: 2 November 2026",
        "Payment within 30 days",
        "Subtotal EUR 100.00",
        f"VAT 19% EUR {tax}",
        f"Total due EUR {total}",
        "VAT ID DE123456789",
    )
    return pdf(") Tj 0 -18 Td (".join(lines))


def arrived(folder: Path) -> Path:
    """Two ordinary invoices, one of them twice, and two whose sums are wrong."""
    folder.mkdir()
    (folder / "a.pdf").write_bytes(invoice("NL-1"))
    (folder / "b.pdf").write_bytes(invoice("NL-2"))
    (folder / "b2.pdf").write_bytes(invoice("NL 2"))
    (folder / "c.pdf").write_bytes(invoice("NL-3", total="129.00"))
    (folder / "d.pdf").write_bytes(invoice("NL-4", total="999.00"))
    return folder


@pytest.fixture
def desktop(open_app: OpenApp) -> OpenDesktop:
    """The app with one known supplier, and nobody who could answer a question."""
    desktop = open_app(Shown(PACKAGE, "desk", GRANTS))
    desktop.start_server()
    desktop.ask_for_app(INSERT_ROW, table="supplier", row=SUPPLIER)
    desktop.tab.reload()
    desktop.sees("main", "Drop the folder with your invoices here")
    return desktop


def take_in(desktop: OpenDesktop, folder: Path) -> None:
    drop_files(desktop.tab.view.web_view, [folder])
    desktop.sees("notice", "were read.")


def booked(desktop: OpenDesktop) -> list[dict[str, Any]]:
    """The booked rows, as the App Server holds them."""
    rows = [each.row for each in desktop.ask_for_app(QUERY_ROWS, table="invoice").rows]
    return sorted(rows, key=lambda row: str(row["number"]))


def told(desktop: OpenDesktop, kind: str) -> list[str]:
    """The invoices of which there is evidence of a kind."""
    found = desktop.ask_for_app(LIST_EVIDENCE, kind=kind).root
    rows = [source for each in found for source in each.sources if isinstance(source, dict)]
    return sorted(str(row["number"]) for row in rows)


def decide(desktop: OpenDesktop, number: str, answer: Answer) -> dict[str, Any]:
    """Answer the review of an invoice; gives what was put to the person."""
    question = desktop.answer(answer, lambda each: _content(each).get("number") == number)
    return _content(question)


def _content(question: Question) -> dict[str, Any]:
    content = question.review.content if question.review else None
    return content if isinstance(content, dict) else {}


def test_a_folder_is_booked_once_and_a_person_decides_on_what_does_not_add_up(
    desktop: OpenDesktop, tmp_path: Path
) -> None:
    take_in(desktop, arrived(tmp_path / "Arrived"))
    desktop.sees("main", "Duplicate")
    assert [row["number"] for row in booked(desktop)] == ["NL-1", "NL-2"]
    assert booked(desktop)[0] == {
        "id": "Nordlicht GmbH/NL-1",
        "supplier": "Nordlicht GmbH",
        "number": "NL-1",
        "date": "2026-11-02",
        "due": "2026-12-02",
        "net": 100,
        "tax": 19,
        "gross": 119,
        "currency": "EUR",
        "iban": "",
        "file": "a.pdf",
        "byPerson": False,
        "runId": booked(desktop)[0]["runId"],
    }
    assert str(tmp_path) not in str(desktop.run("d.documentElement.outerHTML"))

    asked = decide(desktop, "NL-4", NO)
    said = "Net 100.00 and tax 19.00 are 119.00, but the total says 999.00."
    assert asked["problems"] == said
    desktop.sees("main", "Rejected")
    changed = {**asked, "number": "NL-3", "gross": 119, "file": "c.pdf"}
    decide(desktop, "NL-3", Answer(is_yes=True, updated_arguments=changed))
    desktop.sees("to-booked", "Booked3")
    [row] = [each for each in booked(desktop) if each["number"] == "NL-3"]
    assert (row["gross"], row["byPerson"]) == (119, True)
    assert told(desktop, "invoice_booked") == ["NL-1", "NL-2", "NL-3"]
    assert told(desktop, "invoice_rejected") == ["NL-4"]
    assert desktop.unnamed == ""

    # Everything was seen: looked at again, nothing is read or booked anew.
    desktop.press("look")
    desktop.sees("notice", "Nothing new has arrived.")
    assert len(desktop.ask_for_app(LIST_RUNS, key="book").root) == 4
    desktop.look(locale="zh-CN", theme_mode="dark")
    desktop.sees("to-booked", "已登记3")


def test_what_is_booked_already_is_not_booked_by_a_yes_either(
    desktop: OpenDesktop, tmp_path: Path, qtbot: QtBot
) -> None:
    """Ours: the storage refuses a second row, whoever approved it, and the person is asked what is meant."""
    take_in(desktop, arrived(tmp_path / "Arrived"))
    asked = decide(desktop, "NL-3", NO)
    mine = {**asked, "number": "NL-1"}
    decide(desktop, "NL-4", Answer(is_yes=True, updated_arguments=mine))
    again = decide(desktop, "NL-1", YES)
    assert "is booked already" in json.dumps(again)
    decide(desktop, "NL-1", NO)
    desktop.sees("main", "Rejected")
    desktop.sees("to-inbox", "Arrived")
    qtbot.waitUntil(lambda: not _waiting(desktop), timeout=WAIT_MS)
    assert [row["number"] for row in booked(desktop)] == ["NL-1", "NL-2"]


def _waiting(desktop: OpenDesktop) -> bool:
    return bool(desktop.ask_for_app(LIST_RUNS, status="waiting").root)


def test_the_list_is_exported_and_what_is_taken_out_comes_back_by_keys(
    desktop: OpenDesktop, tmp_path: Path, qtbot: QtBot
) -> None:
    take_in(desktop, arrived(tmp_path / "Arrived"))
    desktop.sees("to-booked", "Booked2")
    desktop.press("to-booked")
    desktop.sees("main", "238.00 EUR")
    desktop.press("export-xlsx")
    target = tmp_path / "list.xlsx"
    desktop.choose_file(target)
    desktop.sees("notice", "2 invoices were exported.")
    sheet = load_workbook(target).worksheets[0]
    rows = [[cell.value for cell in row] for row in sheet.iter_rows()]
    assert rows[0][:6] == ["Date", "Supplier", "Number", "Net", "Tax", "Total"]
    assert [row[5] for row in rows[1:]] == [119, 119]

    desktop.press("unbook-Nordlicht GmbH/NL-1")
    desktop.sees("notice", "NL-1 is out of the books.")
    assert [row["number"] for row in booked(desktop)] == ["NL-2"]
    Typist(desktop, qtbot).press(Qt.Key.Key_Z, CONTROL_SHIFT)
    desktop.sees("to-booked", "Booked2")
    assert [row["number"] for row in booked(desktop)] == ["NL-1", "NL-2"]


def test_a_report_lists_what_was_booked_since_the_one_before(
    desktop: OpenDesktop, tmp_path: Path
) -> None:
    take_in(desktop, arrived(tmp_path / "Arrived"))
    desktop.sees("to-booked", "Booked2")
    desktop.press("to-reports")
    desktop.press("report-now")
    desktop.sees("notice", "The report is written.")
    [report] = desktop.ask_for_app(LIST_ARTIFACTS, kind="invoice-report").root
    desktop.press(f"report-{report.id}")
    desktop.sees("report", "Nordlicht GmbH2200.0038.00238.00 EUR")
    desktop.press("all-reports")
    desktop.press("report-now")
    desktop.sees("notice", "Nothing was booked since the last report.")
    assert len(desktop.ask_for_app(LIST_ARTIFACTS, kind="invoice-report").root) == 1


def test_a_supplier_is_learned_from_an_invoice_which_is_booked_then(
    open_app: OpenApp, tmp_path: Path
) -> None:
    desktop = open_app(Shown(PACKAGE, "desk", GRANTS))
    desktop.start_server()
    desktop.tab.reload()
    desktop.sees("main", "Drop the folder with your invoices here")
    folder = tmp_path / "Arrived"
    folder.mkdir()
    (folder / "a.pdf").write_bytes(invoice("NL-1"))
    drop_files(desktop.tab.view.web_view, [folder])
    desktop.sees("problems", "“Nordlicht GmbH” is not among your suppliers.")
    assert booked(desktop) == []
    desktop.press("learn")
    desktop.sees("to-booked", "Booked1")
    assert [row["byPerson"] for row in booked(desktop)] == [False]
