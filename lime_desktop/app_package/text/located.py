"""Values that remember where they were written. Plain dicts and lists to everyone who does not ask.

Every value of a package's text files keeps its file and line through merging, so that a problem or
the effective manifest can point at the very place.
"""

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

PathPart: TypeAlias = str | int
ValuePath: TypeAlias = tuple[PathPart, ...]


class Origin(NamedTuple):
    """The place of a value: a path inside the package and a line counted from 1."""

    file: str
    line: int


class LocatedMap(dict[str, object]):
    """A mapping that knows the origin of each of its values, and its own."""

    __slots__ = ("origin", "origins")

    def __init__(self, origin: Origin) -> None:
        super().__init__()
        self.origin = origin
        self.origins: dict[str, Origin] = {}

    def put(self, key: str, value: object, origin: Origin) -> None:
        """Set a value together with its place."""
        self[key] = value
        self.origins[key] = origin


class LocatedList(list[object]):
    """A list that knows the origin of each of its items, and its own."""

    __slots__ = ("origin", "origins")

    def __init__(self, origin: Origin) -> None:
        super().__init__()
        self.origin = origin
        self.origins: list[Origin] = []

    def put(self, value: object, origin: Origin) -> None:
        """Append an item together with its place."""
        self.append(value)
        self.origins.append(origin)


def children(value: object) -> Iterator[tuple[PathPart, object, Origin]]:
    """The parts of a value with their places; nothing for a scalar."""
    if isinstance(value, LocatedMap):
        for key, child in value.items():
            yield key, child, value.origins[key]
    elif isinstance(value, LocatedList):
        yield from ((index, child, value.origins[index]) for index, child in enumerate(value))


def walk(value: object, path: ValuePath = ()) -> Iterator[tuple[ValuePath, object, Origin]]:
    """Every value below, parents before children."""
    pending = [((*path, part), child, origin) for part, child, origin in children(value)]
    pending.reverse()
    while pending:
        at, current, origin = pending.pop()
        yield at, current, origin
        below = [((*at, part), child, where) for part, child, where in children(current)]
        pending.extend(reversed(below))


def find(value: object, path: ValuePath) -> tuple[object, Origin | None]:
    """The value at a path with its place; where the path ends early, the place of the last part."""
    origin = value.origin if isinstance(value, LocatedMap | LocatedList) else None
    for part in path:
        step = _step(value, part)
        if step is None:
            return None, origin
        value, origin = step
    return value, origin


def _step(value: object, part: PathPart) -> tuple[object, Origin] | None:
    if isinstance(value, LocatedMap) and isinstance(part, str) and part in value:
        return value[part], value.origins[part]
    if isinstance(value, LocatedList) and isinstance(part, int) and 0 <= part < len(value):
        return value[part], value.origins[part]
    return None


def key_path(path: ValuePath) -> str:
    """A path as people write it: `entries[0].route`."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            text += f".{part}" if text else part
    return text
