"""The models of providers as an engine offers them. Pure."""

from lime_desktop.app_server.providers.known_models import quality_of
from lime_desktop.network.hosts import is_here, is_near
from lime_desktop.protocol.calls.model_providers import ModelProvider, ProviderSettings
from lime_desktop.protocol.calls.models import ModelDescription, TokenPrice

_FREE = TokenPrice(input_usd=0, output_usd=0)


def offered_models(provider: ModelProvider, engine: str) -> tuple[ModelDescription, ...]:
    """Every model of a provider, in the order of its list."""
    settings = provider.settings
    return tuple(
        ModelDescription(
            engine=engine,
            provider_id=provider.provider_id,
            provider_title=settings.title,
            model_id=model.model_id,
            title=model.title or model.model_id,
            capabilities=model.capabilities,
            context_tokens=model.context_tokens,
            max_output_tokens=model.max_output_tokens,
            price=model.price or _usual_price(settings),
            is_local=is_here(settings.base_url) and not settings.needs_key,
            quality=quality_of(model.model_id),
            latency=model.latency,
            rank=settings.rank,
            position=index,
            obstacle=provider.obstacle,
        )
        for index, model in enumerate(settings.models)
    )


def _usual_price(settings: ProviderSettings) -> TokenPrice | None:
    """A machine of one's own asks for no key and no money, unless somebody said what it costs."""
    is_own = is_near(settings.base_url) and not settings.needs_key
    return _FREE if is_own else None
