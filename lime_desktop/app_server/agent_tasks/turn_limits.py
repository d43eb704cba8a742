"""How much a task may cost and how long it may take, as it was asked. Watches an engine's events and ends what goes beyond."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field

from lime_desktop.app_server.task_request import TaskRequest
from lime_desktop.protocol.errors import CostLimitExceeded, TaskTimedOut
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.protocol.task_events import Cost
from lime_desktop.runtime_views.costs import Costs


@dataclass(slots=True)
class TurnLimits:
    """The limits of one turn, and what of them is used."""

    cost_limit: Cost | None = None
    deadline: float | None = None
    """On the loop's clock."""
    costs: Costs = field(default_factory=Costs)
    """What the task's agents spent, the ones below included."""

    @classmethod
    def of(cls, asked: TaskRequest | None) -> "TurnLimits":
        """The limits of a task, counted from now."""
        if asked is None:
            return cls()
        timeout_ms = asked.request.timeout_ms
        now = asyncio.get_running_loop().time()
        return cls(asked.request.cost_limit, now + timeout_ms / 1_000 if timeout_ms else None)

    async def next_of(self, events: AsyncGenerator[ProposedEvent]) -> ProposedEvent | None:
        """Wait for the next event, but not beyond the task's time; None where there is no other.

        Raises:
            TaskTimedOut: the time is up.
            CostLimitExceeded: what the engine reports to have spent is more than it may.
        """
        try:
            async with asyncio.timeout_at(self.deadline):
                event = await anext(events, None)
        except TimeoutError:
            raise TaskTimedOut("The task took longer than it was given") from None
        if isinstance(event, ProposedEvent) and event.type == "cost.recorded":
            self.costs.note(event)
            self._require_money()
        return event

    def _require_money(self) -> None:
        limit = self.cost_limit
        if limit is not None and self.costs.spent.get(limit.currency, 0.0) > limit.amount:
            raise CostLimitExceeded("The task reached the cost it was given")
