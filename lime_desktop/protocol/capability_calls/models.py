"""lime.models and lime.modelSettings: which models could do a task, what they would cost, and which providers are set up. Keys never appear."""

from typing import Literal

from pydantic import JsonValue

from lime_desktop.protocol.calls.models import ModelQuality
from lime_desktop.protocol.capability_calls.call import Call, CallParams, Effect
from lime_desktop.protocol.errors.of_calls import RECORDED_TASKS
from lime_desktop.protocol.ids import JsonObject, NonEmpty, Timestamp
from lime_desktop.protocol.task_events import Cost
from lime_desktop.protocol.wire import Empty, Maybe, WireModel

NAME = "lime.models"


class TaskKindParams(CallParams):
    """The kind of task meant; all otherwise."""

    task_kind: Maybe[NonEmpty[str]] = None


class Model(WireModel):
    """A model that is ready to work."""

    provider: str
    model: str
    label: str
    kinds: tuple[Literal["text", "image", "video"], ...] = ("text",)
    context_tokens: Maybe[int] = None
    is_local: bool = False
    quality: ModelQuality = "standard"
    """`small` models answer simple questions; `demo` ones nothing that should be right."""


class ListModelsResult(WireModel):
    """The models that the app may use."""

    models: tuple[Model, ...]


class SelectModelParams(CallParams):
    """The kind of task, and what the model must be able to do."""

    task_kind: NonEmpty[str]
    constraints: Maybe[JsonObject] = None


class SelectModelResult(WireModel):
    """The host's choice."""

    status: Literal["selected", "unavailable"]
    model: Maybe[Model] = None
    reason: Maybe[str] = None
    reason_code: Maybe[str] = None
    """Stable, where nothing fits: `demo_model`, `weights_missing`, `key_missing` …"""


class ModelRoute(WireModel):
    """Which models a kind of task goes to, best first."""

    task_kind: str
    candidates: tuple[Model, ...]
    reason: Maybe[str] = None


class GetRoutingResult(WireModel):
    """The routes in force."""

    routes: tuple[ModelRoute, ...]


class EstimateCostParams(CallParams):
    """The kind of task and its input."""

    task_kind: NonEmpty[str]
    input: JsonValue = None


class EstimateCostResult(WireModel):
    """What a task like this cost before."""

    status: Literal["estimated", "unknown"]
    sample_size: int
    """How many earlier tasks the estimate rests on."""
    cost: Maybe[Cost] = None


LIST_MODELS = Call(
    NAME,
    "list",
    TaskKindParams,
    ListModelsResult,
    Effect.READ,
    "Models that are ready.",
    by="server",
)
SELECT_MODEL = Call(
    NAME,
    "select",
    SelectModelParams,
    SelectModelResult,
    Effect.READ,
    "The model that a task would get.",
    by="server",
)
GET_ROUTING = Call(
    NAME,
    "getRouting",
    TaskKindParams,
    GetRoutingResult,
    Effect.READ,
    "How tasks are routed.",
    by="server",
)
ESTIMATE_COST = Call(
    NAME,
    "estimateCost",
    EstimateCostParams,
    EstimateCostResult,
    Effect.READ,
    "What a task might cost.",
    by="server",
    errors=RECORDED_TASKS,
)

CALLS = (LIST_MODELS, SELECT_MODEL, GET_ROUTING, ESTIMATE_COST)


SETTINGS = "lime.modelSettings"


class ModelProvider(WireModel):
    """A provider as it is set up."""

    id: str
    display_name: str
    protocol: Literal["openai-compatible", "anthropic-compatible", "gemini-native", "local"]
    capability_kinds: tuple[Literal["text", "image", "video"], ...]
    enabled: bool
    api_key_configured: bool
    models: tuple[str, ...] = ()


class ModelSettingsSnapshot(WireModel):
    """The settings in force."""

    version: int
    updated_at: Timestamp
    default_text_model_id: Maybe[str] = None
    default_image_model_id: Maybe[str] = None
    default_video_model_id: Maybe[str] = None
    providers: tuple[ModelProvider, ...]


GET_MODEL_SETTINGS = Call(
    SETTINGS,
    "getSnapshot",
    Empty,
    ModelSettingsSnapshot,
    Effect.READ,
    "Which providers and default models are set up.",
    by="server",
)

SETTINGS_CALLS = (GET_MODEL_SETTINGS,)
