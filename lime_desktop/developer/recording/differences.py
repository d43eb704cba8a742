"""Where do two values first differ? Told by a path into them, as JSONPath writes it."""

import json
from dataclasses import dataclass

from pydantic import JsonValue


class Absent:
    """What stands where the other value has nothing."""

    def __repr__(self) -> str:
        return "nothing"


ABSENT = Absent()


@dataclass(frozen=True, slots=True)
class ValueDifference:
    """One place, and what stands there."""

    path: str
    expected: JsonValue | Absent
    actual: JsonValue | Absent


def first_difference(
    expected: JsonValue, actual: JsonValue, path: str = "$"
) -> ValueDifference | None:
    """Name the first place where the values differ; None where they are the same."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        steps = [
            f".{key}" if key.isidentifier() else f"[{json.dumps(key)}]"
            for key in {**expected, **actual}
        ]
        pairs = [
            (expected.get(key, ABSENT), actual.get(key, ABSENT)) for key in {**expected, **actual}
        ]
    elif isinstance(expected, list) and isinstance(actual, list):
        longest = max(len(expected), len(actual))
        steps = [f"[{at}]" for at in range(longest)]
        pairs = [(_at(expected, at), _at(actual, at)) for at in range(longest)]
    elif expected == actual and isinstance(expected, bool) == isinstance(actual, bool):
        return None
    else:
        return ValueDifference(path, expected, actual)
    for step, (one, other) in zip(steps, pairs, strict=True):
        if isinstance(one, Absent) or isinstance(other, Absent):
            return ValueDifference(path + step, one, other)
        if (found := first_difference(one, other, path + step)) is not None:
            return found
    return None


def _at(values: list[JsonValue], at: int) -> JsonValue | Absent:
    return values[at] if at < len(values) else ABSENT
