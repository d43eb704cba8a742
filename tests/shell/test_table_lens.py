"""Table Lens from a file to a kept answer: a real page, a real App Server, an agent that chooses and never computes."""

import json
from pathlib import Path

import pytest
from openpyxl import Workbook
from pytestqt.qtbot import QtBot

from lime_desktop.host.view.shown_artifact import ShownArtifact
from lime_desktop.protocol.calls.sessions import LIST_SESSIONS, ListSessionsParams
from tests.shell.conftest import OpenApp
from tests.shell.open_desktop import ROOT, WAIT_MS, OpenDesktop, Shown
from tests.system.scripts import HOLD, saying, write_scripts

pytestmark = pytest.mark.system

PACKAGE = ROOT / "sample_apps/table-lens"
GRANTS = ("keep-place", "use-model", "keep-reports")
CSV = "region,amount\nNorth,10.10\nSouth,5\nNorth,20.20\n"
PROMPT = (
    "Choose the one computation over a table that answers the question. Do not compute anything "
    'yourself. Use "none" for what is not needed, and operation "none" if no computation answers it.'
)
PLAN = {
    "operation": "sum",
    "column": "amount",
    "groupBy": "region",
    "filterColumn": "none",
    "filterTest": "is",
    "filterValue": "",
    "order": "largest",
}


def told(question: str) -> str:
    """What the agent is told, word for word."""
    columns = [
        {"name": "region", "type": "text", "examples": ["North", "South"]},
        {"name": "amount", "type": "number", "examples": ["10.10", "5", "20.20"]},
    ]
    data = json.dumps({"question": question, "columns": columns}, separators=(",", ":"))
    return f"{PROMPT}\n\nInput, as data:\n```json\n{data}\n```"


def write_tables(folder: Path) -> None:
    (folder / "orders.csv").write_text(CSV, encoding="utf-8")
    book = Workbook()
    book.active.append(["city", "people"])  # pyright: ignore[reportOptionalMemberAccess] - a new book has a sheet
    book.active.append(["Lima", 10])  # pyright: ignore[reportOptionalMemberAccess] - likewise
    book.create_sheet("Second").append(["other"])
    book.save(folder / "book.xlsx")


def test_a_chosen_table_answers_with_numbers_that_the_app_computed(
    open_app: OpenApp, tmp_path: Path, qtbot: QtBot
) -> None:
    write_tables(tmp_path)
    scripts = {told("Where most?"): saying(json.dumps(PLAN)), told("Take your time"): HOLD}
    desktop = open_app(Shown(PACKAGE, "lens", GRANTS, write_scripts(tmp_path, scripts)))
    desktop.start_server()
    desktop.tab.reload()
    desktop.press("pick")
    desktop.choose_file(tmp_path / "orders.csv")
    desktop.sees("rows", "3 of 3 rows")

    desktop.fill("question", "Take your time")
    desktop.press("ask")
    desktop.press("stop")
    desktop.sees("page", "Nothing was changed.")
    desktop.fill("question", "Where most?")
    desktop.press("ask")
    desktop.sees("planned", "Sum of amount for each region")
    chart = "[...d.querySelectorAll('.chart text')].map((each) => each.textContent).join(' ')"
    assert desktop.run(chart) == "North 30.3 South 5"
    assert str(tmp_path) not in str(desktop.run("d.documentElement.outerHTML"))

    assert desktop.unnamed == ""

    desktop.press("keep")
    wanted: list[ShownArtifact] = []
    desktop.tab.artifact_wanted.connect(wanted.append)
    desktop.press("open-report")
    qtbot.waitUntil(lambda: bool(wanted), timeout=WAIT_MS)
    [report] = wanted
    assert report.viewer is not None
    # As the window has it done by a view beside this one.
    desktop.tab.view_artifact(report, report.viewer.address_of(report.artifact_id))
    desktop.sees("source", "Source: orders.csv.")
    assert desktop.run(chart) == "North 30.3 South 5"
    desktop.look(locale="zh-CN", theme_mode="dark")
    desktop.sees("basis", "根据 3 行数据")

    desktop.tab.open_route("/ask")
    desktop.sees("ask-title", "提问")
    assert desktop.run("d.querySelector('h1').textContent") == "orders.csv"
    assert desktop.run("d.getElementById('rows') === null") is True
    desktop.press("pick")
    desktop.choose_file(tmp_path / "book.xlsx")
    desktop.sees("sheet", "Second")


def test_a_question_that_was_cut_off_says_so_and_is_asked_again(
    open_app: OpenApp, tmp_path: Path, qtbot: QtBot
) -> None:
    """A bug: where the App Server had died, the page blamed the model."""
    write_tables(tmp_path)
    scripts = {told("Where most?"): HOLD}
    desktop = open_app(Shown(PACKAGE, "lens", GRANTS, write_scripts(tmp_path, scripts)))
    desktop.start_server()
    desktop.tab.reload()
    desktop.press("pick")
    desktop.choose_file(tmp_path / "orders.csv")
    desktop.sees("rows", "3 of 3 rows")
    desktop.fill("question", "Where most?")
    desktop.press("ask")
    qtbot.waitUntil(lambda: _runs(desktop), timeout=WAIT_MS)
    desktop.kill_server()
    desktop.sees("page", "The question was cut off.")
    desktop.press("again")
    qtbot.waitUntil(lambda: _runs(desktop, count=2), timeout=WAIT_MS)
    desktop.kill_server()
    desktop.sees("page", "The question was cut off.")
    # It was asked again, once, and the model is blamed for nothing.
    assert "model" not in str(desktop.run("d.querySelector('.tell').textContent"))


def _runs(desktop: OpenDesktop, count: int = 1) -> bool:
    """Whether so many questions were put, the newest of which is still worked on."""
    found = desktop.ask(LIST_SESSIONS, ListSessionsParams(limit=10)).sessions
    return len(found) == count and any(each.status == "running" for each in found)
