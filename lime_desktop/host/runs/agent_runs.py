"""Which session is the run of a task? Asked of the App Server, which alone knows; never of a page."""

from dataclasses import dataclass

from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.protocol.calls.agent_tasks import READ_AGENT_TASK, AppTaskParams
from lime_desktop.protocol.calls.sessions import READ_SESSION, ReadSessionParams
from lime_desktop.protocol.errors import InvalidInput, SessionNotFound, TaskNotFound
from lime_desktop.protocol.ids import AppId, SessionId, TaskId


@dataclass(frozen=True, slots=True)
class AgentRuns:
    """The runs of one app."""

    call: CallServer
    app_id: AppId

    async def session_of(self, task_id: str | None, session_id: str | None) -> str:
        """The session of a task, or the session itself, if it is the app's own.

        Raises:
            InvalidInput: neither was named.
            TaskNotFound: the app has no such task.
            SessionNotFound: the app has no such session.
        """
        if task_id:
            return await self._session_of_task(task_id)
        if not session_id:
            raise InvalidInput.at_fields([("taskId", "missing")])
        params = ReadSessionParams(session_id=SessionId(session_id), history_limit=0)
        read = await self.call(READ_SESSION, params)
        if read.session.app_id != self.app_id:
            raise SessionNotFound("This app has no session of that id")
        return session_id

    async def _session_of_task(self, task_id: str) -> str:
        asked = AppTaskParams(app_id=self.app_id, task_id=TaskId(task_id))
        task = (await self.call(READ_AGENT_TASK, asked)).task
        if task is None:
            raise TaskNotFound("This app has no task of that id")
        return task.session_id
