"""The tables of one app's index."""

from lime_desktop.database.migrations import Migration, Schema, statements

KNOWLEDGE_INDEX = Schema(
    "knowledge-index",
    (
        Migration(
            "bindings, documents and passages",
            statements(
                """
                CREATE TABLE binding (
                    key TEXT PRIMARY KEY,
                    mode TEXT NOT NULL,
                    bound_at TEXT NOT NULL,
                    indexed_at TEXT,
                    message TEXT
                )
                """,
                """
                CREATE TABLE source (
                    binding TEXT NOT NULL REFERENCES binding (key) ON DELETE CASCADE,
                    path TEXT NOT NULL,
                    PRIMARY KEY (binding, path)
                )
                """,
                """
                CREATE TABLE document (
                    id INTEGER PRIMARY KEY,
                    binding TEXT NOT NULL,
                    path TEXT NOT NULL,
                    name TEXT NOT NULL,
                    size_bytes INTEGER NOT NULL,
                    modified_ns INTEGER NOT NULL,
                    problem TEXT,
                    UNIQUE (binding, path)
                )
                """,
                """
                CREATE TABLE passage (
                    id INTEGER PRIMARY KEY,
                    document INTEGER NOT NULL,
                    title TEXT NOT NULL,
                    location TEXT NOT NULL,
                    text TEXT NOT NULL
                )
                """,
                "CREATE INDEX passage_of_document ON passage (document)",
                # Without content of its own: what is indexed are our words, and the text is in `passage` already.
                """
                CREATE VIRTUAL TABLE word USING fts5 (
                    title, text, binding, content='', tokenize="unicode61 remove_diacritics 2"
                )
                """,
            ),
        ),
        Migration(
            "the page of a passage",
            # What was indexed before has none until its file is read again.
            statements("ALTER TABLE passage ADD COLUMN page INTEGER"),
        ),
    ),
)
