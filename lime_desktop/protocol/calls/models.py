"""model/list and model/prefer: which models could run a turn here, and which of them the person wants to."""

from typing import Literal, TypeAlias

from pydantic import Field

from lime_desktop.protocol.ids import NonEmpty
from lime_desktop.protocol.wire import Empty, HostOnlyParams, Maybe, Method, Notification, WireModel

ModelCapability: TypeAlias = Literal["text", "reasoning", "tools", "structured_output", "vision"]
"""What a model can do; a task names the ones it needs."""

ModelQuality: TypeAlias = Literal["demo", "small", "standard"]
"""How far its answers can be trusted. `demo`: good for seeing that things work, and for no answer; nothing uses it
unless a person chose it or a task names it. `small`: answers simple questions, and is watched closely. `standard`:
all others."""


class TokenPrice(WireModel):
    """What a model's tokens cost, in US dollars per million."""

    input_usd: float = Field(ge=0)
    output_usd: float = Field(ge=0)
    cached_input_usd: Maybe[float] = Field(default=None, ge=0)


class ModelObstacle(WireModel):
    """Why a model cannot be used now, and what a person can do about it."""

    reason_code: NonEmpty[str]
    """Stable, e.g. `key_missing`, `provider_disabled`, `budget_reached`, `weights_missing`, `demo_model`."""
    message: str
    setup_action: str


class ModelDescription(WireModel):
    """One model of one provider, as an engine offers it."""

    engine: NonEmpty[str]
    """The engine that would run it."""
    provider_id: NonEmpty[str]
    provider_title: Maybe[str] = None
    """The name that a person knows the provider by, where it has one."""
    model_id: NonEmpty[str]
    title: str
    capabilities: tuple[ModelCapability, ...] = ("text",)
    context_tokens: Maybe[int] = Field(default=None, gt=0)
    """How much it can read and write in one round, where that is known."""
    max_output_tokens: Maybe[int] = Field(default=None, gt=0)
    price: Maybe[TokenPrice] = None
    """Absent where nobody knows it. A local model costs nothing."""
    is_local: bool = False
    """Whether nothing leaves this machine."""
    quality: ModelQuality = "standard"
    latency: Literal["fast", "normal", "slow"] = "normal"
    rank: int = 100
    """The user's order: lower is preferred. What came along unasked ranks after everything they set up."""
    position: int = 0
    """Its place among the models of its provider, which decides between equal ranks."""
    note: Maybe[str] = None
    """What a person should know before choosing it, such as how small it is."""
    obstacle: Maybe[ModelObstacle] = None
    """Set when it is known and cannot be used now."""


class ModelChoice(WireModel):
    """One model of those that `model/list` names."""

    provider_id: NonEmpty[str]
    model_id: NonEmpty[str]

    def means(self, model: ModelDescription) -> bool:
        """Whether this is the one."""
        return (self.provider_id, self.model_id) == (model.provider_id, model.model_id)


class ListModelsParams(WireModel):
    """List models."""

    provider_id: NonEmpty[str] | None = None
    include_unavailable: bool = True


class ListModelsResult(WireModel):
    """The models, best first."""

    models: tuple[ModelDescription, ...]
    default_model: Maybe[ModelDescription] = None
    """What a turn without wishes would get."""
    preferred_model: Maybe[ModelChoice] = None
    """What the person chose; another one is the default while it cannot be used."""
    obstacle: Maybe[ModelObstacle] = None
    """What is in the way of any turn, where there is no default."""


class PreferModelParams(HostOnlyParams):
    """Choose the model of every turn that names none; without one, the order of the providers decides again."""

    model: ModelChoice | None = None


LIST_MODELS = Method("model/list", ListModelsParams, ListModelsResult)
PREFER_MODEL = Method("model/prefer", PreferModelParams, ListModelsResult)
MODELS_CHANGED = Notification("model/changed", Empty)
