"""Answers lime.agent and agentTask/*: an app's tasks, each one turn of a session."""

import asyncio
from dataclasses import dataclass
from itertools import islice
from weakref import WeakValueDictionary

from pydantic import JsonValue

from lime_desktop.app_server.agent_tasks.readings import TaskReadings
from lime_desktop.app_server.agent_tasks.records import FollowedTasks, status_of, task_record
from lime_desktop.app_server.agent_tasks.task_lookup import (
    TaskLocation,
    find_task,
    find_turn,
    newest_tasks,
)
from lime_desktop.app_server.agent_tasks.task_starter import TaskResources, TaskStarter
from lime_desktop.app_server.apps.registered import RegisteredApps
from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.routes import AppCalls
from lime_desktop.app_server.runtime_core.core import RuntimeCore
from lime_desktop.app_server.runtime_core.identities import new_id, now
from lime_desktop.app_server.runtime_core.log.journal import Journal
from lime_desktop.app_server.runtime_core.reading.session_reader import SessionReader
from lime_desktop.app_server.runtime_core.running.answers import PERMISSION_TYPES
from lime_desktop.app_server.runtime_core.running.requests import read_input
from lime_desktop.app_server.task_request import TaskRequest, task_request_in
from lime_desktop.database.connection import Connection
from lime_desktop.protocol.agent_tasks import StartTaskParams, TaskRecord
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.bridge.envelope import MAX_MESSAGE_CHARACTERS
from lime_desktop.protocol.calls.actions import ActionScope, RespondActionParams
from lime_desktop.protocol.calls.agent_tasks import (
    AppTaskParams,
    ReadAgentTaskResult,
    ReadTaskEventsParams,
    ReadTaskEventsResult,
)
from lime_desktop.protocol.calls.turns import CancelTurnParams
from lime_desktop.protocol.capability_calls.agent import (
    CANCEL_TASK,
    GET_TASK,
    LIST_TASKS,
    RESPOND_ACTION,
    RETRY_TASK,
    START_TASK,
    STREAM_TASK,
    SUBMIT_RESPONSE,
    GetTaskResult,
    ListTasksResult,
    StreamTaskParams,
    StreamTaskResult,
    SubmitHostResponseParams,
    SubmitHostResponseResult,
    TaskParams,
)
from lime_desktop.protocol.errors import (
    ActionNotFound,
    ApprovalRequired,
    Conflict,
    RetriesExhausted,
    RunNotFound,
    TaskFinished,
    TaskNotFound,
    TurnNotActive,
)
from lime_desktop.protocol.ids import AppId, JsonObject, TaskId, TraceId
from lime_desktop.protocol.runtime.threads import PendingAction
from lime_desktop.protocol.task_events import AgentTaskEvent
from lime_desktop.protocol.wire import Empty

_PAGE = 5_000
# An answer carries its value under two names, and an envelope around them.
_ANSWER_CHARACTERS = MAX_MESSAGE_CHARACTERS // 2 - 10_000


@dataclass(frozen=True, slots=True)
class NewestTasks:
    """Tasks of an app, newest first."""

    tasks: tuple[TaskRecord, ...]
    """Without their events and results, which `stands` gives."""
    waiting: frozenset[TaskId]
    """Which of them wait: for their turn, or for somebody's answer."""


class AgentTasks:
    """The tasks of every app."""

    def __init__(self, core: RuntimeCore, apps: RegisteredApps, things: TaskResources) -> None:
        self._core = core
        self._apps = apps
        self._starter = TaskStarter(core, apps, things)
        self._readings = TaskReadings(core.journal, core.store)
        self._followed = FollowedTasks(self._readings)
        # One start of a key at a time: the second finds what the first began.
        self._starting: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def serve(self, calls: AppCalls) -> None:
        """Answer what apps ask of their tasks."""
        calls.add(START_TASK, self.start)
        calls.add(STREAM_TASK, self.stream)
        calls.add(GET_TASK, self.get)
        calls.add(CANCEL_TASK, self.cancel)
        calls.add(RETRY_TASK, self.retry)
        calls.add(SUBMIT_RESPONSE, self.respond)
        calls.add(RESPOND_ACTION, self.respond)
        calls.add(LIST_TASKS, self.list_all)

    async def start(self, params: StartTaskParams, caller: AppCaller) -> TaskRecord:
        """Start a task, or find the one that this key started."""
        asked = TaskRequest(
            request=params,
            provenance=caller.provenance,
            idempotency_key=params.idempotency_key or new_id("key"),
            trace_id=caller.trace_id or TraceId(""),
            locale=caller.locale,
        )
        return await self._begin(asked)

    async def retry(self, params: TaskParams, caller: AppCaller) -> TaskRecord:
        """Run a finished task again: a new task, which names the old one."""
        place, asked = await self._find(caller.app_id, params.task_id)
        if status_of(place) == "running":
            raise Conflict("The task has not ended yet")
        await self._require_retries(place, asked)
        trace_id = caller.trace_id or TraceId("")
        return await self._begin(asked.again(params.task_id, caller.provenance, trace_id))

    async def _require_retries(self, place: TaskLocation, asked: TaskRequest) -> None:
        """Hold the number of retries that the app's own catalogue sets for how the task ended.

        Raises:
            RetriesExhausted: there were as many.
        """
        result = (await self._record(place, asked)).result
        most = result.error.max_retries if result and result.error else None
        if most is not None and asked.retry_attempt >= most:
            raise RetriesExhausted("The task was retried as often as the app allows")

    async def get(self, params: TaskParams, caller: AppCaller) -> GetTaskResult:
        """The task as it stands, or nothing."""
        return GetTaskResult((await self.stands(caller.app_id, params.task_id)).task)

    async def stream(self, params: StreamTaskParams, caller: AppCaller) -> StreamTaskResult:
        """The task's events so far, as many as one answer holds."""
        place, _ = await self._find(caller.app_id, params.task_id)
        now_s = asyncio.get_running_loop().time()
        after = max(0, params.after_sequence)
        events, _ = await self._readings.read(caller.app_id, place, after, _PAGE, now_s)
        return StreamTaskResult(_that_fit(tuple(events)))

    async def list_all(self, params: Empty, caller: AppCaller) -> ListTasksResult:
        """The app's tasks, newest first."""
        del params
        return ListTasksResult((await self.newest(caller.app_id)).tasks)

    async def read(self, params: AppTaskParams, context: CallContext) -> ReadAgentTaskResult:
        """The task as it stands, or nothing."""
        del context
        return await self.stands(params.app_id, params.task_id)

    async def find(self, app_id: AppId, task_id: TaskId, kind: str) -> TaskRecord:
        """A task that was started as this kind, by whichever call.

        Raises:
            RunNotFound: there is none.
        """
        task = (await self.stands(app_id, task_id)).task
        if task is None or not task.task_kind.startswith(kind):
            raise RunNotFound("This app has no run of that id")
        return task

    async def stands(self, app_id: AppId, task_id: TaskId) -> ReadAgentTaskResult:
        """The same for somebody in this process."""
        try:
            place, asked = await self._find(app_id, task_id)
        except TaskNotFound:
            return ReadAgentTaskResult()
        return ReadAgentTaskResult(
            task=await self._record(place, asked), is_waiting=place.is_waiting
        )

    async def newest(self, app_id: AppId, limit: int = 100) -> NewestTasks:
        """The same for somebody in this process."""
        self._apps.get(app_id)

        def reading(connection: Connection) -> list[tuple[TaskLocation, TaskRequest]]:
            found = (
                (place, asked)
                for place in newest_tasks(connection, app_id)
                if (asked := self._asked(place))
            )
            return list(islice(found, limit))

        found = await self._core.journal.read_all(reading)
        return NewestTasks(
            tasks=tuple(task_record(place, asked) for place, asked in found),
            waiting=frozenset(place.task.task_id for place, _ in found if place.is_waiting),
        )

    async def cancel(self, params: TaskParams, caller: AppCaller) -> TaskRecord:
        """Stop a task; one that was stopped before stays so."""
        app_id = caller.app_id
        place, asked = await self._find(app_id, params.task_id)
        cancelling = CancelTurnParams(session_id=place.session_id, turn_id=place.turn.turn_id)
        try:
            await self._core.turns.cancel(cancelling, _context(caller))
        except TurnNotActive:
            raise TaskFinished("The task has ended already") from None
        place, _ = await self._find(app_id, params.task_id)
        return await self._record(place, asked)

    async def respond(
        self, params: SubmitHostResponseParams, caller: AppCaller
    ) -> SubmitHostResponseResult:
        """Pass on what a person answered in the app's own interface."""
        place, _ = await self._find(caller.app_id, params.task_id)
        response = await response_to(self._core.journal, place, params)
        await self._core.actions.respond(response, _context(caller))
        return SubmitHostResponseResult(
            task_id=params.task_id, request_id=params.request_id, submitted_at=now()
        )

    async def read_events(
        self, params: ReadTaskEventsParams, context: CallContext
    ) -> ReadTaskEventsResult:
        """Events in order, from any point on; waits for the next where there is none."""
        del context
        place, _ = await self._find(params.app_id, params.task_id)
        deadline = asyncio.get_running_loop().time() + params.wait_ms / 1_000
        events, has_ended = await self._readings.read(
            params.app_id, place, params.after_sequence, params.limit, deadline
        )
        return ReadTaskEventsResult(events=tuple(events), has_ended=has_ended)

    async def _begin(self, asked: TaskRequest) -> TaskRecord:
        lock = self._starting.setdefault(asked.turn_id, asyncio.Lock())
        async with lock:
            place = await self._turn(asked)
            if place is None:
                await self._starter.start(asked)
                place = await self._turn(asked)
        known = await asyncio.to_thread(self._asked, place) if place else None
        if place is None or known is None or not known.is_same_request(asked):
            raise Conflict("This idempotency key was used for another request")
        return await self._record(place, known)

    async def _turn(self, asked: TaskRequest) -> TaskLocation | None:
        return await self._core.journal.read_all(
            lambda connection: find_turn(connection, asked.app_id, asked.turn_id)
        )

    async def _find(self, app_id: AppId, task_id: TaskId) -> tuple[TaskLocation, TaskRequest]:
        self._apps.get(app_id)

        def reading(connection: Connection) -> tuple[TaskLocation, TaskRequest] | None:
            place = find_task(connection, app_id, task_id)
            asked = self._asked(place) if place else None
            return (place, asked) if place and asked else None

        found = await self._core.journal.read_all(reading)
        if found is None:
            raise TaskNotFound("This app has no task of that id")
        return found

    async def _record(self, place: TaskLocation, asked: TaskRequest) -> TaskRecord:
        followed = await self._followed.follow(asked, place)
        return task_record(place, asked, followed)

    def _asked(self, place: TaskLocation) -> TaskRequest | None:
        """What the task was asked to do. Blocks."""
        if place.turn.input_ref is None:
            return None
        return task_request_in(read_input(self._core.store, place.turn.input_ref).options)


def _context(caller: AppCaller) -> CallContext:
    return CallContext(trace_id=caller.trace_id or TraceId(""))


def _that_fit(events: tuple[AgentTaskEvent, ...]) -> tuple[AgentTaskEvent, ...]:
    """As many as one answer holds, at least one; what follows is asked for by its sequence."""
    left = _ANSWER_CHARACTERS
    for number, event in enumerate(events):
        left -= len(event.model_dump_json(by_alias=True))
        if left < 0:
            return events[: max(1, number)]
    return events


async def response_to(
    journal: Journal, place: TaskLocation, params: SubmitHostResponseParams
) -> RespondActionParams:
    """The answer as RuntimeCore takes it.

    Raises:
        ActionNotFound: the task asked no such question.
        ApprovalRequired: it is a permission or a review, which a person gives in the host's own window.
    """
    action = await journal.read(
        place.session_id,
        lambda connection, row: SessionReader.of(connection, row).one(
            PendingAction, "action", params.request_id
        ),
    )
    if action is None or action.turn_id not in {None, place.turn.turn_id}:
        raise ActionNotFound("The task asked no question of that id")
    # By what was asked, not by what the answer calls it.
    is_decision = action.action_type in PERMISSION_TYPES or action.decision_kind == "review"
    if is_decision and params.confirmed is not False:
        raise ApprovalRequired("A permission or a review is given in the host's own window")
    return RespondActionParams(
        session_id=place.session_id,
        action_id=params.request_id,
        action_type=params.action_type,
        confirmed=params.confirmed,
        response=params.response,
        user_data=_user_data(params.user_data),
        action_scope=_scope(params),
    )


def _user_data(value: JsonValue) -> JsonObject | None:
    return value if isinstance(value, dict) else None if value is None else {"value": value}


def _scope(params: SubmitHostResponseParams) -> ActionScope | None:
    scope = params.action_scope
    return None if scope is None else ActionScope.model_validate(scope.to_wire())
