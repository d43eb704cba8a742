"""Models in a person's words: what each is to them, and what is in its way. Knows no widget."""

from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.calls.models import ModelDescription
from lime_desktop.protocol.plain_text import plain_name

_ENGINES = {"embedded", "acp"}
"""Engines whose models have something of their own to be said of them."""
_OF_MODELS = {
    "demo_model",
    "weights_missing",
    "engine_missing",
    "engine_unavailable",
    "capability_gap",
}
"""What a model of this computer, or another choice, would remove."""


def full_name(model: ModelDescription) -> str:
    """A model with whose it is."""
    return f"{model.title} · {_whose(model)}"


def about_answering(texts: Texts, model: ModelDescription) -> str:
    """What a person should know of whoever answers: where it works, and how far it can be trusted."""
    if model.engine in _ENGINES:
        return texts(f"model.about.{model.engine}")
    key = "model.about.near" if model.is_local else "model.about.far"
    return texts(key, provider=_whose(model))


def _whose(model: ModelDescription) -> str:
    return plain_name(model.provider_title or model.provider_id)


def answered_words(texts: Texts, model_id: str, provider_id: str, title: str | None = None) -> str:
    """Who gave an answer, in a line under it."""
    key = f"chat.answered.{provider_id}"
    known = texts(key) != key
    provider = plain_name(title or provider_id)
    return texts(key if known else "chat.answered", model=model_id, provider=provider)


def settings_section(reason_code: str) -> str:
    """Where in the settings an obstacle is removed."""
    if reason_code in _OF_MODELS:
        return "models"
    return "agents" if reason_code.startswith("agent_") else "providers"


def obstacle_words(texts: Texts, reason_code: str, message: str) -> str:
    """What is in the way, in the person's language; in the words it came with where there are none of ours."""
    key = f"model.obstacle.{reason_code}"
    return message if texts(key) == key else texts(key)
