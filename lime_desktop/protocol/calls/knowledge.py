"""knowledge/*: what an app's knowledge templates are bound to, by a person through the host."""

from typing import Literal, Self

from pydantic import Field, model_validator

from lime_desktop.protocol.calls.app_data import OwnDataParams
from lime_desktop.protocol.capability_calls.knowledge import KnowledgeBindingStatus
from lime_desktop.protocol.ids import AppId, NonEmpty
from lime_desktop.protocol.wire import HostOnlyParams, Maybe, Method, WireModel


class BindKnowledgeParams(HostOnlyParams):
    """A person chose folders or files for a template, or opened one to the app before; an earlier choice is replaced."""

    app_id: NonEmpty[AppId]
    key: NonEmpty[str]
    paths: tuple[str, ...] = Field(default=(), max_length=100)
    ref: Maybe[NonEmpty[str]] = None
    """What the app holds by reference, instead of paths."""
    mode: Literal["retrieval", "data", "export"] = "retrieval"

    @model_validator(mode="after")
    def _names_one(self) -> Self:
        if bool(self.paths) == (self.ref is not None):
            raise ValueError("either paths or a reference are bound")
        return self


class BindKnowledgeResult(WireModel):
    """Indexing has begun."""

    status: KnowledgeBindingStatus


class UnbindKnowledgeParams(HostOnlyParams):
    """Let a template's sources go; the files themselves stay."""

    app_id: NonEmpty[AppId]
    key: NonEmpty[str]


class UnbindKnowledgeResult(WireModel):
    """Whether it was bound."""

    was_bound: bool


class ListKnowledgeParams(OwnDataParams):
    """How do an app's templates stand?"""


class ListKnowledgeResult(WireModel):
    """Every template that the manifest declares."""

    templates: tuple[KnowledgeBindingStatus, ...]


BIND_KNOWLEDGE = Method("knowledge/bind", BindKnowledgeParams, BindKnowledgeResult)
UNBIND_KNOWLEDGE = Method("knowledge/unbind", UnbindKnowledgeParams, UnbindKnowledgeResult)
LIST_KNOWLEDGE = Method("knowledge/list", ListKnowledgeParams, ListKnowledgeResult)
