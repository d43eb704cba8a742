"""Answers lime.usage and lime.models.estimateCost: what an app's own tasks used, summed up from their results."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from lime_desktop.app_server.agent_tasks.service import AgentTasks
from lime_desktop.app_server.apps.registered import RegisteredApps
from lime_desktop.app_server.routes import AppCalls
from lime_desktop.protocol.agent_tasks import TaskRecord
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.calls.apps import RegisteredBudget
from lime_desktop.protocol.capability_calls.models import (
    ESTIMATE_COST,
    EstimateCostParams,
    EstimateCostResult,
)
from lime_desktop.protocol.capability_calls.usage import (
    GET_BUDGET,
    GET_COST_SUMMARY,
    GET_TOKEN_USAGE,
    GetBudgetParams,
    GetBudgetResult,
    GetCostSummaryResult,
    GetTokenUsageResult,
    UsageParams,
    Window,
)
from lime_desktop.protocol.ids import AppId
from lime_desktop.protocol.task_events import Cost, TokenUsage

MOST_TASKS = 100
"""How many tasks are looked at to sum them up; older ones are not counted."""
_DAYS: dict[Window, int] = {"day": 1, "week": 7, "month": 31, "all": 36_500}


class AppUsage:
    """What the tasks of every app used, and what was set for them."""

    def __init__(self, tasks: AgentTasks, apps: RegisteredApps) -> None:
        self._tasks = tasks
        self._apps = apps

    def serve(self, calls: AppCalls) -> None:
        """Answer what apps ask of what they used."""
        calls.add(GET_TOKEN_USAGE, self.get_tokens)
        calls.add(GET_COST_SUMMARY, self.get_costs)
        calls.add(GET_BUDGET, self.get_budget)
        calls.add(ESTIMATE_COST, self.estimate_cost)

    async def get_tokens(self, params: UsageParams, caller: AppCaller) -> GetTokenUsageResult:
        """Tokens used."""
        tasks = await self._within(params, caller.app_id)
        used = [task.result.usage for task in tasks if task.result and task.result.usage]
        totals = {
            name: sum(getattr(each, name) for each in used) for name in TokenUsage.model_fields
        }
        return GetTokenUsageResult(
            window=params.window, totals=TokenUsage(**totals), tasks=len(tasks)
        )

    async def get_costs(self, params: UsageParams, caller: AppCaller) -> GetCostSummaryResult:
        """Money spent."""
        tasks = await self._within(params, caller.app_id)
        priced = _costs(tasks)
        return GetCostSummaryResult(
            window=params.window,
            total=Cost(amount=sum(priced)),
            tasks=len(tasks),
            unpriced_tasks=len(tasks) - len(priced),
        )

    async def get_budget(self, params: GetBudgetParams, caller: AppCaller) -> GetBudgetResult:
        """What may still be spent."""
        # Whoever set a limit set it for this app: the smallest holds, whatever scope is asked about.
        spent = sum(_costs(await self._within(UsageParams(window="month"), caller.app_id)))
        budgets = self._apps.get(caller.app_id).registration.budgets
        monthly = _smallest(each for each in budgets if each.window == "month")
        return GetBudgetResult(
            scope=params.scope,
            monthly_limit=monthly,
            per_task_limit=_smallest(each for each in budgets if each.window == "task"),
            spent=Cost(amount=spent),
            remaining=Cost(amount=max(monthly.amount - spent, 0.0)) if monthly else None,
        )

    async def estimate_cost(
        self, params: EstimateCostParams, caller: AppCaller
    ) -> EstimateCostResult:
        """What a task might cost: as much as those of its kind did."""
        earlier = await self._within(UsageParams(window="all"), caller.app_id)
        costs = _costs(task for task in earlier if task.task_kind == params.task_kind)
        if not costs:
            return EstimateCostResult(status="unknown", sample_size=0)
        cost = Cost(amount=sum(costs) / len(costs))
        return EstimateCostResult(status="estimated", sample_size=len(costs), cost=cost)

    async def _within(self, params: UsageParams, app_id: AppId) -> list[TaskRecord]:
        """The newest tasks that began within a time, with what came of them."""
        since = datetime.now(UTC) - timedelta(days=_DAYS[params.window])
        moment = since.isoformat(timespec="milliseconds")
        return [
            (await self._tasks.stands(app_id, task.task_id)).task or task
            for task in (await self._tasks.newest(app_id, MOST_TASKS)).tasks
            if task.started_at >= moment and params.task_id in {None, task.task_id}
        ]


def _costs(tasks: Iterable[TaskRecord]) -> list[float]:
    return [task.result.cost.amount for task in tasks if task.result and task.result.cost]


def _smallest(budgets: Iterable[RegisteredBudget]) -> Cost | None:
    limits = [each.limit_usd for each in budgets]
    return Cost(amount=min(limits), is_estimated=False) if limits else None
