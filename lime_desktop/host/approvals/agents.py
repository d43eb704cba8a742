"""What agents and runs of workflows ask while they work: read from the App Server, put to a person, answered there.

The App Server owns these questions. Here they are only shown: the queue is made equal to what a session says is open,
whenever the session says that something changed, and again with every new server. An answer that a server did not live
to hear is held for the next one.
"""

import asyncio
import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from pydantic import JsonValue

from lime_desktop.background.tasks import BackgroundTasks
from lime_desktop.host.app_server_client.calling import call_for_app
from lime_desktop.host.app_server_client.connection import AppServerConnection
from lime_desktop.host.approvals.agent_questions import (
    GivenAnswer,
    pending_in,
    question_of,
    response_to,
    review_in,
)
from lime_desktop.host.approvals.question import Answer, Question
from lime_desktop.host.approvals.queue import ApprovalQueue
from lime_desktop.host.user_profile.unsaved_decisions import UnsavedDecisions
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.calls.actions import (
    READ_REVIEW_CONTENT,
    RESPOND_ACTION,
    ReadReviewContentParams,
)
from lime_desktop.protocol.calls.approvals import APPROVAL_NOT_KEPT
from lime_desktop.protocol.calls.sessions import (
    LIST_SESSIONS,
    READ_SESSION,
    SESSION_EVENT,
    SESSION_GAP,
    ListSessionsParams,
    ReadSessionParams,
    ReadSessionResult,
)
from lime_desktop.protocol.calls.workflow_runs import (
    LIST_OPEN_RUNS,
    WORKFLOW_RUN_CHANGED,
    WORKFLOW_STEP,
    ListOpenRunsParams,
    WorkflowRunChangedNotification,
)
from lime_desktop.protocol.capability_calls.workflow import GET_RUN, WorkflowRun, WorkflowRunParams
from lime_desktop.protocol.errors import (
    ActionClosed,
    ActionNotFound,
    AppError,
    AppServerUnavailable,
    ShuttingDown,
    TimedOut,
    error_for_code,
)
from lime_desktop.protocol.ids import SessionId
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.runtime.sessions import AgentSession
from lime_desktop.protocol.runtime.threads import PendingAction

_log = logging.getLogger(__name__)

_CLOSE_S = 5

_MAY_WAIT = frozenset({"running", "waitingAction"})
_PERSON_IS_ASKED = frozenset({"review", "input", "approval"})
_MOST_TRIES = 3
"""So often an answer is sent before the person is asked again, with what they typed."""


class AgentApprovals:
    """Keeps the queue equal to the open questions of the App Server's sessions."""

    def __init__(self, queue: ApprovalQueue, unkept: UnsavedDecisions) -> None:
        self._queue = queue
        self._unkept = unkept
        self._shown: dict[str, frozenset[str]] = {}
        self._app_ids: dict[str, str] = {}
        """Whose session each is that has asked something."""
        self._runs: dict[str, str] = {}
        """The run of a workflow that each session asks for."""
        self._own_sessions: dict[str, str] = {}
        """The run whose own facts a session holds: its steps ask elsewhere."""
        self._stale: set[str] = set()
        self._answered: set[str] = set()
        """Questions whose answer is on its way or there: a reading that was begun before must not put them again."""
        self._held: dict[str, GivenAnswer] = {}
        """Answers that no server has heard: the next reading that finds their question open sends them."""
        self._reading = asyncio.Lock()
        # Nobody waits for these; a server that went away is read again when it is back.
        self._tasks = BackgroundTasks(_log, AppError)
        self._connection: AppServerConnection | None = None
        self.on_resolved: Callable[[str], None] = lambda _: None
        """Hears the name of every question that was settled, by whomever."""

    def introduce(self, connection: AppServerConnection) -> None:
        """Hear a server that has just started, and take up what waits in it."""
        self._connection = connection
        connection.listen(SESSION_GAP, lambda gap: self._reread(connection, gap.session_id))
        connection.listen(SESSION_EVENT, lambda told: self._on_event(connection, told.event))
        connection.listen(WORKFLOW_RUN_CHANGED, lambda told: self._on_run(connection, told))
        self._tasks.spawn(self._take_up(connection))

    def follow(self, session_id: str) -> None:
        """Hear a session that was begun for an app, and what it asks already: a server tells of those it is asked about."""
        if self._connection is not None:
            self._reread(self._connection, session_id)

    def run_of(self, question_id: str) -> str | None:
        """The run of a workflow that a question is asked for; None where an agent asks by itself."""
        asking = (each for each, questions in self._shown.items() if question_id in questions)
        return self._runs.get(next(asking, ""))

    def asked_by(self, name: str) -> frozenset[str]:
        """The questions of a session, or of a run of a workflow."""
        name = self._own_sessions.get(name, name)
        asking = (each for each in self._shown if name in (each, self._runs.get(each)))
        return frozenset(question for each in asking for question in self._shown[each])

    async def close(self) -> None:
        """Wait for answers that are on their way."""
        await self._tasks.finish(_CLOSE_S)

    async def _take_up(self, connection: AppServerConnection) -> None:
        listed = await connection.call(LIST_SESSIONS, ListSessionsParams(limit=200))
        waiting = {each.session_id for each in listed.sessions if each.status in _MAY_WAIT}
        waiting |= await self._asking_for_runs(connection)
        # What the new server asks as well stays as it is, with what the person has written there.
        for session_id in self._shown.keys() - waiting:
            self._withdraw(self._shown.pop(session_id))
        for session_id in waiting:
            self._reread(connection, session_id)

    async def _asking_for_runs(self, connection: AppServerConnection) -> set[SessionId]:
        """Where the steps of runs ask: a run waits for days, and its step's session is long not among the newest."""
        found = set[SessionId]()
        for run in (await connection.call(LIST_OPEN_RUNS, ListOpenRunsParams())).runs:
            if _may_ask(run):
                caller = AppCaller(provenance=run.provenance)
                wanted = WorkflowRunParams(workflow_run_id=run.workflow_run_id)
                read = await call_for_app(connection.call, caller, GET_RUN, wanted)
                waiting = (each for each in read.steps if each.status == "waiting")
                asking = {each.session_id for each in waiting if each.session_id}
                self._runs.update(dict.fromkeys(asking, run.workflow_run_id))
                self._own_sessions[run.session_id] = run.workflow_run_id
                found |= asking
        return found

    def _on_run(
        self, connection: AppServerConnection, told: WorkflowRunChangedNotification
    ) -> None:
        # The step's session is new: its server tells of it from the first reading on.
        if told.asking_session_id is not None:
            self._runs[told.asking_session_id] = told.workflow_run_id
            self._own_sessions[told.session_id] = told.workflow_run_id
            self._reread(connection, told.asking_session_id)

    def _on_event(self, connection: AppServerConnection, event: RuntimeEvent) -> None:
        if event.type == "runtime.warning" and event.payload.get("code") == APPROVAL_NOT_KEPT:
            self._tell_not_kept(event)
        if not event.type.startswith("action."):
            return
        self._reread(connection, event.session_id)
        if event.type == "action.resolved" and event.action_id is not None:
            self.on_resolved(event.action_id)

    def _tell_not_kept(self, event: RuntimeEvent) -> None:
        app_id = self._app_ids.get(event.session_id)
        if app_id is not None:
            kind = error_for_code(str(event.payload.get("failureCategory")))
            self._unkept.notify(app_id, "yes", kind(str(event.payload.get("message"))))

    def _reread(self, connection: AppServerConnection, session_id: str) -> None:
        if session_id not in self._stale:
            self._stale.add(session_id)
            self._tasks.spawn(self._read(connection, SessionId(session_id)))

    async def _read(self, connection: AppServerConnection, session_id: SessionId) -> None:
        async with self._reading:
            # From here on a further event means a further reading.
            self._stale.discard(session_id)
            params = ReadSessionParams(session_id=session_id, history_limit=0)
            read = await connection.call(READ_SESSION, params)
            contents = await self._contents(connection, session_id, pending_in(read))
            self._show(connection, read, contents)

    async def _contents(
        self,
        connection: AppServerConnection,
        session_id: SessionId,
        pending: Sequence[PendingAction],
    ) -> dict[str, JsonValue]:
        """What is to be judged in full: an event holds no more of it than a reference."""
        found: dict[str, JsonValue] = {}
        for action in pending:
            if action.decision_kind == "review":
                asked = ReadReviewContentParams(session_id=session_id, action_id=action.action_id)
                content = await connection.call(READ_REVIEW_CONTENT, asked)
                found[action.action_id] = json.loads(content.value)
        return found

    def _show(
        self,
        connection: AppServerConnection,
        read: ReadSessionResult,
        contents: Mapping[str, JsonValue],
    ) -> None:
        session, pending = read.session, pending_in(read)
        questions = [
            replace(
                question_of(session.app_id, session.session_id, each),
                review=review_in(each, contents),
                workflow=_workflow_of(session),
            )
            for each in pending
        ]
        wanted = frozenset(each.question_id for each in questions)
        self._withdraw(self._shown.get(session.session_id, frozenset()) - wanted)
        self._shown[session.session_id] = wanted
        if wanted:
            self._app_ids[session.session_id] = session.app_id
        for question, action in zip(questions, pending, strict=True):
            self._ask(connection, session.session_id, question, action)

    def _ask(
        self,
        connection: AppServerConnection,
        session_id: SessionId,
        question: Question,
        action: PendingAction,
    ) -> None:
        held = self._held.pop(question.question_id, None)
        if held is not None:
            self._tasks.spawn(self._answer(connection, replace(held, action=action)))
            return
        if question.question_id not in self._answered:
            self._put(connection, GivenAnswer(session_id, question, action))

    def _put(self, connection: AppServerConnection, asked: GivenAnswer) -> None:
        def hear(answer: Answer) -> None:
            self._answered.add(asked.question.question_id)
            # The server that is there now: the one that asked may have ended since.
            heard = self._connection or connection
            self._tasks.spawn(self._answer(heard, replace(asked, answer=answer)))

        self._queue.ask(asked.question, hear)

    async def _answer(self, connection: AppServerConnection, given: GivenAnswer) -> None:
        try:
            await connection.call(RESPOND_ACTION, response_to(given))
        except (AppServerUnavailable, ShuttingDown, TimedOut) as error:
            self._hold(connection, given, error)
            raise
        except AppError as error:
            self._ask_again(connection, given, error)
            raise

    def _hold(self, connection: AppServerConnection, given: GivenAnswer, error: AppError) -> None:
        """Keep an answer for the next server, or for a further reading of this one."""
        if given.tries >= _MOST_TRIES:
            self._ask_again(connection, given, error)
            return
        self._held[given.question.question_id] = replace(given, tries=given.tries + 1)
        self._reread(self._connection or connection, given.session_id)

    def _ask_again(
        self, connection: AppServerConnection, given: GivenAnswer, error: AppError
    ) -> None:
        """Put a question whose answer was refused, with what was typed; one that is settled is told to be so."""
        question = given.question
        if isinstance(error, ActionClosed | ActionNotFound):
            self._unkept.notify(question.app_id, "answer", error)
            return
        self._answered.discard(question.question_id)
        again = replace(question, draft=given.answer, refused_as=error.code)
        self._put(connection, GivenAnswer(given.session_id, again, given.action))

    def _withdraw(self, question_ids: frozenset[str]) -> None:
        """Nobody waits for these any more; who has answered one since the server went is told that it came too late."""
        self._queue.withdraw(question_ids)
        for question_id in question_ids & self._held.keys():
            given = self._held.pop(question_id)
            late = ActionClosed("The question was withdrawn before the answer could be sent")
            self._unkept.notify(given.question.app_id, "answer", late)


def _workflow_of(session: AgentSession) -> str | None:
    """The title of the workflow whose step asks by itself; the agent of a step is an agent like any other."""
    about = session.business_object_ref
    return about.title if about is not None and about.kind == WORKFLOW_STEP else None


def _may_ask(run: WorkflowRun) -> bool:
    """Of a run that goes several ways at once it is said what one of them waits for."""
    return run.waits_for in _PERSON_IS_ASKED or len(run.states) > 1
