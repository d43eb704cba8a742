"""External agents as engines: their work told, their questions asked, and answered after a restart too."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING

from lime_desktop.app_server.execution.acp.agents import ExternalAgents, problem_of
from lime_desktop.app_server.execution.acp.conversations import Conversation, Conversations, Meant
from lime_desktop.app_server.execution.engines import EngineTurn
from lime_desktop.app_server.execution.turn_states import TurnStates
from lime_desktop.app_server.runtime_core.backend import TurnRequest
from lime_desktop.app_server.tools.answer_mailbox import AnswerMailbox
from lime_desktop.app_server.tools.tooling import Tooling
from lime_desktop.app_server.traffic import CountTraffic, Traffic, count_nothing
from lime_desktop.protocol.calls.external_agents import ExternalAgent
from lime_desktop.protocol.calls.models import ModelDescription, ModelObstacle
from lime_desktop.protocol.errors import (
    CapabilityNotAvailable,
    ProviderNotReady,
)
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.protocol.runtime.sessions import HistoryMessage

if TYPE_CHECKING:
    # The library is large: it is loaded with the first turn that needs it.
    from lime_desktop.app_server.execution.acp.waiting import HeldAnswer

PROVIDER = "external-agent"
_RANK = 600
"""After the providers the user set up, before the small models of this computer."""
_IDLE_S = 600.0
_NOTE = (
    "An agent of your own on this computer. It works with your rights and asks through Lime; "
    "what it sends where is between you and its makers."
)


class AcpEngine:
    """Runs turns by agents that speak the Agent Client Protocol."""

    name = "acp"

    def __init__(
        self,
        agents: ExternalAgents,
        work_folder: Path,
        states: TurnStates,
        tooling: Tooling,
        idle_s: float = _IDLE_S,
        count: CountTraffic = count_nothing,
    ) -> None:
        self._count = count
        self._agents = agents
        self._states = states
        self._tooling = tooling
        self._conversations = Conversations(work_folder, idle_s)

    async def offers(self) -> tuple[ModelDescription, ...]:
        """The agents that are set up."""
        return tuple(map(_offer, await self._agents.all()))

    async def run_turn(self, turn: EngineTurn) -> AsyncGenerator[ProposedEvent]:
        """Let the agent do it, from the input or from the question at which an earlier process stopped."""
        # Here and not above: see the imports for types.
        from lime_desktop.app_server.execution.acp.turn import AgentTurn  # noqa: PLC0415

        agent = await self._agent(turn.model.model_id)
        held = await _held_answer(turn.saved, turn.mailbox, agent) if turn.saved else None
        yield _status(f"Starting {agent.title}")
        await self._count(turn.request.app_id, Traffic(agent.title, is_program=True))
        conversation = await self._conversation(turn.request, agent, held)
        is_done = False
        try:
            toolset = self._tooling.toolset_for(turn.request)
            working = AgentTurn(turn, conversation, self._states, toolset, held)
            async with aclosing(working.run()) as events:
                async for event in events:
                    yield event
            is_done = True
        finally:
            await self._conversations.rest(conversation, is_reusable=is_done)

    async def summarize(
        self, app_id: str, history: tuple[HistoryMessage, ...], model: ModelDescription
    ) -> str:
        """Not theirs: an agent would start to work on what it reads."""
        del app_id, history, model
        raise CapabilityNotAvailable("An external agent writes no summaries.")

    async def close(self) -> None:
        """End every agent."""
        await self._conversations.close()

    async def end_of_app(self, app_id: str) -> None:
        """End every agent that works for an app, or rests until it does again."""
        await self._conversations.end_of_app(app_id)

    async def _agent(self, agent_id: str) -> ExternalAgent:
        agent = await self._agents.find(agent_id)
        if agent is None:
            raise ProviderNotReady(
                "This agent is not set up any more.", details={"reasonCode": "agent_missing"}
            )
        return agent

    async def _conversation(
        self, request: TurnRequest, agent: ExternalAgent, held: "HeldAnswer | None"
    ) -> Conversation:
        meant = Meant(request.app_id, request.session_id)
        if held is None:
            return await self._conversations.open(meant, agent)
        return await self._conversations.load(meant, agent, held.conversation)


async def _held_answer(saved: str, mailbox: AnswerMailbox, agent: ExternalAgent) -> "HeldAnswer":
    """What the person says, however late: until then the agent need not run."""
    from lime_desktop.app_server.execution.acp.waiting import (  # noqa: PLC0415
        HeldAnswer,
        read_waiting,
    )

    waiting, conversation = read_waiting(saved, agent.title)
    return HeldAnswer(waiting, conversation, await mailbox.wait(waiting.action_id))


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
