"""Where and how a search looks, as somebody set it for the app. Pure."""

from typing import NamedTuple

from lime_desktop.app_server.apps.agent_settings import AgentSettings
from lime_desktop.app_server.apps.registered import RegisteredApp
from lime_desktop.app_server.knowledge.rows import Hit
from lime_desktop.protocol.capability_calls.knowledge import KnowledgeSearchParams


class SetSearch(NamedTuple):
    """A search with what was set filled in."""

    template: str | None
    top_k: int
    min_score: float | None = None

    def is_good_enough(self, hit: Hit) -> bool:
        """Whether a passage has the score that was asked for."""
        return self.min_score is None or hit.score >= self.min_score


def as_set(app: RegisteredApp, params: KnowledgeSearchParams) -> SetSearch:
    """What the call says, else what was set for the template that it names."""
    if params.template is None:
        return SetSearch(None, params.top_k)
    wanted = AgentSettings(app.registration).retrieval_of(params.template)
    is_said = "top_k" in params.model_fields_set or wanted.top_k is None
    top_k = params.top_k if is_said else wanted.top_k or params.top_k
    return SetSearch(source_of(app, params.template), top_k, wanted.min_score)


def source_of(app: RegisteredApp, template: str) -> str:
    """The template that somebody set in another's place; what names none of the app's is no such place."""
    named = AgentSettings(app.registration).binding_of(template)
    return named if named in app.declared.knowledge else template
