"""The page of a conversation: it follows its end only for who reads there, and draws the past when it is wanted (ours)."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget
from pytestqt.qtbot import QtBot

from lime_desktop.runtime_views.session import SessionProjection
from lime_desktop.shell.markdown.message_text import MessageText
from lime_desktop.shell.surfaces.chat.transcript import Transcript
from lime_desktop.shell.surfaces.chat.turn_block import TurnBlock
from tests.runtime_views.test_story import Told, event
from tests.shell.stage import Stage, set_stage


class Page:
    """A transcript that is told events one by one, as a session comes in."""

    def __init__(self, stage: Stage, qtbot: QtBot) -> None:
        self.stage = stage
        self._qtbot = qtbot
        self._projection = SessionProjection()
        self._sequence = 0
        self.transcript = Transcript(stage.services.look)
        qtbot.addWidget(self.transcript)
        self.transcript.resize(600, 400)
        self.transcript.show()

    def hear(self, turn: int, *told: Told) -> None:
        shared: dict[str, Any] = {"turnId": f"turn_{turn}", "threadId": "thread_1"}
        for kind, more in told:
            self._sequence += 1
            self._projection.receive([event(self._sequence, kind, {**shared, **more})])
        self.transcript.show_views(self._projection.views())

    def begin(self, turn: int, **more: Any) -> None:
        about = {"messageId": f"m{turn}", "model": "good", "provider": "desk"}
        self.hear(
            turn,
            ("turn.submitted", {"payload": {"text": f"Question {turn}", **more}}),
            ("turn.started", {}),
            ("model.requested", {"payload": about}),
        )

    def say(self, turn: int, words: str) -> None:
        self.hear(turn, ("model.delta", {"payload": {"messageId": f"m{turn}", "delta": words}}))

    def converse(self, turn: int, words: str, **more: Any) -> None:
        self.begin(turn, **more)
        self.say(turn, words)
        self.end(turn)

    def end(self, turn: int) -> None:
        self.hear(turn, ("turn.completed", {}))

    def wait(self, condition: Callable[[], bool]) -> None:
        self._qtbot.waitUntil(condition)

    def open_again(self) -> None:
        """As an old session is opened."""
        self.transcript.show_views(self._projection.views())

    def order(self) -> list[int]:
        """The turns from the top, by their numbers."""
        blocks = [each for each in self.transcript.findChildren(TurnBlock) if each.isVisible()]
        blocks.sort(key=lambda each: each.y())
        return [int(each.said()[0].split()[1]) for each in blocks]

    def place_of(self, part: QWidget) -> int:
        """How far below the top of the view something stands."""
        return part.mapTo(self.transcript.viewport(), QPoint()).y()

    def settle(self) -> None:
        """What was to be laid out and scrolled by now, was."""
        for _ in range(5):
            QApplication.processEvents()

    @property
    def is_at_end(self) -> bool:
        bar = self.transcript.verticalScrollBar()
        return bar.maximum() > 0 and bar.value() == bar.maximum()

    def button(self, key: str) -> QAbstractButton:
        words = self.stage.services.look.texts(key)
        found = self.transcript.findChildren(QAbstractButton)
        return next(each for each in found if each.text() == words)


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Page]:
    del loop  # only has to be there: the window reads in the background
    stage = set_stage(tmp_path, "light")
    qtbot.addWidget(stage.window)
    yield Page(stage, qtbot)
    stage.window.shut()


def test_it_follows_its_end_until_the_person_reads_above_and_leads_back(page: Page) -> None:
    page.begin(1)
    for _ in range(30):
        page.say(1, "A paragraph of the answer.\n\n")
    page.wait(lambda: page.is_at_end)
    bar = page.transcript.verticalScrollBar()
    assert not page.button("chat.latest").isVisible()
    bar.setValue(bar.value() - 200)
    read = bar.value()
    page.wait(page.button("chat.latest").isVisible)
    before = bar.maximum()
    for _ in range(10):
        page.say(1, "More of it.\n\n")
    page.wait(lambda: bar.maximum() > before)
    assert bar.value() == read
    QTest.mouseClick(page.button("chat.latest"), Qt.MouseButton.LeftButton)
    page.wait(lambda: page.is_at_end)
    page.say(1, "And more.\n\n" * 5)
    page.wait(lambda: page.is_at_end)
    assert not page.button("chat.latest").isVisible()


def test_an_earlier_version_that_is_unfolded_at_the_end_stays_in_sight(page: Page) -> None:
    """A bug: the page followed its end, and what was opened was above the view."""
    page.converse(1, "A paragraph of the first answer.\n\n" * 30)
    page.converse(2, "Another answer.", replacesTurnId="turn_1")
    fold = page.button("chat.replaced")
    page.wait(fold.isVisible)
    bar = page.transcript.verticalScrollBar()
    page.wait(lambda: bar.value() == bar.maximum())
    before = page.place_of(fold)
    QTest.mouseClick(fold, Qt.MouseButton.LeftButton)
    page.wait(lambda: bar.maximum() > 400)
    page.settle()
    assert 0 <= page.place_of(fold) <= before
    page.wait(page.button("chat.latest").isVisible)


def test_what_is_unfolded_at_the_edge_of_the_view_comes_into_it(page: Page) -> None:
    page.converse(1, "A paragraph before it.\n\n" * 30)
    page.converse(2, "A short answer.\n\n" * 3)
    page.converse(3, "A paragraph after it.\n\n" * 30, replacesTurnId="turn_2")
    fold = page.button("chat.replaced")
    page.wait(lambda: fold.isVisible() and page.is_at_end)
    bar = page.transcript.verticalScrollBar()
    height = page.transcript.viewport().height()
    bar.setValue(bar.value() + page.place_of(fold) - height + fold.height())
    assert page.place_of(fold) + fold.height() == height
    QTest.mouseClick(fold, Qt.MouseButton.LeftButton)
    [block] = [each for each in page.transcript.findChildren(TurnBlock) if each.is_set_aside]
    page.wait(lambda: block.height() > 100 and page.place_of(block) + block.height() <= height)
    assert page.place_of(fold) >= 0


def test_a_long_past_is_drawn_when_it_is_wanted_and_what_is_read_stays_in_place(page: Page) -> None:
    for turn in range(1, 51):
        page.begin(turn)
        page.say(turn, f"Answer {turn}")
        page.end(turn)
    page.wait(lambda: page.is_at_end)
    assert page.order() == sorted(page.order())
    page.transcript.clear()
    page.open_again()
    assert next(iter(page.transcript.said())) == "Question 31"
    page.wait(page.button("chat.earlier").isVisible)
    QTest.mouseClick(page.button("chat.earlier"), Qt.MouseButton.LeftButton)
    assert next(iter(page.transcript.said())) == "Question 11"
    assert list(page.transcript.said())[-1] == "Answer 50"
    page.wait(lambda: len(page.order()) == 40 and page.order() == sorted(page.order()))


def test_three_thousand_words_are_read_a_few_times_over_and_not_thousands(page: Page) -> None:
    page.begin(1)
    words = "".join(f"word{at % 97}" + ("\n\n" if at % 60 == 59 else " ") for at in range(3_000))
    pieces = words.split(" ")
    for at in range(0, len(pieces), 5):
        page.say(1, " ".join(pieces[at : at + 5]) + " ")
    page.end(1)
    [message] = [
        each for each in page.transcript.findChildren(MessageText) if "word1" in each.words()
    ]
    assert message.characters_read < 20 * len(words)
    assert len(message.words().split()) == 3_000


def test_nothing_of_a_conversation_opens_as_a_window_of_its_own(page: Page) -> None:
    """A bug: an answer was shown before it had its place, and took the keyboard as a window."""
    shown: list[QWidget] = []

    class Watch(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt calls this
            if isinstance(watched, QWidget) and event.type() is QEvent.Type.Show:
                shown.extend([watched] if watched.isWindow() else [])
            return False

    watch = Watch()
    application = QApplication.instance()
    assert application is not None
    application.installEventFilter(watch)
    page.begin(1)
    page.say(1, "Answer")
    page.end(1)
    page.wait(lambda: list(page.transcript.said()) == ["Question 1", "Answer"])
    application.removeEventFilter(watch)
    assert shown == []
