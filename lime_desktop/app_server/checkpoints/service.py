"""Answers agentSession/checkpoint/*: takes copies of the declared parts of an app's data, previews and brings them back."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from lime_desktop.app_server.app_data.snapshots import Snapshots
from lime_desktop.app_server.apps.data_holder import HeldAmount
from lime_desktop.app_server.apps.registered import RegisteredApps
from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.checkpoints.declared_scope import copied_scopes, declared_scope
from lime_desktop.app_server.checkpoints.outside_effects import outside_effects
from lime_desktop.app_server.checkpoints.parts import CheckpointPart
from lime_desktop.app_server.routes import Routes
from lime_desktop.app_server.runtime_core.facts import fact
from lime_desktop.app_server.runtime_core.folds.session import Checkpoint
from lime_desktop.app_server.runtime_core.identities import new_id
from lime_desktop.app_server.runtime_core.log.journal import Journal, SessionView
from lime_desktop.app_server.runtime_core.reading.session_reader import SessionReader
from lime_desktop.database.failures import catalogued
from lime_desktop.protocol.calls.checkpoints import (
    LIST_CHECKPOINTS,
    MOST_CHANGES,
    PREVIEW_ROLLBACK,
    ROLL_BACK,
    CheckpointOutline,
    ListCheckpointsParams,
    ListCheckpointsResult,
    OutsideEffect,
    PreviewRollbackParams,
    PreviewRollbackResult,
    RollbackChange,
    RollBackParams,
    RollBackResult,
)
from lime_desktop.protocol.calls.storage_tables import StorageChange
from lime_desktop.protocol.errors import (
    StorageKeyNotFound,
    TurnAlreadyActive,
)
from lime_desktop.protocol.ids import AppId, JsonObject
from lime_desktop.protocol.runtime.events import ProposedEvent, RuntimeEvent

KEPT = 20
"""Copies that are kept of one app; the oldest makes room."""
_LISTED = 100
_LABEL_CHARACTERS = 120
_EVENTS = 20_000
"""Events that are looked at for effects elsewhere."""

AnnounceChanges = Callable[[AppId, tuple[StorageChange, ...]], None]


@dataclass(frozen=True, slots=True)
class _Point:
    """A checkpoint of a session, whose copy is there."""

    app_id: AppId
    record: Checkpoint
    folder: Path
    parts: tuple[CheckpointPart, ...]

    @property
    def outline(self) -> CheckpointOutline:
        return _outline(self.record, self.parts)


class Checkpoints:
    """The copies of all apps. Is also a part of an app's data: they go with it, and are in no other copy."""

    name = "checkpoints"

    def __init__(
        self,
        folder: Path,
        apps: RegisteredApps,
        parts: Sequence[CheckpointPart],
        journal: Callable[[], Journal],
        announce: AnnounceChanges,
    ) -> None:
        """Take the journal when it is needed: whoever runs turns is there before it is."""
        self._snapshots = Snapshots(folder)
        self._apps = apps
        self._parts = tuple(parts)
        self._journal = journal
        self._announce = announce
        self._turn = asyncio.Lock()

    def hold(self, part: CheckpointPart) -> None:
        """Copy one scope more, and bring it back after the others."""
        self._parts += (part,)

    def serve(self, routes: Routes) -> None:
        """Answer what a person asks of them."""
        routes.add(LIST_CHECKPOINTS, self.list)
        routes.add(PREVIEW_ROLLBACK, self.preview)
        routes.add(ROLL_BACK, self.roll_back)

    async def take(self, app_id: str, session_id: str, label: str) -> str | None:
        """Copy what the app declared, and say so in its session; nothing where it declared nothing."""
        parts = self._declared(app_id)
        if not parts:
            return None
        async with self._turn:
            return await self._copy(AppId(app_id), session_id, label, parts)

    async def list(
        self, params: ListCheckpointsParams, context: CallContext
    ) -> ListCheckpointsResult:
        """The points of a session that can be gone back to."""
        del context
        app_id, records = await self._records(params.session_id)
        there = frozenset(await asyncio.to_thread(self._snapshots.ids_of, app_id))
        return ListCheckpointsResult(
            checkpoints=tuple(
                _outline(each, self._parts) for each in records if each.checkpoint_id in there
            )
        )

    async def preview(
        self, params: PreviewRollbackParams, context: CallContext
    ) -> PreviewRollbackResult:
        """Say what would change, and what would not."""
        del context
        point = await self._find(params.session_id, params.checkpoint_id)
        changes = await _changes(point)
        return PreviewRollbackResult(
            checkpoint=point.outline,
            changes=tuple(changes[:MOST_CHANGES]),
            change_count=len(changes),
            outside_effects=await self._effects(params.session_id, point),
        )

    async def roll_back(self, params: RollBackParams, context: CallContext) -> RollBackResult:
        """Bring a copy back, after another one was made of what is there.

        Raises:
            TurnAlreadyActive: the agent is at work.
            StorageKeyNotFound: no such copy is kept.
        """
        del context
        session_id = params.session_id
        async with self._turn:
            point = await self._find(session_id, params.checkpoint_id)
            effects = await self._effects(session_id, point)
            target: JsonObject = {
                "checkpointId": point.record.checkpoint_id,
                "scopes": [part.scope for part in point.parts],
                "requestedBy": "user",
            }
            await self._say(
                session_id, fact("history.rollback.started", payload=target), at_rest=True
            )
            undo = await self._copy(point.app_id, session_id, "", point.parts)
            changes = await _changes(point)
            done: JsonObject = {
                **target,
                "changeCount": len(changes),
                "undoCheckpointId": undo,
                "outsideEffectIds": [each.tool_call_id for each in effects],
            }
            ending: JsonObject = {"status": "failed"}
            try:
                for part in point.parts:
                    await part.stand_still(point.app_id, point.folder / part.scope)
                for part in point.parts:
                    await part.replace_from(point.app_id, point.folder / part.scope)
                ending = {"status": "completed"}
            finally:
                over = fact("history.rollback.completed", payload={**done, **ending})
                await self._say(session_id, over)
        self._announce(point.app_id, (StorageChange(op="import"),))
        return RollBackResult(
            scopes=tuple(part.scope for part in point.parts),
            change_count=len(changes),
            undo_checkpoint_id=undo,
            outside_effects=effects,
        )

    # As a part of an app's data.

    async def amount(self, app_id: AppId) -> HeldAmount:
        """Count the copies, and the room that they take."""
        ids = await asyncio.to_thread(self._snapshots.ids_of, app_id)
        return HeldAmount(len(ids), await asyncio.to_thread(self._snapshots.size_of, app_id))

    async def copy_to(self, app_id: AppId, folder: Path) -> None:
        """Nothing: a copy of copies helps nobody."""

    async def replace_from(self, app_id: AppId, folder: Path) -> None:
        """Nothing: they stay as they are."""

    async def remove(self, app_id: AppId) -> None:
        """Remove every copy."""
        await asyncio.to_thread(self._snapshots.remove_of, app_id)

    def _declared(self, app_id: str) -> tuple[CheckpointPart, ...]:
        wanted = copied_scopes(declared_scope(self._apps, app_id))
        return tuple(part for part in self._parts if part.scope in wanted)

    async def _copy(
        self, app_id: AppId, session_id: str, label: str, parts: Sequence[CheckpointPart]
    ) -> str:
        checkpoint_id = new_id("checkpoint")
        try:
            folder = await asyncio.to_thread(self._snapshots.begin, checkpoint_id, app_id)
            for part in parts:
                (folder / part.scope).mkdir()
                await part.copy_to(app_id, folder / part.scope)
            await asyncio.to_thread(self._snapshots.finish, checkpoint_id)
            await asyncio.to_thread(self._snapshots.keep_newest, app_id, KEPT)
        except OSError as error:
            raise catalogued(error) from error
        payload: JsonObject = {
            "checkpointId": checkpoint_id,
            "scopes": [part.scope for part in parts],
            **({"label": label[:_LABEL_CHARACTERS]} if label else {}),
        }
        await self._say(session_id, fact("checkpoint.created", payload=payload))
        return checkpoint_id

    async def _say(self, session_id: str, said: ProposedEvent, *, at_rest: bool = False) -> None:
        def decide(view: SessionView) -> Sequence[ProposedEvent]:
            if at_rest and view.state.active is not None:
                raise TurnAlreadyActive("The agent is at work. Stop it first.")
            return [said]

        await self._journal().append(session_id, decide)

    async def _records(self, session_id: str) -> tuple[AppId, tuple[Checkpoint, ...]]:
        return await self._journal().read(
            session_id,
            lambda connection, row: (
                SessionReader.of(connection, row).shell().app_id,
                SessionReader.of(connection, row).recent(Checkpoint, "checkpoint", _LISTED),
            ),
        )

    async def _find(self, session_id: str, checkpoint_id: str) -> _Point:
        app_id, records = await self._records(session_id)
        found = next((each for each in records if each.checkpoint_id == checkpoint_id), None)
        if found is None:
            raise StorageKeyNotFound("There is no such checkpoint in this session")
        folder = await asyncio.to_thread(self._snapshots.find, checkpoint_id, app_id)
        parts = tuple(part for part in self._parts if part.scope in found.scopes)
        return _Point(app_id, found, folder, parts)

    async def _effects(self, session_id: str, point: _Point) -> tuple[OutsideEffect, ...]:
        declared = declared_scope(self._apps, point.app_id)
        if declared is not None and declared.external_side_effects == "none":
            return ()
        since = point.record.created_at
        events = [*await self._events(session_id, point.record.sequence)]
        for part in point.parts:
            for other in await part.worked_in(point.app_id, since):
                if other != session_id:
                    told = await self._events(other, 0)
                    events += [each for each in told if each.timestamp >= since]
        return outside_effects(sorted(events, key=lambda each: each.timestamp))

    async def _events(self, session_id: str, after: int) -> tuple[RuntimeEvent, ...]:
        return await self._journal().read(
            session_id,
            lambda connection, row: SessionReader.of(connection, row).events(after, _EVENTS)[0],
        )


async def _changes(point: _Point) -> list[RollbackChange]:
    return [
        change
        for part in point.parts
        for change in await part.changes(point.app_id, point.folder / part.scope)
    ]


def _outline(record: Checkpoint, parts: Sequence[CheckpointPart]) -> CheckpointOutline:
    return CheckpointOutline(
        checkpoint_id=record.checkpoint_id,
        created_at=record.created_at,
        label=record.label,
        scopes=tuple(part.scope for part in parts if part.scope in record.scopes),
    )
