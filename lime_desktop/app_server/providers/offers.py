"""The models of providers as an engine offers them. Pure."""

from lime_desktop.protocol.calls.model_providers import ModelProvider, is_near
from lime_desktop.protocol.calls.models import ModelDescription


def offered_models(provider: ModelProvider, engine: str) -> tuple[ModelDescription, ...]:
    """Every model of a provider, in the order of its list."""
    settings = provider.settings
    return tuple(
        ModelDescription(
            engine=engine,
            provider_id=provider.provider_id,
            model_id=model.model_id,
            title=model.title or model.model_id,
            capabilities=model.capabilities,
            context_tokens=model.context_tokens,
            max_output_tokens=model.max_output_tokens,
            price=model.price,
            is_local=is_near(settings.base_url) and not settings.needs_key,
            latency=model.latency,
            rank=settings.rank,
            position=index,
            obstacle=provider.obstacle,
        )
        for index, model in enumerate(settings.models)
    )
