"""How long may an answer get? As long as its task needs: who writes too little errs less than who writes on. Pure."""

from lime_desktop.app_server.runtime_core.backend import TurnRequest
from lime_desktop.protocol.calls.models import ModelDescription, ModelQuality

_IN_FORM: dict[ModelQuality, int] = {"demo": 400, "small": 1_024}
_FROM_SOURCES: dict[ModelQuality, int] = {"demo": 160, "small": 400}
_IN_WORDS: dict[ModelQuality, int] = {"demo": 256, "small": 1_024}


def answer_tokens(request: TurnRequest, model: ModelDescription) -> int | None:
    """The most that a model may write in one answer to this turn; None where nothing but its own limit holds."""
    profile = request.options.task_profile
    stated = profile.max_output_tokens if profile else None
    known = (stated, model.max_output_tokens, _by_task(request).get(model.quality))
    limits = [limit for limit in known if limit is not None]
    return min(limits) if limits else None


def _by_task(request: TurnRequest) -> dict[ModelQuality, int]:
    options = request.options
    if options.structured_output or options.output_schema:
        return _IN_FORM
    return _FROM_SOURCES if request.sources else _IN_WORDS
