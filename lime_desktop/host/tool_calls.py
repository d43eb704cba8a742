"""A page's way to a tool. The page's own call passed the gate; here the tool's own demands are put to policy and people.

The App Server knows what a tool does and says it in policy's words. What the gate did not ask about is asked here;
what people agreed to, here or there, goes along with the call, where the same demands are judged once more.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Protocol, cast

from pydantic import JsonValue

from lime_desktop.app_package.manifest.operations import SideEffect
from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.approvals.calls import CallApprovals
from lime_desktop.host.decisions import Decisions
from lime_desktop.host.passed_call import PassedCall, passed_call
from lime_desktop.host.refusals import refusal
from lime_desktop.policy.call import Call, DryRun, Target
from lime_desktop.policy.decide import decide
from lime_desktop.policy.decision import Allowed, Denied, NeedsApproval
from lime_desktop.policy.facts import PolicyFacts
from lime_desktop.protocol.calls.tools import (
    CANCEL_TOOL,
    DESCRIBE_TOOL,
    INVOKE_TOOL,
    READ_TOOL_PROGRESS,
    CancelToolParams,
    DescribeToolParams,
    InvokeAppToolParams,
    ReadToolProgressParams,
    ToolDemand,
    ToolRun,
)
from lime_desktop.protocol.errors import CapabilityNotAvailable, InvalidInput, ToolCallFailed
from lime_desktop.protocol.ids import AppId, JsonObject

_WAIT_MS = 5_000
"""How long an answer waits for a tool before it says that the tool still runs."""
_TO_THE_END_S = 600.0
"""Longer than any page waits: whoever gives up first ends the tool."""


@dataclass(frozen=True, slots=True)
class WantedTool:
    """Which tool, and with what."""

    tool: str
    input: JsonObject = field(default_factory=dict)
    action: str | None = None


class ToolSurroundings(Protocol):
    """What a view has that its tools need."""

    @property
    def app_id(self) -> AppId:
        """The app that asks."""
        ...

    @property
    def view_id(self) -> str:
        """Its view that asks."""
        ...

    @property
    def call(self) -> CallServer:
        """The way to the App Server."""
        ...

    @property
    def facts(self) -> Callable[[], PolicyFacts]:
        """What policy goes by now."""
        ...

    @property
    def approvals(self) -> CallApprovals:
        """The way to a person."""
        ...

    @property
    def decisions(self) -> Decisions:
        """Where it is said what policy decided."""
        ...


class ToolCalls:
    """Tools for one view."""

    def __init__(self, services: ToolSurroundings) -> None:
        self._services = services

    async def begin(self, wanted: WantedTool) -> ToolRun:
        """Run a tool; a long one still runs when the answer comes."""
        return await self._invoke(wanted, _WAIT_MS, _TO_THE_END_S)

    async def finish(self, wanted: WantedTool) -> ToolRun:
        """Run a tool to its end, and give what came of it.

        Raises:
            ToolCallFailed: it failed; the message says why.
        """
        run = await self._invoke(wanted, None, _TO_THE_END_S)
        if run.status != "succeeded":
            raise ToolCallFailed(run.message or "The tool failed", details=_category(run))
        return run

    async def progress(self, invocation_id: str) -> ToolRun:
        """How far a tool is."""
        params = ReadToolProgressParams(app_id=self._services.app_id, invocation_id=invocation_id)
        return (await self._services.call(READ_TOOL_PROGRESS, params)).run

    async def cancel(self, invocation_id: str) -> ToolRun:
        """Stop a tool."""
        params = CancelToolParams(app_id=self._services.app_id, invocation_id=invocation_id)
        return (await self._services.call(CANCEL_TOOL, params)).run

    async def _invoke(self, wanted: WantedTool, wait_ms: int | None, timeout_s: float) -> ToolRun:
        services = self._services
        shared = {
            "app_id": services.app_id,
            "tool": wanted.tool,
            "action": wanted.action,
            "input": wanted.input,
            "scope_id": services.view_id,
        }
        described = await services.call(DESCRIBE_TOOL, DescribeToolParams.model_validate(shared))
        if described.demand.unavailable_reason is not None:
            raise CapabilityNotAvailable(described.demand.unavailable_reason)
        passed = passed_call.get()
        page = passed.call
        agreed = self._judge(passed, _own_call(page, described.demand), wanted.input)
        params = InvokeAppToolParams.model_validate(
            {
                **shared,
                "entry": page.entry,
                "operation": page.operation,
                "has_idempotency_key": page.has_idempotency_key,
                "is_dry_run_done": page.dry_run is DryRun.DONE,
                "agreed": agreed,
                "wait_ms": wait_ms,
            }
        )
        return (await services.call(INVOKE_TOOL, params, timeout_s=timeout_s)).run

    def _judge(self, passed: PassedCall, own: Call, arguments: JsonValue) -> tuple[str, ...]:
        """The rules that people agreed to for this call; raises what the page is told where they have not."""
        services, facts = self._services, self._services.facts()
        asked_before = _questions(passed.call, passed.facts)
        answered = _rules(asked_before)
        decision = decide(own, facts)
        services.decisions.tell(own, decision)
        match decision:
            case Denied():
                raise refusal(own.name, decision)
            case NeedsApproval() if not _rules(decision) <= answered:
                if asked_before is not None:
                    services.approvals.hold(passed.call, asked_before)
                raise services.approvals.ask(own, decision, arguments)
            case Allowed():
                services.approvals.was_allowed(own, decision)
            case NeedsApproval():
                pass
        return tuple(sorted(answered | _rules(_questions(own, facts))))


def read_input(value: JsonValue) -> JsonObject:
    """A tool's input is an object; none at all is an empty one.

    Raises:
        InvalidInput: it is something else.
    """
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise InvalidInput.at_fields([("input", "dict_type")])
    return value


def _questions(call: Call, facts: PolicyFacts) -> NeedsApproval | None:
    """What somebody had to answer before this call could pass, if anything."""
    decision = decide(call, replace(facts, approvals=()))
    return decision if isinstance(decision, NeedsApproval) else None


def _rules(needed: NeedsApproval | None) -> frozenset[str]:
    return frozenset(rule.id for rule in needed.question.reasons) if needed else frozenset()


def _own_call(page: Call, demand: ToolDemand) -> Call:
    """The tool's own call: in the page's name, with the page's arguments, and with what the tool does."""
    return replace(
        page,
        capability=demand.capability,
        method=demand.method,
        access=demand.access,
        side_effect=cast("SideEffect", demand.side_effect),
        targets=tuple(Target(each.kind, each.value) for each in demand.targets),
        operation=demand.operation or page.operation,
    )


def _category(run: ToolRun) -> dict[str, object]:
    return {"reasonCode": run.category} if run.category else {}
