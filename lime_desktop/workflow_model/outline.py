"""What leads where in a workflow, read from whatever was written: enough for its picture, even where it cannot run."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal, TypeAlias, cast

from lime_desktop.workflow_model.kinds import StateKind

END = "end"
"""Where a workflow stops; it needs no state of its own."""
TransitionKind: TypeAlias = Literal[
    "next", "approve", "modify", "reject", "case", "else", "branch", "each", "error", "timeout", "deadline"
]  # fmt: skip
MOST_STATES = 200
MOST_WAYS = 50
"""Of one state. What is looked at grows with both: a stranger's file must not take seconds."""
_DECISIONS: tuple[TransitionKind, ...] = ("approve", "modify", "reject")


@dataclass(frozen=True, slots=True)
class Transition:
    """One way from a state to another."""

    source: str
    target: str
    kind: TransitionKind = "next"
    when: str = ""
    """The expression of a case, as written."""
    titles: tuple[tuple[str, str], ...] = ()
    """What the author calls a case, by language; under none, where no language is said."""


@dataclass(frozen=True, slots=True)
class OutlinedState:
    """One state as a box of the picture."""

    key: str
    kind: str
    """As written: it may be a kind that nobody knows."""
    at: int
    """Its place among the states as written."""
    title: str | None = None
    description: str | None = None


@dataclass(frozen=True, slots=True)
class Outline:
    """The states in the order of their writing, and every way between them that was written."""

    states: tuple[OutlinedState, ...] = ()
    transitions: tuple[Transition, ...] = ()
    rescues: tuple[Transition, ...] = ()
    """Where `recovery` leads from any state; its source is empty."""

    @property
    def keys(self) -> frozenset[str]:
        """Every state."""
        return frozenset(each.key for each in self.states)

    @property
    def first(self) -> str | None:
        """Where a run begins: the `start` state, or else the first."""
        starts = (each.key for each in self.states if each.kind == StateKind.START)
        return next(starts, self.states[0].key if self.states else None)

    @property
    def kinds(self) -> Mapping[str, str]:
        """The kind of every state; the end that has no state of its own is one too."""
        return {END: StateKind.END.value, **{each.key: each.kind for each in self.states}}


def outline_of(written: Mapping[str, object]) -> Outline:
    """The outline of a definition; what cannot be read is left out of it."""
    items = _objects(written.get("states"))[:MOST_STATES]
    states = {
        str(each["key"]): OutlinedState(
            str(each["key"]),
            str(each["kind"]),
            at,
            _text(each, "title"),
            _text(each, "description"),
        )
        for at, each in items
        if _text(each, "key") and _text(each, "kind")
    }
    keys = frozenset(states)
    found = [
        way
        for _, each in items
        if _text(each, "key") in keys
        for way in islice(_ways(each, keys), MOST_WAYS)
    ]
    recovery = written.get("recovery")
    rescues = (
        _rescues(cast("Mapping[str, object]", recovery), keys) if isinstance(recovery, dict) else ()
    )
    transitions = tuple(dict.fromkeys(found))
    return Outline(tuple(states.values()), _with_joins(transitions, items), tuple(rescues))


def _rescues(recovery: Mapping[str, object], keys: frozenset[str]) -> Iterator[Transition]:
    for name, kind in (("onError", "error"), ("onTimeout", "timeout")):
        target = _text(recovery, name)
        if target in keys:
            yield Transition("", str(target), cast("TransitionKind", kind))


def _ways(state: Mapping[str, object], keys: frozenset[str]) -> Iterator[Transition]:
    key = str(state["key"])
    cases = _objects(state.get("cases"))
    for _, case in cases:
        if target := _text(case, "next"):
            yield Transition(key, target, "case", _text(case, "when") or "", _titles(case))
        if target := _text(case, "else"):
            yield Transition(key, target, "else")
    for target in _texts(state.get("branches")):
        yield Transition(key, target, "branch")
    if target := _text(state, "do"):
        yield Transition(key, target, "each")
    yield from _next(state, "else" if cases else "next")
    for name, kind in (("onError", "error"), ("onDeadline", "deadline")):
        if (target := _text(state, name)) in keys:
            yield Transition(key, str(target), cast("TransitionKind", kind))


def _titles(case: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    written = case.get("titleI18n")
    languages = cast("Mapping[str, object]", written if isinstance(written, dict) else {})
    usual = _text(case, "title") or _text(case, "label")
    said = {"": usual, **languages}
    return tuple((tag, title) for tag, title in said.items() if isinstance(title, str) and title)


def _next(state: Mapping[str, object], kind: TransitionKind) -> Iterator[Transition]:
    key, written = str(state["key"]), state.get("next")
    if isinstance(written, dict):
        decisions = cast("Mapping[str, object]", written)
        for decision in _DECISIONS:
            if target := _text(decisions, decision):
                yield Transition(key, target, decision)
    else:
        yield from (Transition(key, target, kind) for target in _texts(written))


def _with_joins(
    ways: tuple[Transition, ...], items: Sequence[tuple[int, Mapping[str, object]]]
) -> tuple[Transition, ...]:
    """Add what is not written: a state without `next` inside a parallel one leads to where its branches meet."""
    added: list[Transition] = []
    kinds = {_text(each, "key"): each.get("kind") for _, each in items}
    leading = {way.source for way in ways if way.kind not in {"error", "deadline"}}
    for _, state in items:
        join = _text(state, "next")
        if state.get("kind") == StateKind.PARALLEL and join is not None:
            own = (way for way in ways if way.source == state.get("key"))
            begun = [way.target for way in own if way.kind in {"branch", "each"}]
            last = reachable(begun, ways, but=join) - leading
            ends = sorted(key for key in last if kinds.get(key, "end") != StateKind.END)
            added += [Transition(key, join) for key in ends]
    return (*ways, *dict.fromkeys(added))


def reachable(
    begin: Sequence[str], ways: Sequence[Transition], *, but: str | None = None
) -> set[str]:
    """Every state that can be come to, the beginnings among them; never through `but`."""
    following: dict[str, list[str]] = {}
    for way in ways:
        following.setdefault(way.source, []).append(way.target)
    found: set[str] = set()
    pending = list(begin)
    while pending:
        key = pending.pop()
        if key not in found and key != but:
            found.add(key)
            pending += following.get(key, ())
    return found


def _objects(value: object) -> list[tuple[int, Mapping[str, object]]]:
    items = cast("list[object]", value) if isinstance(value, list) else []
    return [
        (at, cast("Mapping[str, object]", each))
        for at, each in enumerate(items)
        if isinstance(each, dict)
    ]


def _text(written: Mapping[str, object], name: str) -> str | None:
    value = written.get(name)
    return value if isinstance(value, str) and value else None


def _texts(value: object) -> list[str]:
    items = cast("list[object]", value) if isinstance(value, list) else [value]
    return [each for each in items if isinstance(each, str) and each]
