"""The tables of one app's file."""

from lime_desktop.database.migrations import Migration, Schema, statements

_KEYS_AND_VALUES = statements(
    """
    CREATE TABLE entry (
        key TEXT NOT NULL UNIQUE,
        value_json TEXT NOT NULL,
        updated_at TEXT NOT NULL,
        provenance TEXT NOT NULL,
        size_bytes INTEGER NOT NULL
    )
    """,
    # Kept beside the rows: summing them up for each write would cost more the more an app keeps.
    "CREATE TABLE usage (used_bytes INTEGER NOT NULL)",
    "INSERT INTO usage VALUES (0)",
    """
    CREATE TRIGGER entry_added AFTER INSERT ON entry
    BEGIN UPDATE usage SET used_bytes = used_bytes + new.size_bytes; END
    """,
    """
    CREATE TRIGGER entry_replaced AFTER UPDATE ON entry
    BEGIN UPDATE usage SET used_bytes = used_bytes + new.size_bytes - old.size_bytes; END
    """,
    """
    CREATE TRIGGER entry_deleted AFTER DELETE ON entry
    BEGIN UPDATE usage SET used_bytes = used_bytes - old.size_bytes; END
    """,
)

_ROOM_FOR_TABLES = statements(
    # Every other name is the app's own to give. SQLite corrects the triggers along.
    "ALTER TABLE entry RENAME TO lime_entry",
    "ALTER TABLE usage RENAME TO lime_usage",
    """
    CREATE TABLE lime_migration (
        name TEXT PRIMARY KEY,
        sha256 TEXT NOT NULL,
        applied_at TEXT NOT NULL,
        provenance TEXT NOT NULL
    )
    """,
)

APP_STORAGE = Schema(
    "app-storage",
    (
        Migration("keys and values", _KEYS_AND_VALUES),
        Migration("room for the app's tables", _ROOM_FOR_TABLES),
    ),
    # An app's rows are JSON, and its indexes are over fields of them.
    trusts_expressions=True,
)
