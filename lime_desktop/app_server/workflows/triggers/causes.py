"""Whether an event goes back to a workflow: a loop that would start itself is found here, over however many runs and agents it goes."""

from typing import Any

from lime_desktop.app_server.runtime_core.core import RuntimeCore
from lime_desktop.app_server.runtime_core.folds.session import SessionShell
from lime_desktop.app_server.runtime_core.log.records import decode_record
from lime_desktop.app_server.workflows.detail import RunDetail, read
from lime_desktop.app_server.workflows.names import run_of
from lime_desktop.app_server.workflows.store import RunStore
from lime_desktop.database.connection import Connection
from lime_desktop.protocol.calls.workflow_runs import WORKFLOW_STEP
from lime_desktop.protocol.errors import WorkflowRunNotFound
from lime_desktop.protocol.runtime.tasks import TaskSnapshot

_MOST_STEPS = 64
_SESSION_OF_TASK = """
SELECT t.body, x.body FROM record t JOIN session s USING (session_key)
JOIN record x ON x.session_key = s.session_key AND x.kind = 'session'
WHERE t.kind = 'task' AND t.key = ? AND s.app_id = ?
"""


class Causes:
    """Goes back from an event to the runs behind it."""

    def __init__(self, core: RuntimeCore, store: RunStore) -> None:
        self._core = core
        self._store = store

    async def go_back_to(self, cause: str | None, workflow_key: str, app_id: str) -> bool:
        """Whether a run of this workflow is behind it. What is too long to follow is taken for one."""
        open_ones, seen = [cause], set[str]()
        while open_ones:
            name = open_ones.pop()
            if name is None or name in seen:
                continue
            if len(seen) >= _MOST_STEPS:
                return True
            seen.add(name)
            detail = await self._run(name, app_id)
            if detail is None:
                open_ones += await self._core.journal.read_all(
                    lambda connection, task=name: _behind_task(connection, task, app_id)
                )
            elif detail.key == workflow_key:
                return True
            else:
                open_ones += [detail.parent_run_id, detail.caused_by]
        return False

    async def _run(self, name: str, app_id: str) -> RunDetail | None:
        try:
            return read((await self._store.find(name, app_id)).job.detail, RunDetail)
        except WorkflowRunNotFound:
            return None


def _behind_task(connection: Connection, task_id: str, app_id: str) -> list[str | None]:
    """The run whose step the task works in, and the task that it is a part of."""
    row: Any = connection.execute(_SESSION_OF_TASK, (task_id, app_id)).fetchone()
    if row is None:
        return []
    task, session = decode_record("task", row[0]), decode_record("session", row[1])
    about = session.business_object_ref if isinstance(session, SessionShell) else None
    of_run = run_of(about.id) if about is not None and about.kind == WORKFLOW_STEP else None
    return [of_run, task.parent_task_id if isinstance(task, TaskSnapshot) else None]
