"""A conversation by keys and mouse, with a real App Server and a model server on loopback; what was recorded is checked (ours)."""

import asyncio
import os
import socket
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from lime_desktop.app_server.models.store import PLACE_VARIABLE
from lime_desktop.host.app_server_client.connection import AppServerConnection
from lime_desktop.host.app_server_client.sidecar import Sidecar, app_server_command
from lime_desktop.host.app_server_client.supervisor import AppServerSupervisor, Running
from lime_desktop.host.apps.registration import AppRegistration
from lime_desktop.protocol.calls.model_providers import CREATE_PROVIDER, CreateProviderParams
from lime_desktop.protocol.calls.sessions import READ_SESSION, ReadSessionParams
from lime_desktop.protocol.ids import SessionId
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.shell.surfaces.chat.composer import Composer
from lime_desktop.shell.surfaces.chat.surface import ChatSurface
from lime_desktop.shell.surfaces.chat.turn_block import TurnBlock
from tests.app_server.model_server import ModelServer, Reply, delta, failure, text
from tests.shell.conftest import WAIT_MS
from tests.shell.stage import Stage, set_stage

pytestmark = pytest.mark.system

ResultT = TypeVar("ResultT")
ANSWER = "## Found\n\nThe ferry leaves at **08:15**.\n\n```sh\nls -l\n```\n"


class Talk:
    """A window at an expert chat. Keys go to whatever has the keyboard, clicks to what is seen."""

    def __init__(self, stage: Stage, qtbot: QtBot, loop: asyncio.AbstractEventLoop) -> None:
        self.stage = stage
        self._qtbot = qtbot
        self._loop = loop
        stage.window.open_entry("every-kind", "strategist")
        surface = stage.window.workspace.current
        assert isinstance(surface, ChatSurface)
        self.chat = surface

    def wait(self, condition: Callable[[], bool]) -> None:
        self._qtbot.waitUntil(condition, timeout=WAIT_MS)

    def finish(self, work: Coroutine[Any, Any, ResultT] | Awaitable[ResultT]) -> ResultT:
        task = asyncio.ensure_future(work, loop=self._loop)
        self.wait(task.done)
        return task.result()

    def add_provider(
        self, url: str, model: str = "good", rank: int = 100, retries: int = 0
    ) -> None:
        settings = {
            "title": model,
            "protocol": "openai-compatible",
            "baseUrl": url,
            "needsKey": False,
            "rank": rank,
            "models": [{"modelId": model}],
            "limits": {"maxRetries": retries},
        }
        asked = CreateProviderParams.model_validate(
            {"providerId": f"p-{model}", "settings": settings}
        )
        self.finish(self.stage.server.call(CREATE_PROVIDER, asked))

    def take_keyboard(self) -> None:
        self.chat.setFocus()
        self.wait(lambda: isinstance(QApplication.focusWidget(), QPlainTextEdit))

    def type(self, words: str) -> None:
        QTest.keyClicks(_focused(), words)

    def press(
        self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
    ) -> None:
        QTest.keyClick(_focused(), key, modifier)

    def ask(self, words: str) -> None:
        self.take_keyboard()
        self.type(words)
        self.press(Qt.Key.Key_Return)

    def click(self, name: str) -> None:
        def usable() -> list[QAbstractButton]:
            found = self.chat.findChildren(QAbstractButton)
            return [
                each
                for each in found
                if each.isVisible() and name in {each.text(), each.accessibleName()}
            ]

        self.wait(lambda: bool(usable()))
        QTest.mouseClick(usable()[-1], Qt.MouseButton.LeftButton)

    def sees(self, words: str) -> bool:
        labels = self.chat.findChildren(QLabel)
        return any(words in each.text() for each in labels if each.isVisible())

    def wait_to_see(self, words: str) -> None:
        self.wait(lambda: self.sees(words))

    def wait_said(self, *messages: str) -> None:
        self.wait(lambda: list(self.chat.transcript.said()) == [*messages])

    def wait_over(self) -> None:
        self.wait(lambda: self.chat.session_id is not None and not self.chat.is_busy)

    @property
    def field(self) -> QPlainTextEdit:
        [composer] = self.chat.findChildren(Composer)
        return composer.field

    def recorded(self, *types: str) -> list[RuntimeEvent]:
        assert self.chat.session_id is not None
        asked = ReadSessionParams(
            session_id=SessionId(self.chat.session_id), after_sequence=0, limit=5_000
        )
        events = self.finish(self.stage.server.call(READ_SESSION, asked)).events
        return [each for each in events if each.type in types]

    def ended(self, count: int = 1) -> list[str]:
        """How the turns ended, once so many have."""
        kinds = ("turn.completed", "turn.failed", "turn.canceled")
        self.wait(lambda: sum(not each.isHidden() for each in _footers(self.chat)) >= count)
        return [each.type for each in self.recorded(*kinds)]


def _footers(chat: ChatSurface) -> list[QWidget]:
    return [block.foot for block in chat.findChildren(TurnBlock)]


def _focused() -> QWidget:
    found = QApplication.focusWidget()
    assert found is not None
    return found


def free_port() -> int:
    """Where nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


@pytest.fixture
def talk(
    qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Talk]:
    # No weights: no model of this computer may step in for the test's own.
    monkeypatch.setenv(PLACE_VARIABLE, os.devnull)
    monkeypatch.setenv("LIME_DESKTOP_KEYRING", "off")
    command = app_server_command(tmp_path / "app-server")

    async def prepare(connection: AppServerConnection) -> None:
        await AppRegistration(stage.services.registry).introduce(connection)
        stage.services.approvals.agents.introduce(connection)

    server = AppServerSupervisor(lambda: Sidecar.start(command), prepare=prepare)
    stage = set_stage(tmp_path, "light", server)
    qtbot.addWidget(stage.window)
    stage.add_every_kind()
    stage.window.activateWindow()
    qtbot.waitUntil(stage.window.isActiveWindow)
    server.start()
    qtbot.waitUntil(lambda: isinstance(server.state, Running), timeout=WAIT_MS)
    yield Talk(stage, qtbot, loop)
    stage.window.shut()
    stopping = asyncio.ensure_future(server.stop(), loop=loop)
    qtbot.waitUntil(stopping.done, timeout=WAIT_MS)


def test_enter_sends_shift_enter_begins_a_line_and_what_it_took_is_said(talk: Talk) -> None:
    with ModelServer([text(ANSWER, read=50, written=120)]) as provider:
        talk.add_provider(provider.url)
        talk.take_keyboard()
        talk.type("When does")
        talk.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
        talk.type("the ferry leave?")
        talk.press(Qt.Key.Key_Return)
        talk.wait_said("When does\nthe ferry leave?", ANSWER)
        talk.wait_to_see("good · good")
        talk.wait_to_see("50 tokens read, 120 written")
    [asked] = talk.recorded("turn.submitted")
    assert asked.payload["text"] == "When does\nthe ferry leave?"
    assert talk.ended() == ["turn.completed"]
    assert talk.field.toPlainText() == ""


def test_escape_stops_an_answer_that_never_comes(talk: Talk) -> None:
    with ModelServer([Reply(end="hang")]) as provider:
        talk.add_provider(provider.url, "hang")
        talk.ask("Anybody there?")
        talk.wait_to_see("hang has not answered for")
        assert "press Stop" in talk.chat.transcript.doing.words()
        talk.press(Qt.Key.Key_Escape)
        assert talk.ended() == ["turn.canceled"]
        provider.wait_for_disconnects()
    talk.wait_to_see("Stopped")
    assert not talk.chat.is_busy


def test_an_answer_that_is_stopped_in_the_middle_stays_and_is_marked(talk: Talk) -> None:
    half = Reply([delta({"role": "assistant", "content": "Half an"})], "hang")
    with ModelServer([half]) as provider:
        talk.add_provider(provider.url)
        talk.ask("Tell me")
        talk.wait_said("Tell me", "Half an")
        talk.click("Stop")
        assert talk.ended() == ["turn.canceled"]
    talk.wait_to_see("The answer is incomplete")
    assert list(talk.chat.transcript.said()) == ["Tell me", "Half an"]


def test_retry_asks_again_and_keeps_the_earlier_turn_as_a_fact(talk: Talk) -> None:
    with ModelServer([text("One"), text("Two")]) as provider:
        talk.add_provider(provider.url)
        talk.ask("Count")
        talk.ended()
        talk.click("Retry")
        talk.wait_said("Count", "One", "Count", "Two")
        assert talk.ended() == ["turn.completed", "turn.completed"]
        # The agent reads neither the earlier question nor its answer.
        assert [
            each["content"] for each in provider.asked[1].messages if each["role"] != "system"
        ] == ["Count"]
    first, second = talk.recorded("turn.submitted")
    assert "replacesTurnId" not in first.payload
    assert second.payload["replacesTurnId"] == first.turn_id
    earlier, later = talk.chat.findChildren(TurnBlock)
    assert earlier.is_set_aside
    assert not later.is_set_aside


def test_up_takes_the_last_question_back_to_be_edited_and_sent_again(talk: Talk) -> None:
    with ModelServer([text("One"), text("Two"), text("Three")]) as provider:
        talk.add_provider(provider.url)
        talk.ask("First")
        talk.ended(1)
        talk.ask("Second")
        talk.ended(2)
        talk.take_keyboard()
        talk.press(Qt.Key.Key_Up)
        assert talk.field.toPlainText() == "Second"
        talk.press(Qt.Key.Key_Escape)
        assert talk.field.toPlainText() == ""
        talk.press(Qt.Key.Key_Up)
        talk.type(", better")
        talk.press(Qt.Key.Key_Return)
        talk.ended(3)
        talk.wait_said("First", "One", "Second", "Two", "Second, better", "Three")
        read = [each["content"] for each in provider.asked[2].messages if each["role"] != "system"]
        assert read == ["First", "One", "Second, better"]
    asked = talk.recorded("turn.submitted")
    assert asked[2].payload["replacesTurnId"] == asked[1].turn_id


def test_an_answer_is_copied_as_markdown_and_code_as_code(talk: Talk) -> None:
    with ModelServer([text(ANSWER)]) as provider:
        talk.add_provider(provider.url)
        talk.ask("When?")
        talk.ended()
        talk.click("Copy answer")
        assert QGuiApplication.clipboard().text() == ANSWER
        talk.click("Copy the code: sh")
        assert QGuiApplication.clipboard().text() == "ls -l"


def test_a_provider_that_is_down_is_said_while_it_is_tried_again(talk: Talk) -> None:
    talk.add_provider(f"http://127.0.0.1:{free_port()}/v1", retries=2)
    talk.ask("Hello?")
    talk.wait_to_see("Trying again in")
    assert "The provider's address does not respond" in talk.chat.transcript.doing.words()
    assert talk.ended() == ["turn.failed"]
    talk.wait_to_see("Could not finish. The provider's address does not respond.")
    assert list(talk.chat.transcript.said()) == ["Hello?"]
    wanted: list[str] = []
    talk.chat.settings_wanted.connect(wanted.append)
    talk.click(talk.stage.services.look.texts("problem.settings"))
    assert wanted == ["providers"]
    [failed] = talk.recorded("turn.failed")
    assert failed.payload["reasonCode"] == "connection_refused"
    assert [each.payload["text"] for each in talk.recorded("turn.submitted")] == ["Hello?"]


def test_what_nobody_can_answer_stays_in_the_field(talk: Talk) -> None:
    talk.ask("Is anybody set up?")
    talk.wait(lambda: talk.field.toPlainText() == "Is anybody set up?")
    assert talk.chat.session_id is None


def test_that_no_model_is_there_is_said_until_one_answers(talk: Talk) -> None:
    """A bug: the notice stayed over the answer that a provider gave meanwhile."""
    notices = talk.stage.window.notices
    talk.ask("Is anybody set up?")
    talk.wait(lambda: talk.field.toPlainText() == "Is anybody set up?")
    talk.wait(lambda: any("No model" in each.accessibleName() for each in notices.cards))
    with ModelServer([Reply(end="hang")]) as provider:
        talk.add_provider(provider.url, "hang")
        talk.press(Qt.Key.Key_Return)
        talk.wait_to_see("hang has not answered for")
        assert not notices.cards
        talk.press(Qt.Key.Key_Escape)
        assert talk.ended() == ["turn.canceled"]


def test_an_answer_that_breaks_off_stays_is_marked_and_can_be_asked_again(talk: Talk) -> None:
    cut = Reply([delta({"role": "assistant", "content": "The ferry lea"})], "cut")
    with ModelServer([cut, text("At 08:15.")]) as provider:
        talk.add_provider(provider.url)
        talk.ask("When?")
        assert talk.ended() == ["turn.failed"]
        talk.wait_to_see("The connection broke in the middle of the answer")
        assert list(talk.chat.transcript.said()) == ["When?", "The ferry lea"]
        talk.click("Retry")
        assert talk.ended(2) == ["turn.failed", "turn.completed"]
        talk.wait_said("When?", "The ferry lea", "When?", "At 08:15.")


def test_nonsense_from_a_provider_is_said_to_be_so(talk: Talk) -> None:
    broken = Reply([delta({"role": "assistant", "content": "Hm"}), b"data: {not json \xff\xfe\n\n"])
    with ModelServer([broken]) as provider:
        talk.add_provider(provider.url)
        talk.ask("When?")
        assert talk.ended() == ["turn.failed"]
        talk.wait_to_see("Could not finish.")
    [failed] = talk.recorded("model.failed")
    assert failed.payload["failureCategory"] in {"malformed_output", "stream_interrupted"}


def test_another_model_is_named_before_it_answers(talk: Talk) -> None:
    half = Reply([delta({"role": "assistant", "content": "I"})], "hang")
    with ModelServer([failure(500)]) as broken, ModelServer([half]) as able:
        talk.add_provider(broken.url, "best", rank=1)
        talk.add_provider(able.url, "second", rank=2)
        talk.ask("Who answers?")
        talk.wait_to_see("best did not answer. second answers instead")
        talk.wait_said("Who answers?", "I")
        talk.press(Qt.Key.Key_Escape)
        talk.ended()
    [stepped_in] = talk.recorded("routing.fallback.applied")
    assert stepped_in.payload["selectedModel"] == "second"
