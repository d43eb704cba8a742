"""lime.usage: what the app's own agent tasks used, summed up from their results."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from pydantic import BaseModel

from lime_desktop.host.capabilities.handler import Handlers, HandlerServices
from lime_desktop.host.runs.app_tasks import AppTasks
from lime_desktop.policy.budgets import Budget
from lime_desktop.policy.budgets import Window as BudgetWindow
from lime_desktop.protocol.agent_tasks import TaskRecord
from lime_desktop.protocol.capability_calls.usage import (
    GetBudgetParams,
    GetBudgetResult,
    GetCostSummaryResult,
    GetTokenUsageResult,
    UsageParams,
    Window,
)
from lime_desktop.protocol.task_events import Cost, TokenUsage

_DAYS: dict[Window, int] = {"day": 1, "week": 7, "month": 31, "all": 36_500}


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call."""
    tasks = AppTasks(services.call, services.caller, services.approvals.follow_run)

    async def within(params: UsageParams) -> list[TaskRecord]:
        since = datetime.now(UTC) - timedelta(days=_DAYS[params.window])
        found = await tasks.since(since.isoformat(timespec="milliseconds"))
        return [task for task in found if params.task_id in {None, task.task_id}]

    async def get_tokens(params: UsageParams) -> BaseModel:
        within_it = await within(params)
        used = [task.result.usage for task in within_it if task.result and task.result.usage]
        totals = {
            name: sum(getattr(each, name) for each in used) for name in TokenUsage.model_fields
        }
        return GetTokenUsageResult(
            window=params.window, totals=TokenUsage(**totals), tasks=len(within_it)
        )

    async def get_costs(params: UsageParams) -> BaseModel:
        within_it = await within(params)
        priced = _costs(within_it)
        return GetCostSummaryResult(
            window=params.window,
            total=Cost(amount=sum(priced)),
            tasks=len(within_it),
            unpriced_tasks=len(within_it) - len(priced),
        )

    async def get_budget(params: GetBudgetParams) -> BaseModel:
        # Whoever set a limit set it for this app: the smallest holds, whatever scope is asked about.
        spent = sum(_costs(await within(UsageParams(window="month"))))
        budgets = services.app().governing.policy.budgets
        monthly = _smallest(budgets, "month")
        return GetBudgetResult(
            scope=params.scope,
            monthly_limit=monthly,
            per_task_limit=_smallest(budgets, "task"),
            spent=Cost(amount=spent),
            remaining=Cost(amount=max(monthly.amount - spent, 0.0)) if monthly else None,
        )

    return {
        "lime.usage.getTokenUsage": get_tokens,
        "lime.usage.getCostSummary": get_costs,
        "lime.usage.getBudget": get_budget,
    }


def _costs(tasks: list[TaskRecord]) -> list[float]:
    return [task.result.cost.amount for task in tasks if task.result and task.result.cost]


def _smallest(budgets: Iterable[Budget], window: BudgetWindow) -> Cost | None:
    limits = [float(each.limit) for each in budgets if each.window == window]
    return Cost(amount=min(limits), is_estimated=False) if limits else None
