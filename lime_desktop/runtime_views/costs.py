"""What a run costs, out of the facts that tell it: one agent or several, one attempt or several."""

from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import ProposedEvent, RuntimeEvent
from lime_desktop.protocol.task_events import Cost


@dataclass(slots=True)
class Costs:
    """Every agent at work in a run tells its own sum so far, and theirs add up."""

    spent: dict[str, float] = field(default_factory=dict[str, float])
    """By currency: amounts of different money cannot be added, and guessing a rate would be worse."""
    told: dict[str, float] = field(default_factory=dict[str, float])
    """The last sum of each agent."""
    is_known: bool = True
    """False once a part had a price that nobody knows: the amounts are then what is known of it."""
    is_estimated: bool = False
    estimate: Cost | None = None
    """What it may cost, told before anything was spent."""

    def note(self, event: RuntimeEvent | ProposedEvent) -> Cost | None:
        """Count a cost fact, and say how much more it tells of."""
        stated = event.cost_state or event.payload
        self.is_known = self.is_known and stated.get("state") != "unknown"
        total = stated_cost(stated)
        if total is None:
            return None
        if event.type == "cost.estimated":
            self.estimate = total
            return None
        self.is_estimated = self.is_estimated or total.is_estimated
        more = self._more(event.subagent_id or "", total, stated.get("roundAmount"))
        self.spent[total.currency] = self.spent.get(total.currency, 0.0) + more
        return total.model_copy(update={"amount": more})

    def total(self) -> Cost | None:
        """All of it, where all of it is known and of one currency."""
        if not self.spent:
            return self.estimate
        if not self.is_known or len(self.spent) != 1:
            return None
        [(currency, amount)] = self.spent.items()
        return Cost(amount=amount, currency=currency, is_estimated=self.is_estimated)

    def _more(self, agent: str, total: Cost, part: object) -> float:
        before = self.told.get(agent, 0.0)
        self.told[agent] = total.amount
        if isinstance(part, int | float) and part >= 0:
            return float(part)
        # A sum that has become less is that of a new attempt.
        return total.amount - before if total.amount >= before else total.amount


def stated_cost(stated: JsonObject | None) -> Cost | None:
    """The amount that a cost fact names, if it makes sense."""
    amounts: dict[str, Any] = dict(stated or {})
    amounts.setdefault("amount", amounts.get("costUsd"))
    try:
        return Cost.model_validate(amounts) if amounts["amount"] is not None else None
    except ValidationError:
        return None
