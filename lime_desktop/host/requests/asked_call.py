"""One capability call as an app asked for it, and as policy hears of it: in the host's words, not the app's.

What the call reaches for is read from its arguments: the names that policy holds against the manifest and the rules.
"""

import hashlib
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import Any, NamedTuple, cast

import msgspec
from pydantic import BaseModel, JsonValue
from pydantic_core import from_json

from lime_desktop.host.view.tool_calls import FoundTool
from lime_desktop.policy.call import DryRun, PolicyCall, Target
from lime_desktop.policy.called import ACCESS, leads_on, side_effect_of, targets_of
from lime_desktop.policy.steps.risk import is_risky_by_name
from lime_desktop.policy.vocabulary import ALWAYS_AVAILABLE
from lime_desktop.protocol.agent_tasks import StartTaskParams
from lime_desktop.protocol.bridge.from_app import InvokePayload
from lime_desktop.protocol.capability_calls.call import Call
from lime_desktop.protocol.errors import InvalidInput
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.payload_rules import without_keys

_GIVING = frozenset(
    {
        "lime.files.pick",
        "lime.knowledge.bind",
        "lime.policy.requestPermission",
        "lime.secrets.requestBinding",
        "lime.settings.set",
        "lime.skills.bind",
        "lime.ui.selectDirectory",
        "lime.workspace.open",
    }
)
"""By these a person gives an app something of theirs, or its settings are changed."""


class Caller(NamedTuple):
    """Who asks: the view is the authority, whatever its page says."""

    app_id: str
    entry: str | None
    session_id: str
    workspace_id: str


@dataclass(frozen=True)
class AskedCall:
    """A call of the table, with what the app sent along."""

    call: Call[Any, Any]
    payload: InvokePayload
    checked: BaseModel | None = None
    """The checked arguments; None before they were read."""
    tool: FoundTool | None = None
    """The tool that the call leads to, once it was found."""
    has_more: bool = False
    """Whether the checked arguments hold what came beside them: a key, or a limit of cost."""
    is_passed_on: bool = False
    """Whether the App Server reads the arguments, and the host only where policy wants to know them exactly."""

    @cached_property
    def params(self) -> BaseModel | None:
        """The checked arguments; None where the call is judged by its name alone.

        Raises:
            InvalidInput: they do not fit.
        """
        return self.read().checked if self.is_passed_on else self.checked

    @property
    def targets(self) -> tuple[Target, ...]:
        """What the arguments reach for, as far as they were read."""
        # What is passed on leads nowhere by its kind: see `may_pass_on`.
        return () if self.checked is None else targets_of(self.checked)

    @property
    def may_pass_on(self) -> bool:
        """Whether policy can judge the call without looking into its arguments."""
        call, payload = self.call, self.payload
        has_more = payload.dry_run or payload.idempotency_key or payload.cost_limit
        return call.by == "server" and not call.acts and not leads_on(call.params) and not has_more

    @property
    def is_trust_relevant(self) -> bool:
        """Whether somebody may later want to know of this call, and of what came of it."""
        call = self.call
        return (call.acts and call.capability not in ALWAYS_AVAILABLE) or call.name in _GIVING

    @property
    def written(self) -> bytes:
        """The arguments as they pass to whoever carries the call out: as they came, unless something came beside them."""
        if self.checked is None or not self.has_more:
            return self.payload.written_arguments
        return self.checked.model_dump_json(by_alias=True, exclude_unset=True).encode()

    @property
    def is_keyed(self) -> bool:
        """Whether a key came along, under which the call has its effect once. Without one it is no repetition."""
        return self.payload.idempotency_key is not None

    @property
    def is_unread(self) -> bool:
        """Whether the call is judged by its name alone."""
        return self.checked is None and not self.is_passed_on

    @cached_property
    def arguments(self) -> JsonValue:
        """The arguments as they were understood: defaults in place, however the page wrote them."""
        return None if self.params is None else self.params.model_dump(mode="json", by_alias=True)

    @cached_property
    def digest(self) -> str:
        """The same for the same call with the same arguments; empty before they were read."""
        if self.params is None:
            return ""
        text = msgspec.json.encode([self.call.name, self.arguments], order="deterministic")
        return hashlib.sha256(text).hexdigest()

    def read(self) -> "AskedCall":
        """The same call with its arguments checked, and the key and the cost limit that came beside them.

        Raises:
            InvalidInput: they do not fit, or the call cannot be limited that way.
        """
        params = cast("BaseModel", self.call.read_params(self.payload.written_arguments))
        beside = self._beside(params)
        return AskedCall(
            self.call,
            self.payload,
            params.model_copy(update=beside) if beside else params,
            has_more=bool(beside),
        )

    def for_policy(self, caller: Caller, dry_run: DryRun) -> PolicyCall:
        """The call as policy judges it: before its arguments are read, or with what they reach for.

        Without their digest, unless a yes is to be bound to them: it takes long, and few decisions look at it.
        """
        named = self._bound(_named_call(caller, self.call, self.payload.operation, dry_run))
        cost = _estimated_cost(self.call, self.checked)
        targets, has_key = self.targets, self._has_key
        if not (targets or has_key) and cost is None:
            return named
        return replace(named, targets=targets, has_idempotency_key=has_key, estimated_cost=cost)

    def _bound(self, named: PolicyCall) -> PolicyCall:
        """The call with what a kept yes would be bound to."""
        if self.tool is not None:
            own = self.tool.own_call(named)
            return replace(
                named,
                bound_to=own.bound_to,
                program=own.program,
                arguments_summary=own.arguments_summary,
            )
        if not is_risky_by_name(named.capability, named.method) or self.params is None:
            return named
        text = msgspec.json.encode(without_keys(self.arguments), order="deterministic")
        return replace(named, bound_to=self.digest, arguments_summary=text.decode()[:500])

    def _beside(self, params: BaseModel) -> dict[str, object]:
        payload = self.payload
        if payload.idempotency_key is None and payload.cost_limit is None:
            return {}
        fields = type(params).model_fields
        if payload.cost_limit is not None and "cost_limit" not in fields:
            raise InvalidInput.at_fields([("costLimit", "not_limitable")])
        return {
            name: value
            for name in ("idempotency_key", "cost_limit")
            if (value := getattr(payload, name)) is not None
            and name in fields
            and getattr(params, name) is None
        }

    @property
    def _has_key(self) -> bool:
        if self.payload.idempotency_key:
            return True
        written = self.payload.written_arguments
        # Few calls have one among their arguments: most are not read for it.
        if b"idempotencyKey" not in written:
            return False
        try:
            arguments = from_json(written)
        except ValueError:
            # What cannot be read is refused where it is read.
            return False
        return isinstance(arguments, dict) and bool(
            cast("JsonObject", arguments).get("idempotencyKey")
        )


@lru_cache(maxsize=512)
def _named_call(
    caller: Caller, call: Call[Any, Any], operation: str | None, dry_run: DryRun
) -> PolicyCall:
    """A call with everything that its arguments do not change: the same for each time it is made."""
    return PolicyCall(
        app_id=caller.app_id,
        entry=caller.entry,
        session_id=caller.session_id,
        workspace_id=caller.workspace_id,
        capability=call.capability,
        method=call.method,
        operation=operation,
        access=ACCESS[call.effect],
        side_effect=side_effect_of(call),
        dry_run=dry_run,
        event_direction="subscribe" if call.method == "subscribe" else "publish",
    )


def _estimated_cost(call: Call[Any, Any], params: object | None) -> Decimal | None:
    """An agent costs something; how much is not known before, but never more than its limit."""
    if call.name not in {"lime.agent.startTask", "lime.agent.retryTask"}:
        return None
    limit = params.cost_limit if isinstance(params, StartTaskParams) else None
    return Decimal(str(limit.amount)) if limit else Decimal(0)
