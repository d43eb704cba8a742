"""Wraps every engine: its turns use the model and stay within the money that was set for their app.

Says in facts whose word that was. What is set is read when a turn begins: a change holds from the next one on.
"""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import cast

from lime_desktop.app_server.apps.agent_settings import (
    AgentSettings,
    limit_fact,
    model_fact,
    quota_fact,
    used_up,
    with_limit,
    with_model,
)
from lime_desktop.app_server.apps.registered import RegisteredApps
from lime_desktop.app_server.apps.spending import AppSpending
from lime_desktop.app_server.runtime_core.backend import (
    EngineChoice,
    EngineMiddleware,
    ExecutionBackend,
    TurnRequest,
)
from lime_desktop.protocol.calls.apps import RegisteredBudget
from lime_desktop.protocol.calls.turns import TaskProfile
from lime_desktop.protocol.errors import AppError, AppNotInstalled
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.runtime_views.costs import Costs


@dataclass(slots=True)
class _Governed:
    """A turn as it is to run, and what that follows from."""

    request: TurnRequest
    facts: tuple[ProposedEvent, ...] = ()
    limit: RegisteredBudget | None = None
    limit_usd: float | None = None
    costs: Costs = field(default_factory=Costs)

    @property
    def spent_usd(self) -> float:
        """What the turn has spent so far."""
        return self.costs.spent.get("USD", 0.0)

    def spend(self, event: ProposedEvent) -> float:
        """What more an event says was spent."""
        more = self.costs.note(event)
        return 0.0 if more is None or more.currency != "USD" else more.amount

    def quota(self) -> ProposedEvent | None:
        """That the month is nearly or wholly used up, where its limit is the one that holds."""
        if self.limit is None or self.limit_usd is None:
            return None
        before_usd = self.limit.limit_usd - self.limit_usd
        return quota_fact(self.limit, before_usd + self.spent_usd)


class BudgetMiddleware(EngineMiddleware):
    """An engine that goes by what was set for an app, made of one that does not know of it."""

    def __init__(
        self, engine: ExecutionBackend, apps: RegisteredApps, spending: AppSpending
    ) -> None:
        super().__init__(engine)
        self._apps = apps
        self._spending = spending

    async def preflight(self, request: TurnRequest) -> EngineChoice | None:
        """Refuse what the engine refuses; where there is no money left and nothing is free, say whose limit it is."""
        governed = await self._govern(request)
        try:
            return await self._engine.preflight(governed.request)
        except AppError:
            if governed.limit is not None and governed.limit_usd == 0:
                raise used_up(governed.limit) from None
            raise

    async def run_turn(self, request: TurnRequest) -> AsyncIterator[ProposedEvent]:
        """Say what holds, and let the engine work within it."""
        governed = await self._govern(request)
        if not request.open_action_ids:
            for fact in governed.facts:
                yield fact
        stream = cast("AsyncGenerator[ProposedEvent]", self._engine.run_turn(governed.request))
        async with aclosing(stream):
            async for event in stream:
                yield event
                if isinstance(event, ProposedEvent) and event.type == "cost.recorded":  # pyright: ignore[reportUnnecessaryIsInstance] - an engine may yield anything
                    await self._spending.add(request.app_id, governed.spend(event))
                    if fact := governed.quota():
                        yield fact
                    _require_money(governed)

    async def _govern(self, request: TurnRequest) -> _Governed:
        try:
            settings = AgentSettings(self._apps.get(request.app_id).registration)
        except AppNotInstalled:
            return _Governed(request)
        governed = await self._with_model(settings, request)
        return await self._with_limit(settings, governed)

    async def _with_model(self, settings: AgentSettings, request: TurnRequest) -> _Governed:
        setting = settings.model_for(request.options)
        if setting is None:
            return _Governed(request)
        wanted = replace(request, options=with_model(request.options, setting))
        # What an app prefers is not known on every computer; what its owners chose must be there.
        found = await self._if_it_can_run(wanted) if setting.source == "app" else wanted
        return _Governed(request) if found is None else _Governed(found, (model_fact(setting),))

    async def _if_it_can_run(self, request: TurnRequest) -> TurnRequest | None:
        try:
            return replace(request, choice=await self._engine.preflight(request))
        except AppError:
            return None

    async def _with_limit(self, settings: AgentSettings, governed: _Governed) -> _Governed:
        options = governed.request.options
        asked = (options.task_profile or TaskProfile()).cost_limit
        limits = [(each, each.limit_usd) for each in [settings.task_limit(asked)] if each]
        for month in settings.month_limits():
            whose = governed.request.app_id if month.scope == "app" else None
            spent = await self._spending.this_month(whose)
            limits.append((month, max(month.limit_usd - spent, 0.0)))
        if not limits:
            return governed
        limit, usd = min(limits, key=lambda each: each[1])
        request = replace(governed.request, options=with_limit(options, usd))
        return _Governed(request, (*governed.facts, limit_fact(limit, usd)), limit, usd)


def _require_money(governed: _Governed) -> None:
    limit, usd = governed.limit, governed.limit_usd
    if limit is not None and usd is not None and governed.spent_usd > usd:
        raise used_up(limit)
