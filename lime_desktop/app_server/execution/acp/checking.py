"""externalAgent/check: does an agent start, and does it speak the protocol? It is given no work."""

import tempfile
from pathlib import Path

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.execution.acp.agents import ExternalAgents, problem_of
from lime_desktop.protocol.calls.external_agents import AgentParams, CheckAgentResult
from lime_desktop.protocol.errors import AppError, InvalidInput


class AgentCheck:
    """Starts an agent in an empty folder, shakes hands, ends it."""

    def __init__(self, agents: ExternalAgents) -> None:
        self._agents = agents

    async def check(self, params: AgentParams, context: CallContext) -> CheckAgentResult:
        """Say whether it works, and what it calls itself."""
        del context
        agent = await self._agents.find(params.agent_id)
        if agent is None:
            raise InvalidInput("No agent of this id is set up.")
        if problem := problem_of(agent):
            return CheckAgentResult(is_working=False, problem=problem)
        # Here and not above: the library is large, and most App Servers never check an agent.
        from lime_desktop.app_server.execution.acp.process import AgentProcess  # noqa: PLC0415

        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            try:
                process = await AgentProcess.start(agent, Path(folder))
            except AppError as error:
                return CheckAgentResult(is_working=False, problem=error.message)
            await process.stop()
        said = process.introduced.agent_info if process.introduced else None
        return CheckAgentResult(
            is_working=True,
            name=said.name if said else None,
            version=said.version if said else None,
        )
