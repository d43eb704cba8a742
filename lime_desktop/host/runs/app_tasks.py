"""Agent tasks that a capability starts for an app: the same tasks that lime.agent starts, seen by the same person."""

from collections.abc import Callable
from dataclasses import dataclass

from pydantic import JsonValue

from lime_desktop.host.app_server_client.calling import CallServer, call_for_app
from lime_desktop.protocol.agent_tasks import StartTaskParams, TaskRecord
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.calls.agent_tasks import READ_AGENT_TASK, AppTaskParams
from lime_desktop.protocol.capability_calls.agent import START_TASK
from lime_desktop.protocol.errors import RunNotFound
from lime_desktop.protocol.ids import TaskId


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What an agent is to do."""

    title: str
    kind: str
    prompt: str
    input: JsonValue = None


@dataclass(frozen=True, slots=True)
class AppTasks:
    """The tasks of the app that a view shows."""

    call: CallServer
    caller: Callable[[], AppCaller]
    follow_run: Callable[[str], None]
    """Has what the agent asks put to a person."""

    async def start(self, work: Work) -> TaskRecord:
        """Start a task."""
        wanted = StartTaskParams.model_validate(
            {
                "title": work.title,
                "task_kind": work.kind,
                "prompt": work.prompt,
                "input": work.input,
            }
        )
        task = await call_for_app(self.call, self.caller(), START_TASK, wanted)
        self.follow_run(task.session_id)
        return task

    async def find(self, task_id: str, kind: str) -> TaskRecord:
        """A task that was started as this kind.

        Raises:
            RunNotFound: there is none.
        """
        asked = AppTaskParams(app_id=self.caller().app_id, task_id=TaskId(task_id))
        task = (await self.call(READ_AGENT_TASK, asked)).task
        if task is None or not task.task_kind.startswith(kind):
            raise RunNotFound("This app has no run of that id")
        return task
