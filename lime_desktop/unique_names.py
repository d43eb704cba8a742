"""Tables in which a name stands once: whoever adds a second is told at start, and nothing is overwritten in silence.

A plain dict keeps the last of two rows. Where rows are handlers, that decides without a word which code a call reaches,
and with it which checks it passes. Pure, and below everything: every package may ask.
"""

from collections.abc import Hashable, Iterable, MutableMapping
from typing import TypeVar

NameT = TypeVar("NameT", bound=Hashable)
RowT = TypeVar("RowT")


class DuplicateName(ValueError):
    """Two rows of one table have the same name: a fault of the program, never of what it was given."""


def add_unique(table: MutableMapping[NameT, RowT], name: NameT, row: RowT, *, of: str) -> None:
    """Add a row, which is one `of` something.

    Raises:
        DuplicateName: there is one of this name; it stays as it is.
    """
    if name in table:
        raise DuplicateName(f"There are two of one name: {of} {name}")
    table[name] = row


def unique_table(rows: Iterable[tuple[NameT, RowT]], *, of: str) -> dict[NameT, RowT]:
    """Make a table of rows, each one `of` something.

    Raises:
        DuplicateName: two have the same name.
    """
    table: dict[NameT, RowT] = {}
    for name, row in rows:
        add_unique(table, name, row, of=of)
    return table
