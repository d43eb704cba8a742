"""Answers lime.models and lime.modelSettings: which models an app's tasks could get, and who is set up to serve them.

Never where a provider is, nor anything of a key. What tasks cost before is with the tasks.
"""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Literal

from lime_desktop.app_server.providers.store import ProviderStore
from lime_desktop.app_server.routes import AppCalls
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.calls.model_providers import ModelProvider as KeptProvider
from lime_desktop.protocol.calls.models import ListModelsParams, ModelDescription
from lime_desktop.protocol.calls.models import ListModelsResult as FoundModels
from lime_desktop.protocol.capability_calls.models import (
    GET_MODEL_SETTINGS,
    GET_ROUTING,
    LIST_MODELS,
    SELECT_MODEL,
    GetRoutingResult,
    ListModelsResult,
    Model,
    ModelProvider,
    ModelRoute,
    ModelSettingsSnapshot,
    SelectModelParams,
    SelectModelResult,
    TaskKindParams,
)
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.wire import Empty

FindModels = Callable[[ListModelsParams], Awaitable[FoundModels]]
_Protocol = Literal["openai-compatible", "anthropic-compatible", "gemini-native", "local"]

_ANY = "any"


class AppModels:
    """The same models for every app."""

    def __init__(self, store: ProviderStore, find: FindModels) -> None:
        self._store = store
        self._find = find

    def serve(self, calls: AppCalls) -> None:
        """Answer what apps ask of models."""
        calls.add(LIST_MODELS, self.list)
        calls.add(SELECT_MODEL, self.select)
        calls.add(GET_ROUTING, self.get_routing)
        calls.add(GET_MODEL_SETTINGS, self.get_settings)

    async def list(self, params: TaskKindParams, caller: AppCaller) -> ListModelsResult:
        """Models that are ready."""
        del params, caller
        return ListModelsResult(models=await self._ready())

    async def select(self, params: SelectModelParams, caller: AppCaller) -> SelectModelResult:
        """The model that a task would get, or why it gets none."""
        del caller
        found = await self._usable()
        wanted = set(_texts(params.constraints, "capabilities"))
        fitting = [each for each in found.models if wanted <= set(each.capabilities)]
        if fitting:
            return SelectModelResult(status="selected", model=_model(fitting[0]))
        obstacle = None if found.models else found.obstacle
        return SelectModelResult(
            status="unavailable",
            reason=obstacle.message if obstacle else "No model that is set up fits",
            reason_code=obstacle.reason_code if obstacle else "capability_gap",
        )

    async def get_routing(self, params: TaskKindParams, caller: AppCaller) -> GetRoutingResult:
        """How tasks are routed."""
        del caller
        route = ModelRoute(
            task_kind=params.task_kind or _ANY,
            candidates=await self._ready(),
            reason="In the person's own order, as far as a model can do what the task needs",
        )
        return GetRoutingResult(routes=(route,))

    async def get_settings(self, params: Empty, caller: AppCaller) -> ModelSettingsSnapshot:
        """Which providers and default models are set up."""
        del params, caller
        default = (await self._find(ListModelsParams())).default_model
        return ModelSettingsSnapshot(
            version=1,
            updated_at=datetime.now(UTC).isoformat(timespec="milliseconds"),
            default_text_model_id=None if default is None else default.model_id,
            providers=tuple(_provider(each) for each in await self._store.list()),
        )

    async def _usable(self) -> FoundModels:
        return await self._find(ListModelsParams(include_unavailable=False))

    async def _ready(self) -> tuple[Model, ...]:
        return tuple(_model(each) for each in (await self._usable()).models)


def _model(described: ModelDescription) -> Model:
    return Model(
        provider=described.provider_id,
        model=described.model_id,
        label=described.title,
        context_tokens=described.context_tokens,
        is_local=described.is_local,
        quality=described.quality,
    )


def _provider(kept: KeptProvider) -> ModelProvider:
    return ModelProvider(
        id=kept.provider_id,
        display_name=kept.settings.title,
        protocol=_protocol(kept.settings.protocol),
        capability_kinds=("text",),
        enabled=kept.settings.is_enabled,
        api_key_configured=kept.has_key,
        models=tuple(model.model_id for model in kept.settings.models),
    )


def _protocol(written: str) -> _Protocol:
    if written.startswith("anthropic"):
        return "anthropic-compatible"
    if written.startswith(("google", "gemini")):
        return "gemini-native"
    return "openai-compatible"


def _texts(constraints: JsonObject | None, name: str) -> list[str]:
    listed = (constraints or {}).get(name)
    return [str(each) for each in listed] if isinstance(listed, list) else []
