"""Back to an earlier version with its data and grants. What was there before is kept as a point of its own."""

import asyncio
import secrets
from collections.abc import Sequence

from lime_desktop.database.connection import Connection
from lime_desktop.host.app_center.catalog.recalls import is_revoked
from lime_desktop.host.app_center.changes.parts import CenterParts
from lime_desktop.host.app_center.changes.updating import make_point
from lime_desktop.host.app_center.packages.progress import InstallProgress, Step
from lime_desktop.host.app_center.records.records import InstalledApp, RollbackPoint, now_ms
from lime_desktop.host.app_center.records.rows import (
    delete_point,
    delete_unfinished,
    put_app,
    put_grants,
    put_point,
    put_unfinished,
)
from lime_desktop.host.app_center.records.state import CenterState
from lime_desktop.host.app_center.records.unfinished import UnfinishedRestore
from lime_desktop.protocol.errors import InstallRefused


async def roll_back(
    parts: CenterParts, app_id: str, point_id: str | None, progress: InstallProgress
) -> InstalledApp:
    """Bring an app back to a point, the newest that was not left by going back unless one is named.

    Raises:
        InstallRefused: there is no such point, or its code is no longer what it was.
    """
    present = parts.installed(app_id)
    point = _find(parts, app_id, point_id)
    # Before anything is decided: without sound code there is nothing to go back to.
    await asyncio.to_thread(parts.store.open, point.app.package_hash, app_id)
    left = await make_point(parts, present, progress)
    # Who takes an undone update up again leaves an earlier version behind, as any update does.
    left = left.model_copy(update={"is_undone": not point.is_undone})
    # What was allowed without a sandbox then may have been taken back since.
    now = {
        "updated_at_ms": now_ms(),
        "is_enabled": present.is_enabled and not point.app.due_hooks,
        "failed_hook": None,
        "unconfined_since_ms": None,
        "offered_by": present.offered_by,
    }
    app = point.app.model_copy(update=now)
    work = UnfinishedRestore(work_id=secrets.token_hex(8), point=point)

    def decide(connection: Connection) -> None:
        put_app(connection, app)
        put_grants(connection, app_id, point.grants)
        put_point(connection, left)
        put_unfinished(connection, work)

    progress.at(Step.DECIDING)
    await parts.ledger.change(decide)
    progress.at(Step.DECIDED)
    await finish_restore(parts, work, progress)
    return app


async def finish_restore(
    parts: CenterParts, work: UnfinishedRestore, progress: InstallProgress
) -> None:
    """Bring the data back, as often as it takes, and then let the point go."""
    point = work.point
    await asyncio.to_thread(
        parts.data.restore_view, work.app_id, point.point_id, has_copy=point.has_view_data
    )
    progress.at(Step.VIEW_RESTORED)
    await parts.data.restore(work.app_id, point.point_id)
    progress.at(Step.DATA_RESTORED)

    def done(connection: Connection) -> None:
        delete_unfinished(connection, work.work_id)
        delete_point(connection, point.point_id)

    await parts.ledger.change(done)


def points_to_choose(state: CenterState, app_id: str) -> tuple[RollbackPoint, ...]:
    """How an app was before, the oldest first: not what is being brought back, and not what must not run."""
    taken = {
        work.point.point_id for work in state.unfinished if isinstance(work, UnfinishedRestore)
    }
    return tuple(
        point
        for point in state.points.get(app_id, ())
        if point.point_id not in taken and not is_revoked(state, app_id, point.app.package_hash)
    )


def earlier_point(points: Sequence[RollbackPoint]) -> RollbackPoint | None:
    """Where going back leads if nobody says where to."""
    return next((point for point in reversed(points) if not point.is_undone), None)


def _find(parts: CenterParts, app_id: str, point_id: str | None) -> RollbackPoint:
    points = points_to_choose(parts.ledger.state, app_id)
    named = (point for point in points if point.point_id == point_id)
    found = earlier_point(points) if point_id is None else next(named, None)
    if found is None:
        raise InstallRefused("There is no earlier version to roll back to")
    return found
