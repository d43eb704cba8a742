"""What happened on one view's bridge, for the inspector: each message, and what policy decided about it.

A trace id joins them. It is set where a message comes in, and carried by every task that the message starts.
Records are bounded, in memory, and gone with the view.
"""

import itertools
import secrets
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Literal, NamedTuple

from lime_desktop.background.observers import Observers
from lime_desktop.policy.call import PolicyCall
from lime_desktop.policy.decision import Decision
from lime_desktop.protocol.ids import TraceId

KEPT_RECORDS = 2_000

_NOBODY_ASKED = TraceId("")
trace_of_call: ContextVar[TraceId] = ContextVar("trace_of_call", default=_NOBODY_ASKED)
"""The trace of the message that is being answered; empty where nobody asked."""

_prefix = secrets.token_hex(8)
_numbers = itertools.count(1)


def new_trace_id() -> TraceId:
    """A W3C trace id: random per process, counted within it, at a tenth of the cost of all random."""
    return TraceId(f"{_prefix}{next(_numbers):016x}")


def monotonic_ms() -> float:
    """The clock of the records."""
    return time.monotonic() * 1_000


class Record(NamedTuple):
    """One message that crossed the bridge. A tuple, because every message makes two of them."""

    at_ms: int
    direction: Literal["from-app", "to-app"]
    type: str
    characters: int
    request_id: str | None = None
    call: str | None = None
    """For capability calls: capability and method."""
    outcome: str | None = None
    """For answers and floods: `ok`, or the error's stable code."""
    duration_ms: float | None = None
    """For answers: since the request came in."""
    trace_id: str | None = None
    """For requests and their answers: what joins them with each other and with the decision between them."""
    evidence_id: str | None = None
    """For answers: the record that was kept of the call."""
    messages: int = 1
    """For floods: how many messages were refused without a record of their own."""


Listener = Callable[[Record, str], None]
"""Hears of each message as it crosses: its record, and its text as it was sent. A text is kept nowhere else."""


@dataclass(slots=True)
class Asked:
    """What an answer needs to know of its request, as far as it was understood."""

    type: str
    at_ms: float
    trace_id: TraceId
    request_id: str | None = None
    entry_key: str | None = None
    call: str | None = None


class Timeline:
    """The latest records of one view."""

    def __init__(self, kept: int = KEPT_RECORDS) -> None:
        self._records: deque[Record] = deque(maxlen=kept)
        self._total = 0
        self._listeners = Observers[Record, str]()

    def add(self, record: Record, text: str = "") -> None:
        """Keep a record; the oldest makes room."""
        self._records.append(record)
        self._total += 1
        self._listeners.notify(record, text)

    def add_request(self, asked: Asked, characters: int, text: str = "") -> None:
        """Keep what came in, as far as it was understood."""
        self.add(
            Record(
                at_ms=int(asked.at_ms),
                direction="from-app",
                type=asked.type,
                characters=characters,
                request_id=asked.request_id,
                call=asked.call,
                trace_id=asked.trace_id,
            ),
            text,
        )

    def add_answer(
        self,
        kind: str,
        text: str,
        asked: Asked | None,
        outcome: str | None,
        evidence_id: str | None = None,
    ) -> None:
        """Keep what went out, and how long after its request."""
        now_ms = monotonic_ms()
        self.add(
            Record(
                at_ms=int(now_ms),
                direction="to-app",
                type=kind,
                characters=len(text),
                request_id=asked.request_id if asked else None,
                call=asked.call if asked else None,
                outcome=outcome,
                duration_ms=now_ms - asked.at_ms if asked else None,
                trace_id=asked.trace_id if asked else None,
                evidence_id=evidence_id,
            ),
            text,
        )

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Hear of every message from now on; the returned function ends it."""
        return self._listeners.subscribe(listener)

    def __iter__(self) -> Iterator[Record]:
        return iter(self._records)

    @property
    def dropped(self) -> int:
        """How many records were too old to keep."""
        return self._total - len(self._records)


DecisionListener = Callable[[TraceId, PolicyCall, Decision], None]
"""Hears the trace of the message, the call as policy saw it, and what it said."""


class Decisions:
    """Where a view's gate says what was decided."""

    def __init__(self) -> None:
        self._listeners = Observers[TraceId, PolicyCall, Decision]()

    def publish(self, call: PolicyCall, decision: Decision) -> None:
        """Say what was decided about the message at hand."""
        self._listeners.notify(trace_of_call.get(), call, decision)

    def listen(self, listener: DecisionListener) -> Callable[[], None]:
        """Hear every decision from now on; the returned function ends it."""
        return self._listeners.subscribe(listener)
