"""Notices float: nothing that a person is about to press moves or is covered by them (ours)."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QFrame, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from lime_desktop.protocol.errors import AppServerUnavailable
from lime_desktop.shell.notices.floating import freest_corner, rectangle_at
from lime_desktop.shell.notices.notice_card import NoticeCard
from lime_desktop.shell.pages.home.home import HomePage
from lime_desktop.shell.window.rail.rail import Rail
from tests.shell import questions
from tests.shell.stage import Stage, set_stage

GROUND = QRect(16, 16, 800, 600)
SIZE = QSize(360, 120)
CORNERS = (
    Qt.Corner.BottomRightCorner,
    Qt.Corner.TopRightCorner,
    Qt.Corner.BottomLeftCorner,
    Qt.Corner.TopLeftCorner,
)


@pytest.fixture
def stage(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Stage]:
    del loop
    made = set_stage(tmp_path, "light")
    qtbot.addWidget(made.window)
    made.add_every_kind()
    made.window.activateWindow()
    qtbot.waitUntil(made.window.isActiveWindow)
    QTest.qWait(20)  # everything is laid out
    yield made
    made.window.shut()


def cards(stage: Stage) -> list[NoticeCard]:
    found = stage.window.notices.cards
    return [each for each in found if isinstance(each, NoticeCard) and each.isVisible()]


def press_in(card: QFrame, words: str) -> None:
    buttons = card.findChildren(QAbstractButton)
    found = next(each for each in buttons if words in (each.text(), each.accessibleName()))
    QTest.mouseClick(found, Qt.MouseButton.LeftButton)


@pytest.mark.parametrize("taken", CORNERS)
def test_a_stack_leaves_the_pointer_free_whichever_corner_it_is_in(taken: Qt.Corner) -> None:
    pointer = QRect(rectangle_at(GROUND, SIZE, taken).center(), QSize(1, 1))
    chosen = freest_corner(GROUND, SIZE, [(pointer, 1_000)], taken)
    assert not rectangle_at(GROUND, SIZE, chosen).intersects(pointer)


def test_a_stack_stays_in_its_corner_while_nothing_speaks_against_it() -> None:
    held = Qt.Corner.TopLeftCorner
    assert freest_corner(GROUND, SIZE, [], held) is held
    assert freest_corner(GROUND, SIZE, [], None) is Qt.Corner.BottomRightCorner


def test_no_notice_moves_the_page(stage: Stage, qtbot: QtBot) -> None:
    """A bug: a notice pushed the page down by 55 pixels, and the next click missed."""
    stage.window.show_home()
    page = stage.window.findChild(HomePage)
    assert page is not None
    [field] = page.findChildren(QLineEdit)
    before = (page.geometry(), field.mapTo(stage.window, QPoint()))

    stage.window.notices.toast("Report copied.", "success")
    stage.window.notices.problem(AppServerUnavailable("The App Server went away"))
    stage.window.progress.begin("server")
    stage.services.approvals.queue.ask(questions.OTHERS[0], lambda _answer: None)
    panel = stage.window._approvals
    panel.close_panel()
    qtbot.waitUntil(lambda: len(cards(stage)) == 3)

    # The panel beside the page has gone; nothing else may have moved it.
    qtbot.waitUntil(lambda: page.geometry() == before[0])
    assert field.mapTo(stage.window, QPoint()) == before[1]


def test_a_notice_comes_up_beside_the_pointer_and_what_is_typed_into(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    notices = stage.window.notices
    ground = notices.parentWidget()
    assert ground is not None
    near_corner = ground.mapToGlobal(ground.rect().bottomRight() - QPoint(60, 60))
    monkeypatch.setattr(QCursor, "pos", lambda: near_corner)
    notices.toast("Report copied.", "success")
    shown = QRect(notices.mapToGlobal(QPoint()), notices.size())
    assert not shown.contains(near_corner)


def test_a_notice_that_is_pointed_at_stays_and_goes_afterwards(
    stage: Stage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    notices = stage.window.notices
    monkeypatch.setattr("lime_desktop.shell.notices.notices._TOAST_MS", 1)
    monkeypatch.setattr("lime_desktop.shell.notices.notices._HELD_MS", 1)
    place = [QPoint(-50, -50)]
    monkeypatch.setattr(QCursor, "pos", lambda: place[0])
    notices._show_for_a_while(notices._card("Report copied.", "ok"), notices._passing, 1)
    [card] = cards(stage)
    place[0] = card.mapToGlobal(card.rect().center())
    before = card.mapToGlobal(QPoint())
    notices.problem(AppServerUnavailable("The App Server went away"))
    qtbot.wait(50)
    assert cards(stage)[0] is card
    assert card.mapToGlobal(QPoint()) == before
    place[0] = QPoint(-50, -50)
    qtbot.waitUntil(lambda: len(cards(stage)) == 1)


def test_a_failure_stays_until_it_is_closed(stage: Stage, qtbot: QtBot) -> None:
    stage.window.notices.problem(AppServerUnavailable("The App Server went away"))
    [card] = cards(stage)
    assert card.accessibleName() == card.words
    press_in(card, "Dismiss")
    qtbot.waitUntil(lambda: not stage.window.notices.isVisible())


def test_a_notice_takes_no_keyboard_and_gives_it_back(stage: Stage, qtbot: QtBot) -> None:
    stage.window.show_home()
    page = stage.window.findChild(HomePage)
    assert page is not None
    [field] = page.findChildren(QLineEdit)
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    undone: list[int] = []
    stage.window.notices.offer_undo("The catalog was removed.", lambda: undone.append(1))
    assert field.hasFocus()
    press_in(cards(stage)[0], "Undo")
    assert undone == [1]
    assert field.hasFocus()
    assert cards(stage) == []


def test_the_keyboard_of_what_went_does_not_fall_on_undo(stage: Stage, qtbot: QtBot) -> None:
    """A bug: the button that removed a row went with it, and the next Enter took the removal back."""
    stage.window.show_settings("general")
    page = stage.window._settings
    gone = QPushButton("Remove", page)
    gone.show()
    gone.setFocus()
    qtbot.waitUntil(gone.hasFocus)
    undone: list[int] = []
    stage.window.notices.offer_undo("The catalog was removed.", lambda: undone.append(1))
    [undo] = [each for each in cards(stage)[0].findChildren(QPushButton) if each.text() == "Undo"]
    page.setTabOrder(gone, undo)
    gone.hide()
    qtbot.waitUntil(lambda: not stage.window.notices.has_keyboard)
    assert QApplication.focusWidget() is not None
    assert undone == []


def test_a_notice_is_reached_and_pressed_by_the_keyboard(stage: Stage, qtbot: QtBot) -> None:
    stage.window.show_home()
    undone: list[int] = []
    stage.window.notices.offer_undo("The catalog was removed.", lambda: undone.append(1))
    for _ in range(4):
        if not stage.window.notices.has_keyboard:
            QTest.keyClick(QApplication.focusWidget() or stage.window, Qt.Key.Key_F6)
    qtbot.waitUntil(lambda: stage.window.notices.has_keyboard)
    focused = QApplication.focusWidget()
    assert isinstance(focused, QPushButton)
    assert focused.text() == "Undo"
    QTest.keyClick(focused, Qt.Key.Key_Return)
    assert undone == [1]
    assert not stage.window.notices.isVisible()


def test_a_note_that_was_put_away_waits_behind_the_bell(stage: Stage, qtbot: QtBot) -> None:
    notices = stage.window.notices
    notices.stand("sandbox", notices.note("Pages have one wall less.", "warning"))
    press_in(cards(stage)[-1], "Dismiss")
    assert cards(stage) == []
    notices.stand("sandbox", notices.note("Pages have one wall less.", "warning"))
    assert cards(stage) == []
    rail = stage.window.findChild(Rail)
    assert rail is not None
    press_in(rail, "1 notice")
    qtbot.waitUntil(lambda: len(cards(stage)) == 1)
    notices.stand("sandbox", None)
    assert cards(stage) == []


def test_a_question_that_was_put_aside_has_a_badge(stage: Stage) -> None:
    stage.services.approvals.queue.ask(questions.OTHERS[0], lambda _answer: None)
    stage.window._approvals.close_panel()
    assert [each.words for each in cards(stage)] == [
        stage.services.look.texts("approval.waiting", count=1)
    ]
    rail = stage.window.findChild(Rail)
    assert rail is not None
    press_in(rail, "1 approval waiting")
    assert stage.window._approvals.isVisible()
    assert cards(stage) == []


def test_what_waits_is_said_everywhere_for_as_long_as_it_waits(
    stage: Stage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bug: "An approval waits for you" went after ten seconds, while the approval went on waiting."""
    for name in ("_TOAST_MS", "_UNDO_MS", "_READ_MS", "_HELD_MS"):
        monkeypatch.setattr(f"lime_desktop.shell.notices.notices.{name}", 1, raising=False)
    monkeypatch.setattr(QCursor, "pos", lambda: QPoint(-50, -50))
    queue = stage.services.approvals.queue
    stage.window.show_home()
    for count, asked in enumerate(questions.OTHERS, 1):
        queue.ask(asked, lambda _answer: None)
        if stage.window._approvals.isVisible():
            press_in(stage.window._approvals, "Decide later")
        qtbot.wait(50)  # long enough for whatever goes by itself
        assert told_of_waiting(stage) == (count, count, count)
    queue.withdraw([each.question_id for each in questions.OTHERS])
    qtbot.waitUntil(lambda: told_of_waiting(stage) == (0, 0, 0))


def told_of_waiting(stage: Stage) -> tuple[int, int, int]:
    """How many approvals wait by the notice, by Home and by the badge."""
    texts, window = stage.services.look.texts, stage.window
    said = [each.words for each in cards(stage)]
    noted = next((n for n in (1, 2) if texts("approval.waiting", count=n) in said), 0)
    buttons = [each for each in window.findChildren(QAbstractButton) if each.isVisible()]
    listed = [each for each in buttons if each.accessibleName().startswith("Review: ")]
    badges = {each.accessibleName() for each in buttons}
    badge = next((n for n in (1, 2) if texts("rail.approvals", count=n) in badges), 0)
    return noted, len(listed), badge


def test_a_note_of_what_is_over_makes_room_and_waits_behind_the_bell(
    stage: Stage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bug: at each start after a crash its notice covered the page until somebody put it away."""
    monkeypatch.setattr("lime_desktop.shell.notices.notices._READ_MS", 1)
    monkeypatch.setattr(QCursor, "pos", lambda: QPoint(-50, -50))
    notices = stage.window.notices
    notices.stand("crash", notices.note("It ended unexpectedly.", "warning"), is_over=True)
    notices.stand("keeping", notices.note("Nothing can be saved.", "warning"))
    qtbot.waitUntil(lambda: [each.words for each in cards(stage)] == ["Nothing can be saved."])
    rail = stage.window.findChild(Rail)
    assert rail is not None
    press_in(rail, "1 notice")
    qtbot.waitUntil(lambda: len(cards(stage)) == 2)
