"""Models in a person's words: what each is to them, and what is in its way. Knows no widget."""

from lime_desktop.host.texts import Texts
from lime_desktop.protocol.calls.models import ModelDescription

_ENGINES = {"embedded", "acp"}
"""Engines whose models have something of their own to be said of them."""


def full_name(model: ModelDescription) -> str:
    """A model with whose it is."""
    return f"{model.title} · {model.provider_id}"


def about_answering(texts: Texts, model: ModelDescription) -> str:
    """What a person should know of whoever answers: where it works, and how far it can be trusted."""
    if model.engine in _ENGINES:
        return texts(f"model.about.{model.engine}")
    return texts(
        "model.about.near" if model.is_local else "model.about.far", provider=model.provider_id
    )


def obstacle_words(texts: Texts, reason_code: str, message: str) -> str:
    """What is in the way, in the person's language; in the words it came with where there are none of ours."""
    key = f"model.obstacle.{reason_code}"
    return message if texts(key) == key else texts(key)
