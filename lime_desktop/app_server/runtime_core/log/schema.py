"""The tables of `runtime.db`. Only RuntimeCore writes them.

`event` is the truth. `session.state` and `record` are derived from it in the same transaction, and can be
derived again. Each event's `checksum` continues the one before it, so damage is found where it is.
"""

from lime_desktop.database.migrations import Migration, Schema, statements

_FIRST = statements(
    """
    CREATE TABLE runtime (
        name TEXT PRIMARY KEY,
        value TEXT NOT NULL
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE session (
        session_key INTEGER PRIMARY KEY,
        session_id TEXT NOT NULL UNIQUE,
        app_id TEXT NOT NULL,
        workspace_id TEXT,
        updated_at TEXT NOT NULL,
        is_unfinished INTEGER NOT NULL DEFAULT 0,
        damage TEXT,
        state BLOB NOT NULL
    )
    """,
    # Not by time: every append would move its session in such an index, and a list sorts in milliseconds.
    "CREATE INDEX session_of_app ON session (app_id)",
    "CREATE INDEX session_unfinished ON session (session_key) WHERE is_unfinished",
    """
    CREATE TABLE event (
        session_key INTEGER NOT NULL REFERENCES session,
        sequence INTEGER NOT NULL,
        event_id TEXT NOT NULL,
        body BLOB NOT NULL,
        checksum INTEGER NOT NULL,
        PRIMARY KEY (session_key, sequence)
    ) WITHOUT ROWID
    """,
    "CREATE UNIQUE INDEX event_by_id ON event (session_key, event_id)",
    """
    CREATE TABLE record (
        session_key INTEGER NOT NULL REFERENCES session,
        kind TEXT NOT NULL,
        key TEXT NOT NULL,
        position INTEGER NOT NULL,
        body BLOB NOT NULL,
        PRIMARY KEY (session_key, kind, key)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX record_by_position ON record (session_key, kind, position)",
    # What a repair took out of the log, kept for whoever wants to look.
    """
    CREATE TABLE lost_event (
        session_key INTEGER NOT NULL REFERENCES session,
        sequence INTEGER NOT NULL,
        event_id TEXT,
        body BLOB,
        found_at TEXT NOT NULL
    )
    """,
)

# An app names a task or a turn without its session.
_BY_NAME = statements(
    "CREATE INDEX task_by_name ON record (key) WHERE kind='task'",
    "CREATE INDEX turn_by_name ON record (key) WHERE kind='turn'",
)

# Runs of several steps are listed by app, newest first, and those that are open over all apps. Records leave out what is
# empty: a job without an end does not name the field. Looked for as bytes, so that a damaged record breaks no index.
_JOBS = statements(
    "CREATE INDEX job_by_name ON record (key) WHERE kind='job'",
    """
    CREATE INDEX job_open ON record (key)
    WHERE kind='job' AND instr(body, CAST('"endedAt":' AS BLOB)) = 0
    """,
)

RUNTIME = Schema(
    "runtime",
    (
        Migration("events, state and records", _FIRST),
        Migration("tasks and turns by name", _BY_NAME),
        Migration("jobs by name, and the open ones", _JOBS),
    ),
)
