"""Read and write deliverables. Functions of a connection; contents lie in the content store."""

from collections.abc import Iterable
from typing import Any

from lime_desktop.database.connection import Connection
from lime_desktop.database.migrations import Migration, Schema, statements
from lime_desktop.protocol.acceptance import Acceptance
from lime_desktop.protocol.calls.artifacts import StoredArtifact
from lime_desktop.protocol.ids import AppId
from lime_desktop.protocol.provenance import Provenance

APP_ARTIFACTS = Schema(
    "app-artifacts",
    (
        Migration(
            "versions of deliverables",
            statements(
                """
                CREATE TABLE version (
                    number INTEGER PRIMARY KEY,
                    app_id TEXT NOT NULL,
                    artifact_id TEXT NOT NULL,
                    version INTEGER NOT NULL,
                    kind TEXT NOT NULL,
                    title TEXT NOT NULL,
                    content_ref TEXT NOT NULL,
                    media_type TEXT NOT NULL,
                    size_bytes INTEGER NOT NULL,
                    created_at TEXT NOT NULL,
                    provenance TEXT NOT NULL,
                    UNIQUE (app_id, artifact_id, version)
                )
                """,
            ),
        ),
        Migration(
            "whether a version is accepted",
            statements("ALTER TABLE version ADD COLUMN acceptance TEXT"),
        ),
    ),
)

_COLUMNS = "app_id, artifact_id, version, kind, title, content_ref, media_type, size_bytes, created_at, provenance, acceptance"


def add_version(connection: Connection, artifact: StoredArtifact) -> None:
    """Keep a version."""
    connection.execute(
        f"INSERT INTO version ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608 - constants
        (
            artifact.app_id,
            artifact.artifact_id,
            artifact.version,
            artifact.kind,
            artifact.title,
            artifact.content_ref,
            artifact.media_type,
            artifact.size_bytes,
            artifact.created_at,
            artifact.provenance.to_json(),
            artifact.acceptance.to_json() if artifact.acceptance else None,
        ),
    )


def keep_acceptance(connection: Connection, artifact: StoredArtifact) -> None:
    """Keep how a version stands now."""
    accepted = artifact.acceptance.to_json() if artifact.acceptance else None
    connection.execute(
        "UPDATE version SET acceptance = ? WHERE app_id = ? AND artifact_id = ? AND version = ?",
        (accepted, artifact.app_id, artifact.artifact_id, artifact.version),
    )


def find_version(
    connection: Connection, app_id: AppId, artifact_id: str, version: int | None = None
) -> StoredArtifact | None:
    """A version of a deliverable, or its newest."""
    row = connection.execute(
        f"""
        SELECT {_COLUMNS} FROM version WHERE app_id = ? AND artifact_id = ?
        AND (? IS NULL OR version = ?) ORDER BY version DESC LIMIT 1
        """,  # noqa: S608 - constants
        (app_id, artifact_id, version, version),
    ).fetchone()
    return _artifact(row) if row else None


def list_newest(
    connection: Connection, app_id: AppId, kind: str | None, limit: int
) -> tuple[StoredArtifact, ...]:
    """Each deliverable of an app at its newest version, newest first."""
    rows = connection.execute(
        f"""
        SELECT {_COLUMNS} FROM version WHERE app_id = ? AND (? IS NULL OR kind = ?)
        AND number IN (SELECT max(number) FROM version WHERE app_id = ? GROUP BY artifact_id)
        ORDER BY number DESC LIMIT ?
        """,  # noqa: S608 - constants
        (app_id, kind, kind, app_id, limit),
    )
    return tuple(_artifact(row) for row in rows)


def list_since(
    connection: Connection, app_id: AppId, created_at: str, limit: int
) -> tuple[StoredArtifact, ...]:
    """The versions that were kept from a moment on, the oldest first."""
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM version WHERE app_id = ? AND created_at >= ? ORDER BY number LIMIT ?",  # noqa: S608 - constants
        (app_id, created_at, limit),
    )
    return tuple(_artifact(row) for row in rows)


def remove_newest(connection: Connection, app_id: AppId, artifact_id: str, version: int) -> bool:
    """Forget a version if it is the newest of its deliverable, and say whether it was."""
    newest = find_version(connection, app_id, artifact_id)
    if newest is None or newest.version != version:
        return False
    connection.execute(
        "DELETE FROM version WHERE app_id = ? AND artifact_id = ? AND version = ?",
        (app_id, artifact_id, version),
    )
    return True


def measure(connection: Connection, app_id: AppId) -> tuple[int, int]:
    """How many versions an app keeps, and their size."""
    return connection.execute(
        "SELECT count(*), coalesce(sum(size_bytes), 0) FROM version WHERE app_id = ?", (app_id,)
    ).fetchone()


def list_all(connection: Connection, app_id: AppId) -> tuple[StoredArtifact, ...]:
    """Every version of every deliverable of an app, the oldest first."""
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM version WHERE app_id = ? ORDER BY number",  # noqa: S608 - constants
        (app_id,),
    )
    return tuple(_artifact(row) for row in rows)


def replace_all(connection: Connection, app_id: AppId, artifacts: Iterable[StoredArtifact]) -> None:
    """Make these the deliverables of an app, and no others."""
    connection.execute("DELETE FROM version WHERE app_id = ?", (app_id,))
    for artifact in artifacts:
        add_version(connection, artifact)


def _artifact(row: Any) -> StoredArtifact:
    names = _COLUMNS.split(", ")
    fields = dict(zip(names, row, strict=True))
    fields["provenance"] = Provenance.model_validate_json(fields["provenance"])
    if fields["acceptance"] is not None:
        fields["acceptance"] = Acceptance.model_validate_json(fields["acceptance"])
    return StoredArtifact.model_validate(fields)
