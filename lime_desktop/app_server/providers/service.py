"""modelProvider/*, modelProviderKey/* and model/*: the settings plane of models."""

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.providers.found_servers import find_servers
from lime_desktop.app_server.providers.known_models import described, first_choices, is_chat
from lime_desktop.app_server.providers.listed_models import ListedModel
from lime_desktop.app_server.providers.presets import PRESETS
from lime_desktop.app_server.providers.routing import (
    AvailableModels,
    ModelRequirements,
    find_route,
    obstacle_of,
)
from lime_desktop.app_server.providers.store import ProviderStore
from lime_desktop.protocol.calls.model_providers import (
    ConnectionTestParams,
    ConnectionTestResult,
    CreateKeyParams,
    CreateProviderParams,
    DeleteProviderResult,
    FetchModelsParams,
    FetchModelsResult,
    FindServersResult,
    ListProvidersParams,
    ListProvidersResult,
    ProviderParams,
    ProviderPreset,
    ProviderResult,
    ProviderSettings,
    UpdateProviderParams,
)
from lime_desktop.protocol.calls.models import (
    ListModelsParams,
    ListModelsResult,
    PreferModelParams,
)
from lime_desktop.protocol.calls.turns import TaskProfile
from lime_desktop.protocol.errors import AppError, Conflict, InvalidInput
from lime_desktop.protocol.wire import HostOnlyParams

FindSupply = Callable[[], Awaitable[AvailableModels]]


class ProviderService:
    """Answers the host. No answer holds anything of a key."""

    def __init__(
        self,
        store: ProviderStore,
        supply: FindSupply,
        presets: Sequence[ProviderPreset] | None = None,
    ):
        """`presets` are the providers on offer; those we know where nobody chose others."""
        self._store = store
        self._supply = supply
        self._presets = tuple(PRESETS if presets is None else presets)

    async def list(self, params: ListProvidersParams, context: CallContext) -> ListProvidersResult:
        """What is set up, and what could be."""
        del params, context
        return ListProvidersResult(providers=await self._store.list(), presets=self._presets)

    async def create(self, params: CreateProviderParams, context: CallContext) -> ProviderResult:
        """Set one up."""
        del context
        settings = params.settings or self._preset(params.preset_id)
        created = await self._store.create(params.provider_id, settings)
        await self._supply()
        return ProviderResult(provider=created)

    async def update(self, params: UpdateProviderParams, context: CallContext) -> ProviderResult:
        """Replace its settings, if they still are what the caller knows."""

        def replaced(now: ProviderSettings) -> ProviderSettings:
            if params.replaces is not None and params.replaces != now:
                raise Conflict("The provider was changed elsewhere meanwhile; look at it again.")
            return params.settings

        return await self.change(params.provider_id, replaced, context)

    async def change(
        self,
        provider_id: str,
        change: Callable[[ProviderSettings], ProviderSettings],
        context: CallContext,
    ) -> ProviderResult:
        """Make new settings of those that hold now, in one step."""
        del context
        changed = await self._store.change(provider_id, change)
        await self._supply()
        return ProviderResult(provider=changed)

    async def delete(self, params: ProviderParams, context: CallContext) -> DeleteProviderResult:
        """Forget it."""
        del context
        was_set_up = await self._store.delete(params.provider_id)
        await self._supply()
        return DeleteProviderResult(was_set_up=was_set_up)

    async def update_key(self, params: CreateKeyParams, context: CallContext) -> ProviderResult:
        """Keep a key, whether there was one or not."""
        del context
        provider = await self._store.put_key(params.provider_id, params.key)
        await self._supply()
        return ProviderResult(provider=provider)

    async def test_connection(
        self, params: ConnectionTestParams, context: CallContext
    ) -> ConnectionTestResult:
        """Reach it with its key, and see whether it knows the model."""
        del context
        began = time.monotonic()
        try:
            listed = await self._listed(params.provider_id)
        except InvalidInput:
            raise
        except AppError as error:
            await self._store.forget_answer(params.provider_id)
            return ConnectionTestResult(
                status="failed",
                reason_code=str(error.details.get("reasonCode", error.stable_code)),
                message=error.message,
                setup_action=str(error.details.get("setupAction", error.user_action)),
                latency_ms=_since(began),
            )
        found = tuple(each.model_id for each in listed)
        if params.model_id and found and params.model_id not in found:
            return ConnectionTestResult(
                status="failed",
                reason_code="model_unknown",
                message="The provider does not name this model.",
                setup_action="Choose one of its models",
                latency_ms=_since(began),
                model_ids=found,
            )
        said = f"It names {len(found)} models." if found else "It keeps no list of its models."
        return ConnectionTestResult(
            status="ok",
            message=f"The provider answered. {said}",
            latency_ms=_since(began),
            model_ids=found,
        )

    async def fetch_models(
        self, params: FetchModelsParams, context: CallContext
    ) -> FetchModelsResult:
        """Ask which models it has, and keep them if that is wanted."""
        del context
        listed = await self._listed(params.provider_id)
        provider = await self._store.read(params.provider_id)
        if params.save:
            # Of what holds now: asking the provider took a while.
            provider = await self._store.change(
                params.provider_id, lambda settings: _with_models(settings, listed)
            )
            await self._supply()
        return FetchModelsResult(
            model_ids=tuple(each.model_id for each in listed), provider=provider
        )

    async def find_servers(self, params: HostOnlyParams, context: CallContext) -> FindServersResult:
        """Look for model servers on this machine."""
        del params, context
        taken = [each.settings.base_url for each in await self._store.list()]
        return FindServersResult(servers=await find_servers(taken, self._presets))

    async def list_models(self, params: ListModelsParams, context: CallContext) -> ListModelsResult:
        """Every model of every engine, best first."""
        del context
        return await self.find_models(params)

    async def find_models(self, params: ListModelsParams) -> ListModelsResult:
        """The same for somebody in this process."""
        supply = await self._supply()
        route = find_route(supply, ModelRequirements(TaskProfile(), ("text",)))
        if not route.candidates:
            waiting = await self._store.without_models()
            route = replace(route, supply=replace(supply, without_models=waiting))
        unusable = tuple(exclusion.model for exclusion in route.excluded)
        listed = (*route.candidates, *(unusable if params.include_unavailable else ()))
        wanted = [m for m in listed if params.provider_id in {None, m.provider_id}]
        default = route.candidates[0] if route.candidates else None
        return ListModelsResult(
            models=tuple(wanted),
            default_model=default,
            preferred_model=supply.preferred,
            obstacle=None if default else obstacle_of(route),
        )

    async def prefer_model(
        self, params: PreferModelParams, context: CallContext
    ) -> ListModelsResult:
        """Keep which model the person wants. One that cannot be used now may be wanted for later."""
        del context
        offers = (await self._supply()).offers
        if params.model and not any(map(params.model.means, offers)):
            raise InvalidInput.at_fields([("model", "unknown_model")])
        await self._store.prefer(params.model)
        return await self.find_models(ListModelsParams())

    def _preset(self, preset_id: str | None) -> ProviderSettings:
        found = next((each for each in self._presets if each.preset_id == preset_id), None)
        if found is None:
            raise InvalidInput.at_fields([("presetId" if preset_id else "settings", "missing")])
        return found.settings

    async def _listed(self, provider_id: str) -> tuple[ListedModel, ...]:
        # Loaded when it is needed: most starts of the App Server ask no provider for its list.
        from lime_desktop.app_server.providers.probing import list_models  # noqa: PLC0415

        provider = await self._store.read(provider_id)
        key = await self._store.open_key(provider_id)
        listed = await list_models(provider.settings, key)
        await self._store.record_answer(provider_id)
        return listed


def _with_models(settings: ProviderSettings, listed: Sequence[ListedModel]) -> ProviderSettings:
    """Those one can talk with, in the provider's order behind the one that was first so far. Blocks."""
    kept = {model.model_id: model for model in settings.models}
    models = [
        described(each, settings.base_url, kept.get(each.model_id))
        for each in listed
        if is_chat(each)
    ]
    first = next(iter(kept), None)
    if first is None:
        order = {name: at for at, name in enumerate(first_choices(m.model_id for m in models))}
        models.sort(key=lambda model: order[model.model_id])
    models.sort(key=lambda model: model.model_id != first)
    return settings.model_copy(update={"models": tuple(models)})


def _since(began: float) -> int:
    return int((time.monotonic() - began) * 1000)
