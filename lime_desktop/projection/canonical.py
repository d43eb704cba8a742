"""One text for one value: JSON whose bytes depend on nothing but the content."""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import cast

Json = dict[str, "Json"] | list["Json"] | str | int | float | bool | None


def canonical(value: object, *, first: Iterable[str] = ()) -> Json:
    """Copy a JSON-like value with its keys in order: the named ones first, the rest sorted.

    What JSON cannot hold becomes what it can: infinities are written as text, lone surrogates as `?`.
    """
    match value:
        case None | bool() | int():
            return value
        case float():
            return value if math.isfinite(value) else str(value)
        case str():
            return _text(value)
        case Mapping():
            return _object(cast("Mapping[object, object]", value), first)
        case Sequence():
            return [canonical(item) for item in cast("Sequence[object]", value)]
        case _:
            return _text(str(value))


def to_text(value: object) -> str:
    """Write a value without a space, in the order its keys already have."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _object(value: Mapping[object, object], first: Iterable[str]) -> dict[str, Json]:
    items = {_text(str(key)): item for key, item in value.items()}
    leading = [key for key in first if key in items]
    order = (*leading, *sorted(items.keys() - set(leading)))
    return {key: canonical(items[key]) for key in order}


def _text(value: str) -> str:
    return value.encode("utf-8", "replace").decode() if not value.isascii() else value
