"""Lists that open over the page: whole, with one edge (ours)."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QStyle,
    QStyleOptionComboBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

from lime_desktop.shell.widgets.parts import combo_box
from tests.shell.stage import LOOKS, set_stage


@pytest.mark.parametrize("count", [2, 5, 9])
@pytest.mark.parametrize("look", LOOKS)
def test_a_list_that_opens_shows_every_row_whole_within_one_edge(
    qtbot: QtBot, tmp_path: Path, look: str, count: int
) -> None:
    """A bug: the last row was cut through, an arrow lay over it, and two frames stood one inside the other."""
    stage = set_stage(tmp_path, look)
    qtbot.addWidget(stage.window)
    box: QComboBox = combo_box()
    box.setParent(stage.window)
    box.addItems([f"Choice {number}" for number in range(count)])
    box.setGeometry(200, 100, 240, 34)
    box.show()
    # As a list under its box: as a menu over it, Qt gives it arrows that cover rows.
    option = QStyleOptionComboBox()
    option.initFrom(box)
    assert box.style().styleHint(QStyle.StyleHint.SH_ComboBox_Popup, option, box) == 0
    box.showPopup()
    popup = QApplication.activePopupWidget()
    assert popup is not None
    view = box.view()
    seen = QRect(QPoint(), view.viewport().size())
    for row in range(count):
        shown = view.visualRect(box.model().index(row, 0))
        assert seen.contains(shown), f"row {row}"
    within = view.geometry()
    assert within.width() >= popup.width() - 2
    assert [type(each).__name__ for each in _scrollers(popup)] == []
    box.hidePopup()


def _scrollers(popup: QWidget) -> list[QWidget]:
    found = popup.findChildren(QWidget)
    return [
        each for each in found if "Scroller" in each.metaObject().className() and each.isVisible()
    ]
