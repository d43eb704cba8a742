"""What is told of a choice of model: what the task was taken for, what was possible, what was chosen and why."""

from lime_desktop.app_server.providers.routing import (
    ModelRequirements,
    Route,
    obstacle_of,
    order_of_trying,
)
from lime_desktop.protocol.calls.models import ModelDescription
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import ProposedEvent

MAX_TOLD = 50
"""Candidates and exclusions that one event lists."""


def profile_fact(wishes: ModelRequirements) -> ProposedEvent:
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
