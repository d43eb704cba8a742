"""The tables of host.db. Each row is a record as JSON beside the columns it is found by."""

from lime_desktop.database.migrations import Migration, Schema, statements

_APPS = statements(
    "CREATE TABLE app (app_id TEXT PRIMARY KEY, record TEXT NOT NULL) STRICT",
    """
    CREATE TABLE app_grant (
        app_id TEXT NOT NULL, permission TEXT NOT NULL, record TEXT NOT NULL,
        PRIMARY KEY (app_id, permission)
    ) STRICT
    """,
    """
    CREATE TABLE rollback_point (
        point_id TEXT PRIMARY KEY, app_id TEXT NOT NULL, record TEXT NOT NULL
    ) STRICT
    """,
    # What was decided but is not done: taken up again at the next start.
    """
    CREATE TABLE unfinished (
        work_id TEXT PRIMARY KEY, app_id TEXT NOT NULL, record TEXT NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE receipt (
        receipt_id TEXT PRIMARY KEY, app_id TEXT NOT NULL, at_ms INTEGER NOT NULL, record TEXT NOT NULL
    ) STRICT
    """,
    "CREATE TABLE kept_data (app_id TEXT PRIMARY KEY, record TEXT NOT NULL) STRICT",
)

_APPROVALS = statements(
    """
    CREATE TABLE kept_approval (
        approval_id TEXT PRIMARY KEY, app_id TEXT NOT NULL, record TEXT NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE grant_use (
        app_id TEXT NOT NULL, rule_id TEXT NOT NULL, action TEXT NOT NULL,
        count INTEGER NOT NULL, last_at_ms INTEGER NOT NULL,
        PRIMARY KEY (app_id, rule_id, action)
    ) STRICT, WITHOUT ROWID
    """,
)

_SOURCES = statements(
    "CREATE TABLE catalog_source (location TEXT PRIMARY KEY, record TEXT NOT NULL) STRICT",
    """
    CREATE TABLE overlay (
        app_id TEXT NOT NULL, layer TEXT NOT NULL, record TEXT NOT NULL, PRIMARY KEY (app_id, layer)
    ) STRICT
    """,
    # One row at most: a machine belongs to one organisation, or to none.
    "CREATE TABLE organisation (id INTEGER PRIMARY KEY CHECK (id = 1), record TEXT NOT NULL) STRICT",
)

_REFUSALS = statements(
    """
    CREATE TABLE personal_refusal (
        refusal_id TEXT PRIMARY KEY, app_id TEXT NOT NULL, record TEXT NOT NULL
    ) STRICT
    """,
)

_WORKSPACE = statements(
    # One row at most: a person works in one folder at a time, or in none.
    "CREATE TABLE workspace (id INTEGER PRIMARY KEY CHECK (id = 1), record TEXT NOT NULL) STRICT",
)

_DONE_CALLS = statements(
    """
    CREATE TABLE done_call (
        app_id TEXT NOT NULL, call TEXT NOT NULL, key TEXT NOT NULL, at_ms INTEGER NOT NULL,
        record TEXT NOT NULL, PRIMARY KEY (app_id, call, key)
    ) STRICT
    """,
)

_RECALLS_AND_UPDATES = statements(
    """
    CREATE TABLE revocation (
        app_id TEXT NOT NULL, package_hash TEXT NOT NULL, record TEXT NOT NULL,
        PRIMARY KEY (app_id, package_hash)
    ) STRICT
    """,
    "CREATE TABLE auto_update (app_id TEXT PRIMARY KEY, record TEXT NOT NULL) STRICT",
)

_EVAL_OUTCOMES = statements(
    """
    CREATE TABLE eval_outcome (
        app_id TEXT NOT NULL, package_hash TEXT NOT NULL, eval_key TEXT NOT NULL, record TEXT NOT NULL,
        PRIMARY KEY (app_id, package_hash, eval_key)
    ) STRICT
    """,
)

HOST = Schema(
    "host",
    (
        Migration("installed apps", _APPS),
        Migration("kept approvals", _APPROVALS),
        Migration("catalog, overlays and the organisation", _SOURCES),
        Migration("what a person refuses for good", _REFUSALS),
        Migration("the open workspace", _WORKSPACE),
        Migration("calls made under a key", _DONE_CALLS),
        Migration("what was revoked, and how apps are updated", _RECALLS_AND_UPDATES),
        Migration("what came of evals", _EVAL_OUTCOMES),
    ),
)
