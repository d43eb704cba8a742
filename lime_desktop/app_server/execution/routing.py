"""Which model does this task, and why? Pure: what is offered and what is wanted in, a route and its facts out."""

from collections.abc import Sequence
from dataclasses import dataclass

from lime_desktop.app_server.execution.backend import TurnRequest
from lime_desktop.protocol.calls.models import ModelDescription, ModelObstacle
from lime_desktop.protocol.calls.turns import TaskProfile
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import ProposedEvent

MAX_TOLD = 50
"""Candidates and exclusions that one event lists."""

_LOW_BUDGET_USD = 3.0
"""Per million tokens written: what a `low` budget takes for cheap."""

_SPEEDS = {"fast": 0, "normal": 1, "slow": 2}


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a turn asks of its model."""

    profile: TaskProfile
    required: tuple[str, ...]
    provider: str | None = None
    model: str | None = None

    @property
    def has_preference(self) -> bool:
        """Whether the caller named a provider or a model."""
        return bool(self.provider or self.model)


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A model that will not do, and why."""

    model: ModelDescription
    obstacle: ModelObstacle


@dataclass(frozen=True, slots=True)
class Route:
    """The models that may do the task, best first, and those that may not."""

    wishes: Wishes
    candidates: tuple[ModelDescription, ...]
    excluded: tuple[Exclusion, ...]
    reason: str
    """A stable word for how the first was chosen, or why there is none."""


def wishes_of(request: TurnRequest) -> Wishes:
    """Read the wishes off a request: stated capabilities, and those its form of output needs."""
    options, asked = request.options, request.options.runtime_request
    profile = options.task_profile or TaskProfile()
    needs_schema = bool(options.structured_output or options.output_schema)
    required = ("text", *profile.required_capabilities, *(["structured_output"] * needs_schema))
    return Wishes(
        profile,
        tuple(dict.fromkeys(required)),
        options.provider_preference or (asked and asked.provider_preference) or None,
        options.model_preference or (asked and asked.model_preference) or None,
    )


def find_route(offers: Sequence[ModelDescription], wishes: Wishes) -> Route:
    """Order the models that can do the task; say of every other why it cannot."""
    excluded = [
        Exclusion(offer, obstacle) for offer in offers if (obstacle := _obstacle(offer, wishes))
    ]
    unfit = {_name(exclusion.model) for exclusion in excluded}
    fit = [offer for offer in offers if _name(offer) not in unfit]
    candidates = tuple(sorted(fit, key=lambda offer: _order(offer, wishes.profile)))
    return Route(wishes, candidates, tuple(excluded), _reason(candidates, excluded, wishes))


def order_of_trying(route: Route) -> tuple[ModelDescription, ...]:
    """The first choice, and who may step in for it: what was to stay on this machine does not leave it that way."""
    first = route.candidates[:1]
    if route.wishes.profile.fallback_policy == "never":
        return first
    stays_here = any(model.is_local for model in first)
    return (*first, *(m for m in route.candidates[1:] if m.is_local or not stays_here))


def profile_fact(wishes: Wishes) -> ProposedEvent:
    """What kind of work this was taken for."""
    profile: JsonObject = {
        "kind": wishes.profile.kind,
        "source": "request",
        "requiredCapabilities": list(wishes.required),
        "latencyTarget": wishes.profile.latency_target,
        "budgetClass": wishes.profile.budget_class,
        "fallbackPolicy": wishes.profile.fallback_policy,
        "settingsSource": "provider_store",
    }
    if wishes.profile.cost_limit:
        profile["costLimit"] = wishes.profile.cost_limit.to_wire()
    return ProposedEvent(type="task.profile.resolved", payload=profile, task_profile=profile)


def routing_facts(route: Route) -> list[ProposedEvent]:
    """What was possible, what was chosen, and why."""
    candidates: JsonObject = {
        "candidateCount": len(route.candidates),
        "candidates": [_told(model) for model in route.candidates[:MAX_TOLD]],
        "excludedCount": len(route.excluded),
        "excluded": [
            {**_told(e.model), "reasonCode": e.obstacle.reason_code}
            for e in route.excluded[:MAX_TOLD]
        ],
    }
    facts = [
        ProposedEvent(
            type="routing.candidates.resolved", payload=candidates, candidate_model_set=candidates
        )
    ]
    if not route.candidates:
        return [*facts, ProposedEvent(type="routing.not_possible", payload=_no_choice(route))]
    choice = _choice(route)
    if len(route.candidates) == 1:
        facts.append(ProposedEvent(type="routing.single_candidate", payload=choice))
    return [
        *facts,
        ProposedEvent(type="routing.decided", payload=choice, routing_decision=choice),
    ]


def fallback_fact(
    failed: ModelDescription, following: ModelDescription, reason: str
) -> ProposedEvent:
    """That another model steps in."""
    payload: JsonObject = {
        "failedProvider": failed.provider_id,
        "failedModel": failed.model_id,
        "selectedProvider": following.provider_id,
        "selectedModel": following.model_id,
        "selectedEngine": following.engine,
        "decisionSource": "fallback",
        "decisionReason": reason,
    }
    return ProposedEvent(type="routing.fallback.applied", payload=payload)


def obstacle_of(route: Route) -> ModelObstacle | None:
    """The obstacle that is nearest to being removed: of what was asked for, else of the user's first choice."""
    if not route.excluded:
        return None
    return min(route.excluded, key=lambda exclusion: _distance(exclusion, route.wishes)).obstacle


def _obstacle(offer: ModelDescription, wishes: Wishes) -> ModelObstacle | None:
    if wishes.has_preference and not _is_wanted(offer, wishes):
        return _unfit("not_requested", "Another model was asked for.", "Ask for this model")
    if offer.obstacle:
        return offer.obstacle
    if gap := [need for need in wishes.required if need not in offer.capabilities]:
        return _unfit(
            "capability_gap",
            f"The model lacks: {', '.join(gap)}.",
            "Choose a model that can do more",
        )
    if wishes.profile.budget_class == "free" and not _is_free(offer):
        return _unfit(
            "over_budget_class",
            "The task may cost nothing, and this model does or may.",
            "Add a local model, or allow a budget",
        )
    return None


def _is_wanted(offer: ModelDescription, wishes: Wishes) -> bool:
    return (wishes.provider is None or offer.provider_id == wishes.provider) and (
        wishes.model is None
        or wishes.model in {offer.model_id, f"{offer.provider_id}/{offer.model_id}"}
    )


def _unfit(reason_code: str, message: str, setup_action: str) -> ModelObstacle:
    return ModelObstacle(reason_code=reason_code, message=message, setup_action=setup_action)


def _is_free(offer: ModelDescription) -> bool:
    price = offer.price
    return offer.is_local or (price is not None and not (price.input_usd or price.output_usd))


def _order(offer: ModelDescription, profile: TaskProfile) -> tuple[int, int, int, int, float, str]:
    """The user's order first; the task's kind decides between equals."""
    price = 0.0 if _is_free(offer) else (offer.price.output_usd if offer.price else float("inf"))
    is_dear = int(profile.budget_class == "low" and price > _LOW_BUDGET_USD)
    speed = _SPEEDS[offer.latency] if profile.latency_target == "interactive" else 0
    return (is_dear, offer.rank, offer.position, speed, price, _name(offer))


def _name(model: ModelDescription) -> str:
    return f"{model.engine}/{model.provider_id}/{model.model_id}"


def _reason(
    candidates: Sequence[ModelDescription], excluded: Sequence[Exclusion], wishes: Wishes
) -> str:
    if candidates:
        if wishes.has_preference:
            return "requested"
        return "only_candidate" if len(candidates) == 1 else "best_ranked"
    if not excluded:
        return "no_model_known"
    return min(excluded, key=lambda e: _distance(e, wishes)).obstacle.reason_code


def _distance(exclusion: Exclusion, wishes: Wishes) -> tuple[bool, int]:
    return (not _is_wanted(exclusion.model, wishes), exclusion.model.rank)


def _told(model: ModelDescription) -> JsonObject:
    said: JsonObject = {
        "engine": model.engine,
        "provider": model.provider_id,
        "model": model.model_id,
        "isLocal": model.is_local,
    }
    return said


def _choice(route: Route) -> JsonObject:
    first = route.candidates[0]
    return {
        "taskKind": route.wishes.profile.kind,
        "routingMode": "single" if len(route.candidates) == 1 else "ranked",
        "decisionSource": "request" if route.wishes.has_preference else "settings",
        "decisionReason": route.reason,
        "selectedEngine": first.engine,
        "selectedProvider": first.provider_id,
        "selectedModel": first.model_id,
        "requestedProvider": route.wishes.provider,
        "requestedModel": route.wishes.model,
        "candidateCount": len(route.candidates),
        "fallbackChain": [
            f"{model.provider_id}/{model.model_id}" for model in order_of_trying(route)[1:MAX_TOLD]
        ],
    }


def _no_choice(route: Route) -> JsonObject:
    obstacle = obstacle_of(route)
    return {
        "taskKind": route.wishes.profile.kind,
        "candidateCount": 0,
        "decisionSource": "settings",
        "decisionReason": route.reason,
        "capabilityGap": obstacle.message if obstacle else "No model is set up.",
        "requiresUserOverride": True,
    }
