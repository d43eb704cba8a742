"""The reviews of an app among all sessions, by their names. Decides nothing."""

from dataclasses import dataclass

from lime_desktop.app_server.runtime_core.log.records import decode_record
from lime_desktop.app_server.runtime_core.state import decode_state
from lime_desktop.database.connection import Connection
from lime_desktop.protocol.ids import SessionId
from lime_desktop.protocol.runtime.threads import PendingAction

_AFTER = "~"
"""Behind every name."""


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """A review's question as it stands."""

    session_id: SessionId
    action: PendingAction
    is_told: bool
    """Whether the app has its answer: then its session is closed."""

    @property
    def is_open(self) -> bool:
        """Whether a person may still decide."""
        return self.action.status == "required"

    @property
    def is_decided(self) -> bool:
        """Whether a person has decided; a question that was withdrawn has no answer."""
        return self.action.status == "resolved"


def find_reviews(connection: Connection, app_id: str, begins: str) -> list[ReviewRow]:
    """An app's reviews whose names begin like this, the oldest first."""
    rows = connection.execute(
        "SELECT s.session_id, s.state, r.body FROM record r JOIN session s USING (session_key) "
        "WHERE r.kind = 'action' AND s.app_id = ? AND r.key >= ? AND r.key < ? ORDER BY s.session_key",
        (app_id, begins, f"{begins}{_AFTER}"),
    ).fetchall()
    found: list[ReviewRow] = []
    for session_id, state, body in rows:
        action = decode_record("action", body)
        if isinstance(action, PendingAction):
            is_told = decode_state(state).is_closed
            found.append(ReviewRow(SessionId(session_id), action, is_told))
    return found
