"""Agent tasks that a capability starts for an app: the same tasks that lime.agent starts, seen by the same person."""

from dataclasses import dataclass

from pydantic import JsonValue

from lime_desktop.host.call_trace import trace_of_call
from lime_desktop.host.capabilities.handler import HandlerServices
from lime_desktop.protocol.agent_tasks import StartTaskParams, TaskRecord
from lime_desktop.protocol.calls.agent_tasks import (
    LIST_AGENT_TASKS,
    READ_AGENT_TASK,
    START_AGENT_TASK,
    AppTaskParams,
    ListAgentTasksParams,
    StartAgentTaskParams,
)
from lime_desktop.protocol.errors import RunNotFound
from lime_desktop.protocol.ids import TaskId

MOST_TASKS = 100
"""How many tasks are looked at to sum them up; older ones are not counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What an agent is to do."""

    title: str
    kind: str
    prompt: str
    input: JsonValue = None


async def start_task(services: HandlerServices, work: Work) -> TaskRecord:
    """Start a task for the app of a view."""
    wanted = StartTaskParams.model_validate(
        {
            "title": work.title,
            "task_kind": work.kind,
            "prompt": work.prompt,
            "input": work.input,
        }
    )
    asked = StartAgentTaskParams(
        app_id=services.app_id,
        request_json=wanted.model_dump_json(by_alias=True, exclude_unset=True),
        provenance=services.provenance,
        trace_id=trace_of_call.get() or None,
    )
    return (await services.call(START_AGENT_TASK, asked)).task


async def find_task(services: HandlerServices, task_id: str, kind: str) -> TaskRecord:
    """A task of the app that was started as this kind.

    Raises:
        RunNotFound: there is none.
    """
    asked = AppTaskParams(app_id=services.app_id, task_id=TaskId(task_id))
    task = (await services.call(READ_AGENT_TASK, asked)).task
    if task is None or not task.task_kind.startswith(kind):
        raise RunNotFound("This app has no run of that id")
    return task


async def tasks_since(services: HandlerServices, since: str) -> list[TaskRecord]:
    """The app's newest tasks that began at or after a moment, with what came of them."""
    asked = ListAgentTasksParams(app_id=services.app_id, limit=MOST_TASKS)
    listed = (await services.call(LIST_AGENT_TASKS, asked)).tasks
    found: list[TaskRecord] = []
    for task in listed:
        if task.started_at >= since:
            wanted = AppTaskParams(app_id=services.app_id, task_id=task.task_id)
            found.append((await services.call(READ_AGENT_TASK, wanted)).task or task)
    return found
