"""Read and write the rows of host.db. Functions of a connection; when they run together is decided elsewhere."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from pydantic import BaseModel

from lime_desktop.database.connection import Connection
from lime_desktop.host.app_center.records.recalls import StoredRevocation
from lime_desktop.host.app_center.records.records import (
    GrantUse,
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
from lime_desktop.host.app_center.records.removal import Receipt
from lime_desktop.host.app_center.records.unfinished import Unfinished
from lime_desktop.host.app_center.records.update_records import StoredAutoUpdate

RecordT = TypeVar("RecordT", bound=BaseModel)


def read_records(connection: Connection, table: str, kind: type[RecordT]) -> Iterator[RecordT]:
    """Every record of a table, the oldest first."""
    query = f"SELECT record FROM {table} ORDER BY rowid"  # noqa: S608 - our own table names
    for (text,) in connection.execute(query):
        yield kind.model_validate_json(text)


def put_app(connection: Connection, app: InstalledApp) -> None:
    """Keep an app in the place of what was there under its id."""
    connection.execute(
        """
        INSERT INTO app (app_id, record) VALUES (?, ?)
        ON CONFLICT (app_id) DO UPDATE SET record = excluded.record
        """,
        (app.app_id, app.to_json()),
    )
    connection.execute("DELETE FROM kept_data WHERE app_id = ?", (app.app_id,))


def put_grants(connection: Connection, app_id: str, grants: Iterable[StoredGrant]) -> None:
    """Make these the grants of an app, and no others."""
    connection.execute("DELETE FROM app_grant WHERE app_id = ?", (app_id,))
    for grant in grants:
        put_grant(connection, grant)


def put_grant(connection: Connection, grant: StoredGrant) -> None:
    """Keep one grant."""
    connection.execute(
        "INSERT OR REPLACE INTO app_grant (app_id, permission, record) VALUES (?, ?, ?)",
        (grant.app_id, grant.permission, grant.to_json()),
    )


def delete_grant(connection: Connection, app_id: str, permission: str) -> None:
    """Take one grant away."""
    connection.execute(
        "DELETE FROM app_grant WHERE app_id = ? AND permission = ?", (app_id, permission)
    )


def put_approval(connection: Connection, approval: StoredApproval) -> None:
    """Keep a yes."""
    connection.execute(
        "INSERT OR REPLACE INTO kept_approval (approval_id, app_id, record) VALUES (?, ?, ?)",
        (approval.approval_id, approval.app_id, approval.to_json()),
    )


def delete_approval(connection: Connection, approval_id: str) -> None:
    """Take a yes back."""
    connection.execute("DELETE FROM kept_approval WHERE approval_id = ?", (approval_id,))


def put_refusal(connection: Connection, refusal: StoredRefusal) -> None:
    """Keep a never; a permission that is refused is granted no longer."""
    connection.execute(
        "INSERT OR REPLACE INTO personal_refusal (refusal_id, app_id, record) VALUES (?, ?, ?)",
        (refusal.refusal_id, refusal.app_id, refusal.to_json()),
    )
    if refusal.permission is not None:
        delete_grant(connection, refusal.app_id, refusal.permission)


def delete_refusal(connection: Connection, refusal_id: str) -> None:
    """Take a never back."""
    connection.execute("DELETE FROM personal_refusal WHERE refusal_id = ?", (refusal_id,))


def add_uses(connection: Connection, uses: Iterable[GrantUse]) -> None:
    """Count what was done by apps that are still installed: counts come late, and would outlive the others."""
    connection.executemany(
        """
        INSERT INTO grant_use (app_id, rule_id, action, count, last_at_ms)
        SELECT ?1, ?2, ?3, ?4, ?5 WHERE EXISTS (SELECT 1 FROM app WHERE app_id = ?1)
        ON CONFLICT (app_id, rule_id, action) DO UPDATE
        SET count = count + excluded.count, last_at_ms = excluded.last_at_ms
        """,
        [(use.app_id, use.rule_id, use.action, use.count, use.last_at_ms) for use in uses],
    )


def read_uses(connection: Connection) -> tuple[GrantUse, ...]:
    """Everything that was done by something allowed, the newest first."""
    rows = connection.execute(
        "SELECT app_id, rule_id, action, count, last_at_ms FROM grant_use ORDER BY last_at_ms DESC"
    )
    return tuple(
        GrantUse(app_id=app_id, rule_id=rule_id, action=action, count=count, last_at_ms=last_at_ms)
        for app_id, rule_id, action, count, last_at_ms in rows
    )


def put_revocations(connection: Connection, revocations: Iterable[StoredRevocation]) -> None:
    """Keep that bytes must not run; what is known already stays as it was learned."""
    connection.executemany(
        "INSERT OR IGNORE INTO revocation (app_id, package_hash, record) VALUES (?, ?, ?)",
        [(each.app_id, each.package_hash, each.to_json()) for each in revocations],
    )


def put_auto_update(connection: Connection, kept: StoredAutoUpdate) -> None:
    """Keep how an app is updated, or all apps are for which nothing else is said."""
    connection.execute(
        "INSERT OR REPLACE INTO auto_update (app_id, record) VALUES (?, ?)",
        (kept.app_id, kept.to_json()),
    )


def put_eval_outcome(connection: Connection, kept: StoredEvalOutcome) -> None:
    """Keep what came of an eval, in the place of what came of it before on the same bytes."""
    connection.execute(
        """
        INSERT OR REPLACE INTO eval_outcome (app_id, package_hash, eval_key, record)
        VALUES (?, ?, ?, ?)
        """,
        (kept.app_id, kept.package_hash, kept.outcome.eval_key, kept.to_json()),
    )


def keep_eval_outcomes(connection: Connection, app_id: str, of_hashes: Iterable[str]) -> None:
    """Forget what came of an app's evals, but for that of these bytes."""
    kept = frozenset(of_hashes)
    rows = connection.execute(
        "SELECT DISTINCT package_hash FROM eval_outcome WHERE app_id = ?", (app_id,)
    )
    connection.executemany(
        "DELETE FROM eval_outcome WHERE app_id = ? AND package_hash = ?",
        [(app_id, found) for (found,) in rows.fetchall() if found not in kept],
    )


def put_point(connection: Connection, point: RollbackPoint) -> None:
    """Keep a rollback point."""
    connection.execute(
        "INSERT INTO rollback_point (point_id, app_id, record) VALUES (?, ?, ?)",
        (point.point_id, point.app.app_id, point.to_json()),
    )


def delete_point(connection: Connection, point_id: str) -> None:
    """Forget a rollback point."""
    connection.execute("DELETE FROM rollback_point WHERE point_id = ?", (point_id,))


def delete_points(connection: Connection, app_id: str) -> None:
    """Forget every rollback point of an app."""
    connection.execute("DELETE FROM rollback_point WHERE app_id = ?", (app_id,))


def delete_history(connection: Connection, app_id: str) -> None:
    """Forget how an app was before, and what came of its evals."""
    delete_points(connection, app_id)
    keep_eval_outcomes(connection, app_id, ())


def delete_app(connection: Connection, app_id: str) -> None:
    """Forget an app, what it was allowed and how it was before."""
    connection.execute("DELETE FROM app WHERE app_id = ?", (app_id,))
    connection.execute("DELETE FROM app_grant WHERE app_id = ?", (app_id,))
    connection.execute("DELETE FROM overlay WHERE app_id = ?", (app_id,))
    connection.execute("DELETE FROM kept_approval WHERE app_id = ?", (app_id,))
    connection.execute("DELETE FROM personal_refusal WHERE app_id = ?", (app_id,))
    connection.execute("DELETE FROM grant_use WHERE app_id = ?", (app_id,))
    connection.execute("DELETE FROM done_call WHERE app_id = ?", (app_id,))
    connection.execute("DELETE FROM revocation WHERE app_id = ?", (app_id,))
    connection.execute("DELETE FROM auto_update WHERE app_id = ?", (app_id,))
    delete_history(connection, app_id)


def put_kept_data(connection: Connection, kept: KeptData) -> None:
    """Remember that an app's data outlived it."""
    connection.execute(
        "INSERT OR REPLACE INTO kept_data (app_id, record) VALUES (?, ?)",
        (kept.app_id, kept.to_json()),
    )


def delete_kept_data(connection: Connection, app_id: str) -> None:
    """Forget that there were data."""
    connection.execute("DELETE FROM kept_data WHERE app_id = ?", (app_id,))


def put_unfinished(connection: Connection, work: Unfinished) -> None:
    """Remember what is still to be done."""
    connection.execute(
        "INSERT INTO unfinished (work_id, app_id, record) VALUES (?, ?, ?)",
        (work.work_id, work.app_id, work.to_json()),
    )


def delete_unfinished(connection: Connection, work_id: str) -> None:
    """It is done."""
    connection.execute("DELETE FROM unfinished WHERE work_id = ?", (work_id,))


def put_receipt(connection: Connection, receipt: Receipt) -> None:
    """Keep a receipt."""
    connection.execute(
        "INSERT OR REPLACE INTO receipt (receipt_id, app_id, at_ms, record) VALUES (?, ?, ?, ?)",
        (receipt.receipt_id, receipt.app_id, receipt.at_ms, receipt.to_json()),
    )


def put_overlay(connection: Connection, overlay: StoredOverlay) -> None:
    """Keep a layer of settings; one without values is forgotten."""
    connection.execute(
        "DELETE FROM overlay WHERE app_id = ? AND layer = ?", (overlay.app_id, overlay.place)
    )
    if overlay.values:
        connection.execute(
            "INSERT INTO overlay (app_id, layer, record) VALUES (?, ?, ?)",
            (overlay.app_id, overlay.place, overlay.to_json()),
        )


def put_organisation(connection: Connection, organisation: StoredOrganisation | None) -> None:
    """Belong to an organisation, or to none."""
    connection.execute("DELETE FROM organisation")
    if organisation is not None:
        connection.execute(
            "INSERT INTO organisation (id, record) VALUES (1, ?)", (organisation.to_json(),)
        )


def put_workspace(connection: Connection, workspace: StoredWorkspace | None) -> None:
    """Work in a folder, or in none."""
    connection.execute("DELETE FROM workspace")
    if workspace is not None:
        connection.execute(
            "INSERT INTO workspace (id, record) VALUES (1, ?)", (workspace.to_json(),)
        )
