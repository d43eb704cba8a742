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

APP_STORAGE = Schema("app-storage", (Migration("keys and values", _KEYS_AND_VALUES),))
