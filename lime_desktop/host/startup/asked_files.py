"""Files that a start of the program was asked to open, as one start tells the next: written and read here alone.

A link, which anybody may have written, never reads as this: it begins with a sign that no link and no path begins with.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from lime_desktop.product import Product
from lime_desktop.protocol.errors import InvalidInput

_MARK = "\x1e"


@dataclass(frozen=True, slots=True)
class AskedFiles:
    """Files for an app."""

    app_id: str
    paths: tuple[Path, ...]


def spell(asked: AskedFiles) -> str:
    """The text that a start hands over."""
    return _MARK + json.dumps([asked.app_id, *map(str, asked.paths)])


def read_asked_files(text: str, product: Product) -> AskedFiles | None:
    """What a text asks for; None where it asks for something else. A file of the product's own kind is for its app.

    Raises:
        InvalidInput: it is none that a start of the program wrote.
    """
    if product.app is not None and product.is_own_file(text) and Path(text).is_absolute():
        return AskedFiles(product.app.id, (Path(text),))
    if not text.startswith(_MARK):
        return None
    try:
        listed = cast("object", json.loads(text.removeprefix(_MARK)))
    except ValueError:
        listed = None
    words = cast("list[object]", listed) if isinstance(listed, list) else []
    named = [each for each in words if isinstance(each, str)]
    if not named or len(named) != len(words):
        raise InvalidInput.at_fields([("files", "unreadable")])
    app_id, *paths = named
    if not paths or not all(Path(path).is_absolute() for path in paths):
        raise InvalidInput.at_fields([("files", "unreadable")])
    return AskedFiles(app_id, tuple(map(Path, paths)))
