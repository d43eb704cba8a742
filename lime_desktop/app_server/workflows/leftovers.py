"""What still works or asks for a step that its run has left: a process died between the fact and the stopping.

The fact comes first, so that no process takes such a step up again. Whoever finds its session afterwards ends what is in it.
"""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from msgspec import ValidationError

from lime_desktop.app_server.runtime_core.folds.session import SessionShell
from lime_desktop.app_server.runtime_core.folds.work import JobItem
from lime_desktop.app_server.runtime_core.log.records import DamagedRecord, decode_record
from lime_desktop.app_server.runtime_core.state import DamagedState, decode_state
from lime_desktop.app_server.workflows.detail import RunDetail, read
from lime_desktop.app_server.workflows.names import run_of
from lime_desktop.app_server.workflows.steps.turns import StepTurns
from lime_desktop.app_server.workflows.store import RunStore, StoredRun
from lime_desktop.database.connection import Connection
from lime_desktop.protocol.calls.workflow_runs import WORKFLOW_STEP
from lime_desktop.protocol.errors import AppError, WorkflowRunNotFound
from lime_desktop.protocol.ids import SessionId, TurnId

_log = logging.getLogger(__name__)

_UNFINISHED = (
    "SELECT s.session_id, s.state, r.body FROM session s JOIN record r USING (session_key) "
    "WHERE s.is_unfinished AND s.damage IS NULL AND s.app_id = ? AND r.kind = 'session'"
)
_OPEN = frozenset({"running", "waiting", "pending", "completed"})
"""A step that is done has had its answer: what is still open in its session is about to end by itself."""


@dataclass(frozen=True, slots=True)
class _Work:
    """A turn that has not ended, and the step that it is for."""

    session_id: SessionId
    turn_id: TurnId
    step_id: str


class Leftovers:
    """Finds what was left behind, and ends it."""

    def __init__(
        self, store: RunStore, turns: StepTurns, stop_run: Callable[[str], Awaitable[None]]
    ) -> None:
        self._store = store
        self._turns = turns
        self._stop_run = stop_run

    async def end(self, app_id: str) -> None:
        """End all that works for runs of an app which wait for it no more."""
        for work in await self._store.read(lambda connection: _unfinished(connection, app_id)):
            await self._logged(self._end_work(work))
        for stored in await self._store.open_ones(app_id):
            await self._logged(self._end_run(stored))

    async def _end_work(self, work: _Work) -> None:
        if await self._is_left(work.step_id):
            await self._turns.cancel_turn(work.session_id, work.turn_id)

    async def _end_run(self, stored: StoredRun) -> None:
        step = read(stored.job.detail, RunDetail).parent_step_id
        if step is not None and await self._is_left(step):
            await self._stop_run(stored.job.job_id)

    async def _is_left(self, step_id: str) -> bool:
        try:
            run, items = await self._store.find_whole(run_of(step_id))
        except WorkflowRunNotFound:
            # Its app's data were removed, and so were its runs.
            return True
        step = next((each for each in items if each.job_item_id == step_id), None)
        return step is not None and _is_over(run, step)

    async def _logged(self, ending: Awaitable[None]) -> None:
        try:
            await ending
        except (AppError, DamagedRecord, ValidationError) as error:
            # What is wrong with one hinders no other.
            _log.warning("what is left of a run cannot be ended: %s", error)


def _is_over(run: StoredRun, step: JobItem) -> bool:
    return step.status not in _OPEN or (run.job.ended_at is not None and step.status != "completed")


def _unfinished(connection: Connection, app_id: str) -> list[_Work]:
    found: list[_Work] = []
    for session_id, state, body in connection.execute(_UNFINISHED, (app_id,)).fetchall():
        try:
            shell, active = decode_record("session", body), decode_state(state).active
        except (DamagedRecord, DamagedState):
            continue  # It is mended once somebody opens it.
        about = shell.business_object_ref if isinstance(shell, SessionShell) else None
        if active is not None and about is not None and about.kind == WORKFLOW_STEP:
            found.append(_Work(SessionId(session_id), TurnId(active.turn_id), about.id))
    return found
