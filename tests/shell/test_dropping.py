"""What a person drops on a page is theirs to give: this page gets it by reference, once, and soon (ours)."""

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QUrl

from lime_desktop.host.view.opened_files import MOST_FILES
from lime_desktop.shell.app_view.dropped import VALID_S, Dropped
from tests.shell.conftest import OpenApp
from tests.shell.dropping import drop_files
from tests.shell.open_desktop import ROOT, Shown

PACKAGE = ROOT / "sample_apps/table-lens"
GRANTS = ("keep-place", "use-model", "keep-reports")


def carrying(*urls: str) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl(url) for url in urls])
    return data


def test_only_files_of_this_computer_are_given_and_only_once(tmp_path: Path) -> None:
    dropped = Dropped()
    local = QUrl.fromLocalFile(str(tmp_path)).toString()
    dropped.keep(carrying(local, "https://e.example/x.csv", "data:text/csv,a"))
    assert dropped.take() == (tmp_path,)
    assert dropped.take() == ()
    dropped.keep(carrying(*[local] * (MOST_FILES + 1)))
    assert len(dropped.take()) == MOST_FILES


def test_what_was_dropped_long_ago_is_not_given_any_more(tmp_path: Path) -> None:
    now = 100.0
    dropped = Dropped(lambda: now)
    dropped.keep(carrying(QUrl.fromLocalFile(str(tmp_path)).toString()))
    now += VALID_S + 1
    assert dropped.take() == ()


@pytest.mark.system
def test_a_table_that_is_dropped_on_the_page_is_opened_and_remembered(
    open_app: OpenApp, tmp_path: Path
) -> None:
    """Felt: a file had to be looked for in a dialog, though it lay beside the window."""
    table = tmp_path / "orders.csv"
    table.write_text("region,amount\nNorth,10.10\nSouth,5\n", encoding="utf-8")
    desktop = open_app(Shown(PACKAGE, "lens", GRANTS))
    desktop.start_server()
    desktop.tab.reload()
    desktop.sees("page", "Drop a table here")

    drop_files(desktop.tab.view.web_view, [table])

    desktop.sees("rows", "2 of 2 rows")
    assert str(tmp_path) not in str(desktop.run("d.documentElement.outerHTML"))
    desktop.tab.reload()
    desktop.sees("rows", "2 of 2 rows")

    (tmp_path / "letter.pdf").write_bytes(b"%PDF")
    drop_files(desktop.tab.view.web_view, [tmp_path / "letter.pdf"])
    desktop.sees("page", "This file is not a table that can be read.")
