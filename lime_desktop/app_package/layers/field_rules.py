"""From merged values to a typed manifest: every rule about a single field, in plain words.

What breaks a rule is reported and left out, so that the rest of an invalid package can still be shown.
"""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from lime_desktop.app_package.manifest import Manifest
from lime_desktop.app_package.manifest.root import STATUS_OF_OTHERS
from lime_desktop.app_package.problem_kinds import fields
from lime_desktop.app_package.problem_kinds.layers import FIELD_EMPTY
from lime_desktop.app_package.problems import MAX_OF_A_KIND, Place, Problem, ProblemKind, Severity
from lime_desktop.app_package.text.located import (
    LocatedList,
    LocatedMap,
    ValuePath,
    children,
    find,
    key_path,
)

_ROUNDS = 8
"""Leaving out a value can make its parent incomplete; each round leaves out one level more."""

_TOO_MUCH = "too_much"
_TYPES = {
    "string_type": "text",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "tuple_type": "a list",
    "dict_type": "an object",
    "model_type": "an object",
    "wrong_shape": "one of the forms that the standard allows",
}
_KINDS: dict[str, tuple[ProblemKind, str]] = {
    "missing": (fields.FIELD_MISSING, "{field} is missing."),
    "extra_forbidden": (fields.FIELD_NOT_ALLOWED, "{field} is not a field of the standard."),
    "literal_error": (fields.VALUE_NOT_ALLOWED, "{field} must be {expected}."),
    "string_pattern_mismatch": (fields.VALUE_MALFORMED, "{field} must match {pattern}."),
    "string_too_long": (fields.VALUE_TOO_LONG, "{field} is longer than {max_length} characters."),
    "string_too_short": (
        fields.VALUE_TOO_SHORT,
        "{field} is shorter than {min_length} characters.",
    ),
    "too_long": (fields.VALUE_TOO_LONG, "{field} has more than {max_length} items."),
    "too_short": (fields.VALUE_TOO_SHORT, "{field} has fewer than {min_length} items."),
    "greater_than_equal": (fields.NUMBER_OUT_OF_BOUNDS, "{field} must be at least {ge}."),
    "less_than_equal": (fields.NUMBER_OUT_OF_BOUNDS, "{field} must be at most {le}."),
    _TOO_MUCH: (fields.TOO_MANY_PROBLEMS, "{field} has too many problems; it was left out."),
    "not_unique": (fields.ITEMS_NOT_UNIQUE, "{field} holds the same item twice."),
    "not_a_time": (fields.TIME_INVALID, "{field} is not an ISO 8601 time."),
    "not_a_url": (fields.URL_INVALID, "{field} is not an absolute URL."),
    "not_an_email": (fields.EMAIL_INVALID, "{field} is not an e-mail address."),
}


_NO_ADDRESS = {"not_a_url", "not_an_email"}


class _Broken(NamedTuple):
    """One broken rule: where, and how."""

    path: ValuePath
    kind: str
    context: Mapping[str, Any]
    written: str | None = None
    """What stands there, where it is a text."""


def read_manifest(effective: LocatedMap, fallback_name: str) -> tuple[Manifest, list[Problem]]:
    """The manifest as far as it is sound, and a problem for every rule that it breaks."""
    problems = [*islice(_empty_fields(effective, ()), MAX_OF_A_KIND)]
    left_out: set[ValuePath] = set()
    placeholders: dict[str, str] = {}
    reported: set[ValuePath] = set()
    for _ in range(_ROUNDS):
        data = {**placeholders, **_sound(effective, (), left_out)}
        try:
            return Manifest.model_validate(data), problems
        except ValidationError as error:
            broken = list(_broken_rules(error, effective))
        first_seen = [rule for rule in broken if not _is_below(rule.path, reported)]
        problems.extend(_problem(rule, effective) for rule in _once_per_place(first_seen))
        reported.update(rule.path for rule in broken)
        _leave_out(broken, left_out, placeholders, {**_identity(fallback_name), **_read_as(broken)})
    return Manifest.model_validate(_identity(fallback_name)), problems


def _identity(name: str) -> dict[str, str]:
    return {
        "name": name,
        "description": "(no description)",
        "version": "0.0.0",
        "status": "draft",
        "appType": "custom",
    }


def _read_as(broken: list[_Broken]) -> dict[str, str]:
    """The standard's words for those that stand where it has others."""
    word = next((found for rule in broken if (found := _usual_word(rule))), None)
    return {} if word is None else {"status": word}


def _usual_word(rule: _Broken) -> str | None:
    return STATUS_OF_OTHERS.get(rule.written or "") if rule.path == ("status",) else None


def _leave_out(
    broken: list[_Broken],
    left_out: set[ValuePath],
    placeholders: dict[str, str],
    stand_ins: Mapping[str, str],
) -> None:
    for rule in broken:
        if len(rule.path) == 1 and rule.path[0] in stand_ins:
            name = str(rule.path[0])
            placeholders[name] = stand_ins[name]
            left_out.add(rule.path)
        elif rule.kind == "missing":
            left_out.add(rule.path[:-1])
        else:
            left_out.add(rule.path)


def _sound(value: LocatedMap, path: ValuePath, left_out: set[ValuePath]) -> dict[str, object]:
    """A plain copy without the values that broke a rule, and without empty ones."""
    return {
        str(part): _sound_value(child, (*path, part), left_out)
        for part, child, _ in children(value)
        if child is not None and (*path, part) not in left_out
    }


def _sound_value(value: object, path: ValuePath, left_out: set[ValuePath]) -> object:
    if isinstance(value, LocatedMap):
        return _sound(value, path, left_out)
    if isinstance(value, LocatedList):
        return [
            _sound_value(child, (*path, index), left_out)
            for index, child in enumerate(value)
            if (*path, index) not in left_out
        ]
    return value


def _empty_fields(value: object, path: ValuePath) -> Iterator[Problem]:
    for part, child, origin in children(value):
        at = (*path, part)
        if child is None and isinstance(part, str):
            place = Place(origin.file, origin.line, key_path(at))
            yield FIELD_EMPTY.found(f"{_shown(at)} has no value.", place)
        yield from _empty_fields(child, at)


def _broken_rules(error: ValidationError, effective: LocatedMap) -> Iterator[_Broken]:
    details = error.errors(include_url=False, include_input=False)
    for number, detail in enumerate(details):
        path = _data_path(detail, effective)
        if number < MAX_OF_A_KIND:
            value, _ = find(effective, path)
            written = value if isinstance(value, str) else None
            yield _Broken(path, detail["type"], detail.get("ctx", {}), written)
        else:
            # The whole field is left out, so that one bad list does not take a second.
            yield _Broken(path[:1], _TOO_MUCH, {})


def _data_path(detail: ErrorDetails, effective: LocatedMap) -> ValuePath:
    """Where the data is wrong: pydantic's path without the arms of unions it names on the way."""
    path: list[str | int] = []
    value: object = effective
    *way, last = detail["loc"]
    for part in way:
        below, _ = find(value, (part,))
        if below is not None:
            path.append(part)
            value = below
    if detail["type"] == "missing" or find(value, (last,))[0] is not None:
        path.append(last)
    return tuple(path)


def _once_per_place(broken: list[_Broken]) -> Iterator[_Broken]:
    """One problem per value: a value that fits no arm of a union breaks a rule in each."""
    seen: set[ValuePath] = set()
    for rule in broken:
        if rule.path not in seen:
            seen.add(rule.path)
            yield rule


def _is_below(path: ValuePath, reported: set[ValuePath]) -> bool:
    """Whether this only follows from a value that was reported and left out."""
    return any(path[:length] in reported for length in range(1, len(path) + 1))


def _problem(rule: _Broken, effective: LocatedMap) -> Problem:
    _, origin = find(effective, rule.path)
    file, line = origin or (None, None)
    place = Place(file, line, key_path(rule.path))
    if rule.path == ("manifestVersion",) and rule.kind == "literal_error":
        message = "manifestVersion is not one that this host knows."
        return fields.MANIFEST_VERSION_UNSUPPORTED.found(message, place)
    if (taken := _taken_anyway(rule, place)) is not None:
        return taken
    if rule.kind in _TYPES:
        message = f"{_shown(rule.path)} must be {_TYPES[rule.kind]}."
        return fields.FIELD_WRONG_TYPE.found(message, place)
    if rule.context.get("min_length") == 1:
        return fields.VALUE_TOO_SHORT.found(f"{_shown(rule.path)} is empty.", place)
    kind, template = _KINDS.get(rule.kind, (fields.VALUE_MALFORMED, "{field} is not valid."))
    context = {name: _spelled(value) for name, value in rule.context.items()}
    return kind.found(template.format(field=_shown(rule.path), **context), place)


def _taken_anyway(rule: _Broken, place: Place) -> Problem | None:
    """What is told of a value that is wrong and keeps no app from running."""
    field = _shown(rule.path)
    # An unknown word may be another host's; what is no word at all is nobody's.
    is_word = rule.kind == "literal_error" and rule.written is not None
    if is_word and is_harmless(rule.path):
        message = f"{field} is none of {rule.context['expected']}; it was ignored."
        return fields.VALUE_UNKNOWN.found(message, place)
    if word := _usual_word(rule):
        message = f"{field} is no word of the standard; it was read as `{word}`."
        return fields.VALUE_UNKNOWN.found(message, place, fix=f"Write `{word}`.")
    if rule.path[:1] == ("support",) and rule.kind in _NO_ADDRESS:
        kind, template = _KINDS[rule.kind]
        message = f"{template.format(field=field)[:-1]}; it was ignored."
        return kind.found(message, place, severity=Severity.WARNING)
    return None


def is_harmless(path: ValuePath) -> bool:
    """Whether a value that nobody knows may be ignored: it says less than the app would like, and never more."""
    match path:
        case ("supportWindow" | "distribution", "channel"):
            return True
        case ("distribution", "visibility" | "pricing") | ("appType",):
            # Shown to people, and nothing is decided by it; an unknown type of app is a `custom` one.
            return True
        case ("permissions", int(), "scope"):
            return True
        case _:
            return False


def _spelled(value: object) -> object:
    """Python's words in YAML's spelling."""
    return "false" if value == "False" else value


def _shown(path: ValuePath) -> str:
    return key_path(path) or "The manifest"
