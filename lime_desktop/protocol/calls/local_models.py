"""localModel/*: the model weights on this machine, and those that can be brought to it."""

from typing import Literal

from lime_desktop.protocol.calls.models import ModelQuality
from lime_desktop.protocol.ids import NonEmpty
from lime_desktop.protocol.wire import HostOnlyParams, Method, Notification, WireModel


class LocalModel(WireModel):
    """Weights that are here, on their way, or to be had."""

    model_id: str
    title: str
    about: str
    """What it is good for, and what not."""
    license: str | None = None
    """Absent for a file of the user's own."""
    size_bytes: int
    memory_mb: int | None = None
    """What it takes while it works, roughly."""
    context_tokens: int | None = None
    sha256: str
    state: Literal["available", "installing", "paused", "installed", "failed"]
    """``paused``: some of it is here from an install that did not finish; it goes on from there."""
    phase: Literal["fetching", "checking"] | None = None
    """What an install is doing."""
    done_bytes: int = 0
    problem: str | None = None
    """Why the last install failed."""
    is_own_file: bool = False
    quality: ModelQuality = "standard"
    """`demo` weights are there to try things out: no task is given to them unless a person chose them."""
    is_default: bool = False
    """Used by the embedded engine where a turn names no model."""


class ListLocalModelsResult(WireModel):
    """Every known model and every installed one."""

    models: tuple[LocalModel, ...]
    available_memory_mb: int | None = None
    """What could be had now without swapping, where the system says so."""
    engine_problem: str | None = None
    """Why installed weights cannot be used here, if so."""


class LocalModelParams(HostOnlyParams):
    """Name a model."""

    model_id: NonEmpty[str]


class InstallLocalModelParams(HostOnlyParams):
    """Install a known model by name, or a GGUF file by path. Returns at once; progress is told."""

    model_id: NonEmpty[str] | None = None
    path: str | None = None
    """A file on this machine; it is copied."""


class LocalModelResult(WireModel):
    """The model as it is now."""

    model: LocalModel


class RemoveLocalModelResult(WireModel):
    """Whether there was something to remove."""

    was_there: bool


class LocalModelNotification(WireModel):
    """A model's install went on, or ended."""

    model: LocalModel


LIST_LOCAL_MODELS = Method(
    "localModel/list", HostOnlyParams, ListLocalModelsResult, "List weights here and to be had."
)
INSTALL_LOCAL_MODEL = Method("localModel/install", InstallLocalModelParams, LocalModelResult)
CANCEL_LOCAL_MODEL = Method(
    "localModel/cancel",
    LocalModelParams,
    LocalModelResult,
    "Stop an install; what is here stays, and the next one goes on from it.",
)
REMOVE_LOCAL_MODEL = Method(
    "localModel/remove",
    LocalModelParams,
    RemoveLocalModelResult,
    "Delete a model's weights, or what is here of them.",
)
LOCAL_MODEL_CHANGED = Notification("localModel/changed", LocalModelNotification)
