"""A page's way to a tool: found before anybody is asked about it, run once the gate has let it pass.

The App Server knows what a tool does and says it in policy's words. What people agreed to goes along with the call,
where the same demands are judged once more.
"""

from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Protocol, cast

import msgspec
from pydantic import JsonValue

from lime_desktop.app_package.manifest.operations import SideEffect
from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.policy.call import DryRun, PolicyCall, Target
from lime_desktop.protocol.calls.tools import (
    DESCRIBE_TOOL,
    GIVE_INPUT,
    INVOKE_TOOL,
    DescribeToolParams,
    GiveInputParams,
    InvokeAppToolParams,
    ToolDemand,
    ToolRun,
)
from lime_desktop.protocol.errors import (
    CapabilityNotAvailable,
    InvalidInput,
    SecretRequired,
    ToolCallFailed,
)
from lime_desktop.protocol.ids import AppId, JsonObject
from lime_desktop.protocol.runtime.payload_rules import without_keys

_WAIT_MS = 5_000
"""How long an answer waits for a tool before it says that the tool still runs."""
_TO_THE_END_S = 600.0
"""Longer than any page waits: whoever gives up first ends the tool."""


@dataclass(frozen=True, slots=True)
class PassedCall:
    """A page's call, and the rules that people agreed to for it and for what the tool does."""

    call: PolicyCall
    agreed: tuple[str, ...]


passed_call: ContextVar[PassedCall] = ContextVar("passed_call")
"""The call of a tool that was let pass last. Set by the gate before a handler runs; carried by every task that it starts."""


@dataclass(frozen=True, slots=True)
class WantedTool:
    """Which tool, and with what."""

    tool: str
    input: JsonObject = field(default_factory=dict)
    action: str | None = None


@dataclass(frozen=True, slots=True)
class FoundTool:
    """A tool that is there, and what this call of it would do."""

    wanted: WantedTool
    demand: ToolDemand

    def own_call(self, page: PolicyCall) -> PolicyCall:
        """The tool's own call: in the page's name, with the page's arguments, and with what the tool does."""
        demand = self.demand
        return replace(
            page,
            capability=demand.capability,
            method=demand.method,
            also_as=demand.also_as,
            program=demand.program,
            bound_to=demand.bound_to,
            is_unconfined=demand.is_unconfined,
            arguments_summary=_summary(self.wanted.input),
            access=demand.access,
            side_effect=cast("SideEffect", demand.side_effect),
            targets=tuple(Target(each.kind, each.value) for each in demand.targets),
            operation=demand.operation or page.operation,
        )


class ToolServices(Protocol):
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


class ToolCalls:
    """Tools for one view."""

    def __init__(self, services: ToolServices) -> None:
        self._services = services

    async def find(self, wanted: WantedTool) -> FoundTool:
        """Find the tool that is meant, and what this call of it would do.

        Raises:
            ToolUnknown: there is none.
            CapabilityNotAvailable: it cannot be called now; the message says why.
            SecretRequired: it is to be shown a secret that nobody entered.
            InvalidInput: it could do nothing with this input.
        """
        params = DescribeToolParams.model_validate(self._shared(wanted))
        demand = (await self._services.call(DESCRIBE_TOOL, params)).demand
        if demand.unavailable_reason is not None:
            is_secret = demand.unavailable_code in {"secret_required", "sign_in_required"}
            refused = SecretRequired if is_secret else CapabilityNotAvailable
            raise refused(
                demand.unavailable_reason, details={"reasonCode": demand.unavailable_code}
            )
        return FoundTool(wanted, demand)

    async def begin(self, tool: FoundTool, *, keeps_input: bool = False) -> ToolRun:
        """Run a tool; a long one still runs when the answer comes, and one that waits for input is not waited for."""
        wait_ms = 0 if keeps_input else _WAIT_MS
        return await self._invoke(tool.wanted, wait_ms, keeps_input=keeps_input)

    async def give_input(self, run_id: str, tool: FoundTool, *, close: bool) -> ToolRun:
        """Give a running program what the call has as its `stdin`.

        Raises:
            ToolUnknown: this view began no such run.
            CapabilityNotAvailable: it takes no input any more.
        """
        params = GiveInputParams.model_validate(
            {**self._agreed(tool.wanted), "run_id": run_id, "close": close}
        )
        return (await self._services.call(GIVE_INPUT, params)).run

    async def finish(self, tool: FoundTool) -> ToolRun:
        """Run a tool to its end, and give what came of it.

        Raises:
            ToolCallFailed: it failed; the message says why.
        """
        run = await self._invoke(tool.wanted, None)
        if run.status != "succeeded":
            raise ToolCallFailed(run.message or "The tool failed", details=_category(run))
        return run

    async def _invoke(
        self, wanted: WantedTool, wait_ms: int | None, *, keeps_input: bool = False
    ) -> ToolRun:
        params = InvokeAppToolParams.model_validate(
            {**self._agreed(wanted), "wait_ms": wait_ms, "keeps_input": keeps_input}
        )
        return (await self._services.call(INVOKE_TOOL, params, timeout_s=_TO_THE_END_S)).run

    def _agreed(self, wanted: WantedTool) -> dict[str, object]:
        passed = passed_call.get()
        page = passed.call
        return {
            **self._shared(wanted),
            "entry": page.entry,
            "operation": page.operation,
            "has_idempotency_key": page.has_idempotency_key,
            "is_dry_run_done": page.dry_run is DryRun.DONE,
            "agreed": passed.agreed,
        }

    def _shared(self, wanted: WantedTool) -> dict[str, object]:
        return {
            "app_id": self._services.app_id,
            "tool": wanted.tool,
            "action": wanted.action,
            "input": wanted.input,
            "scope_id": self._services.view_id,
        }


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


def _summary(given: JsonObject) -> str:
    return msgspec.json.encode(without_keys(given), order="deterministic").decode()[:500]


def _category(run: ToolRun) -> dict[str, object]:
    return {"reasonCode": run.category} if run.category else {}
