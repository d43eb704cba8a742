"""Events in, steps out: one step for each thing that happened, in the order in which it began."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from lime_desktop.protocol.runtime.event_types import TURN_TERMINALS
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.runtime.payload_fields import text
from lime_desktop.runtime_views.costs import stated_cost
from lime_desktop.runtime_views.story.draft import Draft
from lime_desktop.runtime_views.story.identity import step_of
from lime_desktop.runtime_views.story.steps import Step
from lime_desktop.runtime_views.story.turns import TurnCounts, TurnFacts

MAX_STEPS = 5_000
"""What a story keeps; older steps are read from the log again."""


@dataclass(frozen=True, slots=True)
class Story:
    """A session as it reads."""

    steps: tuple[Step, ...] = ()
    turns: Mapping[str, TurnFacts] = field(default_factory=dict[str, TurnFacts])

    def loud(self) -> tuple[Step, ...]:
        """Without the runtime's own housekeeping."""
        return tuple(step for step in self.steps if not step.is_quiet)


class StoryFold:
    """Takes events in order."""

    def __init__(self) -> None:
        self._drafts: dict[str, Draft] = {}
        self._joined: dict[str, str] = {}
        """Rounds that are told with an earlier one: the same model, asked again."""
        self._last_round: dict[str, str] = {}
        self._turns = TurnCounts()

    def fold(self, event: RuntimeEvent) -> None:
        """Take in one event."""
        self._turns.fold(event)
        name = step_of(event)
        if event.type == "model.requested":
            self._join_round(name, event)
        name = self._joined.get(name, name)
        draft = self._drafts.get(name)
        if draft is None:
            self._drafts[name] = draft = Draft(name, event)
            if draft.head.kind == "model":
                draft.question = self._turns.question(event.turn_id)
        else:
            draft.take(event)
        if event.type == "cost.recorded":
            self._charge(event)
        if event.type in TURN_TERMINALS:
            self._settle(event.turn_id)
        if len(self._drafts) > MAX_STEPS:
            del self._drafts[next(iter(self._drafts))]

    def story(self) -> Story:
        """The story so far."""
        return Story(tuple(draft.step() for draft in self._drafts.values()), self._turns.read())

    def _join_round(self, name: str, event: RuntimeEvent) -> None:
        turn = event.turn_id or ""
        last = self._drafts.get(self._last_round.get(turn, ""))
        if last is not None and _is_same_question(last, event):
            last.ask_again()
            self._joined[name] = last.head.step_id
        else:
            self._last_round[turn] = name

    def _charge(self, event: RuntimeEvent) -> None:
        """A cost is told after the round that made it."""
        stated = event.cost_state or event.payload
        cost, part = stated_cost(stated), stated.get("roundAmount")
        last = self._drafts.get(self._last_round.get(event.turn_id or "", ""))
        if last is not None and cost is not None and isinstance(part, int | float):
            last.charge(cost.model_copy(update={"amount": float(part)}))

    def settle_all_but(self, turn_id: str | None) -> None:
        """Events were missed: how what they told of ended is unknown, and no longer goes on."""
        for draft in self._drafts.values():
            if draft.head.turn_id != turn_id:
                draft.settle("unknown")

    def _settle(self, turn_id: str | None) -> None:
        """Nothing keeps running on a screen that has stopped in fact."""
        for draft in self._drafts.values():
            if draft.head.turn_id == turn_id:
                draft.settle("cancelled")


def _is_same_question(last: Draft, event: RuntimeEvent) -> bool:
    head = last.head
    return (
        head.state == "failed"
        and not last.answer.length
        and head.values.get("model") == text(event, "model")
        and head.values.get("provider") == text(event, "provider")
    )
