"""From one version to the next: code, data and grants are copied first, so that one click leads back."""

import asyncio
import secrets

from lime_desktop.database.connection import Connection
from lime_desktop.host.app_center.changes.due_hooks import due_at_update
from lime_desktop.host.app_center.changes.installing import check_consent, granted_now, new_record
from lime_desktop.host.app_center.changes.parts import CenterParts
from lime_desktop.host.app_center.packages.progress import InstallProgress, Step
from lime_desktop.host.app_center.records.records import (
    InstalledApp,
    RollbackPoint,
    StoredGrant,
    now_ms,
)
from lime_desktop.host.app_center.records.rows import delete_point, put_app, put_grants, put_point
from lime_desktop.host.app_center.review.install_review import Consent, InstallReview
from lime_desktop.protocol.ids import AppId

KEPT_POINTS = 3
"""How many versions back an app can be brought."""


async def update(
    parts: CenterParts, review: InstallReview, consent: Consent, progress: InstallProgress
) -> InstalledApp:
    """Replace an installed version by the one that was reviewed.

    Raises:
        AppError: it may not be, or the consent does not reach, or its data cannot be copied; nothing was changed.
    """
    check_consent(review, consent)
    before = parts.installed(review.app_id)
    point = await make_point(parts, before, progress)
    await asyncio.to_thread(parts.store.adopt, review.staged, review.app_id, progress)
    due = due_at_update(before, review.package.manifest)
    after = new_record(review, now_ms()).model_copy(
        update={"is_enabled": before.is_enabled and not due, "due_hooks": due}
    )
    grants = _grants_after(review, consent, point.grants)
    surplus = parts.ledger.state.points.get(before.app_id, ())[: 1 - KEPT_POINTS]

    def decide(connection: Connection) -> None:
        put_app(connection, after)
        put_grants(connection, after.app_id, grants)
        put_point(connection, point)
        for old in surplus:
            delete_point(connection, old.point_id)

    progress.at(Step.DECIDING)
    await parts.ledger.change(decide)
    progress.at(Step.DECIDED)
    return after


async def make_point(
    parts: CenterParts, app: InstalledApp, progress: InstallProgress
) -> RollbackPoint:
    """Copy an app as it is now. Nothing refers to the copies until the point is kept."""
    point_id = secrets.token_hex(16)
    has_view = await asyncio.to_thread(parts.data.copy_view, app.app_id, point_id)
    progress.at(Step.VIEW_COPIED)
    await parts.data.snapshot(app.app_id, point_id)
    progress.at(Step.DATA_COPIED)
    return RollbackPoint(
        point_id=point_id,
        app=app,
        grants=parts.ledger.state.grants.get(app.app_id, ()),
        made_at_ms=now_ms(),
        has_view_data=has_view,
    )


def _grants_after(
    review: InstallReview, consent: Consent, before: tuple[StoredGrant, ...]
) -> tuple[StoredGrant, ...]:
    """What was granted and has not changed stays; what is new or reaches further needs the new consent."""
    unchanged = {ask.key for ask in review.asks if not ask.is_open}
    kept = tuple(grant for grant in before if grant.permission in unchanged)
    fresh = consent.granted - {grant.permission for grant in kept}
    return (*kept, *granted_now(AppId(review.app_id), fresh, now_ms(), is_update=True))
