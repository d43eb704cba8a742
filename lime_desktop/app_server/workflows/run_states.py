"""How far the runs of an app have come, as a scope of its checkpoints.

The log takes nothing back. A run that has gone on since is ended, and another one takes its place: it has come through the
same steps, with the same outputs, and goes on from there. What was done elsewhere stays done.
"""

import asyncio
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from lime_desktop.app_server.checkpoints.parts import CheckpointPart
from lime_desktop.app_server.runtime_core.folds.session import SessionShell
from lime_desktop.app_server.runtime_core.folds.work import JobItem
from lime_desktop.app_server.runtime_core.log.records import DamagedRecord, decode_record
from lime_desktop.app_server.workflows.detail import RunDetail, read
from lime_desktop.app_server.workflows.inheriting import Standing, is_left_behind
from lime_desktop.app_server.workflows.names import MAIN
from lime_desktop.app_server.workflows.run import Step
from lime_desktop.app_server.workflows.service import AppWorkflows
from lime_desktop.app_server.workflows.store import RunStore, StoredRun
from lime_desktop.database.connection import Connection
from lime_desktop.protocol.calls.checkpoints import CheckpointScopeName, RollbackChange
from lime_desktop.protocol.calls.workflow_runs import WORKFLOW_STEP
from lime_desktop.protocol.errors import WorkflowInvalidState, WorkflowRunNotFound
from lime_desktop.protocol.ids import AppId, SessionId

_FILE = "runs.json"
_MOST_SESSIONS = 500
_SESSIONS = (
    "SELECT s.session_id, r.body FROM session s JOIN record r USING (session_key) "
    "WHERE s.app_id=? AND s.updated_at>=? AND r.kind='session' ORDER BY s.updated_at DESC LIMIT ?"
)


class RunStates(CheckpointPart):
    """The runs that have not come to an end. Those that others are steps of speak for them."""

    scope: CheckpointScopeName = "workflowState"

    def __init__(self, store: RunStore, runs: AppWorkflows) -> None:
        self._store = store
        self._runs = runs

    async def copy_to(self, app_id: AppId, folder: Path) -> None:
        """Write down how far each has come."""
        body = msgspec.json.encode(await self._now(app_id))
        await asyncio.to_thread((folder / _FILE).write_bytes, body)

    async def changes(self, app_id: AppId, folder: Path) -> Iterable[RollbackChange]:
        """Named by their titles, with the state that each goes on from."""
        then, now = await self._both(app_id, folder)
        return tuple(_changes(then, now))

    async def stand_still(self, app_id: AppId, folder: Path) -> None:
        """End those that have gone on: nothing may work on what is brought back."""
        then, now = await self._both(app_id, folder)
        for place, standing in now.items():
            if place not in then or then[place].digest != standing.digest:
                await self._runs.stop(standing.run_id)

    async def replace_from(self, app_id: AppId, folder: Path) -> None:
        """Have others take the places of those that have gone on, or have ended."""
        await self.stand_still(app_id, folder)
        then, now = await self._both(app_id, folder)
        for place, standing in then.items():
            if place not in now:
                old = await self._store.open(standing.run_id)
                await self._runs.starter.take_place(old, standing)

    async def worked_in(self, app_id: AppId, since: str) -> Iterable[SessionId]:
        """The sessions of whoever worked for a run since then."""
        return await self._store.read(lambda connection: _sessions(connection, app_id, since))

    async def _both(
        self, app_id: AppId, folder: Path
    ) -> tuple[Mapping[str, Standing], Mapping[str, Standing]]:
        kept = await asyncio.to_thread(_kept, folder)
        then = {each.place: each for each in kept if await self._is_there(each)}
        return then, {each.place: each for each in await self._now(app_id)}

    async def _is_there(self, standing: Standing) -> bool:
        """Whether the run can still be read: one that was removed since cannot return."""
        try:
            await self._store.open(standing.run_id)
        except (WorkflowRunNotFound, WorkflowInvalidState):
            return False
        return True

    async def _now(self, app_id: AppId) -> list[Standing]:
        found = await self._store.open_whole(app_id)
        return [standing for run, items in found if (standing := _standing(run, items))]


def _standing(stored: StoredRun, items: Sequence[JobItem]) -> Standing | None:
    """How far a run has come; None for one that is a step of another, or is being taken back."""
    detail = read(stored.job.detail, RunDetail)
    steps = [Step(each) for each in items]
    if detail.parent_run_id is not None or any(each.detail.is_compensation for each in steps):
        return None
    done = [each for each in steps if is_left_behind(each)]
    meeting = [each for each in steps if each.is_open and each.detail.ways]
    return Standing(
        run_id=stored.job.job_id,
        place=detail.place_of or stored.job.job_id,
        title=stored.job.title or detail.key,
        state=_state(steps),
        is_paused=detail.is_paused,
        done=[(each.place.way, each.place.position) for each in done],
        meeting=[(each.place.way, each.place.position) for each in meeting],
        digest=_digest(done),
    )


def _state(steps: Sequence[Step]) -> str:
    on_main = [each for each in steps if each.place.way == MAIN]
    last = max(on_main, key=lambda each: each.place.position, default=None)
    return "" if last is None else last.detail.title or last.detail.state


def _digest(done: Sequence[Step]) -> str:
    """Another one means that a run has gone on: what it waits for meanwhile is not looked at."""
    came = sorted(
        (each.place, each.detail.state, each.item.status, msgspec.to_builtins(each.detail.output))
        for each in done
    )
    return hashlib.sha256(msgspec.json.encode(came)).hexdigest()


def _changes(then: Mapping[str, Standing], now: Mapping[str, Standing]) -> Iterator[RollbackChange]:
    scope: CheckpointScopeName = "workflowState"
    for place in sorted(then.keys() | now.keys()):
        before, after = then.get(place), now.get(place)
        if before is None and after is not None:
            yield RollbackChange(scope=scope, kind="goes", name=after.title, state=after.state)
        elif before is not None and (after is None or after.digest != before.digest):
            kind = "returns" if after is None else "changes"
            yield RollbackChange(scope=scope, kind=kind, name=before.title, state=before.state)


def _kept(folder: Path) -> list[Standing]:
    try:
        return msgspec.json.decode((folder / _FILE).read_bytes(), type=list[Standing])
    except FileNotFoundError:
        return []


def _sessions(connection: Connection, app_id: str, since: str) -> list[SessionId]:
    found: list[SessionId] = []
    for session_id, body in connection.execute(_SESSIONS, (app_id, since, _MOST_SESSIONS)):
        try:
            shell = decode_record("session", body)
        except DamagedRecord:
            continue  # It is mended once somebody opens it.
        about = shell.business_object_ref if isinstance(shell, SessionShell) else None
        if about is not None and about.kind == WORKFLOW_STEP:
            found.append(SessionId(session_id))
    return found
