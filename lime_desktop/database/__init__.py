"""How every SQLite file is opened, written, migrated and repaired. Knows no tables."""
