"""The tools of one turn: offered, judged by policy, run. The only door to a tool.

Policy is asked with the app's registered facts of this moment, so that a grant that was taken back counts at once.
"""

import hashlib
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import TypeAlias, cast

import msgspec

from lime_desktop.app_package.manifest.agent_runtime import ToolDiscovery
from lime_desktop.app_server.apps.registered import RegisteredApp
from lime_desktop.app_server.runtime_core.backend import TurnRequest
from lime_desktop.app_server.task_request import allowed_tools
from lime_desktop.app_server.tools.answer_mailbox import AnswerMailbox
from lime_desktop.app_server.tools.arguments import UnusableSchema, check_schema, complaints
from lime_desktop.app_server.tools.catalogue import PolicyAsk, Tool, ToolRow
from lime_desktop.app_server.tools.discovery import best_matches
from lime_desktop.app_server.tools.find_tools import FIND_TOOLS, FindTools
from lime_desktop.app_server.tools.no_tools import APP_NOT_REGISTERED
from lime_desktop.app_server.tools.page_call_facts import NO_PAGE_FACTS, PageCallFacts
from lime_desktop.app_server.tools.remembered_approvals import RememberedApprovals
from lime_desktop.app_server.tools.tooling import ToolCall, ToolOutcome
from lime_desktop.policy.call import PolicyCall
from lime_desktop.policy.decide import decide
from lime_desktop.policy.decision import Allowed, Decision, Denied, NeedsApproval
from lime_desktop.policy.facts import PolicyFacts
from lime_desktop.policy.vocabulary import RememberScope
from lime_desktop.protocol.calls.sessions import ToolDescription
from lime_desktop.protocol.errors import AppNotInstalled, ToolUnknown
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.protocol.runtime.payload_rules import without_keys

Told: TypeAlias = ProposedEvent | ToolOutcome

USUAL_TOP_K = 5
_POLICIES = {Allowed: "allowed", NeedsApproval: "ask", Denied: "denied"}


class TurnToolset:
    """The tools of one turn of one app, gathered when the toolset is first opened: asking a tool server takes a while."""

    def __init__(
        self,
        find_app: Callable[[], RegisteredApp],
        request: TurnRequest,
        gather: Callable[[], Awaitable[Iterable[Tool]]],
        approvals: RememberedApprovals,
        clock_ms: Callable[[], int],
    ) -> None:
        self._find_app = find_app
        self._request = request
        self._gather = gather
        self._approvals = approvals
        self._clock_ms = clock_ms
        self._opened: _Opened | None = None

    async def offers(self, query: str | None = None) -> tuple[ToolDescription, ...]:
        """Every usable tool; with `toolDiscovery: on_demand` the few that fit, those looked up, and a way to find more."""
        opened = await self._open()
        if opened.discovery.mode == "none":
            return ()
        if opened.discovery.mode != "on_demand":
            return tuple(self._described(opened, tool) for tool in self._usable(opened))
        best = self._best(opened, query if query is not None else self._request.input.text)
        names = dict.fromkeys((*opened.found, *(row.name for row in best), FIND_TOOLS))
        return tuple(self._described(opened, opened.tools[name]) for name in names)

    async def inventory(self) -> tuple[ToolDescription, ...]:
        """Every tool, usable or not, with what policy says of it."""
        opened = await self._open()
        return tuple(self._described(opened, tool) for tool in opened.tools.values())

    async def describe(self, name: str) -> ToolDescription | None:
        """One tool."""
        opened = await self._open()
        tool = opened.tools.get(name)
        return None if tool is None else self._described(opened, tool)

    async def judge(self, call: ToolCall, page_facts: PageCallFacts = NO_PAGE_FACTS) -> Decision:
        """Ask policy about this very call."""
        return decide(page_facts.added_to(await self.policy_call(call)), self._facts())

    async def policy_call(self, call: ToolCall) -> PolicyCall:
        """The call in policy's words."""
        return self._policy_call(await self.asks(call), call.arguments)

    async def judge_outside(self, call: ToolCall, asks: PolicyAsk) -> Decision:
        """Ask policy about what an external agent would do with a tool of its own."""
        try:
            return decide(self._policy_call(asks, call.arguments), self._facts())
        except AppNotInstalled:
            return APP_NOT_REGISTERED

    async def asks(self, call: ToolCall) -> PolicyAsk:
        """What policy has to allow for this call."""
        return (await self._tool(call.name)).asks(call.arguments)

    async def refusal(self, call: ToolCall) -> ToolOutcome | None:
        """What would come of a call that cannot run, whoever agrees to it."""
        return _refusal((await self._tool(call.name)).row, call)

    async def row(self, wanted: str, action: str | None = None) -> ToolRow:
        """The one tool that a name or a key of the manifest means.

        Raises:
            ToolUnknown: there is none, or the key stands for several and nobody said which.
        """
        rows = [tool.row for tool in (await self._open()).tools.values()]
        found = [row for row in rows if wanted in {row.name, row.declared_as}]
        if action is not None:
            found = [row for row in found if action in {row.name, row.action} or not row.action]
        if len(found) != 1:
            there = "No tool" if not found else "More than one tool"
            raise ToolUnknown(f"{there} of this name is there for the app.")
        return found[0]

    async def remember(self, call: ToolCall, needed: NeedsApproval, scope: RememberScope) -> None:
        """Keep a yes for the rest of the task or the session, or for the workspace."""
        del call
        await self._approvals.add(self._request, needed, scope)

    async def run(
        self, call: ToolCall, mailbox: AnswerMailbox
    ) -> AsyncIterator[ProposedEvent | ToolOutcome]:
        """Check the arguments, then do it."""
        tool = await self._tool(call.name)
        if refusal := _refusal(tool.row, call):
            yield refusal
            return
        # Closed with us, and not some time later: a tool may hold a process.
        async with aclosing(cast("AsyncGenerator[Told]", tool.run(call, mailbox))) as stream:
            async for told in stream:
                yield told

    async def _open(self) -> "_Opened":
        if self._opened is None:
            await self._approvals.recall(self._request.app_id)
            try:
                discovery = _discovery(self._find_app())
                gathered = await self._gather()
            except AppNotInstalled:
                # Not for good: after a restart a turn is taken up before the host has told of its apps.
                nothing = ToolDiscovery(mode="none")
                return _Opened(nothing, self._named(nothing, ()))
            self._opened = _Opened(discovery, self._named(discovery, gathered))
        return self._opened

    async def _tool(self, name: str) -> Tool:
        opened = await self._open()
        if name not in opened.tools:
            raise ToolUnknown(f"There is no tool named {name}.")
        return opened.tools[name]

    def _named(self, discovery: ToolDiscovery, gathered: Iterable[Tool]) -> dict[str, Tool]:
        named: dict[str, Tool] = {}
        if discovery.mode == "on_demand":
            named[FIND_TOOLS] = FindTools(self._look_up)
        for tool in filter(self._is_meant(discovery), gathered):
            # The first of a name stays: no source can put its tool in the place of another's.
            named.setdefault(tool.row.name, tool)
        return named

    def _is_meant(self, discovery: ToolDiscovery) -> Callable[[Tool], bool]:
        """Which tools this turn is about: those that its task or its parent's names, else what the manifest says of tools."""
        named = allowed_tools(self._request.options)
        if named is not None:
            return lambda tool: bool(named & {tool.row.name, *tool.row.keywords})
        return lambda tool: (
            discovery.mode is not None
            or tool.row.is_declared
            or tool.row.name in self._find_app().declared.tools
        )

    async def _look_up(self, query: str) -> tuple[ToolRow, ...]:
        """Find tools for the model, and offer them from now on."""
        opened = await self._open()
        found = self._best(opened, query)
        opened.found |= dict.fromkeys(row.name for row in found)
        return found

    def _best(self, opened: "_Opened", query: str) -> tuple[ToolRow, ...]:
        rows = [tool.row for tool in self._usable(opened) if tool.row.name != FIND_TOOLS]
        return best_matches(rows, query, opened.discovery.top_k or USUAL_TOP_K)

    def _usable(self, opened: "_Opened") -> list[Tool]:
        return [
            tool for tool in opened.tools.values() if self._policy_of(tool) in {"allowed", "ask"}
        ]

    def _policy_of(self, tool: Tool) -> str:
        if tool.row.unavailable_reason is not None:
            return "unavailable"
        return _POLICIES[type(decide(self._policy_call(tool.asks({}), {}), self._facts()))]

    def _described(self, opened: "_Opened", tool: Tool) -> ToolDescription:
        row = tool.row
        with_schema = opened.discovery.include_schemas != "none"
        return ToolDescription.model_validate(
            {
                "tool_name": row.name,
                "title": row.title,
                "description": row.description,
                "input_schema": row.input_schema if with_schema else None,
                "policy": self._policy_of(tool),
                "runtime_owner": row.owner,
                "is_read_only": row.is_read_only,
                "is_destructive": row.is_destructive,
                "is_concurrency_safe": row.is_read_only,
                "keywords": row.keywords,
                "output_schema": row.output_schema if with_schema else None,
                "unavailable_reason": row.unavailable_reason,
                "cost": row.cost,
            }
        )

    def _facts(self) -> PolicyFacts:
        facts = self._find_app().policy_facts(self._clock_ms())
        return replace(facts, approvals=self._approvals.of(self._request.app_id))

    def _policy_call(self, asks: PolicyAsk, arguments: JsonObject) -> PolicyCall:
        request = self._request
        wishes = request.options.runtime_request
        text = msgspec.json.encode(arguments, order="deterministic")
        digest = hashlib.sha256(text).hexdigest()
        return PolicyCall(
            app_id=request.app_id,
            capability=asks.capability,
            method=asks.method,
            also_as=asks.also_as,
            program=asks.program,
            bound_to=_bound(asks, digest),
            is_unconfined=asks.is_unconfined,
            operation=asks.operation,
            targets=asks.targets,
            access=asks.access,
            side_effect=asks.side_effect,
            arguments_summary=msgspec.json.encode(
                without_keys(arguments), order="deterministic"
            ).decode()[:500],
            arguments_digest=digest,
            has_idempotency_key=asks.has_idempotency_key,
            is_interactive=wishes is None or wishes.approval_policy != "never",
            task_id=request.whole_task_id,
            session_id=request.session_id,
            workspace_id=request.workspace_id,
        )


@dataclass(slots=True)
class _Opened:
    """What was in the toolset when it was opened, and what the model has looked up since."""

    discovery: ToolDiscovery
    tools: Mapping[str, Tool]
    found: dict[str, None] = field(default_factory=dict[str, None])


def _discovery(app: RegisteredApp) -> ToolDiscovery:
    runtime = app.package.manifest.agent_runtime
    task = runtime.agent_task if runtime else None
    return (task.tool_discovery if task else None) or ToolDiscovery()


def _bound(asks: PolicyAsk, arguments_digest: str) -> str:
    if not asks.bound_to:
        return ""
    text = msgspec.json.encode([asks.bound_to, arguments_digest if asks.binds_arguments else ""])
    return hashlib.sha256(text).hexdigest()


def _refusal(row: ToolRow, call: ToolCall) -> ToolOutcome | None:
    if row.unavailable_reason is not None:
        return ToolOutcome(
            call.call_id, row.unavailable_reason, is_error=True, category=row.unavailable_code
        )
    try:
        check_schema(row.input_schema)
        wrong = complaints(row.input_schema, call.arguments)
    except UnusableSchema as error:
        return ToolOutcome(call.call_id, str(error), is_error=True, category="tool_unavailable")
    if not wrong:
        return None
    text = "The arguments do not fit the tool's schema. " + " ".join(wrong)
    return ToolOutcome(call.call_id, text, is_error=True, category="invalid_arguments")
