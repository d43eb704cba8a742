"""Read and write one app's index. Functions of a connection."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lime_desktop.app_server.knowledge.passages import Passage
from lime_desktop.app_server.knowledge.tokens import tokens_of
from lime_desktop.database.connection import Connection

_MANY_PASSAGES = 5_000
"""Fewer are all weighed in no time."""


@dataclass(frozen=True, slots=True)
class Binding:
    """A template and how far its sources are indexed."""

    key: str
    mode: str
    indexed_at: str | None
    message: str | None
    sources: tuple[str, ...]
    documents: int
    passages: int
    unread: int
    """Documents that could not be read."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file as it was when it was looked at; or a row of the app's own, told apart by its path."""

    path: str
    name: str
    size_bytes: int
    modified_ns: int


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that fits."""

    passage_id: int
    binding: str
    path: str
    document: str
    title: str
    location: str
    text: str
    page: int | None
    score: float


def keep_binding(
    connection: Connection, key: str, mode: str, paths: Iterable[str], at: str
) -> None:
    """Bind a template to sources; earlier ones are let go of, and their documents with them."""
    connection.execute(
        """
        INSERT INTO binding (key, mode, bound_at) VALUES (?, ?, ?)
        ON CONFLICT (key) DO UPDATE SET mode = excluded.mode, bound_at = excluded.bound_at,
            indexed_at = NULL, message = NULL
        """,
        (key, mode, at),
    )
    connection.execute("DELETE FROM source WHERE binding = ?", (key,))
    connection.executemany(
        "INSERT INTO source VALUES (?, ?)", [(key, path) for path in dict.fromkeys(paths)]
    )


def read_bound_keys(connection: Connection) -> tuple[str, ...]:
    """The bound templates by name alone: to count what they hold takes longer than a search."""
    return tuple(key for (key,) in connection.execute("SELECT key FROM binding"))


def read_sources(connection: Connection) -> dict[str, tuple[str, ...]]:
    """The places of every template that is bound to some, and nothing counted."""
    found: dict[str, tuple[str, ...]] = {}
    for key, path in connection.execute("SELECT binding, path FROM source ORDER BY binding, path"):
        found[key] = (*found.get(key, ()), path)
    return found


def read_bindings(connection: Connection) -> tuple[Binding, ...]:
    """Every bound template."""
    rows = connection.execute("SELECT key, mode, indexed_at, message FROM binding ORDER BY key")
    return tuple(_binding(connection, *row) for row in rows.fetchall())


def _binding(
    connection: Connection, key: str, mode: str, indexed_at: str | None, message: str | None
) -> Binding:
    sources = connection.execute(
        "SELECT path FROM source WHERE binding = ? ORDER BY path", (key,)
    ).fetchall()
    documents, passages = connection.execute(
        """
        SELECT count(DISTINCT document.id), count(passage.id) FROM document
        LEFT JOIN passage ON passage.document = document.id WHERE binding = ?
        """,
        (key,),
    ).fetchone()
    paths = tuple(path for (path,) in sources)
    unread = count_unread(connection, key)
    return Binding(key, mode, indexed_at, message, paths, documents, passages, unread)


def count_unread(connection: Connection, key: str) -> int:
    """How many files of a binding could not be read."""
    counted = "SELECT count(*) FROM document WHERE binding = ? AND problem IS NOT NULL"
    return connection.execute(counted, (key,)).fetchone()[0]


def finish_indexing(connection: Connection, key: str, at: str, message: str | None) -> None:
    """Note that the index is as the sources are."""
    connection.execute(
        "UPDATE binding SET indexed_at = ?, message = ? WHERE key = ?", (at, message, key)
    )


def known_files(connection: Connection, key: str) -> dict[str, SourceFile]:
    """The files of a binding as they were indexed."""
    rows = connection.execute(
        "SELECT path, name, size_bytes, modified_ns FROM document WHERE binding = ?", (key,)
    )
    return {row[0]: SourceFile(*row) for row in rows}


def put_document(
    connection: Connection,
    key: str,
    file: SourceFile,
    passages: Iterable[Passage],
    problem: str | None = None,
) -> None:
    """Index a file; what was known of it is replaced."""
    remove_document(connection, key, file.path)
    document = connection.execute(
        "INSERT INTO document (binding, path, name, size_bytes, modified_ns, problem) VALUES (?, ?, ?, ?, ?, ?)",
        (key, file.path, file.name, file.size_bytes, file.modified_ns, problem),
    ).lastrowid
    for passage in passages:
        number = connection.execute(
            "INSERT INTO passage (document, title, location, text, page) VALUES (?, ?, ?, ?, ?)",
            (document, passage.title, passage.location, passage.text, passage.page),
        ).lastrowid
        connection.execute(
            "INSERT INTO word (rowid, title, text, binding) VALUES (?, ?, ?, ?)",
            (number, *_words(file.name, passage.title, passage.text, key)),
        )


def remove_document(connection: Connection, key: str, path: str) -> None:
    """Forget a file."""
    rows = connection.execute(
        """
        SELECT passage.id, document.name, passage.title, passage.text FROM passage
        JOIN document ON document.id = passage.document WHERE binding = ? AND path = ?
        """,
        (key, path),
    ).fetchall()
    for number, name, title, text in rows:
        # A table without content forgets a row only when it is told again what the row was.
        connection.execute(
            "INSERT INTO word (word, rowid, title, text, binding) VALUES ('delete', ?, ?, ?, ?)",
            (number, *_words(name, title, text, key)),
        )
        connection.execute("DELETE FROM passage WHERE id = ?", (number,))
    connection.execute("DELETE FROM document WHERE binding = ? AND path = ?", (key, path))


def remove_binding(connection: Connection, key: str) -> bool:
    """Let a template's sources go, and say whether it had any."""
    for path in known_files(connection, key):
        remove_document(connection, key, path)
    return connection.execute("DELETE FROM binding WHERE key = ?", (key,)).rowcount > 0


def search(
    connection: Connection, terms: Sequence[str], binding: str | None, limit: int
) -> tuple[Hit, ...]:
    """The passages that fit best. The terms come from `tokens.terms_of`."""
    telling = _telling(connection, terms)
    found = _best(connection, telling, binding, limit) if telling else ()
    return found or _best(connection, terms, binding, limit)


def _telling(connection: Connection, terms: Sequence[str]) -> Sequence[str]:
    """The terms that not most passages have.

    The others weigh next to nothing, but every passage that has one is weighed: nearly all of them, for a rare word that
    was asked for together with one that everybody uses.
    """
    (passages,) = connection.execute("SELECT count(*) FROM passage").fetchone()
    if passages < _MANY_PASSAGES or len(terms) == 1:
        return terms
    return [term for term in terms if not _has_more_than(connection, term, passages // 2)]


def _has_more_than(connection: Connection, term: str, count: int) -> bool:
    (found,) = connection.execute(
        "SELECT count(*) FROM (SELECT 1 FROM word WHERE word MATCH ? LIMIT ?)", (term, count + 1)
    ).fetchone()
    return found > count


def _best(
    connection: Connection, terms: Sequence[str], binding: str | None, limit: int
) -> tuple[Hit, ...]:
    query = " OR ".join(terms)
    match = query if binding is None else f"({query}) AND binding : {_binding_word(binding)}"
    rows = connection.execute(
        """
        WITH found AS (
            SELECT rowid AS id, bm25(word, 3.0, 1.0, 0.0) AS rank FROM word WHERE word MATCH ?
            ORDER BY rank LIMIT ?
        )
        SELECT found.id, binding, path, document.name, passage.title, location, text, page, -rank FROM found
        JOIN passage ON passage.id = found.id JOIN document ON document.id = passage.document
        ORDER BY rank, found.id
        """,
        (match, limit),
    )
    return tuple(Hit(*row) for row in rows)


def texts_of(connection: Connection, key: str) -> list[tuple[str, str, str]]:
    """Every passage of a binding with its document and heading, in order."""
    return connection.execute(
        """
        SELECT document.name, passage.title, passage.text FROM passage
        JOIN document ON document.id = passage.document WHERE binding = ? ORDER BY path, passage.id
        """,
        (key,),
    ).fetchall()


def _words(name: str, title: str, text: str, key: str) -> tuple[str, str, str]:
    return tokens_of(f"{name} {title}"), tokens_of(text), _binding_word(key)


def _binding_word(key: str) -> str:
    return f"b{key.encode().hex()}"
