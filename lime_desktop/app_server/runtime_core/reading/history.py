"""The conversation, page by page, newest page first; a fork goes on in the session it came from."""

from collections.abc import Sequence

from lime_desktop.app_server.runtime_core.folds.fold import SESSION_KEY
from lime_desktop.app_server.runtime_core.folds.session import SessionShell
from lime_desktop.app_server.runtime_core.log.records import Address, Placed
from lime_desktop.app_server.runtime_core.log.rows import (
    SessionRow,
    load_record,
    recent_records,
    session_row,
)
from lime_desktop.app_server.runtime_core.state import SessionState
from lime_desktop.database.connection import Connection
from lime_desktop.protocol.calls.sessions import ReadSessionParams
from lime_desktop.protocol.runtime.sessions import HistoryMessage, HistoryWindow

MAX_FORKS = 32
"""How many ancestors are followed; older history is read in the ancestor itself."""


def read_history(
    connection: Connection,
    row: SessionRow,
    shell: SessionShell,
    state: SessionState,
    params: ReadSessionParams,
) -> HistoryWindow:
    """One page of messages, oldest first, and whether an earlier one exists."""
    wanted = params.history_offset + params.history_limit
    found = messages_before(
        connection, row, shell, wanted + 1, before_id=params.history_before_message_id
    )
    end = max(len(found) - params.history_offset, 0)
    page = found[max(end - params.history_limit, 0) : end]
    total = state.counts.get("message", 0) + (shell.inherited_messages or 0)
    return HistoryWindow.model_validate(
        {
            "messages": page,
            "totalCount": total,
            "truncated": end > params.history_limit or len(page) < min(total, end),
            "oldestMessageId": page[0].message_id if page else None,
        }
    )


def messages_before(
    connection: Connection,
    row: SessionRow,
    shell: SessionShell,
    limit: int,
    before_id: str | None = None,
) -> list[HistoryMessage]:
    """At most `limit` messages, oldest first, that come before the one named."""
    found: list[HistoryMessage] = []
    before: int | None = None
    is_after_mark = before_id is None
    for _ in range(MAX_FORKS):
        if not is_after_mark and (mark := _place(connection, row, before_id or "")):
            before = min(mark.position, before) if before is not None else mark.position
            is_after_mark = True
        if is_after_mark:
            page = recent_records(
                connection, row.session_key, "message", limit - len(found), before
            )
            found = [*_messages(page), *found]
        parent = _parent(connection, shell)
        if len(found) >= limit or parent is None:
            break
        before = (shell.forked_through or 0) + 1
        row, shell = parent
    return found


def without_replaced(
    messages: Sequence[HistoryMessage], replaced: str | None
) -> list[HistoryMessage]:
    """What an agent reads: a question that was asked anew, and all that followed it up to then, is left out.

    `replaced` is what the turn about to run takes the place of.
    """
    kept: list[HistoryMessage] = []
    for message in messages:
        if message.replaces_turn_id:
            kept = _before(kept, message.replaces_turn_id)
        kept.append(message)
    return _before(kept, replaced) if replaced else kept


def replaced_by(connection: Connection, row: SessionRow, turn_id: str) -> str | None:
    """The earlier turn that a turn is asked instead of."""
    placed = _place(connection, row, f"user:{turn_id}")
    found = placed.record if placed else None
    return found.replaces_turn_id if isinstance(found, HistoryMessage) else None


def _before(messages: list[HistoryMessage], turn_id: str) -> list[HistoryMessage]:
    # Not among them: it lies before all of them, so all of them followed it.
    ids: list[str | None] = [message.turn_id for message in messages]
    return messages[: ids.index(turn_id)] if turn_id in ids else []


def _place(connection: Connection, row: SessionRow, message_id: str) -> Placed | None:
    return load_record(connection, row.session_key, Address("message", message_id))


def _messages(page: list[Placed]) -> list[HistoryMessage]:
    return [record for record, _ in page if isinstance(record, HistoryMessage)]


def _parent(connection: Connection, shell: SessionShell) -> tuple[SessionRow, SessionShell] | None:
    row = session_row(connection, shell.forked_from) if shell.forked_from else None
    if row is None:
        return None
    placed = load_record(connection, row.session_key, Address("session", SESSION_KEY))
    found = placed.record if placed else None
    return (row, found) if isinstance(found, SessionShell) else None
