"""How hard is a model to think for a turn, and can this one be told so?"""

from typing import Literal, TypeAlias, cast, get_args

from lime_desktop.app_server.runtime_core.backend import TurnRequest
from lime_desktop.protocol.calls.models import ModelDescription
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import ProposedEvent

Effort: TypeAlias = Literal["minimal", "low", "medium", "high"]
_EFFORTS = frozenset(get_args(Effort))


def wanted_effort(request: TurnRequest) -> str | None:
    """What the task's profile says, or else the request."""
    profile, asked = request.options.task_profile, request.options.runtime_request
    return (profile.reasoning_effort if profile else None) or (
        asked.reasoning_effort if asked else None
    )


def effort_for(request: TurnRequest, model: ModelDescription) -> Effort | None:
    """What this model is told; None where nothing is wanted or it knows nothing of it."""
    wanted = wanted_effort(request)
    can_be_told = "reasoning" in model.capabilities and wanted in _EFFORTS
    return cast("Effort", wanted) if can_be_told else None


def unsupported_effort(request: TurnRequest, model: ModelDescription) -> ProposedEvent | None:
    """That a wish cannot be passed on: the turn goes on without it, and nobody is left to believe otherwise."""
    wanted = wanted_effort(request)
    if wanted is None or effort_for(request, model) is not None:
        return None
    payload: JsonObject = {
        "code": "reasoning_effort_unsupported",
        "message": f"{model.title} cannot be told how hard to think; it answers as it always does.",
        "provider": model.provider_id,
        "model": model.model_id,
        "recoverable": True,
    }
    return ProposedEvent(type="runtime.warning", payload=payload)
