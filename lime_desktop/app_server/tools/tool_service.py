"""Answers tool/*, and how such a run stands: a tool run for a page. The host decided about the page's call; the tool's own demands are judged here."""

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.routes import AppCalls
from lime_desktop.app_server.runtime_core.identities import new_id
from lime_desktop.app_server.tools.arguments import arguments_for
from lime_desktop.app_server.tools.broker import ToolBroker
from lime_desktop.app_server.tools.catalogue import ToolRow
from lime_desktop.app_server.tools.invocations import Invocations
from lime_desktop.app_server.tools.outside_turns import request_outside_turns
from lime_desktop.app_server.tools.page_call_facts import PageCallFacts
from lime_desktop.app_server.tools.tooling import LiveCall, ToolCall
from lime_desktop.app_server.tools.toolset import TurnToolset
from lime_desktop.policy.decision import Allowed, Decision, Denied, NeedsApproval
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.calls.tools import (
    AgreedToolParams,
    AppToolParams,
    DescribeToolParams,
    DescribeToolResult,
    GiveInputParams,
    InvokeAppToolParams,
    ToolDemand,
    ToolRunResult,
    ToolTarget,
)
from lime_desktop.protocol.capability_calls.tools import (
    CANCEL_RUN,
    GET_PROGRESS,
    GET_RUN,
    CommandRun,
    CommandRunParams,
    InvocationParams,
    ToolInvocation,
)
from lime_desktop.protocol.errors import (
    ApprovalRequired,
    InvalidInput,
    PermissionDenied,
    PolicyDenied,
)


class ToolService:
    """The face of the tools towards the host."""

    def __init__(self, broker: ToolBroker, invocations: Invocations) -> None:
        self._broker = broker
        self._invocations = invocations

    def serve(self, calls: AppCalls) -> None:
        """Answer what apps ask of the tools that run for them."""
        calls.add(GET_PROGRESS, self.get_progress)
        calls.add(GET_RUN, self.get_run)
        calls.add(CANCEL_RUN, self.cancel_run)

    async def describe(
        self, params: DescribeToolParams, context: CallContext
    ) -> DescribeToolResult:
        """Find the tool, and say what policy must be asked about this call of it."""
        toolset = self._toolset(params, context)
        row = await toolset.row(params.tool, params.action)
        call = _call(row, params)
        refused = await toolset.refusal(call)
        if refused is not None and refused.category == "invalid_arguments":
            raise InvalidInput.at_fields([("input", "unfit_for_tool")])
        asks = await toolset.policy_call(call)
        demand = ToolDemand(
            tool_name=row.name,
            title=row.title,
            capability=asks.capability,
            method=asks.method,
            also_as=asks.also_as,
            program=asks.program,
            bound_to=asks.bound_to,
            is_unconfined=asks.is_unconfined,
            access=asks.access,
            side_effect=asks.side_effect,
            targets=tuple(
                ToolTarget(kind=target.kind, value=target.value) for target in asks.targets
            ),
            operation=asks.operation,
            unavailable_reason=refused.text if refused else None,
            unavailable_code=refused.category if refused else None,
        )
        return DescribeToolResult(demand=demand)

    async def invoke(self, params: InvokeAppToolParams, context: CallContext) -> ToolRunResult:
        """Judge, begin, and wait as long as the caller wants to."""
        toolset = self._toolset(params, context)
        row = await toolset.row(params.tool, params.action)
        call = _call(row, params)
        await _judge(toolset, call, params)
        begun = self._invocations.begin(
            params.app_id,
            LiveCall(call.call_id, call.name, call.arguments) if params.keeps_input else call,
            toolset,
            is_alone=not (row.is_read_only or row.has_methods),
            scope_id=params.scope_id,
        )
        if params.wait_ms is not None:
            run = await self._invocations.watch(params.app_id, begun, params.wait_ms / 1_000)
            return ToolRunResult(run=run)
        try:
            return ToolRunResult(run=await self._invocations.watch(params.app_id, begun, None))
        finally:
            # Ended already, unless the caller gave up: then nobody would ever ask for what comes of it.
            await self._invocations.cancel(params.app_id, begun)

    async def give_input(self, params: GiveInputParams, context: CallContext) -> ToolRunResult:
        """Judge the program with this input as a run of it is judged, then give it."""
        toolset = self._toolset(params, context)
        call = _call(await toolset.row(params.tool, params.action), params)
        await _judge(toolset, call, params)
        run = self._invocations.give_input(
            params.app_id, params.scope_id, params.run_id, call, close=params.close
        )
        return ToolRunResult(run=run)

    async def get_progress(self, params: InvocationParams, caller: AppCaller) -> ToolInvocation:
        """How far a tool is."""
        run = await self._invocations.watch(caller.app_id, params.invocation_id, 0)
        return run.as_invocation()

    async def get_run(self, params: CommandRunParams, caller: AppCaller) -> CommandRun:
        """How a command stands."""
        run = await self._invocations.watch(caller.app_id, params.run_id, 0)
        return run.as_command_run()

    async def cancel_run(self, params: CommandRunParams, caller: AppCaller) -> CommandRun:
        """Stop a command; one that has ended stays as it is."""
        run = await self._invocations.cancel(caller.app_id, params.run_id)
        return run.as_command_run()

    def _toolset(self, params: AppToolParams, context: CallContext) -> TurnToolset:
        request = request_outside_turns(params.app_id, params.scope_id, context.trace_id)
        return self._broker.toolset_for(request)


def _call(row: ToolRow, params: AppToolParams) -> ToolCall:
    return ToolCall(new_id("call"), row.name, arguments_for(row, params.action, params.input))


async def _judge(toolset: TurnToolset, call: ToolCall, params: AgreedToolParams) -> None:
    page_facts = PageCallFacts(
        entry=params.entry,
        operation=params.operation,
        has_idempotency_key=params.has_idempotency_key,
        is_dry_run_done=params.is_dry_run_done,
    )
    _let_pass(await toolset.judge(call, page_facts), frozenset(params.agreed))


def _let_pass(decision: Decision, agreed: frozenset[str]) -> None:
    match decision:
        case Allowed():
            return
        case Denied():
            text = f"Refused by policy: {decision.rule.text} {decision.would_change}"
            refused = PermissionDenied if decision.rule.layer == "user" else PolicyDenied
            raise refused(text, details={"rule": decision.rule.id})
        case NeedsApproval():
            left = [rule.id for rule in decision.question.reasons if rule.id not in agreed]
            if left or decision.question.kind == "elicitation":
                text = f"Nobody agreed to this yet: {decision.rule.text}"
                raise ApprovalRequired(text, details={"rules": left})
