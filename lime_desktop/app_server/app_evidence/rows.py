"""The tables of `evidence.db`, and their rows. Decides nothing."""

from collections.abc import Iterable

from lime_desktop.database.connection import Connection
from lime_desktop.database.migrations import Migration, Schema, statements
from lime_desktop.protocol.capability_calls.evidence import EvidenceRecord

_FIRST = statements(
    """
    CREATE TABLE evidence (
        evidence_key INTEGER PRIMARY KEY,
        evidence_id TEXT NOT NULL UNIQUE,
        app_id TEXT NOT NULL,
        kind TEXT NOT NULL,
        body TEXT NOT NULL
    )
    """,
    "CREATE INDEX evidence_of_app ON evidence (app_id, kind)",
    # Beside the fact and not in it: what was recorded stays as it was.
    """
    CREATE TABLE link (
        evidence_key INTEGER NOT NULL REFERENCES evidence,
        artifact_id TEXT NOT NULL,
        PRIMARY KEY (evidence_key, artifact_id)
    ) WITHOUT ROWID
    """,
)

EVIDENCE = Schema("evidence", (Migration("facts and links", _FIRST),))


def insert_record(connection: Connection, record: EvidenceRecord) -> None:
    """Keep a fact."""
    connection.execute(
        "INSERT INTO evidence (evidence_id, app_id, kind, body) VALUES (?, ?, ?, ?)",
        (record.id, record.app_id, record.kind, record.to_json()),
    )


def insert_link(
    connection: Connection, app_id: str, evidence_id: str, artifact_id: str
) -> EvidenceRecord | None:
    """Join a fact of the app to an artifact; None where the app has no such fact. Twice is once."""
    row = connection.execute(
        "SELECT evidence_key, body FROM evidence WHERE evidence_id = ? AND app_id = ?",
        (evidence_id, app_id),
    ).fetchone()
    if row is None:
        return None
    connection.execute(
        "INSERT INTO link VALUES (?, ?) ON CONFLICT DO NOTHING", (row[0], artifact_id)
    )
    return _record(connection, *row)


def read_newest(
    connection: Connection, app_id: str, kind: str | None, limit: int
) -> tuple[EvidenceRecord, ...]:
    """The app's newest facts."""
    rows = connection.execute(
        "SELECT evidence_key, body FROM evidence WHERE app_id = :app AND (:kind IS NULL OR kind = :kind) "
        "ORDER BY evidence_key DESC LIMIT :limit",
        {"app": app_id, "kind": kind, "limit": limit},
    ).fetchall()
    return tuple(_record(connection, *row) for row in rows)


def measure(connection: Connection, app_id: str) -> tuple[int, int]:
    """How many facts are kept of an app, and how many bytes they take."""
    return connection.execute(
        "SELECT count(*), coalesce(sum(length(CAST(body AS BLOB))), 0) FROM evidence WHERE app_id = ?",
        (app_id,),
    ).fetchone()


def insert_missing(connection: Connection, app_id: str, records: Iterable[EvidenceRecord]) -> None:
    """Keep the app's facts that are not there."""
    connection.executemany(
        "INSERT INTO evidence (evidence_id, app_id, kind, body) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (evidence_id) DO NOTHING",
        [
            (record.id, app_id, record.kind, record.to_json())
            for record in records
            if record.app_id == app_id
        ],
    )


def remove_all(connection: Connection, app_id: str) -> None:
    """Forget the facts of an app."""
    connection.execute(
        "DELETE FROM link WHERE evidence_key IN (SELECT evidence_key FROM evidence WHERE app_id = ?)",
        (app_id,),
    )
    connection.execute("DELETE FROM evidence WHERE app_id = ?", (app_id,))


def _record(connection: Connection, key: int, body: str) -> EvidenceRecord:
    record = EvidenceRecord.model_validate_json(body)
    linked = connection.execute(
        "SELECT artifact_id FROM link WHERE evidence_key = ? ORDER BY artifact_id", (key,)
    ).fetchall()
    refs = dict.fromkeys((*record.refs, *(artifact_id for (artifact_id,) in linked)))
    return record.model_copy(update={"refs": tuple(refs)})
