"""Which external agents are set up, in one file of the data folder. Knows no protocol."""

import asyncio
import json
import logging
import shutil
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.durable_files.changing import change_file, read_file
from lime_desktop.protocol.calls.external_agents import (
    AddAgentParams,
    AgentParams,
    AgentResult,
    ExternalAgent,
    ListAgentsResult,
    ListedAgent,
    RemoveAgentResult,
)
from lime_desktop.protocol.errors import AppError, DatabaseDamaged, InvalidInput
from lime_desktop.protocol.wire import HostOnlyParams

_log = logging.getLogger(__name__)

FILE_NAME = "external-agents.json"
MAX_AGENTS = 50


class ExternalAgents:
    """The agents of one App Server. Read fresh each time: the file is small, and others may write it."""

    def __init__(self, file: Path) -> None:
        self._file = file

    async def all(self) -> tuple[ExternalAgent, ...]:
        """Every agent, in the order they were added; none while the file cannot be read, for turns go on without."""
        try:
            return _agents(await asyncio.to_thread(read_file, self._file))
        except AppError as error:
            _log.warning("external agents are left out: %s", error.message)
            return ()

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

        def with_this(body: bytes | None) -> tuple[bytes, None]:
            others = [each for each in self._kept(body) if each.agent_id != params.agent.agent_id]
            if len(others) >= MAX_AGENTS:
                raise InvalidInput(f"At most {MAX_AGENTS} agents can be set up.")
            return _written([*others, params.agent]), None

        await asyncio.to_thread(change_file, self._file, with_this)
        return AgentResult(agent=listed(params.agent))

    async def remove(self, params: AgentParams, context: CallContext) -> RemoveAgentResult:
        """Forget an agent."""
        del context

        def without(body: bytes | None) -> tuple[bytes | None, bool]:
            before = self._kept(body)
            rest = [each for each in before if each.agent_id != params.agent_id]
            was_there = len(rest) < len(before)
            return (_written(rest) if was_there else None), was_there

        was_there = await asyncio.to_thread(change_file, self._file, without)
        return RemoveAgentResult(was_there=was_there)

    def _kept(self, body: bytes | None) -> tuple[ExternalAgent, ...]:
        """The agents that a change begins with; a file that cannot be read is put aside, not written over."""
        try:
            return _agents(body)
        except DatabaseDamaged:
            self._file.replace(self._file.with_suffix(".unreadable"))
            return ()


def _agents(body: bytes | None) -> tuple[ExternalAgent, ...]:
    if body is None:
        return ()
    try:
        return tuple(map(ExternalAgent.model_validate, json.loads(body)))
    except (ValueError, TypeError):
        raise DatabaseDamaged(f"{FILE_NAME} cannot be read. Repair or remove it.") from None


def _written(agents: Sequence[ExternalAgent]) -> bytes:
    return json.dumps([agent.to_wire() for agent in agents], ensure_ascii=False).encode()


def agents_in(data_dir: Path) -> ExternalAgents:
    """The agents of an App Server's data folder."""
    return ExternalAgents(data_dir / FILE_NAME)


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
