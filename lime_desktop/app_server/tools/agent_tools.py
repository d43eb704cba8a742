"""All tools put together: the sources, the broker over them, their methods, and their end."""

import asyncio
from pathlib import Path

from lime_desktop.app_server.apps.registered import RegisteredApps
from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.content_store import ContentStore
from lime_desktop.app_server.routes import AppCalls, Routes
from lime_desktop.app_server.secrets.store import SecretStore
from lime_desktop.app_server.secrets.tool_secrets import AppToolSecrets
from lime_desktop.app_server.tools.api.tools import ApiTools
from lime_desktop.app_server.tools.availability import ToolAvailability
from lime_desktop.app_server.tools.backends.backends import Backends
from lime_desktop.app_server.tools.backends.reverse_calls import ReverseCalls
from lime_desktop.app_server.tools.backends.tools import BackendTools
from lime_desktop.app_server.tools.broker import ToolBroker, now_ms
from lime_desktop.app_server.tools.browser.tools import BrowserParts, BrowserTools
from lime_desktop.app_server.tools.browser.window_steps import WindowSteps
from lime_desktop.app_server.tools.catalogue import ToolSource
from lime_desktop.app_server.tools.commands.adapters import CommandDependencies, CommandTools
from lime_desktop.app_server.tools.commands.sandbox import find_sandbox
from lime_desktop.app_server.tools.connectors import AppConnectors
from lime_desktop.app_server.tools.host_tools.app_service_tools import (
    AgentServices,
    app_service_tools,
)
from lime_desktop.app_server.tools.host_tools.web_fetch import WebTools
from lime_desktop.app_server.tools.invocations import Invocations
from lime_desktop.app_server.tools.mcp.app_servers import AppMcpServers
from lime_desktop.app_server.tools.mcp.server_secrets import ServerSecrets
from lime_desktop.app_server.tools.mcp.servers import McpServers
from lime_desktop.app_server.tools.mcp.service import McpServerService
from lime_desktop.app_server.tools.mcp.store import McpServerStore
from lime_desktop.app_server.tools.mcp.tools import McpTools
from lime_desktop.app_server.tools.outside_turns import request_outside_turns
from lime_desktop.app_server.tools.remembered_approvals import RememberedApprovals
from lime_desktop.app_server.tools.sign_in.sign_ins import SignIns
from lime_desktop.app_server.tools.tool_service import ToolService
from lime_desktop.app_server.tools.webhooks.service import Webhooks
from lime_desktop.app_server.tools.webhooks.tools import WebhookTools
from lime_desktop.app_server.tools.work_folders import WorkFolders
from lime_desktop.app_server.traffic import CountTraffic
from lime_desktop.background.tasks import close_all
from lime_desktop.protocol.calls.approvals import FORGET_APPROVAL, LIST_APPROVALS
from lime_desktop.protocol.calls.browser import ANSWER_BROWSER_STEP, NEXT_BROWSER_STEP
from lime_desktop.protocol.calls.mcp_servers import (
    ADD_MCP_SERVER,
    LIST_MCP_SERVERS,
    REMOVE_MCP_SERVER,
    TEST_MCP_SERVER,
)
from lime_desktop.protocol.calls.secrets import BEGIN_SIGN_IN, FINISH_SIGN_IN, SIGN_OUT
from lime_desktop.protocol.calls.sessions import ToolDescription
from lime_desktop.protocol.calls.tools import (
    DESCRIBE_TOOL,
    GIVE_INPUT,
    INVOKE_TOOL,
    LIST_APP_TOOLS,
    READ_SANDBOX,
    ReadSandboxParams,
    ReadSandboxResult,
)
from lime_desktop.protocol.calls.webhooks import LIST_WEBHOOKS, SWITCH_WEBHOOK


class AgentTools:
    """What the App Server holds for its agents' tools."""

    def __init__(
        self,
        data_dir: Path,
        apps: RegisteredApps,
        services: AgentServices,
        secrets: SecretStore,
        webhooks: Webhooks,
        count: CountTraffic,
        *more: ToolSource,
    ) -> None:
        self._apps = apps
        store = ContentStore(data_dir / "content")
        self._servers = McpServers(
            McpServerStore(data_dir), ServerSecrets(secrets), data_dir / "tool-servers"
        )
        self._shown = shown = AppToolSecrets(secrets)
        self.sign_ins = SignIns(apps, secrets)
        self._webhooks = webhooks
        self._browser_steps = WindowSteps()
        commands = CommandDependencies(data_dir / "work", store, find_sandbox, shown)
        self.work_folders = WorkFolders(
            (commands.folder, self._servers.folder_of_apps), self._servers.end_of_app
        )
        self._app_calls: AppCalls | None = None
        reverse = ReverseCalls(apps, self._known_calls, services.evidence, now_ms)
        self._backends = Backends(data_dir / "backends", apps, reverse.answer)
        self.work_folders.add(self._backends.folder, self._backends.end_of_app)
        self.approvals = RememberedApprovals(data_dir / "agent-approvals")
        command_tools, api_tools = CommandTools(commands), ApiTools(shown, self.sign_ins)
        backend_tools = BackendTools(self._backends, find_sandbox)
        mcp_tools = McpTools(self._servers, store, shown, count)
        # These are there without anything being started.
        at_hand = (
            app_service_tools(services),
            WebTools(shown),
            command_tools,
            backend_tools,
            api_tools,
            WebhookTools(webhooks.queue),
            BrowserTools(BrowserParts(self._browser_steps, secrets, store)),
        )
        self._availability = ToolAvailability(
            apps, self._servers, at_hand, self.sign_ins, webhooks, backend_tools
        )
        self.broker = ToolBroker(apps, (*at_hand, mcp_tools, *more), self.approvals)
        self._of_hooks = (command_tools, api_tools, mcp_tools)
        self._invocations = Invocations()

    def for_hooks(self, apps: RegisteredApps) -> ToolBroker:
        """What a lifecycle hook may call: the programs, interfaces and tool servers that a manifest names, and no data of the app."""
        return ToolBroker(apps, self._of_hooks, self.approvals)

    async def inventory(self, app_id: str, session_id: str) -> tuple[ToolDescription, ...]:
        """Every tool that a turn of this session could have."""
        nothing_yet = request_outside_turns(app_id, session_id)
        return await self.broker.toolset_for(nothing_yet).inventory()

    async def close(self) -> None:
        """End what runs."""
        await close_all(
            self._invocations.close,
            self.sign_ins.close,
            self._servers.close,
            self._backends.close,
        )

    def _known_calls(self) -> AppCalls:
        """What apps can call: known once everything is put together, and no backend is called before."""
        assert self._app_calls is not None  # noqa: S101 - see above
        return self._app_calls

    def serve(self, routes: Routes, calls: AppCalls) -> None:
        """Lead every method about tools to its owner, and what apps ask of theirs."""
        self._app_calls = calls
        AppMcpServers(self._servers, self._apps).serve(calls)
        AppConnectors(self._servers, self._apps, self._shown, self.sign_ins, self._webhooks).serve(
            calls
        )
        service = McpServerService(self._servers)
        routes.add(LIST_MCP_SERVERS, service.list)
        routes.add(ADD_MCP_SERVER, service.add)
        routes.add(REMOVE_MCP_SERVER, service.remove)
        routes.add(TEST_MCP_SERVER, service.test)
        routes.add(LIST_APPROVALS, self.approvals.list)
        routes.add(FORGET_APPROVAL, self.approvals.forget)
        invoking = ToolService(self.broker, self._invocations)
        invoking.serve(calls)
        routes.add(DESCRIBE_TOOL, invoking.describe)
        routes.add(INVOKE_TOOL, invoking.invoke)
        routes.add(GIVE_INPUT, invoking.give_input)
        routes.add(LIST_APP_TOOLS, self._availability.list)
        routes.add(READ_SANDBOX, _read_sandbox)
        routes.add(BEGIN_SIGN_IN, self.sign_ins.begin)
        routes.add(FINISH_SIGN_IN, self.sign_ins.finish)
        routes.add(SIGN_OUT, self.sign_ins.sign_out)
        routes.add(LIST_WEBHOOKS, self._webhooks.list)
        routes.add(SWITCH_WEBHOOK, self._webhooks.switch)
        routes.add(NEXT_BROWSER_STEP, self._browser_steps.next)
        routes.add(ANSWER_BROWSER_STEP, self._browser_steps.answer)


async def _read_sandbox(params: ReadSandboxParams, context: CallContext) -> ReadSandboxResult:
    """Can programs of apps be walled off here?"""
    del params, context
    found = await asyncio.to_thread(find_sandbox)
    return ReadSandboxResult(mode=found.mode, absence=found.absence, mend=found.mend)
