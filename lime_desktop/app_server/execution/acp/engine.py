"""External agents as engines: one process for each conversation, its questions asked, its work told."""

import asyncio
import contextlib
import hashlib
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from lime_desktop.app_server.execution.acp.agents import ExternalAgents, problem_of
from lime_desktop.app_server.execution.backend import TurnRequest
from lime_desktop.app_server.execution.engines import EngineTurn
from lime_desktop.protocol.calls.external_agents import ExternalAgent
from lime_desktop.protocol.calls.models import ModelDescription, ModelObstacle
from lime_desktop.protocol.errors import (
    CapabilityNotAvailable,
    ProviderFailed,
    ProviderNotReady,
)
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.protocol.runtime.sessions import HistoryMessage

if TYPE_CHECKING:
    # The library is large: it is loaded with the first turn that needs it.
    from lime_desktop.app_server.execution.acp.process import AgentProcess, Asked
    from lime_desktop.app_server.execution.acp.translation import Translation

PROVIDER = "external-agent"
_RANK = 600
"""After the providers the user set up, before the small models of this computer."""
_IDLE_S = 600.0
_MAX_PAST_CHARACTERS = 20_000
_NOTE = (
    "An agent of your own on this computer. It works with your rights and asks through Lime; "
    "what it sends where is between you and its makers."
)
_LOST = "The agent's process ended unexpectedly."


@dataclass(slots=True)
class _Conversation:
    """A process that remembers what was said in one session."""

    process: "AgentProcess"
    folder: Path
    idle: asyncio.TimerHandle | None = None


class AcpEngine:
    """Runs turns by agents that speak the Agent Client Protocol."""

    name = "acp"

    def __init__(self, agents: ExternalAgents, work_folder: Path, idle_s: float = _IDLE_S) -> None:
        self._agents = agents
        self._work_folder = work_folder
        self._idle_s = idle_s
        self._conversations: dict[tuple[str, str], _Conversation] = {}
        self._ending: set[asyncio.Task[None]] = set()

    async def offers(self) -> tuple[ModelDescription, ...]:
        """The agents that are set up."""
        return tuple(map(_offer, await self._agents.all()))

    async def run_turn(self, turn: EngineTurn) -> AsyncGenerator[ProposedEvent]:
        """Let the agent do it. A turn that waited when its agent died with us cannot go on."""
        # Here and not above: see the imports for types.
        from lime_desktop.app_server.execution.acp.process import AgentLost  # noqa: PLC0415
        from lime_desktop.app_server.execution.acp.translation import (  # noqa: PLC0415
            Translation,
        )

        agent = await self._agent(turn.model.model_id)
        key = (turn.request.session_id, agent.agent_id)
        yield _status(f"Starting {agent.title}")
        conversation, is_new = await self._conversation(key, agent)
        told = Translation(turn.request.turn_id, turn.model, conversation.folder)
        is_done = False
        try:
            async for event in self._follow(turn, conversation, told, is_new=is_new):
                yield event
            is_done = True
        except AgentLost:
            code = await conversation.process.stop()
            yield _lost_fact(code)
            for event in told.closing("engine_crashed", _LOST):
                yield event
            raise ProviderFailed(_LOST, details={"reasonCode": "agent_crashed"}) from None
        finally:
            self._rest(key, conversation, is_reusable=is_done)

    async def summarize(self, history: tuple[HistoryMessage, ...], model: ModelDescription) -> str:
        """Not theirs: an agent would start to work on what it reads."""
        del history, model
        raise CapabilityNotAvailable("An external agent writes no summaries.")

    async def close(self) -> None:
        """End every agent."""
        for conversation in self._conversations.values():
            self._end(conversation)
        self._conversations.clear()
        if self._ending:
            await asyncio.wait(self._ending)

    async def _follow(
        self,
        turn: EngineTurn,
        conversation: _Conversation,
        told: "Translation",
        *,
        is_new: bool,
    ) -> AsyncGenerator[ProposedEvent]:
        from acp.schema import PromptResponse  # noqa: PLC0415

        from lime_desktop.app_server.execution.acp.process import Asked  # noqa: PLC0415

        text = _prompt(turn.request, with_past=is_new)
        questions = 0
        async with aclosing(conversation.process.prompt(text)) as heard:
            async for each in heard:
                if isinstance(each, Asked):
                    questions += 1
                    async for event in self._ask(turn, told, each, questions):
                        yield event
                elif isinstance(each, PromptResponse):
                    for event in told.ending(each):
                        yield event
                else:
                    for event in told.facts(each):
                        yield event

    async def _ask(
        self, turn: EngineTurn, told: "Translation", asked: "Asked", number: int
    ) -> AsyncGenerator[ProposedEvent]:
        from lime_desktop.app_server.execution.acp import permission  # noqa: PLC0415

        for event in told.started(asked.tool_call):
            yield event
        call_id = told.call_id(asked.tool_call.tool_call_id)
        title = (asked.tool_call.title or asked.tool_call.kind or "use a tool")[:300]
        action_id = f"{call_id}:approval:{number}"
        try:
            yield permission.question(action_id, call_id, title, asked.options)
            answer = await turn.mailbox.wait(action_id)
            asked.answer.set_result(permission.outcome(answer, asked.options))
        finally:
            if not asked.answer.done():
                asked.answer.set_result(permission.withdrawn())

    async def _agent(self, agent_id: str) -> ExternalAgent:
        agent = await self._agents.find(agent_id)
        if agent is None:
            raise ProviderNotReady(
                "This agent is not set up any more.", details={"reasonCode": "agent_missing"}
            )
        return agent

    async def _conversation(
        self, key: tuple[str, str], agent: ExternalAgent
    ) -> tuple[_Conversation, bool]:
        known = self._conversations.pop(key, None)
        if known is not None and known.process.is_running:
            if known.idle is not None:
                known.idle.cancel()
            return known, False
        from lime_desktop.app_server.execution.acp.process import AgentProcess  # noqa: PLC0415

        folder = await self._folder(agent, key[0])
        return _Conversation(await AgentProcess.start(agent, folder), folder), True

    async def _folder(self, agent: ExternalAgent, session_id: str) -> Path:
        if agent.folder is not None:
            return Path(agent.folder)
        # Hashed: a session's id may be the caller's own choice, and no file name.
        folder = self._work_folder / hashlib.sha256(session_id.encode()).hexdigest()[:32]
        await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
        return folder

    def _rest(
        self, key: tuple[str, str], conversation: _Conversation, *, is_reusable: bool
    ) -> None:
        if not is_reusable or not conversation.process.is_running:
            self._end(conversation)
            return
        self._conversations[key] = conversation
        loop = asyncio.get_running_loop()
        conversation.idle = loop.call_later(self._idle_s, self._fall_asleep, key)

    def _fall_asleep(self, key: tuple[str, str]) -> None:
        if conversation := self._conversations.pop(key, None):
            self._end(conversation)

    def _end(self, conversation: _Conversation) -> None:
        if conversation.idle is not None:
            conversation.idle.cancel()

        async def stop() -> None:
            with contextlib.suppress(Exception):
                await conversation.process.stop()

        task = asyncio.get_running_loop().create_task(stop())
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)


def _prompt(request: TurnRequest, *, with_past: bool) -> str:
    """The input; a process that knows nothing of this conversation is told it first."""
    past = "\n".join(f"{said.role}: {said.text}" for said in request.history if said.text)
    if not with_past or not past:
        return request.input.text
    return (
        f"Earlier in this conversation:\n{past[-_MAX_PAST_CHARACTERS:]}\n\n"
        f"Now: {request.input.text}"
    )


def _offer(agent: ExternalAgent) -> ModelDescription:
    problem = problem_of(agent)
    obstacle = problem and ModelObstacle(
        reason_code="agent_unavailable", message=problem, setup_action="Check the agent in Settings"
    )
    return ModelDescription(
        engine=AcpEngine.name,
        provider_id=PROVIDER,
        model_id=agent.agent_id,
        title=agent.title,
        capabilities=("text", "reasoning", "tools"),
        latency="slow",
        rank=_RANK,
        note=_NOTE,
        obstacle=obstacle or None,
    )


def _status(detail: str) -> ProposedEvent:
    payload: JsonObject = {"phase": "preparing", "detail": detail}
    return ProposedEvent(type="run.status", phase="preparing", payload=payload)


def _lost_fact(code: int) -> ProposedEvent:
    payload: JsonObject = {
        "code": "agent_process_ended",
        "message": _LOST,
        "failureCategory": "engine_crashed",
        "recoverable": False,
        "exitCode": code,
    }
    return ProposedEvent(type="runtime.warning", payload=payload)
