"""What each turn took: time, tokens, cost, and which model it went to. Nothing is guessed: what is unknown stays so."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.event_types import TURN_TERMINALS
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.runtime.payload_fields import text
from lime_desktop.protocol.task_events import Cost
from lime_desktop.runtime_views.costs import Costs
from lime_desktop.runtime_views.payload import mapping


@dataclass(frozen=True, slots=True)
class AttachedFile:
    """A file that went along with a question, by reference."""

    ref: str
    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class TurnFacts:
    """One turn in figures."""

    turn_id: str
    asked_at: str
    text: str = ""
    is_shortened: bool = False
    """Whether the text is only the beginning of what was asked."""
    attached: tuple[AttachedFile, ...] = ()
    """What was given along."""
    started_at: str | None = None
    ended_at: str | None = None
    outcome: str | None = None
    """The type of the event that ended it."""
    task_id: str | None = None
    """The task that it ran for."""
    provider: str | None = None
    provider_title: str | None = None
    """What the person calls it."""
    model: str | None = None
    instead_of: str | None = None
    """The model that should have answered and did not."""
    input_tokens: int = 0
    output_tokens: int = 0
    cost: Cost | None = None
    is_local: bool = False
    replaces: str | None = None
    replaced_by: str | None = None


class TurnCounts:
    """The turns of a session, in the order in which they were asked."""

    def __init__(self) -> None:
        self._turns: dict[str, TurnFacts] = {}
        self._costs: dict[str, Costs] = {}

    def fold(self, event: RuntimeEvent) -> None:
        """Take in one event."""
        if event.turn_id is None or event.type.endswith(".delta"):
            return
        before = self._turns.get(event.turn_id) or TurnFacts(event.turn_id, event.timestamp)
        if event.type == "turn.submitted" and (first := text(event, "replacesTurnId")):
            self._set_aside(first, event.turn_id)
        self._turns[event.turn_id] = self._after(before, event)

    def read(self) -> Mapping[str, TurnFacts]:
        """The turns as they stand."""
        return dict(self._turns)

    def question(self, turn_id: str | None) -> str:
        """What a turn asks."""
        turn = self._turns.get(turn_id or "")
        return turn.text if turn else ""

    def _after(self, turn: TurnFacts, event: RuntimeEvent) -> TurnFacts:
        if event.type in {"cost.recorded", "cost.estimated"}:
            costs = self._costs.setdefault(turn.turn_id, Costs())
            costs.note(event)
            return replace(turn, cost=costs.total())
        if event.type in TURN_TERMINALS:
            return replace(
                turn, ended_at=event.timestamp, outcome=event.type, task_id=event.task_id
            )
        if event.type == "model.completed":
            return _with_tokens(turn, mapping(event, "usage"))
        return replace(turn, **_told(event))

    def _set_aside(self, first: str, by: str) -> None:
        """A question asked anew takes the place of the earlier one and of all that followed it."""
        names = list(self._turns)
        for name in names[names.index(first) if first in names else len(names) :]:
            if name != by and self._turns[name].replaced_by is None:
                self._turns[name] = replace(self._turns[name], replaced_by=by)


def _with_tokens(turn: TurnFacts, usage: JsonObject | None) -> TurnFacts:
    return replace(
        turn,
        input_tokens=turn.input_tokens + _tokens(usage, "inputTokens"),
        output_tokens=turn.output_tokens + _tokens(usage, "outputTokens"),
    )


def _tokens(usage: JsonObject | None, name: str) -> int:
    value = (usage or {}).get(name)
    return value if isinstance(value, int) and value > 0 else 0


def _told(event: RuntimeEvent) -> dict[str, Any]:
    """What an event says of its turn outright."""
    match event.type:
        case "turn.submitted":
            return {
                "text": text(event, "text") or "",
                "is_shortened": text(event, "textRef") is not None,
                "replaces": text(event, "replacesTurnId"),
                "attached": tuple(_attached(event.payload.get("attachments"))),
            }
        case "turn.started":
            return {"started_at": event.timestamp}
        case "model.requested":
            is_local = event.payload.get("isLocal") is True
            return {
                "model": text(event, "model"),
                "provider": text(event, "provider"),
                "provider_title": text(event, "providerTitle"),
                "is_local": is_local,
            }
        case "routing.fallback.applied":
            return {"instead_of": text(event, "failedModel")}
        case _:
            return {}


def _attached(listed: object) -> Iterator[AttachedFile]:
    """The files among the attachments that are opened by a reference, under the names they were given."""
    for each in cast("list[object]", listed) if isinstance(listed, list) else ():
        match each:
            case {"uri": str() as ref, "kind": str() as kind, "metadata": {"name": str() as name}}:
                yield AttachedFile(ref, name, kind)
            case _:
                pass
