"""Answers lime.tasks: everything that runs for an app in the background, in one form."""

from typing import Literal

from lime_desktop.app_server.agent_tasks.service import AgentTasks
from lime_desktop.app_server.routes import AppCalls
from lime_desktop.protocol.agent_tasks import TaskRecord
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.capability_calls.agent import TaskParams
from lime_desktop.protocol.capability_calls.tasks import (
    CANCEL_BACKGROUND_TASK,
    GET_BACKGROUND_TASK,
    LIST_BACKGROUND_TASKS,
    BackgroundTask,
    BackgroundTaskParams,
    ListBackgroundTasksParams,
    ListBackgroundTasksResult,
)
from lime_desktop.protocol.errors import TaskNotFound

_MOST = 1_000
Status = Literal["queued", "running", "waiting", "succeeded", "failed", "cancelled"]


class AppBackgroundTasks:
    """The background tasks of every app."""

    def __init__(self, tasks: AgentTasks) -> None:
        self._tasks = tasks

    def serve(self, calls: AppCalls) -> None:
        """Answer what apps ask of what runs for them."""
        calls.add(LIST_BACKGROUND_TASKS, self.list)
        calls.add(GET_BACKGROUND_TASK, self.get)
        calls.add(CANCEL_BACKGROUND_TASK, self.cancel)

    async def list(
        self, params: ListBackgroundTasksParams, caller: AppCaller
    ) -> ListBackgroundTasksResult:
        """What runs, waits or has ended."""
        # Of all of them where some are wanted: the newest need not be among those.
        limit = params.limit if params.status is None else _MOST
        listed = await self._tasks.newest(caller.app_id, limit)
        tasks = (_task(each, is_waiting=each.task_id in listed.waiting) for each in listed.tasks)
        wanted = [each for each in tasks if params.status in {None, each.status}]
        return ListBackgroundTasksResult(tuple(wanted[: params.limit]))

    async def get(self, params: BackgroundTaskParams, caller: AppCaller) -> BackgroundTask:
        """One task."""
        found = await self._tasks.stands(caller.app_id, params.task_id)
        if found.task is None:
            raise TaskNotFound("This app has no task of that id")
        return _task(found.task, is_waiting=found.is_waiting)

    async def cancel(self, params: BackgroundTaskParams, caller: AppCaller) -> BackgroundTask:
        """Stop a task."""
        stopped = await self._tasks.cancel(TaskParams(task_id=params.task_id), caller)
        return _task(stopped, is_waiting=False)


def _task(record: TaskRecord, *, is_waiting: bool) -> BackgroundTask:
    status: Status = "waiting" if is_waiting and record.status == "running" else record.status
    return BackgroundTask(
        task_id=record.task_id,
        kind="agent",
        title=record.title,
        status=status,
        started_at=record.started_at,
        finished_at=record.finished_at,
        message=record.result.error.message if record.result and record.result.error else None,
    )
