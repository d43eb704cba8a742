"""The picture of a workflow: which state stands where, and which ways lead back. One picture for terminal, window and run.

Each state stands one rank after the last of those that lead to it, so that every way but those back leads downwards.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lime_desktop.workflow_model.checking import reached_states
from lime_desktop.workflow_model.kinds import StateKind
from lime_desktop.workflow_model.outline import END, Outline, OutlinedState, Transition


@dataclass(frozen=True, slots=True)
class PlacedState:
    """A box."""

    state: OutlinedState
    rank: int
    """How far down, counted from 0."""
    lane: int
    """How far across among those of the same rank."""
    is_reached: bool = True

    @property
    def key(self) -> str:
        """The state's own."""
        return self.state.key

    @property
    def row(self) -> int:
        """Where it stands in a drawing that leads down."""
        return self.rank

    @property
    def column(self) -> int:
        """Where it stands in its row."""
        return self.lane


@dataclass(frozen=True, slots=True)
class PlacedWay:
    """A line from one box to another."""

    way: Transition
    is_back: bool
    """It leads to where the run has already been."""
    is_lost: bool
    """It leads to a state that does not exist."""


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything in its place, in the order of reading."""

    states: tuple[PlacedState, ...]
    ways: tuple[PlacedWay, ...]

    def ways_from(self, key: str) -> list[PlacedWay]:
        """The lines that begin at a box."""
        return [each for each in self.ways if each.way.source == key]


def draw(outline: Outline) -> Picture:
    """Lay out a workflow, whatever is wrong with it."""
    states = {each.key: each for each in _with_end(outline)}
    ways = [way for way in outline.transitions if way.target in states]
    order = [*([outline.first] if outline.first else []), *states]
    back = _back_ways(order, ways)
    ranks = _ranks(order, [way for way in ways if way not in back])
    reached = reached_states(outline)
    lanes: dict[int, int] = {}
    placed: list[PlacedState] = []
    for key in sorted(states, key=lambda key: (ranks[key], key not in reached, states[key].at)):
        lane = lanes.get(ranks[key], 0)
        lanes[ranks[key]] = lane + 1
        placed.append(PlacedState(states[key], ranks[key], lane, key in reached))
    drawn = (PlacedWay(way, way in back, way.target not in states) for way in outline.transitions)
    return Picture(tuple(placed), tuple(drawn))


def _with_end(outline: Outline) -> Sequence[OutlinedState]:
    is_named = END not in outline.keys and any(way.target == END for way in outline.transitions)
    end = OutlinedState(END, StateKind.END.value, len(outline.states))
    return (*outline.states, end) if is_named else outline.states


def _following(ways: Sequence[Transition]) -> Mapping[str, list[Transition]]:
    found: dict[str, list[Transition]] = {}
    for way in ways:
        found.setdefault(way.source, []).append(way)
    return found


def _back_ways(order: Sequence[str], ways: Sequence[Transition]) -> set[Transition]:
    """The ways that close a circle, when one walks from the first state in the order of writing."""
    following = _following(ways)
    back: set[Transition] = set()
    done: set[str] = set()
    for begin in order:
        open_ways = [iter(following.get(begin, ()))] if begin not in done else []
        trail = [begin] if open_ways else []
        while open_ways:
            way = next(open_ways[-1], None)
            if way is None:
                open_ways.pop()
                done.add(trail.pop())
            elif way.target in trail:
                back.add(way)
            elif way.target not in done:
                trail.append(way.target)
                open_ways.append(iter(following.get(way.target, ())))
    return back


def _ranks(order: Sequence[str], ways: Sequence[Transition]) -> Mapping[str, int]:
    """The longest way to each state; without circles there is one."""
    following = _following(ways)
    waiting = dict.fromkeys(order, 0)
    for way in ways:
        waiting[way.target] += 1
    ranks = dict.fromkeys(order, 0)
    ready = [key for key, count in waiting.items() if count == 0]
    for key in ready:
        for way in following.get(key, ()):
            ranks[way.target] = max(ranks[way.target], ranks[key] + 1)
            waiting[way.target] -= 1
            if waiting[way.target] == 0:
                ready.append(way.target)
    return ranks
