"""Which model does this task, and why? Pure: what is offered and what is wanted in, a route out."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from lime_desktop.app_server.task_request import capability_hints
from lime_desktop.protocol.calls.model_providers import ModelProvider
from lime_desktop.protocol.calls.models import ModelChoice, ModelDescription, ModelObstacle
from lime_desktop.protocol.calls.turns import RuntimeOptions, TaskProfile

_MAX_NAME = 200
"""Of what an app called a model; a person reads it."""

_LOW_BUDGET_USD = 3.0
"""Per million tokens written: what a `low` budget takes for cheap."""

_SPEEDS = {"fast": 0, "normal": 1, "slow": 2}


class RoutingSettings(Protocol):
    """What the person set about which model runs what."""

    async def preferred(self) -> ModelChoice | None:
        """The model they want where a turn names none."""
        ...

    async def without_models(self) -> tuple[ModelProvider, ...]:
        """Providers that have no model to offer yet."""
        ...


@dataclass(frozen=True, slots=True)
class AvailableModels:
    """What there is to choose from."""

    offers: tuple[ModelDescription, ...]
    preferred: ModelChoice | None = None
    without_models: tuple[ModelProvider, ...] = ()
    """No choice themselves, but perhaps the nearest to becoming one."""

    def prefers(self, offer: ModelDescription) -> bool:
        """Whether this is the person's own choice."""
        return self.preferred is not None and self.preferred.means(offer)


@dataclass(frozen=True, slots=True)
class ModelRequirements:
    """What a turn asks of its model."""

    profile: TaskProfile
    required: tuple[str, ...]
    provider: str | None = None
    model: str | None = None
    hinted: tuple[str, ...] = ()
    """What would help, as `required`; a model that lacks it may do the task all the same."""

    @property
    def has_preference(self) -> bool:
        """Whether the caller named a provider or a model."""
        return bool(self.provider or self.model)

    def want(self, offer: ModelDescription) -> bool:
        """Whether this is what was named, or nothing was."""
        return self.provider in {None, offer.provider_id} and (
            self.model in {None, offer.model_id, f"{offer.provider_id}/{offer.model_id}"}
        )

    def name(self, offer: ModelDescription) -> bool:
        """Whether this very model was asked for, and not just any."""
        return self.model is not None and self.want(offer)

    def want_of(self, provider: ModelProvider) -> bool:
        """Whether what was named would be a model of this provider, or nothing was named."""
        is_its_model = self.model is None or self.model.startswith(f"{provider.provider_id}/")
        return self.provider == provider.provider_id or (self.provider is None and is_its_model)


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A model that will not do, and why."""

    model: ModelDescription
    obstacle: ModelObstacle


@dataclass(frozen=True, slots=True)
class Route:
    """The models that may do the task, best first, and those that may not."""

    supply: AvailableModels
    wishes: ModelRequirements
    candidates: tuple[ModelDescription, ...]
    excluded: tuple[Exclusion, ...]

    @property
    def first(self) -> ModelDescription | None:
        """The model that gets the task, if any may."""
        return self.candidates[0] if self.candidates else None

    @property
    def reason(self) -> str:
        """A stable word for how the first was chosen, or why there is none."""
        if not self.candidates:
            obstacle = obstacle_of(self)
            return obstacle.reason_code if obstacle else "no_model_known"
        if self.wishes.has_preference:
            return "requested"
        if self.supply.preferred is not None:
            is_met = self.supply.prefers(self.candidates[0])
            return "preferred" if is_met else "preferred_not_possible"
        return "only_candidate" if len(self.candidates) == 1 else "best_ranked"


def wishes_of(options: RuntimeOptions) -> ModelRequirements:
    """Read the wishes off a turn's options: stated capabilities, and those its form of output needs."""
    asked = options.runtime_request
    profile = options.task_profile or TaskProfile()
    needs_schema = bool(options.structured_output or options.output_schema)
    required = ("text", *profile.required_capabilities, *(["structured_output"] * needs_schema))
    return ModelRequirements(
        profile,
        tuple(dict.fromkeys(required)),
        options.provider_preference or (asked and asked.provider_preference) or None,
        options.model_preference or (asked and asked.model_preference) or None,
        capability_hints(options),
    )


def find_route(supply: AvailableModels, wishes: ModelRequirements) -> Route:
    """Order the models that can do the task; say of every other why it cannot."""
    excluded = tuple(
        Exclusion(offer, obstacle)
        for offer in supply.offers
        if (obstacle := _obstacle(offer, wishes, supply))
    )
    unfit = {_name(exclusion.model) for exclusion in excluded}
    fit = [offer for offer in supply.offers if _name(offer) not in unfit]
    candidates = tuple(sorted(fit, key=lambda offer: _order(offer, wishes, supply)))
    return Route(supply, wishes, candidates, excluded)


def order_of_trying(route: Route) -> tuple[ModelDescription, ...]:
    """The first choice, and who may step in for it: what was to stay on this machine does not leave it that way."""
    first = route.candidates[:1]
    if route.wishes.profile.fallback_policy == "never":
        return first
    stays_here = any(model.is_local for model in first)
    return (*first, *(m for m in route.candidates[1:] if m.is_local or not stays_here))


def obstacle_of(route: Route) -> ModelObstacle | None:
    """The obstacle that is nearest to being removed: of what was asked for, else of the user's first choice."""
    nearest = min(_obstacles(route), key=lambda each: each.distance, default=None)
    if nearest is not None:
        return nearest.obstacle
    return _unknown(route.wishes) if route.wishes.has_preference else None


@dataclass(frozen=True, slots=True)
class _Distant:
    distance: tuple[bool, int]
    obstacle: ModelObstacle


def _obstacles(route: Route) -> Iterator[_Distant]:
    supply, wishes = route.supply, route.wishes
    for each in route.excluded:
        if wishes.want(each.model):
            yield _Distant((not supply.prefers(each.model), each.model.rank), each.obstacle)
    for provider in supply.without_models:
        if provider.obstacle and wishes.want_of(provider):
            yield _Distant((True, provider.settings.rank), provider.obstacle)


def _obstacle(
    offer: ModelDescription, wishes: ModelRequirements, supply: AvailableModels
) -> ModelObstacle | None:
    if not wishes.want(offer):
        return _unfit("not_requested", "Another model was asked for.", "Ask for this model")
    if offer.obstacle:
        return offer.obstacle
    if offer.quality == "demo" and not (wishes.name(offer) or supply.prefers(offer)):
        return _DEMO
    if gap := [need for need in wishes.required if need not in offer.capabilities]:
        return _lacking(gap)
    if wishes.profile.budget_class == "free" and not _is_free(offer):
        return _unfit(
            "over_budget_class",
            "The task may cost nothing, and this model does or may.",
            "Add a local model, or allow a budget",
        )
    return None


def _lacking(gap: list[str]) -> ModelObstacle:
    lacking = ", ".join(_ABILITIES.get(need, f"do {need}") for need in gap)
    without = ", or leave the pictures out" if "vision" in gap else ""
    return _unfit(
        "capability_gap",
        f"The model cannot {lacking}.",
        f"Choose a model that can {lacking}{without}",
    )


_ABILITIES = {
    "text": "write text",
    "reasoning": "think before it answers",
    "tools": "use tools",
    "structured_output": "fill in a form",
    "vision": "see pictures",
}


def _unknown(wishes: ModelRequirements) -> ModelObstacle:
    kind = "model" if wishes.model else "provider"
    named = "/".join(filter(None, (wishes.provider, wishes.model)))[:_MAX_NAME]
    return _unfit(
        f"{kind}_not_set_up",
        f"The {kind} that was asked for is not set up here: {named}.",
        "Set it up in Settings, or let the task use another one",
    )


def _unfit(reason_code: str, message: str, setup_action: str) -> ModelObstacle:
    return ModelObstacle(reason_code=reason_code, message=message, setup_action=setup_action)


_DEMO = _unfit(
    "demo_model",
    "Only a demo model is here, and its answers are mostly wrong.",
    "Set up a model in Settings, or choose the demo there",
)


def _is_free(offer: ModelDescription) -> bool:
    price = offer.price
    return offer.is_local if price is None else not (price.input_usd or price.output_usd)


def _order(
    offer: ModelDescription, wishes: ModelRequirements, supply: AvailableModels
) -> tuple[bool, bool, int, int, int, int, float, str]:
    """The user's choice first, where the task can afford it, then what has most of what helps, then the user's order."""
    profile = wishes.profile
    price = 0.0 if _is_free(offer) else (offer.price.output_usd if offer.price else float("inf"))
    is_dear = profile.budget_class == "low" and price > _LOW_BUDGET_USD
    is_other = not supply.prefers(offer)
    speed = _SPEEDS[offer.latency] if profile.latency_target == "interactive" else 0
    lacks = sum(each not in offer.capabilities for each in wishes.hinted)
    return (is_dear, is_other, lacks, offer.rank, offer.position, speed, price, _name(offer))


def _name(model: ModelDescription) -> str:
    return f"{model.engine}/{model.provider_id}/{model.model_id}"
