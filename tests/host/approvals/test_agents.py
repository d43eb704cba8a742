"""What a real App Server's agents ask: shown while it is open, answered where it was asked."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from lime_desktop.host.app_server_client.connection import AppServerConnection
from lime_desktop.host.app_server_client.sidecar import Sidecar, app_server_command
from lime_desktop.host.approvals.agents import AgentApprovals
from lime_desktop.host.approvals.question import NO, YES, Answer, Question, Reason
from lime_desktop.host.approvals.queue import ApprovalQueue
from lime_desktop.host.user_profile.unsaved_decisions import UnsavedDecision, UnsavedDecisions
from lime_desktop.protocol.calls.approvals import APPROVAL_NOT_KEPT
from lime_desktop.protocol.calls.sessions import (
    READ_SESSION,
    START_SESSION,
    ReadSessionParams,
    StartSessionParams,
)
from lime_desktop.protocol.calls.turns import (
    CANCEL_TURN,
    START_TURN,
    CancelTurnParams,
    StartTurnParams,
)
from lime_desktop.protocol.errors import DiskFull
from lime_desktop.protocol.ids import AppId, SessionId, TurnId
from tests.app_server.bounded import run
from tests.system.scripts import APPROVAL

pytestmark = pytest.mark.system

S = SessionId("session_1")
REASONED = json.dumps(
    {
        "availableDecisions": ["allow_once", "allow_for_task", "allow_for_workspace", "decline"],
        "reasons": [{"ruleId": "risk.write", "text": "It writes a file."}],
        "suggestions": ["Try it as a dry run first"],
        "ifRefused": ["The report stays as it is."],
    }
)[1:-1]
"""Why it is asked, as the tools of an agent say it."""


class Asking:
    """A server whose agent asks, and the desktop that shows it."""

    def __init__(self, folder: Path, *, is_reasoned: bool = False) -> None:
        self.scripts = folder / "scripts.json"
        told = json.dumps({"approval": APPROVAL}).replace(
            '"decisionKind"', f'{REASONED}, "decisionKind"'
        )
        self.scripts.write_text(told if is_reasoned else json.dumps({"approval": APPROVAL}))
        self.command = (
            *app_server_command(folder / "data"),
            "--test-scripts",
            str(self.scripts),
        )
        self.queue = ApprovalQueue()
        self.unkept = UnsavedDecisions()
        self.approvals = AgentApprovals(self.queue, self.unkept)
        self._changed = asyncio.Event()
        self.queue.watch(self._changed.set)

    async def start(self) -> Sidecar:
        sidecar = await Sidecar.start(self.command)
        self.approvals.introduce(sidecar.connection)
        return sidecar

    async def until(self, is_so: Callable[[tuple[Question, ...]], bool]) -> tuple[Question, ...]:
        while not is_so(self.queue.open):
            self._changed.clear()
            await self._changed.wait()
        return self.queue.open


async def begin(connection: AppServerConnection) -> None:
    await connection.call(START_SESSION, StartSessionParams(app_id=AppId("notes"), session_id=S))
    turn = {"sessionId": S, "turnId": "turn_1", "input": {"text": "approval"}}
    await connection.call(START_TURN, StartTurnParams.model_validate(turn))


async def status(connection: AppServerConnection) -> str:
    """How the turn ended, once it has."""
    while True:
        read = await connection.call(READ_SESSION, ReadSessionParams(session_id=S))
        if read.turns[-1].status in {"completed", "failed", "canceled"}:
            tools = read.snapshot.threads[0].tool_calls
            return f"{read.turns[-1].status}/{tools[-1].status}"
        await asyncio.sleep(0.02)


@pytest.mark.parametrize(
    ("answer", "end"), [(YES, "completed/completed"), (NO, "completed/failed")]
)
def test_the_answer_goes_to_the_agent(tmp_path: Path, answer: Answer, end: str) -> None:
    async def scenario() -> None:
        asking = Asking(tmp_path)
        sidecar = await asking.start()
        await begin(sidecar.connection)
        [question] = await asking.until(bool)
        assert (question.app_id, question.origin) == ("notes", "agent")
        assert (question.action, question.kind) == ("write_file", "tool_confirmation")
        assert question.prompt == "May write_file change report.md?"
        asking.queue.answer([question.question_id], answer)
        assert await status(sidecar.connection) == end
        await asking.approvals.close()
        await sidecar.stop()

    run(scenario())


def test_a_yes_that_the_server_could_not_keep_is_told_to_the_person(tmp_path: Path) -> None:
    """A bug: an agent's lasting yes that was not written was only a line in a log."""
    warning = {
        "type": "runtime.warning",
        "payload": {"code": APPROVAL_NOT_KEPT, "message": "Full.", "failureCategory": "APP_E220"},
    }

    async def scenario() -> None:
        asking, told = Asking(tmp_path), list[UnsavedDecision]()
        approval, *rest = APPROVAL[2:]
        script = [*APPROVAL[:2], approval, warning, *rest]
        asking.scripts.write_text(json.dumps({"approval": script}))
        asking.unkept.watch(told.append)
        sidecar = await asking.start()
        await begin(sidecar.connection)
        [question] = await asking.until(bool)
        asking.queue.answer([question.question_id], YES)
        assert await status(sidecar.connection) == "completed/completed"
        await asking.approvals.close()
        await sidecar.stop()
        assert [(each.app_id, each.kind, type(each.error)) for each in told] == [
            ("notes", "yes", DiskFull)
        ]

    run(scenario())


def test_the_reasons_and_the_ways_out_are_told_and_a_yes_may_last(tmp_path: Path) -> None:
    """A bug: an agent's question named its rules without their words, and nothing beside them."""

    async def scenario() -> None:
        asking = Asking(tmp_path, is_reasoned=True)
        sidecar = await asking.start()
        await begin(sidecar.connection)
        [question] = await asking.until(bool)
        assert question.reasons == (Reason("risk.write", "It writes a file."),)
        assert (question.prompt, question.suggestions) == ("", ("Try it as a dry run first",))
        assert question.if_refused == ("The report stays as it is.",)
        assert question.remember_scopes == ("task", "workspace")
        lasting = Answer(is_yes=True, remember="workspace")
        asking.queue.answer([question.question_id], lasting)
        assert await status(sidecar.connection) == "completed/completed"
        await asking.approvals.close()
        await sidecar.stop()

    run(scenario())


def test_a_question_leaves_when_nobody_waits_for_it_any_more(tmp_path: Path) -> None:
    async def scenario() -> None:
        asking = Asking(tmp_path)
        sidecar = await asking.start()
        await begin(sidecar.connection)
        await asking.until(bool)
        await sidecar.connection.call(
            CANCEL_TURN, CancelTurnParams(session_id=S, turn_id=TurnId("turn_1"))
        )
        await asking.until(lambda questions: not questions)
        await sidecar.stop()

    run(scenario())


def test_a_new_server_is_asked_what_is_open_in_it(tmp_path: Path) -> None:
    """The scripted engine cannot resume: what the dead server asked is closed, and so it is here."""

    async def scenario() -> None:
        asking = Asking(tmp_path)
        first = await asking.start()
        await begin(first.connection)
        await asking.until(bool)
        await first.stop()
        second = await asking.start()
        await asking.until(lambda questions: not questions)
        await second.stop()

    run(scenario())


def test_an_answer_that_came_too_late_for_a_server_is_told_to_the_person(tmp_path: Path) -> None:
    """The scripted engine cannot resume: the next server has closed the question that was answered meanwhile."""

    async def scenario() -> None:
        asking, told = Asking(tmp_path), list[UnsavedDecision]()
        is_told = asyncio.Event()
        asking.unkept.watch(told.append)
        asking.unkept.watch(lambda _: is_told.set())
        first = await asking.start()
        await begin(first.connection)
        [question] = await asking.until(bool)
        await first.stop()
        asking.queue.answer([question.question_id], YES)
        await asking.approvals.close()
        second = await asking.start()
        await is_told.wait()
        assert [(each.app_id, each.kind) for each in told] == [("notes", "answer")]
        assert asking.queue.open == ()
        await second.stop()

    run(scenario())
