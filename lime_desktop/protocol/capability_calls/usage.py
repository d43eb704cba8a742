"""lime.usage: tokens and money that the app's tasks used."""

from typing import Literal, TypeAlias

from lime_desktop.protocol.capability_calls.call import Call, CallParams, Effect
from lime_desktop.protocol.errors.of_calls import RECORDED_TASKS
from lime_desktop.protocol.ids import TaskId
from lime_desktop.protocol.task_events import Cost, TokenUsage
from lime_desktop.protocol.wire import Maybe, WireModel

NAME = "lime.usage"

Window: TypeAlias = Literal["day", "week", "month", "all"]


class UsageParams(CallParams):
    """Of which task, or over which time."""

    task_id: Maybe[TaskId] = None
    window: Window = "month"


class GetTokenUsageResult(WireModel):
    """Tokens used."""

    window: Window
    totals: TokenUsage
    tasks: int


class GetCostSummaryResult(WireModel):
    """Money spent."""

    window: Window
    total: Cost
    tasks: int
    unpriced_tasks: int = 0
    """Tasks whose price nobody knows; they are not in the total."""


class GetBudgetParams(CallParams):
    """Whose budget."""

    scope: Literal["app", "workspace", "tenant"] = "app"


class GetBudgetResult(WireModel):
    """What may still be spent."""

    scope: Literal["app", "workspace", "tenant"]
    monthly_limit: Maybe[Cost] = None
    """Absent where there is no limit."""
    per_task_limit: Maybe[Cost] = None
    spent: Cost
    remaining: Maybe[Cost] = None


GET_TOKEN_USAGE = Call(
    NAME,
    "getTokenUsage",
    UsageParams,
    GetTokenUsageResult,
    Effect.READ,
    "Tokens used.",
    by="server",
    errors=RECORDED_TASKS,
)
GET_COST_SUMMARY = Call(
    NAME,
    "getCostSummary",
    UsageParams,
    GetCostSummaryResult,
    Effect.READ,
    "Money spent.",
    by="server",
    errors=RECORDED_TASKS,
)
GET_BUDGET = Call(
    NAME,
    "getBudget",
    GetBudgetParams,
    GetBudgetResult,
    Effect.READ,
    "What may still be spent.",
    by="server",
    errors=RECORDED_TASKS,
)

CALLS = (GET_TOKEN_USAGE, GET_COST_SUMMARY, GET_BUDGET)
