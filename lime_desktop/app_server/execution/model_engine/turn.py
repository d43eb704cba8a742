"""One turn: ask the model, run what it calls, ask again, until it is done or may not go on."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
)
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.settings import ModelSettings

from lime_desktop.app_server.answer_guards.output_demand import Fits, OutputAttempts
from lime_desktop.app_server.answer_guards.token_limits import answer_tokens
from lime_desktop.app_server.execution import tool_facts
from lime_desktop.app_server.execution.effort import effort_for
from lime_desktop.app_server.execution.engines import EngineTurn
from lime_desktop.app_server.execution.model_engine.calls import OpenCalls
from lime_desktop.app_server.execution.model_engine.compacting import Compacting
from lime_desktop.app_server.execution.model_engine.context_window import (
    estimated_tokens,
    window_fact,
)
from lime_desktop.app_server.execution.model_engine.conversation import (
    instructions_for,
    opening_messages,
    tool_definition,
)
from lime_desktop.app_server.execution.model_engine.costs import (
    Spent,
    estimate_fact,
    month_facts,
    price_of,
    require_budget,
    require_month,
    usage_of,
)
from lime_desktop.app_server.execution.model_engine.model_requests import RequestPace, ask
from lime_desktop.app_server.execution.model_engine.output_form import (
    OutputForm,
    output_call,
)
from lime_desktop.app_server.execution.model_engine.rounds import Question, completed
from lime_desktop.app_server.execution.model_engine.saved_conversation import (
    SavedConversation,
    dump_messages,
    read_saved,
)
from lime_desktop.app_server.execution.turn_states import SavedTurn, TurnStates
from lime_desktop.app_server.providers.rows import RoundUsage
from lime_desktop.app_server.providers.store import ProviderStore
from lime_desktop.app_server.tools.answer_mailbox import AnswerMailbox
from lime_desktop.app_server.tools.tooling import Toolset
from lime_desktop.protocol.calls.model_providers import ModelProvider
from lime_desktop.protocol.calls.sessions import ToolDescription
from lime_desktop.protocol.calls.turns import TaskProfile
from lime_desktop.protocol.errors import ContextTooLong, TaskFailed, TurnLimitReached
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import ProposedEvent

MAX_ROUNDS = 50
"""How often a model is asked in one turn, where the task sets no limit of its own."""

_OUTPUT = {"model.delta", "reasoning.delta"}
"""Once one of these was said, the round is not asked again."""


@dataclass(frozen=True, slots=True)
class TurnTools:
    """What a turn needs to run tools, and to wait for people."""

    toolset: Toolset
    mailbox: AnswerMailbox
    states: TurnStates


class ModelTurn:
    """Runs once. What it has said and done so far is its whole state."""

    def __init__(
        self,
        turn: EngineTurn,
        provider: ModelProvider,
        model: Model,
        tools: TurnTools,
        store: ProviderStore,
        pace: RequestPace,
    ):
        self._turn = turn
        self._provider = provider
        self._model = model
        self._tools = tools
        self._store = store
        self._pace = pace
        self._profile = turn.request.options.task_profile or TaskProfile()
        self._form = OutputForm.of(turn.request, turn.model)
        self._messages: list[ModelMessage] = []
        self._compacting = Compacting(turn, model, provider.settings.limits, pace)
        self._rounds = 0
        self._attempts = 0
        self._spent = Spent()
        self._offered: tuple[ToolDescription, ...] = ()
        self._is_over = False

    async def run(self) -> AsyncGenerator[ProposedEvent]:
        """Everything that happens, up to the turn's end."""
        async for event in self._begin():
            yield event
        while not self._is_over:
            async for event in self._round():
                yield event

    async def _begin(self) -> AsyncGenerator[ProposedEvent]:
        """From the input, or from where an earlier process waited."""
        if self._turn.saved is None:
            self._messages = opening_messages(self._turn.request)
            return
        saved = read_saved(self._turn.saved)
        self._messages = saved.conversation()
        self._rounds, self._attempts = saved.rounds, saved.output_attempts
        self._spent = Spent(saved.usage, saved.cost_usd, saved.is_priced)
        calls = OpenCalls.taken_up(saved, self._answer())
        async for event in self._run_calls(calls, self._turn.request.open_action_ids):
            yield event

    async def _round(self) -> AsyncGenerator[ProposedEvent]:
        # Each time anew: the model may have looked for more tools, or the host may have told of the app only now.
        offered = await self._tools.toolset.offers(self._turn.request.input.text)
        if offered != self._offered:
            self._offered = offered
            yield tool_facts.offered(offered)
        async for event in self._ask(offered):
            yield event
        calls = OpenCalls.of(self._answer())
        if calls.parts and output_call(self._answer()) is None:
            async for event in self._run_calls(calls):
                yield event
        else:
            yield self._conclude(self._answer())

    async def _ask(self, offered: tuple[ToolDescription, ...]) -> AsyncGenerator[ProposedEvent]:
        """One answer more in the conversation; one that is too long for the model is made shorter, once."""
        self._require_round()
        has_output = False
        try:
            async for event in self._ask_once(offered):
                has_output = has_output or event.type in _OUTPUT
                yield event
        except ContextTooLong as error:
            if has_output:
                raise
            async for each in self._compacting.run(self._messages, error, self._spend):
                if isinstance(each, ProposedEvent):
                    yield each
                else:
                    self._messages = each
            async for event in self._ask_once(offered):
                yield event

    async def _ask_once(
        self, offered: tuple[ToolDescription, ...]
    ) -> AsyncGenerator[ProposedEvent]:
        """One question and its answer, from its limits to its cost."""
        if fact := window_fact(self._messages, self._turn.model):
            yield fact
        if self._rounds == 1:
            yield self._estimate()
        limits = self._provider.settings.limits
        asking = ask(self._question(offered), self._about(), limits, self._pace)
        async with aclosing(asking) as told:
            async for each in told:
                if isinstance(each, ProposedEvent):
                    yield each
                    continue
                self._messages.append(each)
                async for event in self._count(each):
                    yield event

    def _estimate(self) -> ProposedEvent:
        model = self._turn.model
        return estimate_fact(
            model,
            self._provider.settings.base_url,
            estimated_tokens(self._with_instructions()),
            answer_tokens(self._turn.request, model),
        )

    async def _count(self, response: ModelResponse) -> AsyncGenerator[ProposedEvent]:
        """Tell what the round was and cost."""
        yield completed(response, {"usage": usage_of(response.usage).to_wire()})
        async for event in self._spend(response):
            yield event

    async def _spend(self, response: ModelResponse) -> AsyncGenerator[ProposedEvent]:
        """Count what an answer cost; stop where that is more than it may be."""
        usage = usage_of(response.usage)
        model = self._turn.model
        cost_usd = price_of(usage, model, self._provider.settings.base_url)
        self._spent = self._spent.plus(usage, cost_usd)
        used = RoundUsage(model.provider_id, model.model_id, usage, cost_usd)
        month = await self._store.record(used)
        yield self._spent.fact(cost_usd)
        for fact in month_facts(month, self._provider):
            yield fact
        require_budget(self._spent, self._profile, self._provider)
        require_month(month, self._provider)

    async def _run_calls(
        self, calls: OpenCalls, open_actions: tuple[str, ...] = ()
    ) -> AsyncGenerator[ProposedEvent]:
        async def keep() -> None:
            await self._keep(calls)

        tools = self._tools
        async with aclosing(calls.run(tools.toolset, tools.mailbox, keep, open_actions)) as events:
            async for event in events:
                yield event
        self._messages.append(calls.returned())

    async def _keep(self, calls: OpenCalls) -> None:
        body = SavedConversation(
            messages_json=dump_messages(self._messages),
            calls=calls.saved(),
            rounds=self._rounds,
            output_attempts=self._attempts,
            usage=self._spent.usage,
            cost_usd=self._spent.cost_usd,
            is_priced=self._spent.is_priced,
        ).to_json()
        turn_id = self._turn.request.turn_id
        await self._tools.states.keep(SavedTurn(turn_id=turn_id, model=self._turn.model, body=body))

    def _answer(self) -> ModelResponse:
        last = self._messages[-1]
        if not isinstance(last, ModelResponse):
            raise TaskFailed("The model gave no answer.")
        return last

    def _conclude(self, response: ModelResponse) -> ProposedEvent:
        """End the turn, or say that its output does not fit yet."""
        if self._form is None:
            return self._done({})
        self._attempts += 1
        verdict = self._form.check(response)
        if isinstance(verdict, Fits):
            delivered: JsonObject = {"structuredOutput": verdict.value}
            return self._done({**delivered, "outputAttempts": self._attempts})
        attempts = OutputAttempts(self._form.demand, self._attempts)
        if attempts.are_spent:
            raise attempts.failure
        self._messages.append(ModelRequest(self._form.correction(response, verdict)))
        return attempts.retrying(verdict)

    def _question(self, offered: tuple[ToolDescription, ...]) -> Question:
        can_call = "tools" in self._turn.model.capabilities
        takes_output = self._form is not None and self._form.way == "tool"
        parameters = ModelRequestParameters(
            function_tools=[tool_definition(tool) for tool in offered] if can_call else [],
            output_tools=[self._form.tool()] if self._form and takes_output else [],
            output_mode="tool" if takes_output else "text",
            allow_text_output=not takes_output,
        )
        settings = ModelSettings()
        if limit := answer_tokens(self._turn.request, self._turn.model):
            settings["max_tokens"] = limit
        if effort := effort_for(self._turn.request, self._turn.model):
            settings["thinking"] = effort
        return Question(self._model, self._with_instructions(), parameters, settings)

    def _with_instructions(self) -> list[ModelMessage]:
        demand = self._form.words() if self._form else None
        said = "\n\n".join(filter(None, [instructions_for(self._turn.request), demand]))
        *before, last = self._messages
        # The library reads them off the last request.
        if isinstance(last, ModelRequest):
            last = ModelRequest(last.parts, instructions=said)
        return [*before, last]

    def _require_round(self) -> None:
        limit = self._profile.max_rounds or MAX_ROUNDS
        if self._rounds >= limit:
            raise TurnLimitReached(f"The model was asked {limit} times.")
        self._rounds += 1

    def _about(self) -> JsonObject:
        model = self._turn.model
        effort = effort_for(self._turn.request, model)
        return {
            "provider": model.provider_id,
            # What the person called it then: it may be gone or renamed when somebody reads this.
            **({"providerTitle": model.provider_title} if model.provider_title else {}),
            "model": model.model_id,
            "engine": model.engine,
            "round": self._rounds,
            **({"reasoningEffort": effort} if effort else {}),
        }

    def _done(self, delivered: JsonObject) -> ProposedEvent:
        self._is_over = True
        usage: JsonObject = {"usage": self._spent.usage.to_wire()}
        return ProposedEvent(type="turn.completed", payload={**usage, **delivered})
