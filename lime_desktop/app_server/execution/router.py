"""The engine that RuntimeCore knows: it picks a model for each turn, says why, and lets its engine work.

Nothing is invented where nothing fits: the turn is refused with the reason and what to do about it.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from lime_desktop.app_server.answer_guards.answer_guard import guarded
from lime_desktop.app_server.answer_guards.repetition import without_loop
from lime_desktop.app_server.execution.effort import unsupported_effort
from lime_desktop.app_server.execution.engine_table import open_engines
from lime_desktop.app_server.execution.engines import (
    Engine,
    EngineDependencies,
    EngineTurn,
)
from lime_desktop.app_server.execution.routing_facts import (
    fallback_fact,
    profile_fact,
    routing_facts,
)
from lime_desktop.app_server.execution.turn_states import TurnStates
from lime_desktop.app_server.providers.routing import (
    AvailableModels,
    ModelRequirements,
    Route,
    RoutingSettings,
    find_route,
    obstacle_of,
    order_of_trying,
    wishes_of,
)
from lime_desktop.app_server.providers.store import BUDGET_REACHED
from lime_desktop.app_server.runtime_core.backend import (
    ActionAnswer,
    EngineChoice,
    EngineDescription,
    TurnRequest,
)
from lime_desktop.app_server.tools.answer_mailbox import Mailboxes
from lime_desktop.background.tasks import close_all
from lime_desktop.protocol.calls.models import ModelDescription
from lime_desktop.protocol.calls.turns import RuntimeOptions, TaskProfile
from lime_desktop.protocol.errors import (
    AppError,
    CapabilityNotAvailable,
    CostLimitExceeded,
    EngineUnavailable,
    ProviderFailed,
    ProviderNotReady,
    TaskFailed,
)
from lime_desktop.protocol.runtime.event_types import TURN_TERMINALS
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.protocol.runtime.sessions import HistoryMessage
from lime_desktop.unique_names import unique_table

_OUTPUT = ("model.delta", "model.completed", "reasoning.", "tool.", "action.", "artifact.")
"""Once one of these was said, another model may not begin again."""

_OF_PROVIDER = frozenset(
    {
        *("connection_refused", "connection_failed", "address_unknown", "network_unreachable"),
        *("timeout", "proxy_failed", "tls_failed", "certificate_untrusted", "private_address"),
        *("key_refused", "key_missing", "quota_exhausted", "provider_disabled"),
    }
)
"""Causes that are the provider's, whichever of its models was asked."""

_NO_MODEL = "No model is set up."
_SETUP_ACTION = "Add a model provider or a local model in Settings"


NotifyChanged = Callable[[], None]
"""Told when another model would run a turn without wishes than before, or none, or one again."""


def _notify_nobody() -> None:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenRoute(EngineChoice):
    """The models that may do a turn, in the order of trying."""

    route: Route


class EngineRouter:
    """One door to every engine."""

    def __init__(
        self,
        engines: Sequence[Engine],
        states: TurnStates,
        settings: RoutingSettings | None = None,
        notify_changed: NotifyChanged = _notify_nobody,
    ):
        self._engines = unique_table(((each.name, each) for each in engines), of="engine")
        self._states = states
        self._settings = settings
        self._notify_changed = notify_changed
        self._mailboxes = Mailboxes()
        self._seen = AvailableModels(())

    def describe(self) -> EngineDescription:
        """Say whether a turn without wishes could run, as last looked."""
        route = find_route(self._seen, _NO_WISHES)
        obstacle = None if route.candidates else obstacle_of(route)
        return EngineDescription(
            name="router",
            version="1",
            is_product=True,
            can_resume=True,
            unavailable_reason=None if route.candidates else _refusal(route).message,
            setup_action=obstacle.setup_action if obstacle else None,
        )

    async def supply(self) -> AvailableModels:
        """Every model of every engine, and which of them the person prefers."""
        found = [offer for engine in self._engines.values() for offer in await engine.offers()]
        preferred = await self._settings.preferred() if self._settings else None
        before, self._seen = self._seen, AvailableModels(tuple(found), preferred)
        if find_route(before, _NO_WISHES).first != find_route(self._seen, _NO_WISHES).first:
            self._notify_changed()
        return self._seen

    async def route(self, wishes: ModelRequirements) -> Route:
        """What a turn with these wishes would get now."""
        route = find_route(await self.supply(), wishes)
        if route.candidates or self._settings is None:
            return route
        # Only now: who has no models matters where the way to one has to be told.
        waiting = await self._settings.without_models()
        return replace(route, supply=replace(route.supply, without_models=waiting))

    async def choose(self, request: TurnRequest) -> ChosenRoute:
        """The route of a turn: the one that was found for it, while it has the same wishes, or one found now."""
        return await self._chosen(wishes_of(request.options), request.choice)

    async def preflight(self, request: TurnRequest) -> ChosenRoute:
        """Refuse a turn that no model could run."""
        chosen = await self.choose(request)
        if not chosen.route.candidates:
            raise _refusal(chosen.route)
        return chosen

    async def _chosen(self, wishes: ModelRequirements, choice: EngineChoice | None) -> ChosenRoute:
        if isinstance(choice, ChosenRoute) and choice.route.wishes == wishes:
            return choice
        route = await self.route(wishes)
        return ChosenRoute(
            context_tokens=route.first.context_tokens if route.first else None, route=route
        )

    async def run_turn(self, request: TurnRequest) -> AsyncIterator[ProposedEvent]:
        """Choose, say why, let the engine work; take another model while nothing has been said yet."""
        work = self._take_up(request) if request.open_action_ids else self._begin(request)
        try:
            async for event in work:
                if event.type in TURN_TERMINALS:
                    # Before it is told: whoever hears of the end listens no longer, and nothing runs here after that.
                    await self._states.drop(request.turn_id)
                yield event
        except Exception:
            # A failure ends the turn. A process that goes down does not: it leaves its waiting turns to the next one.
            await self._states.drop(request.turn_id)
            raise
        finally:
            self._mailboxes.close(request.turn_id)

    async def cancel_turn(self, turn_id: str) -> None:
        """Forget the turn; closing its stream, which follows, stops its engine."""
        await self._states.drop(turn_id)

    async def respond_action(self, turn_id: str, answer: ActionAnswer) -> None:
        """Put the answer where the turn looks for it, now or when it is taken up again."""
        self._mailboxes.of(turn_id).deliver(answer)

    async def summarize(
        self,
        app_id: str,
        history: tuple[HistoryMessage, ...],
        options: RuntimeOptions | None = None,
        choice: EngineChoice | None = None,
    ) -> str:
        """Let the model that the turn gets do it, or the next that can: what stays here is not sent off to be shortened."""
        wishes = wishes_of(options) if options else _NO_WISHES
        route = (await self._chosen(wishes, choice)).route
        for model in order_of_trying(route):
            with suppress(CapabilityNotAvailable):  # an agent would start to work on what it reads
                said = await self._engines[model.engine].summarize(app_id, history, model)
                return without_loop(said) if model.is_local else said
        raise _refusal(route)

    async def close(self) -> None:
        """Let every engine go."""
        await close_all(*(engine.close for engine in self._engines.values()))

    async def _begin(self, request: TurnRequest) -> AsyncIterator[ProposedEvent]:
        route = (await self.choose(request)).route
        for fact in (profile_fact(route.wishes), *routing_facts(route)):
            yield fact
        if not route.candidates:
            raise _refusal(route)
        waiting = list(order_of_trying(route))
        while waiting:
            model = waiting.pop(0)
            has_output = False
            try:
                async for event in self._start(self._turn(request, model)):
                    has_output = has_output or event.type.startswith(_OUTPUT)
                    yield event
            except (ProviderNotReady, ProviderFailed, EngineUnavailable) as error:
                cause = _cause(error)
                waiting = _still_possible(waiting, model, cause)
                if has_output or not waiting:
                    raise
                yield fallback_fact(model, waiting[0], cause)
            else:
                return

    async def _start(self, turn: EngineTurn) -> AsyncIterator[ProposedEvent]:
        if fact := unsupported_effort(turn.request, turn.model):
            yield fact
        async for event in self._delegate(turn):
            yield event

    async def _take_up(self, request: TurnRequest) -> AsyncIterator[ProposedEvent]:
        saved = await self._states.read(request.turn_id)
        if saved is None or saved.model.engine not in self._engines:
            raise TaskFailed(
                "What this turn had done so far was not kept, so it cannot go on.",
                details={"reasonCode": "turn_state_missing"},
            )
        async for event in self._delegate(self._turn(request, saved.model, saved.body)):
            yield event

    async def _delegate(self, turn: EngineTurn) -> AsyncIterator[ProposedEvent]:
        events = self._engines[turn.model.engine].run_turn(turn)
        stream = guarded(turn.request, turn.model, events)
        try:
            async for event in stream:
                yield event
        finally:
            # Now and not when it is collected: what it holds open must be let go before the turn ends.
            if close := getattr(stream, "aclose", None):
                await close()

    def _turn(
        self, request: TurnRequest, model: ModelDescription, saved: str | None = None
    ) -> EngineTurn:
        return EngineTurn(request, model, self._mailboxes.of(request.turn_id), saved)


async def open_router(
    dependencies: EngineDependencies, notify_changed: NotifyChanged = _notify_nobody
) -> EngineRouter:
    """The product's engines behind one door, looked over once."""
    engines = open_engines(dependencies)
    router = EngineRouter(engines, dependencies.turn_states, dependencies.providers, notify_changed)
    await dependencies.turn_states.sweep()
    await router.supply()
    return router


_NO_WISHES = ModelRequirements(TaskProfile(), ("text",))


def _refusal(route: Route) -> AppError:
    obstacle = obstacle_of(route)
    if obstacle is None:
        details = {"reasonCode": "engine_unavailable", "setupAction": _SETUP_ACTION}
        return EngineUnavailable(_NO_MODEL, details=details)
    details = {"reasonCode": obstacle.reason_code, "setupAction": obstacle.setup_action}
    if obstacle.reason_code == BUDGET_REACHED:
        return CostLimitExceeded(obstacle.message, details=details)
    return ProviderNotReady(obstacle.message, details=details)


def _still_possible(
    waiting: Sequence[ModelDescription], failed: ModelDescription, cause: str
) -> list[ModelDescription]:
    """Who may step in: whoever is away is away with all its models."""
    is_away = cause in _OF_PROVIDER
    return [each for each in waiting if not is_away or each.provider_id != failed.provider_id]


def _cause(error: AppError) -> str:
    return str(error.details.get("reasonCode", error.stable_code))
