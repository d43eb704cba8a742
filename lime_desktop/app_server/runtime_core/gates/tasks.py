"""Task gate: a retry is a new run, and a turn's own task ends with its turn."""

from lime_desktop.app_server.runtime_core.gates.verdict import Lookup, Origin, Rejection
from lime_desktop.app_server.runtime_core.state import SessionState
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.protocol.runtime.tasks import TaskSnapshot

ENDED = frozenset({"completed", "failed", "cancelled", "timed_out", "lost", "archived"})
_AFTER_THE_END = frozenset(
    {"task.archived", "task.retrying", "task.updated", "task.dependency.updated"}
)
_ENDINGS = frozenset(
    {"task.completed", "task.failed", "task.cancelled", "task.timed_out", "task.lost"}
)


def check_task(
    state: SessionState, event: ProposedEvent, origin: Origin, lookup: Lookup
) -> Rejection | None:
    """The event does not overwrite a run, and does not go on with a task that has ended."""
    if not event.type.startswith("task.") or event.task_id is None:
        return None
    task = lookup("task", event.task_id)
    task = task if isinstance(task, TaskSnapshot) else None
    if event.type == "task.created":
        return Rejection("task_created_already", ("taskId",)) if task else None
    if origin is not Origin.CORE and _ends_the_turns_own(state, event):
        return Rejection("task_ends_with_its_turn", ("taskId",))
    return _check_known(task, event) if task else None


def _ends_the_turns_own(state: SessionState, event: ProposedEvent) -> bool:
    own = state.active.task_id if state.active else None
    return event.task_id == own and (
        event.type in _ENDINGS or event.type.startswith("task.attempt.")
    )


def _check_known(task: TaskSnapshot, event: ProposedEvent) -> Rejection | None:
    if event.type == "task.attempt.started":
        used = any(attempt.run_id == event.run_id for attempt in task.attempts)
        return Rejection("run_id_reused", ("runId",)) if used else None
    if event.type.startswith("task.attempt.") or task.status not in ENDED:
        return None
    return None if event.type in _AFTER_THE_END else Rejection("task_ended_already", ("taskId",))
