"""Look for a text in texts of a database, large and small letters alike, in time that grows with their lengths.

SQLite's own `instr` compares a long text anew at every place, and takes minutes for half a megabyte in a row.
"""

from lime_desktop.database.connection import Connection


def offer_text_search(connection: Connection) -> None:
    """Let statements say `holds_text(column, ?)`; the wanted text is folded by whoever binds it."""
    connection.create_function("holds_text", 2, _holds_text, deterministic=True)


def _holds_text(value: object, folded: object) -> bool:
    return isinstance(value, str) and isinstance(folded, str) and folded in value.casefold()
