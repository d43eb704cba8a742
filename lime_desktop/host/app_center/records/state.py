"""Everything the app center knows, in memory: read whole after each change, so it is what the disk says."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from lime_desktop.database.connection import Connection
from lime_desktop.host.app_center.records.recalls import StoredRevocation
from lime_desktop.host.app_center.records.records import (
    CatalogSource,
    InstalledApp,
    KeptData,
    RollbackPoint,
    StoredApproval,
    StoredEvalOutcome,
    StoredGrant,
    StoredOrganisation,
    StoredOverlay,
    StoredRefusal,
    StoredWorkspace,
)
from lime_desktop.host.app_center.records.rows import read_records
from lime_desktop.host.app_center.records.unfinished import Unfinished, UnfinishedRow
from lime_desktop.host.app_center.records.update_records import StoredAutoUpdate

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class CenterState:
    """One consistent moment."""

    apps: Mapping[str, InstalledApp] = field(default_factory=dict[str, InstalledApp])
    grants: Mapping[str, tuple[StoredGrant, ...]] = field(
        default_factory=dict[str, tuple[StoredGrant, ...]]
    )
    approvals: Mapping[str, tuple[StoredApproval, ...]] = field(
        default_factory=dict[str, tuple[StoredApproval, ...]]
    )
    refusals: Mapping[str, tuple[StoredRefusal, ...]] = field(
        default_factory=dict[str, tuple[StoredRefusal, ...]]
    )
    points: Mapping[str, tuple[RollbackPoint, ...]] = field(
        default_factory=dict[str, tuple[RollbackPoint, ...]]
    )
    """By app, the oldest first."""
    kept_data: Mapping[str, KeptData] = field(default_factory=dict[str, KeptData])
    unfinished: tuple[Unfinished, ...] = ()
    sources: Mapping[str, CatalogSource] = field(default_factory=dict[str, CatalogSource])
    overlays: Mapping[str, tuple[StoredOverlay, ...]] = field(
        default_factory=dict[str, tuple[StoredOverlay, ...]]
    )
    revocations: Mapping[str, tuple[StoredRevocation, ...]] = field(
        default_factory=dict[str, tuple[StoredRevocation, ...]]
    )
    auto_updates: Mapping[str, StoredAutoUpdate] = field(
        default_factory=dict[str, StoredAutoUpdate]
    )
    eval_outcomes: Mapping[str, tuple[StoredEvalOutcome, ...]] = field(
        default_factory=dict[str, tuple[StoredEvalOutcome, ...]]
    )
    """By app, those of versions that it can go back to among them."""
    organisation: StoredOrganisation | None = None
    workspace: StoredWorkspace | None = None

    @property
    def package_hashes(self) -> frozenset[str]:
        """The packages that something refers to; the store keeps these."""
        used = [app.package_hash for app in self.apps.values()]
        used += [point.app.package_hash for points in self.points.values() for point in points]
        return frozenset(used)

    @property
    def point_ids(self) -> frozenset[str]:
        """Every rollback point."""
        return frozenset(point.point_id for points in self.points.values() for point in points)


def read_state(connection: Connection) -> CenterState:
    """Read host.db whole: it holds a few rows per app."""
    return CenterState(
        apps={app.app_id: app for app in read_records(connection, "app", InstalledApp)},
        grants=_by_app(
            (grant.app_id, grant) for grant in read_records(connection, "app_grant", StoredGrant)
        ),
        approvals=_by_app(
            (kept.app_id, kept)
            for kept in read_records(connection, "kept_approval", StoredApproval)
        ),
        refusals=_by_app(
            (each.app_id, each)
            for each in read_records(connection, "personal_refusal", StoredRefusal)
        ),
        points=_by_app(
            (point.app.app_id, point)
            for point in read_records(connection, "rollback_point", RollbackPoint)
        ),
        unfinished=tuple(row.root for row in read_records(connection, "unfinished", UnfinishedRow)),
        sources={
            each.location: each
            for each in read_records(connection, "catalog_source", CatalogSource)
        },
        overlays=_by_app(
            (each.app_id, each) for each in read_records(connection, "overlay", StoredOverlay)
        ),
        revocations=_by_app(
            (each.app_id, each) for each in read_records(connection, "revocation", StoredRevocation)
        ),
        auto_updates={
            each.app_id: each for each in read_records(connection, "auto_update", StoredAutoUpdate)
        },
        eval_outcomes=_by_app(
            (each.app_id, each)
            for each in read_records(connection, "eval_outcome", StoredEvalOutcome)
        ),
        organisation=next(read_records(connection, "organisation", StoredOrganisation), None),
        workspace=next(read_records(connection, "workspace", StoredWorkspace), None),
        kept_data={kept.app_id: kept for kept in read_records(connection, "kept_data", KeptData)},
    )


def _by_app(pairs: Iterable[tuple[str, T]]) -> dict[str, tuple[T, ...]]:
    found: dict[str, tuple[T, ...]] = {}
    for app_id, record in pairs:
        found[app_id] = (*found.get(app_id, ()), record)
    return found
