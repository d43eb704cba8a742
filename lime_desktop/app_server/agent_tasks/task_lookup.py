"""Where a task is among all sessions: found by its own name or its turn's, and only for the app it belongs to."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lime_desktop.app_server.quality.service import FindTask, TaskPlace
from lime_desktop.app_server.runtime_core.log.journal import Journal
from lime_desktop.app_server.runtime_core.log.records import Address, DamagedRecord, decode_record
from lime_desktop.app_server.runtime_core.log.rows import load_record
from lime_desktop.app_server.runtime_core.state import ActiveTurn, DamagedState, decode_state
from lime_desktop.database.connection import Connection
from lime_desktop.protocol.ids import AppId, SessionId, TaskId
from lime_desktop.protocol.runtime.tasks import TaskSnapshot
from lime_desktop.protocol.runtime.threads import TurnSnapshot

_TASKS = """
SELECT r.key, s.session_id, s.session_key, s.state, r.position, r.body
FROM record r JOIN session s USING (session_key)
WHERE r.kind = 'task' AND s.app_id = :app
"""
_PAGE = 200


@dataclass(frozen=True, slots=True)
class TaskLocation:
    """A turn's task and where its story begins."""

    session_id: SessionId
    position: int
    """The sequence of the task's first event."""
    task: TaskSnapshot
    turn: TurnSnapshot
    is_waiting: bool
    """It waits for its turn, or for somebody's answer."""


def find_task(connection: Connection, app_id: str, task_id: str) -> TaskLocation | None:
    """The app's task of this name."""
    row = connection.execute(
        f"{_TASKS} AND r.key = :task", {"app": app_id, "task": task_id}
    ).fetchone()
    return _place(connection, row) if row else None


def find_turn(connection: Connection, app_id: str, turn_id: str) -> TaskLocation | None:
    """The task of the app's turn of this name."""
    row = connection.execute(
        "SELECT r.session_key, r.body FROM record r JOIN session s USING (session_key) "
        "WHERE r.kind = 'turn' AND r.key = ? AND s.app_id = ?",
        (turn_id, app_id),
    ).fetchone()
    if row is None:
        return None
    turn = decode_record("turn", row[1])
    task_id = turn.task_id if isinstance(turn, TurnSnapshot) else None
    return find_task(connection, app_id, task_id) if task_id else None


def task_finder(journal: Journal) -> FindTask:
    """Say where the story of a task is told."""

    async def find(app_id: AppId, task_id: TaskId) -> TaskPlace | None:
        place = await journal.read_all(lambda connection: find_task(connection, app_id, task_id))
        return None if place is None else TaskPlace(place.session_id, place.turn.turn_id)

    return find


def newest_tasks(connection: Connection, app_id: str) -> Iterator[TaskLocation]:
    """The app's tasks, newest first, read as far as somebody looks."""
    before = "~"  # after every name
    while True:
        rows = connection.execute(
            f"{_TASKS} AND r.key < :before ORDER BY r.key DESC LIMIT :page",
            {"app": app_id, "before": before, "page": _PAGE},
        ).fetchall()
        for row in rows:
            before = row[0]
            if place := _place(connection, row):
                yield place
        if len(rows) < _PAGE:
            return


def _place(connection: Connection, row: Any) -> TaskLocation | None:
    _, session_id, session_key, state_body, position, body = row
    try:
        task = decode_record("task", body)
        if not isinstance(task, TaskSnapshot) or task.turn_id is None:
            return None
        placed = load_record(connection, session_key, Address("turn", task.turn_id))
        state = decode_state(state_body)
    except (DamagedRecord, DamagedState):
        # Mended once its session is opened; until then it hides no other task.
        return None
    if placed is None or not isinstance(placed.record, TurnSnapshot):
        return None
    if placed.record.task_id != task.task_id:
        return None  # A part of the app's task that an agent handed on: told of within it.
    is_queued = state.queued(task.turn_id) is not None
    return TaskLocation(
        session_id=SessionId(session_id),
        position=position,
        task=task,
        turn=placed.record,
        is_waiting=is_queued or _is_asking(state.active, task),
    )


def _is_asking(turn: ActiveTurn | None, task: TaskSnapshot) -> bool:
    return turn is not None and turn.task_id == task.task_id and bool(turn.actions)
