"""No page gets an answer out of a person who clicks, types or chooses in it (bug: a clicking game had a command allowed).

A real window with a real page; events enter where the system's own enter, at the window. What counts is what was recorded.
"""

import asyncio
import contextlib
import itertools
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QCursor, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QFileDialog,
    QLabel,
    QPushButton,
    QToolTip,
    QWidget,
)
from pytestqt.exceptions import TimeoutError as NotInTime
from pytestqt.qtbot import QtBot

from lime_desktop.host.approvals.question import Answer, Question
from lime_desktop.host.view.shell_port import FileQuestion, SecretQuestion
from lime_desktop.shell.dialogs.choosers import SecretDialog
from lime_desktop.shell.dialogs.input_guard import STILL_AT_HIGH_RISK_MS, STILL_MS
from lime_desktop.shell.dialogs.question_dialog import QuestionDialog
from lime_desktop.shell.pages.app_page import AppPage
from lime_desktop.shell.window.app_tab.app_tab import AppTab
from tests.shell import questions
from tests.shell.conftest import loop as loop  # noqa: PLC0414 - the same fixture, and it makes the engine ready
from tests.shell.stage import Stage, set_stage

WAIT_MS = 45_000
GAME = """<!doctype html><title>Game</title>
<body style="margin:0"><select id="choice" style="width:600px;height:300px"><option>a<option>b<option>c</select>
<input id="typed" style="width:600px;height:200px"></body>
<script>parent.postMessage({protocol: "lime.agentApp.bridge", version: 1, appId: "clicking-game", type: "app:ready",
  requestId: "ready", payload: {}}, "*")</script>"""
APP_MD = """---
manifestVersion: 0.10.0
name: clicking-game
displayName: {title}
description: A game.
version: 1.0.0
status: ready
appType: agent-app
entries:
  - key: home
    kind: page
    title: Home
    route: /
runtimePackage:
  ui:
    path: ./dist/ui
---
# Game
"""
RISKY = replace(
    questions.OF_EACH_KIND["tool_confirmation"], app_id="clicking-game", risk="high", suggestions=()
)


class Played:
    """A window with the game in it, and a person who only does what the game wants."""

    def __init__(self, stage: Stage, tab: AppTab, qtbot: QtBot) -> None:
        self.stage = stage
        self.tab = tab
        self.qtbot = qtbot
        self.queue = stage.services.approvals.queue
        self.answers: list[Answer] = []

    @property
    def window(self) -> QWidget:
        return self.stage.window

    def ask(self, question: Question = RISKY) -> None:
        self.queue.ask(question, self.answers.append)

    def allow(self) -> QPushButton:
        found = self.window.findChildren(QPushButton)
        return next(each for each in found if each.text() == "Publish" and each.isVisible())

    def place_of(self, button: QAbstractButton) -> QPoint:
        return button.mapTo(self.window, button.rect().center())

    def move(self, to: QPoint) -> None:
        QCursor.setPos(self.window.mapToGlobal(to))
        QTest.mouseMove(self.window.windowHandle(), to)

    def click(self, at: QPoint) -> None:
        QTest.mouseClick(
            self.window.windowHandle(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier(0), at
        )

    def keep(self, doing: Callable[[], object], for_ms: int) -> None:
        """Do something over and over, as fast as people do."""
        end = time.monotonic() + for_ms / 1_000
        while time.monotonic() < end:
            doing()
            self.qtbot.wait(80)

    def type(self, key: Qt.Key) -> None:
        """Type into whichever window has the keyboard; where none has, nobody hears it."""
        if window := QGuiApplication.focusWindow():
            QTest.keyClick(window, key)

    def is_drawn(self) -> bool:
        """Whether the page of the game is there to be clicked."""
        answers: list[object] = []
        script = "!!document.querySelector('iframe')?.contentDocument?.getElementById('typed')"
        self.tab.view.page().runJavaScript(script, 0, answers.append)
        self.qtbot.waitUntil(lambda: bool(answers), timeout=WAIT_MS)
        return answers == [True]

    def open_list(self) -> None:
        """Open the list of the page's choice; a page that was not drawn yet takes no click."""
        at = self.tab.view.web_view.mapTo(self.window, QPoint(40, 40))
        self.move(at)
        for _ in range(20):
            self.click(at)
            with contextlib.suppress(NotInTime):
                self.qtbot.waitUntil(has_popup, timeout=2_000)
                return
        raise AssertionError("the list never opened")

    def until(self, condition: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(condition, timeout=WAIT_MS)


class Heard(QObject):
    """Whether a kind of event has come to a widget."""

    def __init__(self, widget: QWidget, kind: QEvent.Type) -> None:
        super().__init__()
        self._kind = kind
        self.was_heard = False
        widget.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt calls this
        self.was_heard |= event.type() is self._kind
        return False


def assert_unarmed(played: "Played") -> None:
    assert not (has_popup() and played.allow().isEnabled())


def has_popup() -> bool:
    return QApplication.activePopupWidget() is not None


def write_game(folder: Path, title: str = "Game") -> Path:
    page = folder / "clicking-game/dist/ui/index.html"
    page.parent.mkdir(parents=True)
    page.write_text(GAME)
    (folder / "clicking-game/APP.md").write_text(APP_MD.format(title=title))
    return folder / "clicking-game"


@pytest.fixture
def played(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Played]:
    del loop
    stage = set_stage(tmp_path, "light")
    qtbot.addWidget(stage.window)
    stage.services.settings.change(opens_without_sandbox=True)
    stage.services.registry.add([write_game(tmp_path)])
    stage.window.open_entry("clicking-game", "home")
    tab = stage.window.workspace.current
    assert isinstance(tab, AppTab)
    stage.window.activateWindow()
    made = Played(stage, tab, qtbot)
    made.until(made.is_drawn)
    yield made
    stage.window.shut()


@pytest.mark.requirement("APP-61")
def test_a_clicking_game_gets_nothing_allowed(played: Played) -> None:
    played.ask()
    place = played.place_of(played.allow())
    played.queue.withdraw([RISKY.question_id])
    played.move(place)
    played.click(place)
    played.ask()
    # The button came up where the person clicks, and they go on clicking.
    played.keep(lambda: played.click(place), 2 * STILL_AT_HIGH_RISK_MS)
    assert played.answers == []
    assert not played.allow().isEnabled()
    # They wait, and click once more without having moved: the button is still under the pointer.
    played.until(lambda: played.allow().isEnabled())
    played.click(place)
    assert played.answers == []
    # They look, go there, and mean it.
    played.move(place - QPoint(0, 200))
    played.move(place)
    played.until(lambda: played.allow().isEnabled())
    played.click(place)
    assert [each.is_yes for each in played.answers] == [True]


def test_the_next_question_takes_no_click_of_the_last_one(played: Played) -> None:
    played.ask(replace(RISKY, question_id="first", risk="low"))
    played.ask(replace(RISKY, question_id="second", risk="low", action="other"))
    place = played.place_of(played.allow())
    played.move(place - QPoint(0, 100))
    played.move(place)
    played.until(lambda: played.allow().isEnabled())
    played.keep(lambda: played.click(place), 2 * STILL_MS)
    assert len(played.answers) == 1
    assert [each.question_id for each in played.queue.open] == ["second"]


def test_a_click_that_is_passed_over_says_how_to_make_it_count(played: Played) -> None:
    """A bug: whoever answered one question and left the pointer there found the next one's button dead."""
    played.ask(replace(RISKY, question_id="first", risk="low"))
    played.ask(replace(RISKY, question_id="second", risk="low", action="other"))
    place = played.place_of(played.allow())
    played.move(place - QPoint(0, 100))
    played.move(place)
    played.until(lambda: played.allow().isEnabled())
    played.click(place)
    played.until(lambda: played.allow().isEnabled() and len(played.answers) == 1)
    played.click(played.place_of(played.allow()))
    played.until(lambda: "Move the pointer off it and back" in QToolTip.text())
    assert len(played.answers) == 1
    played.move(place - QPoint(0, 100))
    played.move(played.place_of(played.allow()))
    played.until(lambda: played.allow().isEnabled())
    played.click(played.place_of(played.allow()))
    played.until(lambda: len(played.answers) == 2)


def test_typing_keeps_a_question_from_taking_answers(played: Played) -> None:
    played.ask(replace(RISKY, risk="low"))
    played.keep(lambda: played.type(Qt.Key.Key_A), 2 * STILL_MS)
    assert not played.allow().isEnabled()
    played.until(lambda: played.allow().isEnabled())


def test_a_moving_pointer_keeps_a_question_from_taking_answers(played: Played) -> None:
    played.ask(replace(RISKY, risk="low"))
    places = itertools.cycle(QPoint(300 + 7 * step, 300) for step in range(20))
    played.keep(lambda: played.move(next(places)), 2 * STILL_MS)
    assert not played.allow().isEnabled()
    played.until(lambda: played.allow().isEnabled())


def test_whoever_comes_back_from_another_program_looks_first(played: Played) -> None:
    played.ask(replace(RISKY, risk="low"))
    played.until(lambda: played.allow().isEnabled())
    other = QWidget()
    played.qtbot.addWidget(other)
    other.show()
    other.activateWindow()
    played.until(lambda: QGuiApplication.focusWindow() is other.windowHandle())
    disarming = Heard(played.allow(), QEvent.Type.EnabledChange)
    played.window.activateWindow()
    played.until(lambda: QGuiApplication.focusWindow() is played.window.windowHandle())
    assert disarming.was_heard


def test_a_question_of_high_risk_takes_answers_later(played: Played) -> None:
    asked_at = time.monotonic()
    played.ask()
    played.until(lambda: played.allow().isEnabled())
    assert (time.monotonic() - asked_at) * 1_000 >= STILL_AT_HIGH_RISK_MS > STILL_MS


def test_keys_for_the_page_choose_no_file(played: Played, tmp_path: Path) -> None:
    secret = tmp_path / "home/secret.txt"
    secret.parent.mkdir()
    secret.write_text("private")
    chosen = asyncio.ensure_future(played.tab.port.choose_files(FileQuestion()))
    played.until(lambda: played.tab.findChild(QFileDialog) is not None)
    dialog = played.tab.findChild(QFileDialog)
    assert dialog is not None
    # The system's own would take its keys where nothing of ours stands before it.
    assert dialog.testOption(QFileDialog.Option.DontUseNativeDialog)
    dialog.setDirectory(str(secret.parent))
    played.until(lambda: QGuiApplication.focusWindow() is dialog.windowHandle())
    words = [Qt.Key(ord(each)) for each in "SECRET"]
    keys = iter([*words, Qt.Key.Key_Period, *map(Qt.Key, b"TXT"), Qt.Key.Key_Return] * 9)
    played.keep(lambda: played.type(next(keys)), 2 * STILL_MS)
    assert dialog.isVisible()
    assert dialog.selectedFiles() in ([], [str(secret.parent)])
    assert not chosen.done()
    dialog.reject()
    played.until(chosen.done)
    assert chosen.result() == ()


def test_keys_for_the_page_are_no_secret(played: Played) -> None:
    asked = SecretQuestion("<b>key</b>", "Sign in\n\u202eagain")
    given = asyncio.ensure_future(played.tab.port.ask_secret(asked))
    played.until(lambda: played.tab.findChild(SecretDialog) is not None)
    dialog = played.tab.findChild(SecretDialog)
    assert dialog is not None
    played.until(lambda: QGuiApplication.focusWindow() is dialog.windowHandle())
    keys = iter([Qt.Key.Key_A, Qt.Key.Key_Return] * 99)
    played.keep(lambda: played.type(next(keys)), 2 * STILL_MS)
    assert dialog.isVisible()
    assert dialog.field.text() == ""
    labels = dialog.findChildren(QLabel)
    assert all(each.textFormat() is Qt.TextFormat.PlainText for each in labels)
    assert "Reason from the app: Sign in \\u202eagain" in [each.text() for each in labels]
    # Whoever stops and means it is heard.
    played.until(dialog.answers[0].isEnabled)
    played.type(Qt.Key.Key_B)
    played.type(Qt.Key.Key_Return)
    played.until(given.done)
    secret = given.result()
    assert secret is not None
    assert secret.get_secret_value() == "b"


def test_a_link_takes_no_click_that_was_under_way(played: Played) -> None:
    def offered() -> tuple[QuestionDialog, QPushButton]:
        played.tab.port.offer_link("https://example.com/")
        [question] = played.tab.findChildren(QuestionDialog)
        [yes] = question.answers
        return question, yes

    first, yes = offered()
    place = yes.mapToGlobal(yes.rect().center())
    with played.qtbot.waitSignal(first.destroyed, timeout=WAIT_MS):
        first.reject()
    played.move(played.window.mapFromGlobal(place))
    question, yes = offered()
    at = question.mapFromGlobal(place)

    def click() -> None:
        handle = question.windowHandle()
        QTest.mouseClick(handle, Qt.MouseButton.LeftButton, Qt.KeyboardModifier(0), at)

    played.keep(click, 2 * STILL_MS)
    assert not yes.isEnabled()
    played.until(yes.isEnabled)
    click()
    assert question.isVisible()
    question.reject()


def test_a_page_that_brings_up_its_apps_page_has_nothing_pressed_there(played: Played) -> None:
    played.tab.port.offer_rollback("0.9.0")
    [page] = played.window.findChildren(AppPage)
    buttons = [each for each in page.findChildren(QAbstractButton) if each.isVisible()]
    pressed: list[str] = []
    for each in buttons:
        each.pressed.connect(lambda each=each: pressed.append(each.text()))
    places = itertools.cycle(map(played.place_of, buttons))

    def click_next() -> None:
        place = next(places)
        played.move(place)
        played.click(place)

    played.keep(click_next, 2 * STILL_MS)
    assert buttons
    assert pressed == []


@pytest.mark.requirement("APP-61")
def test_the_list_of_a_choice_never_covers_a_question(played: Played) -> None:
    played.open_list()
    played.ask(replace(RISKY, risk="low"))
    assert not has_popup()
    # It may be opened again, and nothing is answered meanwhile.
    played.until(lambda: played.allow().isEnabled())
    played.open_list()
    played.until(lambda: not played.allow().isEnabled())
    assert has_popup()
    # For as long as it is up, however still pointer and keys are.
    played.keep(lambda: assert_unarmed(played), STILL_MS + 500)
    popup = QApplication.activePopupWidget()
    assert popup is not None
    # The engine takes its own popups away as well, now and then; it does not ask them to close.
    closing = Heard(popup, QEvent.Type.Close)
    popup.move(played.allow().mapToGlobal(QPoint(0, 0)))
    played.until(lambda: not has_popup())
    assert closing.was_heard
    assert played.answers == []
