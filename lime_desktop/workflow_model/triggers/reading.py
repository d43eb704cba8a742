"""Makes a trigger of plain JSON. Takes anything and never raises: what is wrong becomes a flaw."""

from collections.abc import Mapping
from typing import cast, get_args

from lime_desktop.workflow_model.fields import Fields, Findings
from lime_desktop.workflow_model.flaws import Flaw, FlawKind
from lime_desktop.workflow_model.triggers.trigger import (
    OF_KEYS,
    OF_ROWS,
    Change,
    Trigger,
    TriggerKind,
)

_NAMED_BY: Mapping[TriggerKind, str] = {
    "topic": "topic",
    "artifact": "artifact",
    "webhook": "integration",
}
_USUAL: Mapping[bool, tuple[Change, ...]] = {True: ("insert", "update"), False: ("set",)}


def trigger_from(
    written: Mapping[str, object], declared: Mapping[str, frozenset[str]]
) -> tuple[Trigger | None, tuple[Flaw, ...]]:
    """The trigger in a declaration, and what is wrong with it: with a flaw there is none.

    Args:
        written: The declaration.
        declared: Which `topic`s the app declares to speak on, which kinds of `artifact`, and which `webhook`s.
    """
    findings = Findings(is_schema=lambda _: True, declared=declared)
    fields = Fields(findings, written, ())
    fields.text("title")
    if not fields.has("on"):
        fields.missing("`on`, which says what has to happen")
    kind = cast("TriggerKind | None", fields.one_of("on", get_args(TriggerKind)))
    made = None if kind is None else _read(kind, fields)
    return (None if findings.flaws else made), tuple(findings.flaws)


def _read(kind: TriggerKind, fields: Fields) -> Trigger:
    match kind:
        case "storage":
            return _storage(fields)
        case "folder":
            return Trigger(kind, fields.text("files") or "*")
        case _:
            name = fields.needed_text(_NAMED_BY[kind])
            fields.uses(kind, name, _NAMED_BY[kind])
            return Trigger(kind, name)


def _storage(fields: Fields) -> Trigger:
    is_table = fields.has("table")
    if is_table == fields.has("prefix"):
        message = "It needs `table` or `prefix`, and not both."
        fields.flaw(FlawKind.FIELD_MISSING, message)
    names = fields.text("table" if is_table else "prefix") or ""
    return Trigger("storage", names, is_table, frozenset(_changes(fields, is_table=is_table)))


def _changes(fields: Fields, *, is_table: bool) -> tuple[Change, ...]:
    if not fields.has("changes"):
        return _USUAL[is_table]
    words, known = fields.texts("changes"), OF_ROWS if is_table else OF_KEYS
    if not words or any(word not in known for word in words):
        fields.unfit("changes", f"a list of {', '.join(f'`{each}`' for each in known)}")
    return tuple(each for each in known if each in words)
