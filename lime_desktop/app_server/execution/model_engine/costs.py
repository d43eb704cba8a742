"""What a round used and cost, and whether the turn may go on. A price nobody knows is told as unknown, never as zero."""

from dataclasses import dataclass, field

import genai_prices
from pydantic_ai.usage import RequestUsage

from lime_desktop.protocol.calls.model_providers import ModelProvider, ProviderUsage
from lime_desktop.protocol.calls.models import ModelDescription
from lime_desktop.protocol.calls.turns import TaskProfile
from lime_desktop.protocol.errors import CostLimitExceeded
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.protocol.task_events import TokenUsage

_MILLION = 1_000_000
_USUAL_ANSWER = 1_000
"""How many tokens an answer is taken for that may be longer: few are longer than a page."""
_LOW = 0.8
"""The part of a monthly limit from which on it is told that little is left."""


@dataclass(frozen=True, slots=True)
class Spent:
    """What a turn has used so far."""

    usage: TokenUsage = field(default_factory=TokenUsage)
    cost_usd: float = 0.0
    is_priced: bool = True
    """False once a round had a price nobody knows: the cost is then what is known of it."""

    def plus(self, usage: TokenUsage, cost_usd: float | None) -> "Spent":
        """With one round more."""
        return Spent(
            _sum(self.usage, usage),
            self.cost_usd + (cost_usd or 0.0),
            self.is_priced and cost_usd is not None,
        )

    def fact(self, round_cost_usd: float | None) -> ProposedEvent:
        """The cost of the turn so far."""
        cost: JsonObject = {
            "amount": self.cost_usd,
            "currency": "USD",
            "isEstimated": True,
            "state": "known" if self.is_priced else "unknown",
            "usage": self.usage.to_wire(),
        }
        if round_cost_usd is not None:
            cost["roundAmount"] = round_cost_usd
        return ProposedEvent(type="cost.recorded", payload=cost, cost_state=cost)


def estimate_fact(
    model: ModelDescription, base_url: str, read_tokens: int, most_written: int | None
) -> ProposedEvent:
    """What a question may cost, before it is asked: what will be read is counted, what will be written is assumed."""
    written = min(_USUAL_ANSWER, most_written or _USUAL_ANSWER)
    usage = TokenUsage(
        input_tokens=read_tokens, output_tokens=written, total_tokens=read_tokens + written
    )
    cost_usd = price_of(usage, model, base_url)
    payload: JsonObject = {
        "provider": model.provider_id,
        "model": model.model_id,
        "currency": "USD",
        "isEstimated": True,
        "state": "unknown" if cost_usd is None else "known",
        "assumedInputTokens": read_tokens,
        "assumedOutputTokens": written,
    }
    if cost_usd is not None:
        payload["amount"] = cost_usd
    return ProposedEvent(type="cost.estimated", payload=payload)


def usage_of(usage: RequestUsage) -> TokenUsage:
    """The library's counts in ours; a provider's nonsense counts as nothing."""
    read, written = max(usage.input_tokens, 0), max(usage.output_tokens, 0)
    return TokenUsage(
        input_tokens=read,
        output_tokens=written,
        total_tokens=read + written,
        cached_input_tokens=max(usage.cache_read_tokens, 0),
        cache_creation_input_tokens=max(usage.cache_write_tokens, 0),
    )


def price_of(usage: TokenUsage, model: ModelDescription, base_url: str) -> float | None:
    """What a round cost in dollars: by the price that is set, else by published ones, else unknown."""
    if price := model.price:
        cached = price.input_usd if price.cached_input_usd is None else price.cached_input_usd
        fresh = max(usage.input_tokens - usage.cached_input_tokens, 0)
        total = fresh * price.input_usd + usage.cached_input_tokens * cached
        return (total + usage.output_tokens * price.output_usd) / _MILLION
    counted = genai_prices.Usage(
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cache_read_tokens=usage.cached_input_tokens,
        cache_write_tokens=usage.cache_creation_input_tokens,
    )
    try:
        found = genai_prices.calc_price(counted, model.model_id, provider_api_url=base_url)
    except (LookupError, ValueError):
        return None
    return float(found.total_price)


def require_budget(spent: Spent, profile: TaskProfile, provider: ModelProvider) -> None:
    """Stop a turn that has used what it may.

    Raises:
        CostLimitExceeded: the task's limit is reached.
    """
    limits = [profile.cost_limit, provider.settings.limits.task_cost]
    allowed = [limit.amount for limit in limits if limit and limit.currency == "USD"]
    if allowed and spent.cost_usd > min(allowed):
        raise CostLimitExceeded(
            "The task reached the cost it may have.", details={"reasonCode": "task_cost_limit"}
        )


def month_facts(month: ProviderUsage, provider: ModelProvider) -> list[ProposedEvent]:
    """How much of the month's limit is left, where that is worth telling."""
    limit = provider.settings.limits.monthly_cost
    if limit is None or month.cost.amount < limit.amount * _LOW:
        return []
    payload: JsonObject = {
        "source": "settings",
        "provider": provider.provider_id,
        "month": month.month,
        "used": month.cost.amount,
        "limit": limit.amount,
        "currency": "USD",
    }
    is_reached = month.cost.amount >= limit.amount
    return [ProposedEvent(type="quota.blocked" if is_reached else "quota.low", payload=payload)]


def require_month(month: ProviderUsage, provider: ModelProvider) -> None:
    """Stop a turn whose provider has been used as much as it may this month.

    Raises:
        CostLimitExceeded: the month's limit is reached.
    """
    limit = provider.settings.limits.monthly_cost
    if limit and month.cost.amount >= limit.amount:
        raise CostLimitExceeded(
            "The provider's limit for this month is reached.",
            details={"reasonCode": "budget_reached"},
        )


def _sum(one: TokenUsage, other: TokenUsage) -> TokenUsage:
    return TokenUsage(
        input_tokens=one.input_tokens + other.input_tokens,
        output_tokens=one.output_tokens + other.output_tokens,
        total_tokens=one.total_tokens + other.total_tokens,
        cached_input_tokens=one.cached_input_tokens + other.cached_input_tokens,
        cache_creation_input_tokens=one.cache_creation_input_tokens
        + other.cache_creation_input_tokens,
    )
