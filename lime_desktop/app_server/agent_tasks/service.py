"""Answers agentTask/*: an app's tasks, each one turn of a session."""

import asyncio
from itertools import islice
from weakref import WeakValueDictionary

from lime_desktop.app_server.agent_tasks.answers import response_to
from lime_desktop.app_server.agent_tasks.asked import AskedTask, asked_in, read_request
from lime_desktop.app_server.agent_tasks.named_things import NamedThings
from lime_desktop.app_server.agent_tasks.places import (
    TaskPlace,
    find_task,
    find_turn,
    newest_tasks,
)
from lime_desktop.app_server.agent_tasks.readings import TaskReadings
from lime_desktop.app_server.agent_tasks.records import FollowedTasks, status_of, task_record
from lime_desktop.app_server.agent_tasks.starting import TaskStarter
from lime_desktop.app_server.apps.registered import RegisteredApps
from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.runtime_core.core import RuntimeCore
from lime_desktop.app_server.runtime_core.identities import new_id, now
from lime_desktop.app_server.runtime_core.running.inputs import read_input
from lime_desktop.database.connection import Connection
from lime_desktop.protocol.agent_tasks import TaskRecord
from lime_desktop.protocol.calls.agent_tasks import (
    AgentTaskRecordResult,
    AppTaskParams,
    ListAgentTasksParams,
    ListAgentTasksResult,
    ReadAgentTaskResult,
    ReadTaskEventsParams,
    ReadTaskEventsResult,
    RespondAgentTaskParams,
    RespondAgentTaskResult,
    RetryAgentTaskParams,
    StartAgentTaskParams,
)
from lime_desktop.protocol.calls.turns import CancelTurnParams
from lime_desktop.protocol.errors import (
    Conflict,
    InvalidInput,
    TaskFinished,
    TaskNotFound,
    TurnNotActive,
)


class AgentTasks:
    """The tasks of every app."""

    def __init__(self, core: RuntimeCore, apps: RegisteredApps, things: NamedThings) -> None:
        self._core = core
        self._apps = apps
        self._starter = TaskStarter(core, apps, things)
        self._readings = TaskReadings(core.journal, core.store)
        self._followed = FollowedTasks(self._readings)
        # One start of a key at a time: the second finds what the first began.
        self._starting: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def start(
        self, params: StartAgentTaskParams, context: CallContext
    ) -> AgentTaskRecordResult:
        """Start a task, or find the one that this key started."""
        if params.provenance.app_id != params.app_id:
            raise InvalidInput.at_fields([("provenance.appId", "another_app")])
        request = read_request(params.request_json)
        asked = AskedTask(
            request=request,
            provenance=params.provenance,
            idempotency_key=request.idempotency_key or new_id("key"),
            trace_id=params.trace_id or context.trace_id,
        )
        return AgentTaskRecordResult(task=await self._begin(asked))

    async def retry(
        self, params: RetryAgentTaskParams, context: CallContext
    ) -> AgentTaskRecordResult:
        """Run a finished task again: a new task, which names the old one."""
        place, asked = await self._find(params)
        if status_of(place) == "running":
            raise Conflict("The task has not ended yet")
        trace_id = params.trace_id or context.trace_id
        again = asked.again(params.task_id, params.provenance, trace_id)
        return AgentTaskRecordResult(task=await self._begin(again))

    async def read(self, params: AppTaskParams, context: CallContext) -> ReadAgentTaskResult:
        """The task as it stands, or nothing."""
        del context
        try:
            place, asked = await self._find(params)
        except TaskNotFound:
            return ReadAgentTaskResult()
        return ReadAgentTaskResult(
            task=await self._record(place, asked), is_waiting=place.is_waiting
        )

    async def list(
        self, params: ListAgentTasksParams, context: CallContext
    ) -> ListAgentTasksResult:
        """The app's tasks, newest first."""
        del context
        self._apps.get(params.app_id)

        def reading(connection: Connection) -> list[tuple[TaskPlace, AskedTask]]:
            found = (
                (place, asked)
                for place in newest_tasks(connection, params.app_id)
                if (asked := self._asked(place))
            )
            return list(islice(found, params.limit))

        found = await self._core.journal.read_all(reading)
        return ListAgentTasksResult(
            tasks=tuple(task_record(place, asked) for place, asked in found),
            waiting=tuple(place.task.task_id for place, _ in found if place.is_waiting),
        )

    async def cancel(self, params: AppTaskParams, context: CallContext) -> AgentTaskRecordResult:
        """Stop a task; one that was stopped before stays so."""
        place, asked = await self._find(params)
        cancelling = CancelTurnParams(session_id=place.session_id, turn_id=place.turn.turn_id)
        try:
            await self._core.turns.cancel(cancelling, context)
        except TurnNotActive:
            raise TaskFinished("The task has ended already") from None
        place, _ = await self._find(params)
        return AgentTaskRecordResult(task=await self._record(place, asked))

    async def respond(
        self, params: RespondAgentTaskParams, context: CallContext
    ) -> RespondAgentTaskResult:
        """Pass on what a person answered in the app's own interface."""
        place, _ = await self._find(params)
        response = await response_to(self._core.journal, place, params)
        await self._core.actions.respond(response, context)
        return RespondAgentTaskResult(submitted_at=now())

    async def read_events(
        self, params: ReadTaskEventsParams, context: CallContext
    ) -> ReadTaskEventsResult:
        """Events in order, from any point on; waits for the next where there is none."""
        del context
        place, _ = await self._find(params)
        deadline = asyncio.get_running_loop().time() + params.wait_ms / 1_000
        events, has_ended = await self._readings.read(
            params.app_id, place, params.after_sequence, params.limit, deadline
        )
        return ReadTaskEventsResult(events=tuple(events), has_ended=has_ended)

    async def _begin(self, asked: AskedTask) -> TaskRecord:
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

    async def _turn(self, asked: AskedTask) -> TaskPlace | None:
        return await self._core.journal.read_all(
            lambda connection: find_turn(connection, asked.app_id, asked.turn_id)
        )

    async def _find(self, params: AppTaskParams) -> tuple[TaskPlace, AskedTask]:
        self._apps.get(params.app_id)

        def reading(connection: Connection) -> tuple[TaskPlace, AskedTask] | None:
            place = find_task(connection, params.app_id, params.task_id)
            asked = self._asked(place) if place else None
            return (place, asked) if place and asked else None

        found = await self._core.journal.read_all(reading)
        if found is None:
            raise TaskNotFound("This app has no task of that id")
        return found

    async def _record(self, place: TaskPlace, asked: AskedTask) -> TaskRecord:
        followed = await self._followed.follow(asked, place)
        return task_record(place, asked, followed)

    def _asked(self, place: TaskPlace) -> AskedTask | None:
        """What the task was asked to do. Blocks."""
        if place.turn.input_ref is None:
            return None
        return asked_in(read_input(self._core.store, place.turn.input_ref).options)
