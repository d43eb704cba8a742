"""Talking to an agent with a real App Server behind the window: words, questions, stopping, history (ours)."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from lime_desktop.host.app_server_client.connection import AppServerConnection
from lime_desktop.host.app_server_client.sidecar import Sidecar, app_server_command
from lime_desktop.host.app_server_client.supervisor import AppServerSupervisor, Running
from lime_desktop.shell.surfaces.chat.surface import ChatSurface
from lime_desktop.shell.surfaces.runs import RunsSurface
from tests.shell.conftest import WAIT_MS
from tests.shell.hands import CTRL, SHIFT, press_window
from tests.shell.stage import Stage, set_stage
from tests.system.scripts import SCRIPTS

pytestmark = pytest.mark.system


class Talk:
    """A window at an expert chat whose agent plays scripts."""

    def __init__(self, stage: Stage, qtbot: QtBot) -> None:
        self.stage = stage
        self._qtbot = qtbot

    def open(self, entry_key: str = "strategist") -> ChatSurface | RunsSurface:
        self.stage.window.open_entry("every-kind", entry_key)
        surface = self.stage.window.workspace.current
        assert isinstance(surface, ChatSurface | RunsSurface)
        return surface

    def chat(self) -> ChatSurface:
        surface = self.open()
        assert isinstance(surface, ChatSurface)
        return surface

    def words(self) -> str:
        labels = self.stage.window.findChildren(QLabel)
        return "\n".join(each.text() for each in labels if each.isVisible())

    def press(self, words: str) -> None:
        def usable() -> list[QPushButton]:
            found = self.stage.window.findChildren(QPushButton)
            return [
                each
                for each in found
                if each.isVisible() and each.text() == words and each.isEnabled()
            ]

        # A question takes no click in its first moments.
        self._qtbot.waitUntil(lambda: bool(usable()), timeout=WAIT_MS)
        usable()[0].click()

    def wait_said(self, chat: ChatSurface, *messages: str) -> None:
        self._qtbot.waitUntil(lambda: list(chat.transcript.said()) == [*messages], timeout=WAIT_MS)

    def wait_to_see(self, words: str) -> None:
        self._qtbot.waitUntil(lambda: words in self.words(), timeout=WAIT_MS)


@pytest.fixture
def talk(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Talk]:
    scripts = tmp_path / "scripts.json"
    again = [
        {**step, "payload": {**step["payload"], "messageId": "m2"}} for step in SCRIPTS["text"]
    ]
    scripts.write_text(
        json.dumps(
            {
                **SCRIPTS,
                "again": again,
                "/report text\n\nSums up what happened this week.": SCRIPTS["text"],
            }
        )
    )
    command = (*app_server_command(tmp_path / "app-server"), "--test-scripts", str(scripts))

    async def prepare(connection: AppServerConnection) -> None:
        stage.services.approvals.agents.introduce(connection)

    server = AppServerSupervisor(lambda: Sidecar.start(command), prepare=prepare)
    stage = set_stage(tmp_path, "light", server)
    qtbot.addWidget(stage.window)
    stage.add_every_kind()
    server.start()
    qtbot.waitUntil(lambda: isinstance(server.state, Running), timeout=WAIT_MS)
    yield Talk(stage, qtbot)
    stage.window.shut()
    stopping = asyncio.ensure_future(server.stop(), loop=loop)
    qtbot.waitUntil(stopping.done, timeout=WAIT_MS)


def test_what_is_said_is_answered_in_the_same_conversation(talk: Talk) -> None:
    chat = talk.chat()
    chat.say("text")
    talk.wait_said(chat, "text", "Hello there")
    chat.say("again")
    talk.wait_said(chat, "text", "Hello there", "again", "Hello there")


def test_a_question_waits_until_it_is_answered_and_the_run_shows_it_all(talk: Talk) -> None:
    chat = talk.chat()
    chat.say("approval")
    talk.wait_to_see("May write_file change report.md?")
    talk.press("Use")
    talk.wait_said(chat, "approval", "Done")
    run = chat.session_id
    assert run is not None
    talk.stage.window.show_run(run)
    talk.wait_to_see("Used write file")
    talk.wait_to_see("Saved Report")


def test_a_no_is_taken_for_a_no(talk: Talk) -> None:
    chat = talk.chat()
    chat.say("approval")
    talk.wait_to_see("May write_file change report.md?")
    talk.press("Don't allow")
    talk.wait_said(chat, "approval", "Done")
    talk.wait_to_see("write file did not work")


def test_an_answer_can_be_stopped(talk: Talk, qtbot: QtBot) -> None:
    chat = talk.chat()
    chat.say("hold")
    qtbot.waitUntil(lambda: chat.is_busy, timeout=WAIT_MS)
    chat.stop()
    qtbot.waitUntil(lambda: not chat.is_busy, timeout=WAIT_MS)


def test_an_earlier_conversation_is_found_again(talk: Talk) -> None:
    chat = talk.chat()
    chat.say("text")
    talk.wait_said(chat, "text", "Hello there")
    earlier = chat.session_id
    assert earlier is not None
    chat.new_chat()
    assert list(chat.transcript.said()) == []
    chat.open_session(earlier)
    talk.wait_said(chat, "text", "Hello there")


def test_a_conversation_is_there_again_when_its_tab_is_reopened(talk: Talk) -> None:
    chat = talk.chat()
    chat.say("text")
    talk.wait_said(chat, "text", "Hello there")
    window, session = talk.stage.window, chat.session_id
    window.activateWindow()
    press_window(talk.stage, Qt.Key.Key_W, CTRL)
    assert window.workspace.current is None
    press_window(talk.stage, Qt.Key.Key_T, CTRL | SHIFT)
    again = window.workspace.current
    assert isinstance(again, ChatSurface)
    assert again.session_id == session, "kept while it is looked for"
    talk.wait_said(again, "text", "Hello there")


def test_a_conversation_is_there_again_after_a_restart_and_is_gone_on_with(
    talk: Talk, qtbot: QtBot, tmp_path: Path
) -> None:
    """A bug: the tab came back empty until its history was opened."""
    chat = talk.chat()
    chat.say("text")
    talk.wait_said(chat, "text", "Hello there")
    session = chat.session_id
    talk.stage.window.close()
    later = set_stage(tmp_path, "light", talk.stage.server)
    qtbot.addWidget(later.window)
    later.add_every_kind()
    later.window.restore_entries()
    back = Talk(later, qtbot)

    def shown() -> bool:
        return isinstance(later.window.workspace.current, ChatSurface)

    qtbot.waitUntil(shown, timeout=WAIT_MS)
    again = later.window.workspace.current
    assert isinstance(again, ChatSurface)
    back.wait_said(again, "text", "Hello there")
    again.say("again")
    back.wait_said(again, "text", "Hello there", "again", "Hello there")
    assert again.session_id == session, "no other conversation was begun"
    later.window.shut()


def test_a_conversation_that_is_gone_is_not_waited_for(talk: Talk, qtbot: QtBot) -> None:
    chat = talk.chat()
    chat.resume("session-that-was-deleted")
    qtbot.waitUntil(lambda: chat.session_id is None, timeout=WAIT_MS)
    talk.wait_to_see("Content strategist")


def test_who_writes_before_the_last_conversation_is_there_begins_another(talk: Talk) -> None:
    chat = talk.chat()
    chat.say("text")
    talk.wait_said(chat, "text", "Hello there")
    earlier = chat.session_id
    assert earlier is not None
    chat.new_chat()
    chat.resume(earlier)
    chat.say("again")
    talk.wait_said(chat, "again", "Hello there")
    assert chat.session_id not in (None, earlier)


def test_a_command_runs_and_its_run_is_listed(talk: Talk, qtbot: QtBot) -> None:
    surface = talk.open("report")
    assert isinstance(surface, RunsSurface)
    surface.start("text")
    talk.wait_to_see("/report text")
    talk.wait_to_see("Asked “/report text")
    surface.refresh()
    talk.wait_to_see("Done")
    # When it was, and how long it took; a script has no price.
    qtbot.waitUntil(
        lambda: any(each.endswith(" s") for each in _run_lines(surface)), timeout=WAIT_MS
    )
    assert not any("T" in each and "Z" in each for each in _run_lines(surface))


def _run_lines(surface: RunsSurface) -> list[str]:
    labels = surface.findChildren(QLabel)
    return [each.text() for each in labels if each.property("role") == "small"]
