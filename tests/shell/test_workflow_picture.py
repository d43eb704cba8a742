"""The drawing of a workflow on its page: boxes, ways back, walked and pressed by keys, in both languages (ours)."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from lime_desktop.shell.surfaces.workflow_picture import WorkflowPicture, condition_words
from tests.shell.stage import ROOT, Stage, set_stage


@pytest.fixture(params=["light"])
def stage(
    request: pytest.FixtureRequest, qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop
) -> Iterator[Stage]:
    del loop
    made = set_stage(tmp_path, request.param)
    qtbot.addWidget(made.window)
    made.add_every_kind()
    made.window.resize(900, 600)
    made.window.open_entry("every-kind", "flow")
    yield made
    made.window.shut()


def picture(stage: Stage) -> WorkflowPicture:
    [found] = stage.window.findChildren(WorkflowPicture)
    return found


def said(part: QWidget) -> list[str]:
    return [each.text() for each in part.findChildren(QLabel)]


def test_a_workflow_is_drawn_from_top_to_bottom_with_every_way(stage: Stage) -> None:
    canvas = picture(stage).canvas
    assert list(canvas.boxes) == ["draft", "review", "publish", "end"]
    tops = [box.y() for box in canvas.boxes.values()]
    assert tops == sorted(tops)
    assert canvas.lines == [
        ("draft", "review"),
        ("review", "publish"),
        ("review", "draft"),
        ("review", "end"),
        ("publish", "end"),
    ]
    assert canvas.boxes["draft"].accessibleName() == "Write a draft (Agent's task)"


def test_arrows_walk_along_the_ways_and_enter_tells_of_a_step(stage: Stage, qtbot: QtBot) -> None:
    shown = picture(stage)
    draft = shown.canvas.boxes["draft"]
    draft.setFocus()
    QTest.keyClick(draft, Qt.Key.Key_Down)
    review = shown.canvas.boxes["review"]
    assert QApplication.focusWidget() is review
    QTest.keyClick(review, Qt.Key.Key_Return)
    assert said(shown.details) == [
        "review",
        "A person decides",
        "approved → publish",
        "changed, back → Write a draft",
        "rejected → End",
    ]
    [title] = [each for each in shown.details.findChildren(QLabel) if each.text() == "review"]
    # Beside its box, so that it is seen in a drawing that is longer than the window.
    qtbot.waitUntil(
        lambda: review.y() <= title.mapTo(shown, QPoint()).y() <= review.geometry().bottom()
    )
    QTest.keyClick(review, Qt.Key.Key_Up)
    assert QApplication.focusWidget() is draft
    QTest.keyClick(draft, Qt.Key.Key_Return)
    assert said(shown.details)[2] == "From the notes of the week."


def test_what_keeps_a_workflow_from_running_is_named_with_its_line(stage: Stage) -> None:
    told = "\n".join(said(picture(stage)))
    assert "It is described, not executable." in told
    assert "workflows/publish.yaml:13  `publish` needs `uses` with one tool." in told


@pytest.mark.parametrize("stage", ["chinese"], indirect=True)
def test_the_drawing_speaks_the_persons_language(stage: Stage) -> None:
    shown = picture(stage)
    assert shown.canvas.boxes["review"].accessibleName() == "review (由人决定)"
    QTest.keyClick(shown.canvas.boxes["review"], Qt.Key.Key_Return)
    assert "批准 → publish" in said(shown.details)
    assert any("某个状态缺少其类型所需的字段" in each for each in said(shown))


@pytest.mark.parametrize("stage", ["light", "dark"], indirect=True)
def test_a_way_back_is_seen_beside_the_boxes(stage: Stage) -> None:
    """The line and its words lie in the room beside the column, in ink that stands out from the page."""
    canvas = picture(stage).canvas
    shot = canvas.grab().toImage()
    review = canvas.boxes["review"].geometry()
    beside = {
        shot.pixelColor(x, y).name()
        for x in range(review.right() + 4, review.right() + 60)
        for y in range(canvas.boxes["draft"].y(), review.bottom())
    }
    assert len(beside) > 1
    assert review.right() + 60 < canvas.width()


def test_no_words_of_a_way_stand_on_others_or_on_a_box_and_none_are_expressions(
    stage: Stage,
) -> None:
    """A bug: `if $.states.check.outpu…` ran into "approved, changed", and lines went through "else"."""
    [app] = stage.services.registry.add([ROOT / "sample_apps/invoice-desk"])
    for workflow in app.package.workflows:
        shown = WorkflowPicture(stage.services.look, app, workflow)
        shown.resize(shown.canvas.minimumSize())
        canvas = shown.canvas
        canvas.resize(canvas.minimumSize())
        places = list(canvas.places_of_words().values())
        assert places
        boxes = [each.geometry() for each in canvas.boxes.values()]
        for at, place in enumerate(places):
            assert not any(map(place.intersects, [*boxes, *places[:at]]))
            assert canvas.rect().contains(place)


@pytest.mark.parametrize(
    ("written", "said_of_it"),
    [
        ("$.input.needsPerson", "needs person"),
        ("length($.states.read.output.rows) > 0", "rows > 0"),
        ("$.states.check.output.passed and $.input.amount <= 50", "passed and amount <= 50"),
    ],
)
def test_a_condition_without_a_title_is_told_by_what_it_looks_at(
    written: str, said_of_it: str
) -> None:
    assert condition_words(written) == said_of_it
