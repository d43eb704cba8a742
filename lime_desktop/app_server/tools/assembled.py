"""All tools put together: the sources, the broker over them, the servers' own methods, and their end."""

import asyncio
from pathlib import Path

from lime_desktop.app_server.apps.registered import RegisteredApps
from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.content_store import ContentStore
from lime_desktop.app_server.secrets.store import SecretStore
from lime_desktop.app_server.server.own_calls import OwnCalls
from lime_desktop.app_server.server.routes import Routes
from lime_desktop.app_server.tools.broker import ToolBroker
from lime_desktop.app_server.tools.catalogue import ToolSource
from lime_desktop.app_server.tools.commands.adapters import CommandSurroundings, CommandTools
from lime_desktop.app_server.tools.commands.sandbox import find_sandbox
from lime_desktop.app_server.tools.host_tools.artifact_tools import ARTIFACT_TOOLS
from lime_desktop.app_server.tools.host_tools.file_tools import FILE_TOOLS
from lime_desktop.app_server.tools.host_tools.knowledge_tools import KNOWLEDGE_TOOLS
from lime_desktop.app_server.tools.host_tools.service_tool import ServiceTools
from lime_desktop.app_server.tools.host_tools.storage_tools import STORAGE_TOOLS
from lime_desktop.app_server.tools.host_tools.web_fetch import WebTools
from lime_desktop.app_server.tools.invocations import Invocations
from lime_desktop.app_server.tools.invoking import ToolInvoking
from lime_desktop.app_server.tools.kept_approvals import KeptApprovals
from lime_desktop.app_server.tools.mcp.hidden import ServerSecrets
from lime_desktop.app_server.tools.mcp.servers import McpServers
from lime_desktop.app_server.tools.mcp.service import McpServerService
from lime_desktop.app_server.tools.mcp.store import McpServerStore
from lime_desktop.app_server.tools.mcp.tools import McpTools
from lime_desktop.app_server.tools.outside_turns import request_outside_turns
from lime_desktop.app_server.traffic import CountTraffic
from lime_desktop.background.closing import close_all
from lime_desktop.protocol.calls.approvals import FORGET_APPROVAL, LIST_APPROVALS
from lime_desktop.protocol.calls.mcp_servers import (
    ADD_MCP_SERVER,
    LIST_MCP_SERVERS,
    REMOVE_MCP_SERVER,
    TEST_MCP_SERVER,
)
from lime_desktop.protocol.calls.sessions import ToolDescription
from lime_desktop.protocol.calls.tools import (
    CANCEL_TOOL,
    DESCRIBE_TOOL,
    INVOKE_TOOL,
    READ_SANDBOX,
    READ_TOOL_PROGRESS,
    ReadSandboxParams,
    ReadSandboxResult,
)

SERVICE_TOOLS = (*STORAGE_TOOLS, *FILE_TOOLS, *ARTIFACT_TOOLS, *KNOWLEDGE_TOOLS)


class AgentTools:
    """What the App Server holds for its agents' tools."""

    def __init__(
        self,
        data_dir: Path,
        apps: RegisteredApps,
        routes: Routes,
        secrets: SecretStore,
        count: CountTraffic,
        *more: ToolSource,
    ) -> None:
        store = ContentStore(data_dir / "content")
        self._servers = McpServers(
            McpServerStore(data_dir), ServerSecrets(secrets), data_dir / "tool-servers"
        )
        commands = CommandSurroundings(data_dir / "work", store, find_sandbox)
        self.approvals = KeptApprovals(data_dir / "agent-approvals")
        self.broker = ToolBroker(
            apps,
            (
                ServiceTools(OwnCalls(routes), SERVICE_TOOLS),
                WebTools(),
                CommandTools(commands),
                McpTools(self._servers, store, count),
                *more,
            ),
            self.approvals,
        )
        self._invocations = Invocations()
        self._serve(routes)

    async def inventory(self, app_id: str, session_id: str) -> tuple[ToolDescription, ...]:
        """Every tool that a turn of this session could have."""
        nothing_yet = request_outside_turns(app_id, session_id)
        return await self.broker.box_for(nothing_yet).inventory()

    async def close(self) -> None:
        """End what runs."""
        await close_all(self._invocations.close, self._servers.close)

    def _serve(self, routes: Routes) -> None:
        service = McpServerService(self._servers)
        routes.add(LIST_MCP_SERVERS, service.list)
        routes.add(ADD_MCP_SERVER, service.add)
        routes.add(REMOVE_MCP_SERVER, service.remove)
        routes.add(TEST_MCP_SERVER, service.test)
        routes.add(LIST_APPROVALS, self.approvals.list)
        routes.add(FORGET_APPROVAL, self.approvals.forget)
        invoking = ToolInvoking(self.broker, self._invocations)
        routes.add(DESCRIBE_TOOL, invoking.describe)
        routes.add(INVOKE_TOOL, invoking.invoke)
        routes.add(READ_TOOL_PROGRESS, invoking.progress)
        routes.add(CANCEL_TOOL, invoking.cancel)
        routes.add(READ_SANDBOX, _read_sandbox)


async def _read_sandbox(params: ReadSandboxParams, context: CallContext) -> ReadSandboxResult:
    """Can programs of apps be walled off here?"""
    del params, context
    found = await asyncio.to_thread(find_sandbox)
    return ReadSandboxResult(mode=found.mode, absence=found.absence, mend=found.mend)
