"""A task as its app reads it: the request, how it stands, and what it has come to so far. Out of facts alone."""

import asyncio
from collections import OrderedDict, deque
from dataclasses import dataclass, field

from lime_desktop.app_server.agent_tasks.readings import TaskReading, TaskReadings
from lime_desktop.app_server.agent_tasks.task_lookup import TaskLocation
from lime_desktop.app_server.task_request import TaskRequest
from lime_desktop.protocol.agent_tasks import (
    USUAL_TASK_KIND,
    TaskRecord,
    TaskStatus,
    TraceLine,
)
from lime_desktop.protocol.ids import Timestamp
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.task_events import AgentTaskEvent, AgentTaskResult
from lime_desktop.runtime_views.run_process import RunProcess

KEPT_EVENTS = 50
KEPT_LINES = 100
MAX_FOLLOWED = 256
_PAGE = 1_000
_TITLE_CHARACTERS = 80

_STATUSES: dict[str, TaskStatus] = {
    "completed": "succeeded",
    "archived": "succeeded",
    "cancelled": "cancelled",
    "failed": "failed",
    "timed_out": "failed",
    "lost": "failed",
}


def status_of(place: TaskLocation) -> TaskStatus:
    """How a task stands, in the words that apps know."""
    return _STATUSES.get(place.task.status, "running")


def task_record(
    place: TaskLocation, asked: TaskRequest, followed: "FollowedTask | None" = None
) -> TaskRecord:
    """Everything known about a task; without somebody who followed it, nothing of its run."""
    request, task = asked.request, place.task
    status = status_of(place)
    process = followed.process.view() if followed else None
    return TaskRecord(
        task_id=task.task_id,
        trace_id=asked.trace_id,
        app_id=asked.app_id,
        entry_key=request.entry or asked.provenance.entry_key,
        session_id=place.session_id,
        turn_id=place.turn.turn_id,
        retry_of_task_id=asked.retry_of_task_id,
        retry_attempt=asked.retry_attempt,
        title=_title(asked),
        prompt=request.prompt or "",
        task_kind=request.task_kind or USUAL_TASK_KIND,
        idempotency_key=asked.idempotency_key,
        input=request.input,
        expected_output=request.expected_output,
        knowledge=request.knowledge,
        tools=request.tools,
        files=request.files,
        secrets=request.secrets,
        human_review=request.human_review,
        status=status,
        started_at=_started(place),
        finished_at=task.ended_at,
        cancelled_at=task.ended_at if status == "cancelled" else None,
        result=followed.result if followed else None,
        trace=tuple(followed.lines) if followed else (),
        events=tuple(followed.newest) if followed else (),
        runtime_process=process,
        process=process,
        provenance=asked.provenance.model_copy(update={"task_id": task.task_id}),
    )


@dataclass(slots=True)
class FollowedTask:
    """What a task's events have come to."""

    reading: TaskReading
    process: RunProcess = field(default_factory=RunProcess)
    newest: deque[AgentTaskEvent] = field(
        default_factory=lambda: deque[AgentTaskEvent](maxlen=KEPT_EVENTS)
    )
    lines: deque[TraceLine] = field(default_factory=lambda: deque[TraceLine](maxlen=KEPT_LINES))
    result: AgentTaskResult | None = None
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def catch_up(self) -> None:
        """Take what came since the last look."""
        async with self.turn:
            while not self.reading.has_ended:
                facts, told = await self.reading.next(_PAGE)
                if not facts:
                    return
                self._note(facts, told)

    def _note(self, facts: tuple[RuntimeEvent, ...], told: list[AgentTaskEvent]) -> None:
        task_id = self.reading.task_id
        for fact in facts:
            # What its subagents did is a part of it.
            if task_id in {fact.task_id, fact.parent_task_id}:
                self.process.note(fact)
        for event in told:
            self.newest.append(event)
            if event.type != "assistant:delta":
                self.lines.append(_line(event))
            if event.type == "result":
                self.result = AgentTaskResult.model_validate(event.payload)


class FollowedTasks:
    """The tasks that were looked at last; looking again costs what is new."""

    def __init__(self, readings: TaskReadings) -> None:
        self._readings = readings
        self._followed: OrderedDict[str, FollowedTask] = OrderedDict()

    async def follow(self, asked: TaskRequest, place: TaskLocation) -> FollowedTask:
        """The task with everything that has happened by now."""
        task_id = place.task.task_id
        followed = self._followed.get(task_id)
        if followed is None:
            followed = FollowedTask(self._readings.begin(asked.app_id, place))
            self._followed[task_id] = followed
        self._followed.move_to_end(task_id)
        while len(self._followed) > MAX_FOLLOWED:
            self._followed.popitem(last=False)
        await followed.catch_up()
        return followed


def _title(asked: TaskRequest) -> str:
    request = asked.request
    said = request.title or request.prompt or request.task_kind or request.entry or ""
    first_line = said.partition("\n")[0]
    return first_line if request.title else first_line[:_TITLE_CHARACTERS]


def _started(place: TaskLocation) -> Timestamp:
    return place.task.started_at or place.task.created_at or place.turn.started_at or ""


def _line(event: AgentTaskEvent) -> TraceLine:
    said = f"{event.type} {event.subtype}" if event.subtype else event.type
    return TraceLine(at=event.at, message=said)
