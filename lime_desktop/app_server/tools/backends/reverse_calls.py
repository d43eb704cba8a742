"""`lime/call`: a backend asks for a capability in its app's name, under the policy, evidence and limits of a page's call.

What differs is told: the record of the call names the service, it reaches only the capabilities that the service names, and
nobody is asked for it, since no page is there to wait. What needs a person's yes is refused until somebody gave one for good.
"""

import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import msgspec
from pydantic import JsonValue

from lime_desktop.app_package.backends import backends_of
from lime_desktop.app_package.manifest.services import Service
from lime_desktop.app_server.app_evidence.service import AppEvidence
from lime_desktop.app_server.apps.own_calls import (
    CALLS_BY_NAME,
    carry_out,
    named_call_of,
    policy_call_of,
)
from lime_desktop.app_server.apps.registered import RegisteredApp, RegisteredApps
from lime_desktop.app_server.routes import AppCalls
from lime_desktop.app_server.tools.backends.contract import ReverseCall
from lime_desktop.jsonrpc.messages import RpcError
from lime_desktop.policy.call import PolicyCall
from lime_desktop.policy.decide import decide
from lime_desktop.policy.decision import Allowed, Decision, Denied
from lime_desktop.policy.facts import PolicyFacts
from lime_desktop.policy.refusals import refusal_of
from lime_desktop.policy.vocabulary import ALWAYS_AVAILABLE
from lime_desktop.protocol.app_call import MAX_PARAMS_BYTES, AppCaller
from lime_desktop.protocol.capability_calls.call import Call
from lime_desktop.protocol.capability_calls.evidence import RecordEvidenceParams
from lime_desktop.protocol.errors import (
    AppError,
    ApprovalRequired,
    CapabilityMethodUnknown,
    CapabilityNotAvailable,
    CapabilityNotDeclared,
    InvalidInput,
    MessageTooLarge,
)
from lime_desktop.protocol.ids import JsonObject

_log = logging.getLogger(__name__)

_KIND = "capability-call"
"""As a page's calls are kept."""
_BEGINS_AN_AGENT = frozenset({"lime.agent.retryTask", "lime.agent.startTask", "lime.skills.invoke"})
"""Whose agent may ask a person in the middle: the window hears of that from the page that began it, and of no backend."""
_KEPT_REFUSALS = 256
Outcome = Literal["intended", "done", "failed", "refused"]


@dataclass(frozen=True, slots=True)
class _Asked:
    """One call, by whom, and with what."""

    app: RegisteredApp
    service: Service
    call: Call[Any, Any]
    params: JsonObject

    @property
    def caller(self) -> AppCaller:
        """Who carries it out is told this, and keeps it with whatever comes of the call."""
        named = {"service_key": self.service.key}
        return AppCaller(
            provenance=self.app.provenance.model_copy(update=named),
            workspace_id=self.app.registration.workspace_id,
        )

    def for_policy(self) -> Iterator[PolicyCall]:
        """The call as policy judges it, by its name and then with its params: nobody is there to be asked.

        Raises:
            InvalidInput: the params do not fit.
        """
        app_id, workspace = self.app.app_id, self.app.registration.workspace_id
        named = replace(named_call_of(app_id, self.call), is_interactive=False)
        yield replace(named, workspace_id=workspace)
        whole = policy_call_of(app_id, self.call, self.params)
        yield replace(whole, is_interactive=False, workspace_id=workspace)

    def facts(self, now_ms: int) -> PolicyFacts:
        """What the decision rests on; of the permissions, those that the service names, if it names any."""
        facts, named = self.app.policy_facts(now_ms), self.service.permissions
        if not named:
            return facts
        return replace(facts, grants=tuple(g for g in facts.grants if g.permission in named))


class ReverseCalls:
    """Answers all backends."""

    def __init__(
        self,
        apps: RegisteredApps,
        calls: Callable[[], AppCalls],
        evidence: AppEvidence,
        now_ms: Callable[[], int],
    ) -> None:
        self._apps = apps
        self._calls = calls
        self._evidence = evidence
        self._now_ms = now_ms
        self._refusals: dict[tuple[str, ...], None] = {}

    async def answer(self, app_id: str, service_key: str, params: msgspec.Raw) -> JsonValue:
        """Judge a call, carry it out, and keep what came of it where somebody may want to know.

        Raises:
            RpcError: it was refused or failed, with what a page would be told as its data.
        """
        try:
            return await self._answer(self._read(app_id, service_key, params))
        except AppError as error:
            raise RpcError(error.rpc_code, error.message, error.to_data()) from None

    async def _answer(self, asked: _Asked) -> JsonValue:
        try:
            allowed = self._judge(asked)
        except AppError as error:
            if self._is_news(asked, error):
                await self._keep(asked, "refused", f"was refused: {error.code}", error.details)
            raise
        if allowed.evidence_required:
            await self._keep(asked, "intended", "is about to be carried out")
        try:
            value = await carry_out(self._calls(), asked.call.name, asked.params, asked.caller)
        except AppError as error:
            await self._keep(asked, "failed", f"failed: {error.code}")
            raise
        await self._keep(asked, "done", f"was carried out: {allowed.rule.text}")
        return value

    def _is_news(self, asked: _Asked, error: AppError) -> bool:
        """Whether this refusal was not told of lately: who is refused the same over and over fills no disk."""
        name = (asked.app.app_id, asked.service.key, asked.call.name, error.code)
        is_news = name not in self._refusals
        self._refusals[name] = None
        while len(self._refusals) > _KEPT_REFUSALS:
            del self._refusals[next(iter(self._refusals))]
        return is_news

    def _read(self, app_id: str, service_key: str, params: msgspec.Raw) -> _Asked:
        raw = bytes(params)
        if len(raw) > MAX_PARAMS_BYTES:
            raise MessageTooLarge(f"The params of a call have at most {MAX_PARAMS_BYTES} bytes")
        try:
            wanted = msgspec.json.decode(raw, type=ReverseCall)
        except msgspec.DecodeError:
            raise InvalidInput.at_fields([("", "call_and_params")]) from None
        call = CALLS_BY_NAME.get(wanted.call)
        if call is None:
            raise CapabilityMethodUnknown("There is no call of this name")
        app = self._apps.get(app_id)
        service = next(
            each for each in backends_of(app.package.manifest) if each.key == service_key
        )
        given: JsonObject = wanted.params  # pyright: ignore[reportAssignmentType] - read from JSON
        return _Asked(app, service, call, given)

    def _judge(self, asked: _Asked) -> Allowed:
        """Let it pass.

        Raises:
            AppError: it must not, or cannot, be carried out.
        """
        call = asked.call
        named = asked.service.required_capabilities
        if call.capability not in ALWAYS_AVAILABLE and call.capability not in named:
            text = f"The service {asked.service.key} does not name {call.capability}."
            raise CapabilityNotDeclared(text, details={"reasonCode": "not_named_by_service"})
        decision: Decision | None = None
        for each in asked.for_policy():
            decision = decide(each, asked.facts(self._now_ms()))
            if isinstance(decision, Denied):
                raise refusal_of(call.name, decision)
        if not isinstance(decision, Allowed):
            raise ApprovalRequired("Nobody can be asked", details={"reasonCode": "nobody_to_ask"})
        if call.by != "server" or call.session_of is not None or call.name in _BEGINS_AN_AGENT:
            text = f"{call.name} needs a window, for a person to see or answer: a page calls it."
            raise CapabilityNotAvailable(text, details={"reasonCode": "needs_a_page"})
        return decision

    async def _keep(
        self,
        asked: _Asked,
        outcome: Outcome,
        said: str,
        details: Mapping[str, object] | None = None,
    ) -> None:
        """Keep what acts, and what was not let; what reads or stores for the app itself is not kept, as with pages."""
        call = asked.call
        if not call.acts or call.capability in ALWAYS_AVAILABLE:
            return
        rule = (details or {}).get("rule")
        fact = RecordEvidenceParams(
            kind=_KIND,
            message=f"{call.name} {said}",
            subject=call.name,
            refs=(
                f"outcome:{outcome}",
                f"service:{asked.service.key}",
                *((f"rule:{rule}",) if rule else ()),
            ),
        )
        await self._evidence.keep(fact, asked.caller.provenance)
