"""Everything a turn needs of the library, loaded once: connections to providers, and the turns on them."""

import asyncio
from collections.abc import AsyncGenerator

import httpx2
from pydantic_ai.models import Model

from lime_desktop.app_server.execution.engines import EngineDependencies, EngineTurn
from lime_desktop.app_server.execution.model_engine.conversation import history_messages
from lime_desktop.app_server.execution.model_engine.costs import price_of, usage_of
from lime_desktop.app_server.execution.model_engine.model_requests import RequestPace
from lime_desktop.app_server.execution.model_engine.provider_models import connect
from lime_desktop.app_server.execution.model_engine.rounds import text_of
from lime_desktop.app_server.execution.model_engine.shortening import transcript
from lime_desktop.app_server.execution.model_engine.summaries import ask_for_summary
from lime_desktop.app_server.execution.model_engine.turn import ModelTurn, TurnTools
from lime_desktop.app_server.providers.network import open_http_client
from lime_desktop.app_server.providers.rows import RoundUsage
from lime_desktop.app_server.providers.traffic_counter import count_requests
from lime_desktop.background.tasks import close_all
from lime_desktop.protocol.calls.model_providers import ModelProvider
from lime_desktop.protocol.calls.models import ModelDescription
from lime_desktop.protocol.errors import InvalidInput, ProviderNotReady
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.protocol.runtime.sessions import HistoryMessage


class ModelLibrary:
    """Keeps one HTTP client for each provider and app: turns share its connections, and what they send is the app's."""

    def __init__(self, dependencies: EngineDependencies):
        self._dependencies = dependencies
        self._clients: dict[tuple[str, str, str], httpx2.AsyncClient] = {}
        self._paces: dict[str, RequestPace] = {}

    async def run(self, turn: EngineTurn) -> AsyncGenerator[ProposedEvent]:
        """One turn, from its input or from where it was left."""
        provider, model = await self._connected(turn.request.app_id, turn.model)
        tools = TurnTools(
            self._dependencies.tooling.toolset_for(turn.request),
            turn.mailbox,
            self._dependencies.turn_states,
        )
        store, pace = self._dependencies.providers, self._pace(provider)
        running = ModelTurn(turn, provider, model, tools, store, pace)
        async for event in running.run():
            yield event

    async def summarize(
        self, app_id: str, history: tuple[HistoryMessage, ...], chosen: ModelDescription
    ) -> str:
        """One question, no tools, about as much as the model can read; it counts as any other."""
        provider, model = await self._connected(app_id, chosen)
        told = transcript(history_messages(history), chosen.context_tokens)
        limits, pace = provider.settings.limits, self._pace(provider)
        response = await ask_for_summary(model, told, limits, pace)
        usage = usage_of(response.usage)
        cost_usd = price_of(usage, chosen, provider.settings.base_url)
        used = RoundUsage(chosen.provider_id, chosen.model_id, usage, cost_usd)
        await self._dependencies.providers.record(used)
        return text_of(response)

    async def close(self) -> None:
        """Close every connection."""
        await close_all(*(client.aclose for client in self._clients.values()))

    def _pace(self, provider: ModelProvider) -> RequestPace:
        return self._paces.setdefault(provider.provider_id, RequestPace())

    async def _connected(
        self, app_id: str, chosen: ModelDescription
    ) -> tuple[ModelProvider, Model]:
        store = self._dependencies.providers
        try:
            provider = await store.read(chosen.provider_id)
        except InvalidInput:
            raise ProviderNotReady(
                "The provider of this turn is not set up any more.",
                details={
                    "reasonCode": "provider_missing",
                    "setupAction": "Set the provider up again in Settings",
                },
            ) from None
        key = await store.open_key(provider.provider_id)
        client = await self._client(provider, app_id)
        return provider, connect(provider.settings, chosen.model_id, key, client)

    async def _client(self, provider: ModelProvider, app_id: str) -> httpx2.AsyncClient:
        # By the moment of its last change: a turn that runs keeps the client it began with.
        name = (provider.provider_id, provider.updated_at, app_id)
        if name not in self._clients:
            client = await asyncio.to_thread(open_http_client, provider.settings)
            count_requests(client, app_id, self._dependencies.count)
            self._clients[name] = client
        return self._clients[name]
