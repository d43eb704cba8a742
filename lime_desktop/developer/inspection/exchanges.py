"""What a view and its host said to each other: a request, what policy said of it, and its answer are one row.

Rests on what the bridge tells; keeps the latest rows and forgets the oldest. Credentials are taken out on the way in.
"""

import json
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Literal

from pydantic import JsonValue

from lime_desktop.background.observers import Observers
from lime_desktop.developer.redaction import redact_message
from lime_desktop.host.bridge.timeline import Decisions, Record, Timeline
from lime_desktop.policy.call import PolicyCall
from lime_desktop.policy.decision import Decision
from lime_desktop.policy.rules import RuleRef
from lime_desktop.protocol.ids import TraceId

KEPT_EXCHANGES = 2_000
KEPT_CHARACTERS = 32_000_000
"""How much of what was said is kept; a few long answers must not fill the memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One request of the app with all that followed, or one thing the host said by itself."""

    number: int
    at: datetime
    direction: Literal["from-app", "to-app"]
    type: str
    call: str | None = None
    """For capability calls: capability and method."""
    decision: str | None = None
    """What policy said: `allow`, `audit-only`, `ask`, `deny` or `blocked`."""
    rule: RuleRef | None = None
    outcome: str | None = None
    """`ok`, or the stable code of the refusal; None while there is no answer."""
    duration_ms: float | None = None
    trace_id: str | None = None
    evidence_id: str | None = None
    message: JsonValue = None
    """What was said first, without credentials."""
    answer: JsonValue = None
    characters: int = 0

    @property
    def name(self) -> str:
        """The call, or the kind of message where it is none."""
        return self.call or self.type

    @property
    def is_refused(self) -> bool:
        """Whether it ended in an error."""
        return self.outcome not in {None, "ok"}


class Exchanges:
    """The rows of one view, from when somebody began to look."""

    def __init__(self, timeline: Timeline, decisions: Decisions) -> None:
        self._rows: OrderedDict[int, Exchange] = OrderedDict()
        self._open: dict[str, int] = {}
        """The rows that wait for their answer, by trace."""
        self._last = 0
        self._characters = 0
        self._watchers = Observers[Exchange]()
        self._endings = (timeline.listen(self._hear), decisions.listen(self._hear_decision))

    @property
    def rows(self) -> tuple[Exchange, ...]:
        """Everything that is kept, the oldest first."""
        return tuple(self._rows.values())

    def watch(self, watcher: Callable[[Exchange], None]) -> None:
        """Hear of every row that is new or has changed."""
        self._watchers.subscribe(watcher)

    def clear(self) -> None:
        """Begin anew."""
        self._rows.clear()
        self._open.clear()
        self._characters = 0

    def close(self) -> None:
        """Look no more."""
        self._watchers.clear()
        for end in self._endings:
            end()

    def _hear(self, record: Record, text: str) -> None:
        number = self._open.pop(record.trace_id or "", None)
        asked = self._rows.get(number) if number is not None else None
        if record.direction == "to-app" and asked is not None:
            self._answer(asked, record, text)
            return
        self._last += 1
        row = Exchange(
            number=self._last,
            at=datetime.now(UTC),
            direction=record.direction,
            type=record.type,
            call=record.call,
            trace_id=record.trace_id,
            outcome=record.outcome,
            message=redact_message(text) if text else None,
            characters=record.characters,
        )
        if record.direction == "from-app" and record.trace_id is not None:
            self._open[record.trace_id] = row.number
        self._keep(row, len(text))

    def _hear_decision(self, trace_id: TraceId, _call: PolicyCall, decision: Decision) -> None:
        asked = self._rows.get(self._open.get(trace_id, 0))
        if asked is not None:
            self._keep(replace(asked, decision=decision.outcome, rule=decision.rule))

    def _answer(self, asked: Exchange, record: Record, text: str) -> None:
        answered = replace(
            asked,
            outcome=record.outcome,
            duration_ms=record.duration_ms,
            evidence_id=record.evidence_id,
            answer=redact_message(text) if text else None,
            characters=asked.characters + record.characters,
        )
        self._keep(answered, len(text))

    def _keep(self, row: Exchange, characters: int = 0) -> None:
        self._rows[row.number] = row
        self._characters += characters
        while len(self._rows) > KEPT_EXCHANGES or (
            self._characters > KEPT_CHARACTERS and len(self._rows) > 1
        ):
            _, oldest = self._rows.popitem(last=False)
            self._characters -= oldest.characters
        self._watchers.notify(row)


_STATES: Mapping[str, Callable[[Exchange], bool]] = {
    "refused": lambda row: row.is_refused,
    "asked": lambda row: row.decision == "ask",
    "open": lambda row: row.direction == "from-app" and row.outcome is None,
    "pushed": lambda row: row.direction == "to-app",
}


def matches(row: Exchange, wanted: str) -> bool:
    """Whether a row has every word of a filter.

    `is:refused`, `is:asked`, `is:open` and `is:pushed` speak of how a row stands, `rule:` of the rule behind it; every
    other word is looked for in its name, its codes and what was said.
    """
    return all(_has(row, word) for word in wanted.lower().split())


def _has(row: Exchange, word: str) -> bool:
    kind, separator, rest = word.partition(":")
    if separator and kind == "is" and rest in _STATES:
        return _STATES[rest](row)
    if separator and kind == "rule":
        return row.rule is not None and rest in row.rule.id.lower()
    return word in _words(row)


def _words(row: Exchange) -> str:
    facts = (row.type, row.call, row.outcome, row.decision, row.trace_id, row.evidence_id)
    said = json.dumps([row.message, row.answer], ensure_ascii=False)
    return f"{' '.join(filter(None, facts))} {said}".lower()
