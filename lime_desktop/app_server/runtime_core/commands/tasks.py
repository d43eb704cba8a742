"""task/*: objectives beside turns, with attempts and edges. Every change is a fact."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.runtime_core.commands.task_facts import (
    create,
    edge,
    end,
    find_open_task,
    find_task,
    is_wanted,
    refuse_circle,
    start_run,
    with_reason,
)
from lime_desktop.app_server.runtime_core.facts import fact
from lime_desktop.app_server.runtime_core.gates.tasks import ENDED
from lime_desktop.app_server.runtime_core.identities import new_id
from lime_desktop.app_server.runtime_core.log.journal import Journal, SessionView
from lime_desktop.app_server.runtime_core.reading.paging import page_of
from lime_desktop.app_server.runtime_core.reading.session_reader import SessionReader
from lime_desktop.protocol.calls.tasks import (
    CompleteTaskParams,
    CreateTaskParams,
    FailTaskParams,
    LinkTaskParams,
    ListTasksParams,
    ListTasksResult,
    StartTaskParams,
    TaskParams,
    TaskProgressParams,
    TaskResult,
    UpdateTaskParams,
    WaitTaskParams,
)
from lime_desktop.protocol.errors import Conflict, TaskNotFound
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.event_types import EventType
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.protocol.runtime.tasks import TaskSnapshot

Change: TypeAlias = Callable[[TaskSnapshot], Sequence[ProposedEvent]]


class TaskCommands:
    """Create, run, change and link tasks."""

    def __init__(self, journal: Journal):
        self._journal = journal

    async def create(self, params: CreateTaskParams, context: CallContext) -> TaskResult:
        """State an objective, with its place among the others."""
        task_id = params.task_id or new_id("task")
        parents = (params.parent_task_id,) if params.parent_task_id else ()

        def decide(view: SessionView) -> Sequence[ProposedEvent]:
            if view.get("task", task_id):
                raise Conflict("A task of this id exists.", details={"taskId": task_id})
            for other in (*params.depends_on, *parents):
                find_task(view, other)
            return create(params, task_id, context)

        await self._journal.append(params.session_id, decide)
        return await self._result(params.session_id, task_id)

    async def update(self, params: UpdateTaskParams, context: CallContext) -> TaskResult:
        """Change what is said about a task."""
        del context
        said = params.to_wire()
        payload: JsonObject = {
            name: value for name, value in said.items() if name not in {"sessionId", "taskId"}
        }
        return await self._change(
            params.session_id,
            params.task_id,
            lambda task: [fact("task.updated", task_id=task.task_id, payload=payload)],
            is_open=False,
        )

    async def start(self, params: StartTaskParams, context: CallContext) -> TaskResult:
        """Begin the first run."""
        del context
        return await self._run(params, is_retry=False)

    async def retry(self, params: StartTaskParams, context: CallContext) -> TaskResult:
        """Begin another run beside the earlier ones."""
        del context
        return await self._run(params, is_retry=True)

    async def progress(self, params: TaskProgressParams, context: CallContext) -> TaskResult:
        """Say how far the current run is."""
        del context
        payload: JsonObject = {
            "progress": params.progress.to_wire(),
            "outputRefs": list(params.output_refs),
        }
        return await self._tell(params.session_id, params.task_id, "task.progress", payload)

    async def wait(self, params: WaitTaskParams, context: CallContext) -> TaskResult:
        """Say what the task waits for."""
        del context
        payload: JsonObject = {"waitsFor": params.waits_for, "actionIds": list(params.action_ids)}
        return await self._tell(
            params.session_id,
            params.task_id,
            "task.blocked" if params.waits_for == "dependency" else "task.waiting",
            with_reason(payload, params.reason),
        )

    async def pause(self, params: TaskParams, context: CallContext) -> TaskResult:
        """Hold the task."""
        del context
        why = with_reason({}, params.reason)
        return await self._tell(params.session_id, params.task_id, "task.paused", why)

    async def resume(self, params: TaskParams, context: CallContext) -> TaskResult:
        """Go on with it."""
        del context
        why = with_reason({}, params.reason)
        return await self._tell(params.session_id, params.task_id, "task.resumed", why)

    async def cancel(self, params: TaskParams, context: CallContext) -> TaskResult:
        """Record the intent, then the end."""
        del context
        payload = with_reason({"failureCategory": "cancelled"}, params.reason)

        def change(task: TaskSnapshot) -> Sequence[ProposedEvent]:
            intent = fact("task.cancel_requested", task_id=task.task_id, payload=payload)
            return [intent, *end(task, "task.cancelled", payload)]

        return await self._change(params.session_id, params.task_id, change)

    async def complete(self, params: CompleteTaskParams, context: CallContext) -> TaskResult:
        """Finish the task."""
        del context
        said: JsonObject = {
            "completionSummary": params.completion_summary,
            "artifactRefs": list(params.artifact_refs),
            "evidenceRefs": list(params.evidence_refs),
            "deliveryState": params.delivery_state,
        }
        payload: JsonObject = {name: value for name, value in said.items() if value}
        return await self._change(
            params.session_id, params.task_id, lambda task: end(task, "task.completed", payload)
        )

    async def fail(self, params: FailTaskParams, context: CallContext) -> TaskResult:
        """End the current run as failed."""
        del context
        payload: JsonObject = {
            "failureCategory": params.failure_category,
            "retryable": params.retryable,
            "message": params.message or "",
        }
        return await self._change(
            params.session_id, params.task_id, lambda task: end(task, "task.failed", payload)
        )

    async def archive(self, params: TaskParams, context: CallContext) -> TaskResult:
        """Put a finished task away."""
        del context

        def change(task: TaskSnapshot) -> Sequence[ProposedEvent]:
            if task.status not in ENDED:
                raise Conflict("The task has not ended.", details={"status": task.status})
            why = with_reason({}, params.reason)
            return [fact("task.archived", task_id=task.task_id, payload=why)]

        return await self._change(params.session_id, params.task_id, change, is_open=False)

    async def link(self, params: LinkTaskParams, context: CallContext) -> TaskResult:
        """Add an edge. A circle of dependencies is refused."""
        del context

        def decide(view: SessionView) -> Sequence[ProposedEvent]:
            task = find_task(view, params.task_id)
            refuse_circle(view, params)
            return [edge(task.task_id, params.kind, params.target_id, reason=params.reason)]

        await self._journal.append(params.session_id, decide)
        return await self._result(params.session_id, params.task_id)

    async def unlink(self, params: LinkTaskParams, context: CallContext) -> TaskResult:
        """Remove an edge."""
        del context
        return await self._change(
            params.session_id,
            params.task_id,
            lambda task: [
                edge(task.task_id, params.kind, params.target_id, "removed", params.reason)
            ],
            is_open=False,
        )

    async def read(self, params: TaskParams, context: CallContext) -> TaskResult:
        """One task."""
        del context
        return await self._result(params.session_id, params.task_id)

    async def list(self, params: ListTasksParams, context: CallContext) -> ListTasksResult:
        """One page, the newest first."""
        del context

        def reading(reader: SessionReader) -> ListTasksResult:
            tasks, cursor = page_of(
                reader,
                TaskSnapshot,
                "task",
                params.cursor,
                params.limit,
                lambda t: is_wanted(t, params),
            )
            return ListTasksResult(tasks=tasks, next_cursor=cursor)

        return await self._journal.read(
            params.session_id, lambda connection, row: reading(SessionReader.of(connection, row))
        )

    async def _run(self, params: StartTaskParams, *, is_retry: bool) -> TaskResult:
        run_id = params.run_id or new_id("run")
        return await self._change(
            params.session_id,
            params.task_id,
            lambda task: start_run(task, run_id, params.worker, is_retry=is_retry),
            is_open=not is_retry,
        )

    async def _tell(
        self, session_id: str, task_id: str, event_type: EventType, payload: JsonObject
    ) -> TaskResult:
        def change(task: TaskSnapshot) -> Sequence[ProposedEvent]:
            ids: dict[str, Any] = {"task_id": task.task_id, "run_id": task.current_run_id}
            return [fact(event_type, payload=payload, **ids)]

        return await self._change(session_id, task_id, change)

    async def _change(
        self, session_id: str, task_id: str, change: Change, *, is_open: bool = True
    ) -> TaskResult:
        find = find_open_task if is_open else find_task
        await self._journal.append(session_id, lambda view: change(find(view, task_id)))
        return await self._result(session_id, task_id)

    async def _result(self, session_id: str, task_id: str) -> TaskResult:
        def reading(reader: SessionReader) -> TaskResult:
            task = reader.one(TaskSnapshot, "task", task_id)
            if task is None:
                raise TaskNotFound("The session has no task of this id.")
            return TaskResult(task=task)

        return await self._journal.read(
            session_id, lambda connection, row: reading(SessionReader.of(connection, row))
        )
