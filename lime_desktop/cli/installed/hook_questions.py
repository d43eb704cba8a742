"""What a lifecycle hook asks while a command runs it, put to whoever sits at the terminal.

Only sessions that this command named are heard of, so that it asks about nothing else.
"""

import asyncio
import logging

import click

from lime_desktop.background.tasks import BackgroundTasks
from lime_desktop.cli.terminal import output
from lime_desktop.host.app_server_client.connection import AppServerConnection
from lime_desktop.host.approvals.agent_questions import (
    GivenAnswer,
    pending_in,
    question_of,
    response_to,
)
from lime_desktop.host.approvals.question import NO, YES, Answer
from lime_desktop.host.approvals.wording import Wording, word_question
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.calls.actions import RESPOND_ACTION
from lime_desktop.protocol.calls.sessions import READ_SESSION, SESSION_EVENT, ReadSessionParams
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.ids import SessionId
from lime_desktop.protocol.runtime.events import RuntimeEvent

_log = logging.getLogger(__name__)


class HookQuestions:
    """Asks, and sends what was answered."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self._tasks = BackgroundTasks(_log, AppError)

    def introduce(self, connection: AppServerConnection) -> None:
        """Hear a server that has just started."""
        connection.listen(SESSION_EVENT, lambda told: self._on_event(connection, told.event))

    async def close(self) -> None:
        """Whoever has not answered is asked no more."""
        await self._tasks.cancel()

    def _on_event(self, connection: AppServerConnection, event: RuntimeEvent) -> None:
        if event.type == "action.required":
            self._tasks.spawn(self._ask(connection, event.session_id))

    async def _ask(self, connection: AppServerConnection, session_id: SessionId) -> None:
        params = ReadSessionParams(session_id=session_id, history_limit=0)
        read = await connection.call(READ_SESSION, params)
        for action in pending_in(read):
            question = question_of(read.session.app_id, session_id, action)
            answer = await asyncio.to_thread(_answer, word_question(question, None, self._texts))
            given = GivenAnswer(session_id, question, action, answer)
            await connection.call(RESPOND_ACTION, response_to(given))


def _answer(wording: Wording) -> Answer:
    """Blocks. Leaving the question is a no."""
    lines = (wording.line, wording.prompt, wording.leaves, wording.final, *wording.reasons)
    for line in filter(None, lines):
        click.echo(output.printable(line), err=True)
    try:
        is_yes = click.confirm(output.printable(wording.yes), default=False, err=True)
    except click.Abort:
        return NO
    return YES if is_yes else NO
