"""The tools of tool servers, for the apps that declare them.

An app names a server in an integration (`adapter: { kind: mcp, server: … }`) or in a tool reference (`provider:
mcp:<server>`). What a server says about its tools is a stranger's word: it can make policy stricter, never laxer
than asking.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

from lime_desktop.app_package.manifest import Manifest
from lime_desktop.app_package.manifest.operations import SideEffect
from lime_desktop.app_package.manifest.resources import MCP_PROVIDER
from lime_desktop.app_server.apps.registered import RegisteredApp
from lime_desktop.app_server.content_store import ContentStore
from lime_desktop.app_server.runtime_core.backend import TurnRequest
from lime_desktop.app_server.secrets.tool_secrets import AppToolSecrets
from lime_desktop.app_server.tools.answer_mailbox import AnswerMailbox
from lime_desktop.app_server.tools.arguments import UnusableSchema, check_schema
from lime_desktop.app_server.tools.catalogue import PolicyAsk, Tool, ToolRow
from lime_desktop.app_server.tools.mcp.counting import ServerTraffic
from lime_desktop.app_server.tools.mcp.naming import server_named
from lime_desktop.app_server.tools.mcp.servers import McpServers
from lime_desktop.app_server.tools.mcp.supervised import SupervisedServer
from lime_desktop.app_server.tools.tool_names import joined_name
from lime_desktop.app_server.tools.tooling import ToolCall, ToolOutcome
from lime_desktop.app_server.traffic import CountTraffic, count_nothing
from lime_desktop.policy.call import Target
from lime_desktop.protocol.errors import ToolCallFailed
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import ProposedEvent

if TYPE_CHECKING:
    import mcp_types

LISTING_S = 20.0
"""How long a turn waits for a server that is starting."""
_MAX_DESCRIPTION = 4_000


@dataclass(frozen=True, slots=True)
class DeclaredServer:
    """A server that an app's manifest names."""

    server: str
    """The name that the manifest has for it."""
    key: str
    """What policy and the manifest call it."""
    also_as: str | None = None
    """What else the manifest calls it: judged as that too, and as a tool server in any case."""
    only_tool: str | None = None
    shown: tuple[Target, ...] = ()
    """The app's secrets that it is shown."""


class McpTools:
    """The source of them."""

    def __init__(
        self,
        servers: McpServers,
        store: ContentStore,
        secrets: AppToolSecrets,
        count: CountTraffic = count_nothing,
    ) -> None:
        self._servers = servers
        self._store = store
        self._secrets = secrets
        self._count = count

    async def tools_for(self, app: RegisteredApp, request: TurnRequest) -> Sequence[Tool]:
        """The tools of every server that the app declares and a person has set up."""
        declared = tuple(declared_servers(app.package.manifest))
        if not declared:
            return []
        servers = await self._servers.all()
        wanted = [(each, server_named(servers, each.server)) for each in declared]
        found = await asyncio.gather(
            *(
                self._of_server(app, request, each, server)
                for each, server in wanted
                if server is not None
            )
        )
        return [tool for tools in found for tool in tools]

    async def _of_server(
        self,
        app: RegisteredApp,
        request: TurnRequest,
        declared: DeclaredServer,
        server: SupervisedServer,
    ) -> list[Tool]:
        if not server.settings.is_enabled:
            return []
        secrets = await self._secrets.for_integration(app, request, declared.key)
        reason, code = secrets.unavailable
        if reason is not None:
            return [UnstartedServer(declared, reason, code)]
        server = self._servers.for_app(server, secrets)
        try:
            conversation = await server.conversation(LISTING_S)
        except ToolCallFailed:
            return []
        traffic = ServerTraffic(server.settings, app.app_id, self._count)
        return [
            McpTool(replace(declared, shown=secrets.targets), server, tool, self._store, traffic)
            for tool in conversation.tools
            if is_wanted(declared, server.settings.server_id, tool.name)
        ]


class McpTool:
    """One tool of one server."""

    def __init__(
        self,
        declared: DeclaredServer,
        server: SupervisedServer,
        tool: "mcp_types.Tool",
        store: ContentStore,
        traffic: ServerTraffic,
    ) -> None:
        self._declared = declared
        self._server = server
        self._tool = tool
        self._store = store
        self._traffic = traffic
        row = describe_tool(server.settings.server_id, tool)
        self._row = replace(
            row, keywords=(*row.keywords, declared.key), declared_as=declared.key, action=tool.name
        )

    @property
    def row(self) -> ToolRow:
        """Its line in the catalogue."""
        return self._row

    def asks(self, arguments: JsonObject) -> PolicyAsk:
        """The right to use this server; a tool that says it destroys needs a declared operation beside it."""
        del arguments
        hints = self._tool.annotations
        # That it only reads is the server's own word, and no reason to ask for less.
        effect: SideEffect = "external_write" if hints and hints.destructive_hint else "none"
        named = self._declared.also_as
        return PolicyAsk(
            capability="lime.mcp",
            also_as=(named,) if named else (),
            method="invoke",
            access="execute",
            side_effect=effect,
            targets=(Target("tool", self._declared.key), *self._declared.shown),
            bound_to=("tool server", self._server.settings.server_id, self._tool.name),
        )

    async def run(
        self, call: ToolCall, mailbox: AnswerMailbox
    ) -> AsyncIterator[ProposedEvent | ToolOutcome]:
        """Call the server."""
        from lime_desktop.app_server.tools.mcp.calling import (  # noqa: PLC0415 - loaded with the first server
            ServerCall,
            call_server,
        )

        asked = ServerCall(call, self._tool.name, self._store, self._traffic)
        async for told in call_server(self._server, asked, mailbox):
            yield told


class UnstartedServer:
    """What stands for a server that is not started, so that whoever calls it hears why."""

    def __init__(self, declared: DeclaredServer, reason: str, code: str) -> None:
        self._key = declared.key
        self.row = ToolRow(
            name=agent_name(declared.server, ""),
            description="",
            input_schema={"type": "object"},
            keywords=(declared.key,),
            owner="mcp",
            unavailable_reason=reason,
            unavailable_code=code,
            declared_as=declared.key,
        )

    def asks(self, arguments: JsonObject) -> PolicyAsk:
        """The right to use the server."""
        del arguments
        targets = (Target("tool", self._key),)
        return PolicyAsk(capability="lime.mcp", method="invoke", access="execute", targets=targets)

    async def run(self, call: ToolCall, mailbox: AnswerMailbox) -> AsyncIterator[ToolOutcome]:
        """Say why not; the toolset says so before."""
        del mailbox
        reason, code = self.row.unavailable_reason or "", self.row.unavailable_code
        yield ToolOutcome(call.call_id, reason, is_error=True, category=code)


def describe_tool(server_id: str, tool: "mcp_types.Tool") -> ToolRow:
    """A server's word about its tool, as a line of the catalogue."""
    hints = tool.annotations
    is_read_only = bool(hints and hints.read_only_hint)
    schema = cast("JsonObject", tool.input_schema)
    return ToolRow(
        name=agent_name(server_id, tool.name),
        title=(tool.title or (hints.title if hints else None) or tool.name)[:200],
        description=(tool.description or "")[:_MAX_DESCRIPTION],
        input_schema=schema,
        output_schema=cast("JsonObject | None", tool.output_schema),
        keywords=(server_id,),
        owner="mcp",
        is_read_only=is_read_only,
        # Silence counts as yes, as the protocol says.
        is_destructive=not is_read_only and not (hints and hints.destructive_hint is False),
        unavailable_reason=_schema_problem(schema),
        # A stranger's service may bill its user; the protocol has no word for it.
        cost=None,
    )


def _schema_problem(schema: JsonObject) -> str | None:
    try:
        check_schema(schema)
    except UnusableSchema as error:
        return f"The server describes the tool's input wrongly. {error}"
    return None


def declared_servers(manifest: Manifest) -> Iterator[DeclaredServer]:
    """The servers that a manifest names, in its integrations and its tool references."""
    for integration in manifest.integrations:
        adapter = integration.adapter
        if adapter is not None and adapter.kind == "mcp" and adapter.server:
            yield DeclaredServer(adapter.server, integration.key, integration.host_capability)
    for reference in manifest.tool_refs:
        if reference.provider.startswith(MCP_PROVIDER):
            server = reference.provider.removeprefix(MCP_PROVIDER)
            only_tool = None if reference.key == server else reference.key
            yield DeclaredServer(server, reference.key, reference.capability, only_tool)


def is_wanted(declared: DeclaredServer, server_id: str, tool: str) -> bool:
    """Whether a manifest that names a server means this tool of it."""
    names = {tool, agent_name(server_id, tool)}
    return declared.only_tool is None or declared.only_tool in names


def agent_name(server_id: str, tool: str) -> str:
    """``mcp__<server>__<tool>``, one name for each."""
    return joined_name("mcp", server_id, tool)
