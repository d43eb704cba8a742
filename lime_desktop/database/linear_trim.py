"""`trim(text, characters)` in one pass. SQLite compares every character with every other, and looks at no clock meanwhile.

Inside one call nothing can stop SQLite: two texts of 100,000 characters keep it for minutes.
"""

from functools import partial

from lime_desktop.database.connection import Connection

_Value = str | int | float | bytes | None
_SIDES = {"trim": (True, True), "ltrim": (True, False), "rtrim": (False, True)}


def trim_linearly(connection: Connection) -> None:
    """Have this connection trim by these; with one argument SQLite's own is linear, and stays."""
    for name, (at_start, at_end) in _SIDES.items():
        trim = partial(_trimmed, at_start=at_start, at_end=at_end)
        connection.create_function(name, 2, trim, deterministic=True)


def _trimmed(value: _Value, characters: _Value, *, at_start: bool, at_end: bool) -> str | None:
    if value is None or characters is None:
        return None
    text, unwanted = _text(value), frozenset(_text(characters))
    start, end = 0, len(text)
    while at_start and start < end and text[start] in unwanted:
        start += 1
    while at_end and start < end and text[end - 1] in unwanted:
        end -= 1
    return text[start:end]


def _text(value: str | float | bytes) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)
