"""Plays a recording to a page and compares what it says. Knows lines and messages; knows no web engine and no clock.

Everything the page met is given to it again in the same order, the next thing only after the page has said all that it
said before it. What the page says is compared as it comes: the first message that is another ends the replay.
"""

import json
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, cast

from pydantic import JsonValue

from lime_desktop.developer.recording.lines import (
    BeginLine,
    FetchPieceLine,
    FromAppLine,
    Line,
    LoadLine,
    Recording,
    RouteLine,
    ToAppLine,
)
from lime_desktop.developer.recording.page_script import MARK_PROTOCOL
from lime_desktop.developer.redaction import redact_message
from lime_desktop.protocol.ids import JsonObject


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
    """The first place where the values differ, by its JSONPath; None where they are the same."""
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


class ReplayedPage(Protocol):
    """What a replay does to the page."""

    def post(self, message: str) -> None:
        """Send it a message."""
        ...

    def load(self) -> None:
        """Load it anew."""
        ...

    def open_route(self, route: str) -> None:
        """Bring it to another route."""
        ...


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a replay first went another way."""

    event: int
    """The event of the recording it happened at, counted from 1."""
    expected: JsonValue
    """What the app said then; None where it was the host's turn."""
    actual: JsonValue
    """What it said now; None where it said nothing."""
    place: ValueDifference | None
    """The first place where the two differ."""
    waited_for: str = ""
    """Where nothing came: what kind of event the page never finished."""


@dataclass(slots=True)
class Replay:
    """One run of one recording."""

    recording: Recording
    page: ReplayedPage
    ended: Callable[[Difference | None], None]
    moved: Callable[[int], None] = lambda _at: None
    """Told how many events are done."""
    until: int | None = None
    """The event to stop at; None: play to the end."""
    at: int = 0
    """How many events are done."""
    _step: int | None = None
    """The command that the page is still busy with."""
    _begun: int = 0
    _spoken: deque[JsonValue] = field(default_factory=deque[JsonValue])
    _is_over: bool = False
    _pending: int = 0
    """The next message of the app to be compared."""
    _events: tuple[Line, ...] = ()
    _bodies: dict[str, str] = field(default_factory=dict[str, str])

    def __post_init__(self) -> None:
        self._events = self.recording.events
        self._bodies = dict(self.recording.bodies)

    def start(self) -> None:
        """Begin: the page is loaded by whoever made it, after this."""
        self._go_on()

    def go_to(self, event: int | None) -> None:
        """Play on to an event, or to the end."""
        self.until = event
        self._go_on()

    def hear(self, text: str) -> None:
        """Take a message of the app."""
        if self._is_over:
            return
        self._spoken.append(redact_message(text))
        self._compare()
        self._go_on()

    def hear_mark(self, text: str) -> None:
        """Take what the page's script says."""
        if self._is_over:
            return
        mark = cast("JsonObject", json.loads(text))
        match mark.get("mark"):
            case "begin":
                self._begun += 1
            case "done" if mark.get("step") == self._step:
                self._step = None
                self._advance()
            case _:
                return
        self._go_on()

    def give_up(self) -> None:
        """Nothing came for too long: say what was waited for."""
        if self._is_over:
            return
        waited = self._events[self.at]
        expected = waited.message if isinstance(waited, FromAppLine) else None
        self._end(Difference(self.at + 1, expected, None, None, waited.kind))

    @property
    def progress(self) -> tuple[int, int]:
        """How many events are done, and how many there are."""
        return self.at, len(self._events)

    def _compare(self) -> None:
        """Hold what was said against the recording, in the order of the app's messages alone."""
        while self._spoken and not self._is_over:
            self._pending = self._next_message(self._pending)
            if self._pending == len(self._events):
                # The recording ended here: what the app went on to say, nobody kept.
                self._spoken.clear()
                return
            line = cast("FromAppLine", self._events[self._pending])
            actual = self._spoken.popleft()
            place = first_difference(line.message, actual)
            if place is not None:
                self._end(Difference(self._pending + 1, line.message, actual, place))
                return
            self._pending += 1

    def _next_message(self, start: int) -> int:
        numbers = range(start, len(self._events))
        return next(
            (at for at in numbers if isinstance(self._events[at], FromAppLine)), len(self._events)
        )

    def _go_on(self) -> None:
        while not self._is_over and self._step is None:
            if self.at == len(self._events):
                self._end(None)
                return
            if self.until is not None and self.at >= self.until:
                return
            if not self._do(self._events[self.at]):
                return
            self._advance()

    def _do(self, line: Line) -> bool:
        """Do one event; False while the page still has to say or finish something."""
        match line:
            case FromAppLine():
                return self._pending > self.at
            case BeginLine():
                begun = sum(isinstance(each, BeginLine) for each in self._events[: self.at + 1])
                return self._begun >= begun
            case LoadLine():
                self.page.load()
                return True
            case RouteLine(route=route):
                self.page.open_route(route)
                return True
            case _:
                self._command(line)
                return False

    def _command(self, line: Line) -> None:
        self._step = self.at
        facts = cast("JsonObject", line.model_dump(mode="json", by_alias=True, exclude_none=True))
        kind = facts.pop("kind")
        if isinstance(line, ToAppLine):
            kind = "hear"
            del facts["message"]
        if isinstance(line, FetchPieceLine):
            facts["base64"] = self._bodies[line.body]
        self.page.post(
            json.dumps({"protocol": MARK_PROTOCOL, **facts, "do": kind, "step": self._step})
        )
        if isinstance(line, ToAppLine):
            self.page.post(json.dumps(line.message))

    def _advance(self) -> None:
        self.at += 1
        self.moved(self.at)

    def _end(self, difference: Difference | None) -> None:
        self._is_over = True
        self.ended(difference)
