"""What damage can be undone by itself, since the log says it again: states, records, and the names of sessions.

Before the first mend of a run the file is copied as it is, for whoever wants to look; every mend is said.
"""

import logging
from dataclasses import dataclass
from pathlib import Path

from lime_desktop.app_server.runtime_core.facts import CoreFact, fact
from lime_desktop.app_server.runtime_core.folds.fold import SESSION_KEY
from lime_desktop.app_server.runtime_core.folds.session import SessionShell
from lime_desktop.app_server.runtime_core.log.rebuild import fold_log
from lime_desktop.app_server.runtime_core.log.records import Address
from lime_desktop.app_server.runtime_core.log.rows import mark_damaged, readable_events
from lime_desktop.database.backups import keep_damaged
from lime_desktop.database.connection import Connection
from lime_desktop.database.incidents import Incident, IncidentKind, incidents

_log = logging.getLogger(__name__)

_NAMES = """
SELECT session_key, CAST(session_id AS BLOB), CAST(app_id AS BLOB), CAST(workspace_id AS BLOB),
       CAST(updated_at AS BLOB), CAST(damage AS BLOB) FROM session
"""
_FIRST_EVENTS = 8
"""A session says whom it belongs to in its first event."""


@dataclass(slots=True)
class Repairs:
    """The mends of one run. Writer thread only."""

    path: Path | None = None
    _kept_as: str | None = None
    _is_kept: bool = False

    def begin(self, kind: IncidentKind, count: int = 1) -> None:
        """Keep the damaged file, once, and say that something in it is mended."""
        if not self._is_kept and self.path is not None:
            self._is_kept = True
            kept = keep_damaged(self.path)
            self._kept_as = kept and kept.relative_to(self.path.parent).as_posix()
        name = self.path.name if self.path else ""
        _log.error(
            "damaged data was derived from the log again",
            extra={"reason": kind, "count": count, "names": self._kept_as or "no copy was kept"},
        )
        incidents.publish(Incident(kind, name, count, self._kept_as))


def mended_fact(thread_id: str, *sections: str) -> CoreFact:
    """Tell the session itself that what was stored beside its log was damaged, and is right again."""
    return fact(
        "snapshot.repaired",
        thread_id=thread_id or None,
        payload={
            "reason": "damaged_read_models",
            "message": "What was stored beside the log was damaged; it was derived from the log again.",
            "lostEventCount": 0,
            "repairedSections": list(sections),
        },
    )


def mend_names(connection: Connection, mends: Repairs) -> int:
    """Take the names of sessions that are text no more from their logs; gives how many there were."""
    rows = connection.execute(_NAMES).fetchall()
    bad = [row[0] for row in rows if not all(map(_is_text, row[1:]))]
    if not bad:
        return 0
    mends.begin("names_mended", len(bad))
    # The index may still have what the row has lost: SQLite refuses to change a row that its index does not know.
    connection.execute("REINDEX session")
    for session_key in bad:
        _mend_name(connection, session_key)
    return len(bad)


def _mend_name(connection: Connection, session_key: int) -> None:
    rows = readable_events(connection, session_key, 0, _FIRST_EVENTS)
    try:
        _, records = fold_log("", rows)
    except ValueError:
        records = None
    placed = records.changed.get(Address("session", SESSION_KEY)) if records else None
    shell = placed.record if placed else None
    if isinstance(shell, SessionShell):
        named = (shell.session_id, shell.app_id, shell.workspace_id, shell.created_at)
    else:
        named = (f"damaged-{session_key}", "", None, "")
    connection.execute(
        "UPDATE session SET session_id=?, app_id=?, workspace_id=?, updated_at=?, damage=NULL WHERE session_key=?",
        (*named, session_key),
    )
    if not isinstance(shell, SessionShell):
        mark_damaged(connection, session_key, "damaged_event_1")


def _is_text(body: bytes | None) -> bool:
    try:
        (body or b"").decode()
    except UnicodeDecodeError:
        return False
    return True
