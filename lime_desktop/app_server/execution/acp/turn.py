"""One turn of an external agent: what it is told, what it says, what it asks. Runs once."""

from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing

from acp.schema import PromptResponse

from lime_desktop.app_server.execution import tool_facts
from lime_desktop.app_server.execution.acp import permission
from lime_desktop.app_server.execution.acp.conversations import Conversation
from lime_desktop.app_server.execution.acp.own_tools import OwnTool
from lime_desktop.app_server.execution.acp.process import AgentLost, Asked, Update
from lime_desktop.app_server.execution.acp.translation import Translation
from lime_desktop.app_server.execution.acp.waiting import HeldAnswer, WaitingTurn
from lime_desktop.app_server.execution.engines import EngineTurn
from lime_desktop.app_server.execution.turn_states import SavedTurn, TurnStates
from lime_desktop.app_server.runtime_core.backend import TurnRequest
from lime_desktop.app_server.tools.tooling import ToolCall, Toolset
from lime_desktop.policy.decision import Denied, NeedsApproval
from lime_desktop.protocol.errors import ProviderFailed
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import ProposedEvent

_MAX_PAST_CHARACTERS = 20_000
_LOST = "The agent's process ended unexpectedly."


class AgentTurn:
    """From the input, or from an answer to what an earlier process had asked."""

    def __init__(
        self,
        turn: EngineTurn,
        conversation: Conversation,
        states: TurnStates,
        toolset: Toolset,
        held: HeldAnswer | None,
    ):
        self._turn = turn
        self._conversation = conversation
        self._states = states
        self._toolset = toolset
        self._held = held
        self._told = Translation(turn.request.turn_id, turn.model, conversation.folder)
        self._questions = held.waiting.questions if held else 0
        if held:
            self._told.take_up(held.waiting.call_id)

    async def run(self) -> AsyncGenerator[ProposedEvent]:
        """Everything that happens, up to the turn's end."""
        process = self._conversation.process
        try:
            async with aclosing(process.prompt(self._words())) as heard:
                async for each in heard:
                    async for event in self._on_update(each):
                        yield event
        except AgentLost:
            yield _lost_fact(await process.stop())
            for event in self._told.closing("engine_crashed", _LOST):
                yield event
            raise ProviderFailed(_LOST, details={"reasonCode": "agent_crashed"}) from None

    def _words(self) -> str:
        if self._held:
            return self._held.words()
        return _prompt(self._turn.request, with_past=self._conversation.is_new)

    async def _on_update(
        self, heard: Update | Asked | PromptResponse
    ) -> AsyncGenerator[ProposedEvent]:
        if isinstance(heard, Asked):
            async for event in self._ask(heard):
                yield event
            return
        for event in self._facts(heard):
            yield event

    def _facts(self, heard: Update | PromptResponse) -> Iterator[ProposedEvent]:
        if isinstance(heard, PromptResponse):
            return self._told.ending(heard)
        return self._told.facts(heard)

    async def _ask(self, asked: Asked) -> AsyncGenerator[ProposedEvent]:
        try:
            tool = self._told.tool(asked.tool_call)
            held = self._held
            if held and held.fits(asked, tool):
                held.is_used = True
                self._told.name(asked.tool_call.tool_call_id, held.waiting.call_id)
            else:
                held = None
            for event in self._told.started(asked.tool_call):
                yield event
            async for event in self._settle(asked, tool, held):
                yield event
        finally:
            if not asked.answer.done():
                asked.answer.set_result(permission.withdrawn())

    async def _settle(
        self, asked: Asked, tool: OwnTool, held: HeldAnswer | None
    ) -> AsyncGenerator[ProposedEvent]:
        """Policy first, then a person where it wants one, then policy again: a rule may be newer than the answer."""
        call = tool.call(self._told.call_id(asked.tool_call.tool_call_id))
        asks = tool.asks(self._conversation.folder)
        answer = held.answer if held else None
        answered = frozenset(held.waiting.rule_ids if held else ())
        decision = await self._toolset.judge_outside(call, asks)
        yield tool_facts.evaluated(call, decision)
        while isinstance(decision, NeedsApproval) and not decision.rule_ids <= answered:
            if answer is not None and not permission.is_yes(answer):
                break
            waiting = await self._keep(asked, tool, call, decision)
            yield tool_facts.requested(call, decision, waiting.action_id)
            yield permission.question(call, decision, waiting.action_id, asked.options)
            answer = await self._turn.mailbox.wait(waiting.action_id)
            answered |= decision.rule_ids
            decision = await self._toolset.judge_outside(call, asks)
        if isinstance(decision, Denied):
            yield tool_facts.refused(call, decision)
            asked.answer.set_result(permission.refusal(asked.options))
        elif answer is not None:
            asked.answer.set_result(permission.outcome(answer, asked.options))
        else:
            asked.answer.set_result(permission.allowance(asked.options))

    async def _keep(
        self, asked: Asked, tool: OwnTool, call: ToolCall, needed: NeedsApproval
    ) -> WaitingTurn:
        self._questions += 1
        process = self._conversation.process
        waiting = WaitingTurn.of(asked, tool, process, call.call_id, self._questions).model_copy(
            update={"rule_ids": tuple(sorted(needed.rule_ids))}
        )
        turn = self._turn
        await self._states.keep(
            SavedTurn(turn_id=turn.request.turn_id, model=turn.model, body=waiting.to_json())
        )
        return waiting


def _prompt(request: TurnRequest, *, with_past: bool) -> str:
    """The input, after what the app gives its agents to read; a process that knows nothing of this conversation is told it too."""
    wishes = request.options.runtime_request
    background = wishes.system_prompt if wishes else None
    parts = [f"Background:\n{background}"] if background else []
    past = "\n".join(f"{said.role}: {said.text}" for said in request.history if said.text)
    if with_past and past:
        parts.append(f"Earlier in this conversation:\n{past[-_MAX_PAST_CHARACTERS:]}")
    if not parts:
        return request.input.text
    return "\n\n".join([*parts, f"Now: {request.input.text}"])


def _lost_fact(code: int) -> ProposedEvent:
    payload: JsonObject = {
        "code": "agent_process_ended",
        "message": _LOST,
        "failureCategory": "engine_crashed",
        "recoverable": False,
        "exitCode": code,
    }
    return ProposedEvent(type="runtime.warning", payload=payload)
