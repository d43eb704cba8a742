"""What is wrong with a workflow as a whole: ways that lead nowhere or in a circle, values that nobody writes."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import cast

from lime_desktop.spelling import did_you_mean
from lime_desktop.workflow_model.expressions.syntax import Read
from lime_desktop.workflow_model.expressions.templates import parse_template, template_reads
from lime_desktop.workflow_model.fields import Findings, PlacedRead
from lime_desktop.workflow_model.flaws import Flaw, FlawKind
from lime_desktop.workflow_model.kinds import PAUSES, WITHOUT_OUTPUT, StateKind
from lime_desktop.workflow_model.outline import END, Outline, Transition, reachable

_MOST_OF_A_KIND = 50
"""Nobody reads more, and finding what was meant takes time."""


def check_whole(
    findings: Findings, outline: Outline, written: Mapping[str, object], *, is_bounded: bool
) -> None:
    """Note every flaw of the whole."""
    found = [_targets(outline), _unreachable(outline), _starts(outline)]
    found += [] if is_bounded else [_endless(outline)]
    found += [_unanswered(findings.reads, outline)]
    found += [_unwritten(written)] if outline.states else []
    for each in found:
        findings.flaws += islice(each, _MOST_OF_A_KIND)


def _targets(outline: Outline) -> Iterator[Flaw]:
    places = {each.key: each.at for each in outline.states}
    known = {*places, END}
    for way in outline.transitions:
        # `end` needs no state of its own: it is where a workflow stops.
        if way.target not in known:
            meant = did_you_mean(way.target, places)
            message = (
                f"{way.source[:64]!r} leads to {way.target[:64]!r}, which is no state here.{meant}"
            )
            path = ("states", places[way.source])
            yield Flaw(FlawKind.TARGET_MISSING, path, message, way.source)


def _unreachable(outline: Outline) -> Iterator[Flaw]:
    reached = reached_states(outline)
    for state in outline.states:
        if outline.transitions and state.key not in reached:
            path = ("states", state.at)
            yield Flaw(FlawKind.STATE_UNREACHABLE, path, "No state leads here.", state.key)


def reached_states(outline: Outline) -> set[str]:
    """Every state that a run can come to."""
    begin = [outline.first] if outline.first else []
    return reachable([*begin, *(way.target for way in outline.rescues)], outline.transitions)


def _starts(outline: Outline) -> Iterator[Flaw]:
    for state in [each for each in outline.states if each.kind == StateKind.START][1:]:
        message = "A workflow begins in one place: there are two `start` states."
        yield Flaw(FlawKind.TRANSITION_AMBIGUOUS, ("states", state.at), message, state.key)


def _endless(outline: Outline) -> Iterator[Flaw]:
    """Circles in which nothing waits for time, an event or a person would spin until something breaks."""
    spinning = {each.key for each in outline.states if each.kind not in PAUSES}
    ways = [way for way in outline.transitions if way.source in spinning and way.target in spinning]
    told: set[str] = set()
    for state in outline.states:
        circle = _circle(state.key, ways)
        if circle and told.isdisjoint(circle):
            told |= {*circle}
            shown = " → ".join(each[:40] for each in (*circle[:6], circle[0]))
            message = f"{shown} goes round without a wait, a person or a limit."
            yield Flaw(FlawKind.CYCLE_ENDLESS, ("states", state.at), message, state.key)


def _circle(begin: str, ways: Sequence[Transition]) -> list[str]:
    """The shortest way from a state back to itself; empty where there is none."""
    following: dict[str, list[str]] = {}
    for way in ways:
        following.setdefault(way.source, []).append(way.target)
    came_from: dict[str, str] = {}
    pending = [begin]
    for key in pending:
        for target in following.get(key, ()):
            if target == begin:
                return _trail(key, came_from)
            if target not in came_from:
                came_from[target] = key
                pending.append(target)
    return []


def _trail(key: str, came_from: Mapping[str, str]) -> list[str]:
    found = [key]
    while found[-1] in came_from:
        found.append(came_from[found[-1]])
    return found[::-1]


def _unanswered(reads: Sequence[PlacedRead], outline: Outline) -> Iterator[Flaw]:
    for_each = _done_for_each(outline)
    after = _Before(outline)
    for placed in reads:
        message = after.unanswered(placed.read, placed.state_key)
        if placed.read.root == "item" and placed.state_key not in for_each:
            message = "`$.item` has a value only in what a parallel state does for each item"
        if message:
            yield Flaw(FlawKind.READ_UNANSWERED, placed.path, f"{message}.", placed.state_key)


def _done_for_each(outline: Outline) -> set[str]:
    """The states that run once for every item of a list, up to where their ways meet."""
    parallel = {key for key, kind in outline.kinds.items() if kind == StateKind.PARALLEL}
    joins = {w.target for w in outline.transitions if w.source in parallel and w.kind == "next"}
    inner = [way for way in outline.transitions if way.target not in joins]
    return reachable([way.target for way in inner if way.kind == "each"], inner)


class _Before:
    """Which states can have run before which."""

    def __init__(self, outline: Outline) -> None:
        rescued = [
            Transition(each.key, way.target, way.kind)
            for way in outline.rescues
            for each in outline.states
        ]
        self._kinds = outline.kinds
        self._keys = outline.keys
        self._ways = [*outline.transitions, *rescued]
        self._reached = reached_states(outline)
        self._following: dict[str, set[str]] = {}

    def unanswered(self, read: Read, reader: str | None) -> str | None:
        """Why nobody can answer a read; None where somebody can."""
        key = read.state_key
        if key is None:
            return None
        if key not in self._keys:
            return f"`{key[:64]}` is no state here.{did_you_mean(key, self._keys)}"
        if self._kinds[key] in WITHOUT_OUTPUT:
            return f"`{key[:64]}` is a state that gives nothing"
        if key not in self._reached or (reader is not None and reader not in self._after(key)):
            return f"`{key[:64]}` cannot have run before"
        return None

    def _after(self, key: str) -> set[str]:
        if key not in self._following:
            begin = [way.target for way in self._ways if way.source == key]
            self._following[key] = reachable(begin, self._ways)
        return self._following[key]


def _unwritten(written: Mapping[str, object]) -> Iterator[Flaw]:
    outputs = written.get("outputs")
    for name, value in cast(
        "Mapping[str, object]", outputs if isinstance(outputs, dict) else {}
    ).items():
        found = parse_template(value)
        if not isinstance(found, list) and next(template_reads(found), None) is None:
            message = f"Nobody writes the output `{name[:64]}`: it reads nothing of a state or of the input."
            yield Flaw(FlawKind.OUTPUT_UNWRITTEN, ("outputs", name), message)
    listed, states = written.get("artifactOutputs"), written.get("states")
    made = {each.get("artifactKind") for each in _objects(states)}
    for at, kind in enumerate(cast("list[object]", listed if isinstance(listed, list) else [])):
        if isinstance(kind, str) and kind not in made:
            message = f"No state creates an artifact of the kind `{kind[:64]}`."
            yield Flaw(FlawKind.OUTPUT_UNWRITTEN, ("artifactOutputs", at), message)


def _objects(value: object) -> Iterator[Mapping[str, object]]:
    items = cast("list[object]", value) if isinstance(value, list) else []
    return (cast("Mapping[str, object]", each) for each in items if isinstance(each, dict))
