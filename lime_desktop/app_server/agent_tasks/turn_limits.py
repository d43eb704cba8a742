"""How much a task may cost and how long it may take, as it was asked. Watches an engine's events and ends what goes beyond."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass

from lime_desktop.app_server.agent_tasks.asked import AskedTask
from lime_desktop.protocol.errors import CostLimitExceeded, TaskTimedOut
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.protocol.task_events import Cost
from lime_desktop.runtime_views.task_results import stated_cost


@dataclass(slots=True)
class TurnLimits:
    """The limits of one turn, and what of them is used."""

    cost_limit: Cost | None = None
    deadline: float | None = None
    """On the loop's clock."""

    @classmethod
    def of(cls, asked: AskedTask | None) -> "TurnLimits":
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
            self._spend(stated_cost(event.cost_state or event.payload))
        return event

    def _spend(self, spent: Cost | None) -> None:
        limit = self.cost_limit
        # An amount of other money cannot be compared; guessing a rate would be worse.
        if limit is None or spent is None or spent.currency != limit.currency:
            return
        if spent.amount > limit.amount:
            raise CostLimitExceeded("The task reached the cost it was given")
