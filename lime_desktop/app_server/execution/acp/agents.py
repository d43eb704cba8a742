"""Which external agents are set up, in one file of the data folder. Knows no protocol."""

import asyncio
import json
import shutil
from importlib.util import find_spec
from pathlib import Path

from pydantic import ValidationError

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.durable_files import write_durably
from lime_desktop.database.failures import catalogued
from lime_desktop.protocol.calls.external_agents import (
    AddAgentParams,
    AgentParams,
    AgentResult,
    ExternalAgent,
    ListAgentsResult,
    ListedAgent,
    RemoveAgentResult,
)
from lime_desktop.protocol.calls.host_only import HostOnlyParams
from lime_desktop.protocol.errors import InvalidInput

MAX_AGENTS = 50


class ExternalAgents:
    """The agents of one App Server. Read fresh each time: the file is small, and others may write it."""

    def __init__(self, file: Path) -> None:
        self._file = file

    async def all(self) -> tuple[ExternalAgent, ...]:
        """Every agent, in the order they were added."""
        return await asyncio.to_thread(self._read)

    async def find(self, agent_id: str) -> ExternalAgent | None:
        """One of them."""
        return next((each for each in await self.all() if each.agent_id == agent_id), None)

    async def list(self, params: HostOnlyParams, context: CallContext) -> ListAgentsResult:
        """Tell them all, with what keeps one from running."""
        del params, context
        return ListAgentsResult(agents=tuple(map(listed, await self.all())))

    async def add(self, params: AddAgentParams, context: CallContext) -> AgentResult:
        """Keep an agent."""
        del context
        others = [each for each in await self.all() if each.agent_id != params.agent.agent_id]
        if len(others) >= MAX_AGENTS:
            raise InvalidInput(f"At most {MAX_AGENTS} agents can be set up.")
        await asyncio.to_thread(self._write, [*others, params.agent])
        return AgentResult(agent=listed(params.agent))

    async def remove(self, params: AgentParams, context: CallContext) -> RemoveAgentResult:
        """Forget an agent."""
        del context
        before = await self.all()
        rest = [each for each in before if each.agent_id != params.agent_id]
        if len(rest) < len(before):
            await asyncio.to_thread(self._write, rest)
        return RemoveAgentResult(was_there=len(rest) < len(before))

    def _read(self) -> tuple[ExternalAgent, ...]:
        try:
            rows = json.loads(self._file.read_text(encoding="utf-8"))
            return tuple(map(ExternalAgent.model_validate, rows))
        except (OSError, ValueError, TypeError, ValidationError):
            return ()

    def _write(self, agents: "list[ExternalAgent]") -> None:
        text = json.dumps([agent.to_wire() for agent in agents], ensure_ascii=False)
        try:
            write_durably(self._file, text.encode())
        except OSError as error:
            raise catalogued(error) from error


def agents_in(data_dir: Path) -> ExternalAgents:
    """The agents of an App Server's data folder."""
    return ExternalAgents(data_dir / "external-agents.json")


def listed(agent: ExternalAgent) -> ListedAgent:
    """An agent, with what keeps it from running."""
    return ListedAgent(agent=agent, problem=problem_of(agent))


def problem_of(agent: ExternalAgent) -> str | None:
    """Why an agent cannot run here, as far as can be told without starting it."""
    if find_spec("acp") is None:
        return "The part that talks to agents (agent-client-protocol) is not installed."
    if shutil.which(agent.command[0]) is None:
        return "Its program is not on this computer."
    if agent.folder is not None and not Path(agent.folder).is_dir():
        return "Its folder is not there."
    return None
