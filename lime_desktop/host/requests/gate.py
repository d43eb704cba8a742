"""The gate before every capability: policy decides, a person is asked where policy says so. Runs nothing itself."""

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from lime_desktop.host.capabilities.cloud_session import unobtainable
from lime_desktop.host.capabilities.handler import HandlerServices
from lime_desktop.host.requests.asked_call import AskedCall, Caller
from lime_desktop.host.view.tool_calls import FoundTool, PassedCall, passed_call
from lime_desktop.policy.call import DryRun, PolicyCall
from lime_desktop.policy.decide import KeptDecisions, decide, heeds_arguments
from lime_desktop.policy.decision import Allowed, Decision, Denied, NeedsApproval
from lime_desktop.policy.declared import Declared
from lime_desktop.policy.facts import PolicyFacts
from lime_desktop.policy.refusals import refusal_of
from lime_desktop.policy.resolved_call import ResolvedCall, resolve_call
from lime_desktop.policy.vocabulary import strongest
from lime_desktop.protocol.capability_calls.call import DryRunResult, Effect

KEPT_DRY_RUNS = 256
_ASKED_IN_WINDOW: Mapping[str, frozenset[str]] = {
    "lime.ui.openExternal": frozenset({"host.risk.unnamed-site"})
}
"""What the window asks the person about by itself, with the address before them: nobody is asked twice about one thing."""


class PolicyGate:
    """Lets the calls of one view pass, or refuses them with the rule that did it."""

    def __init__(self, services: HandlerServices) -> None:
        self._services = services
        self._decisions = KeptDecisions()
        self._dry_runs: OrderedDict[str, None] = OrderedDict()
        self._asked_last: dict[str, int] = {}
        """Of calls that are made again until they are answered: a hash of the last arguments of each."""

    @property
    def heeds_arguments(self) -> bool:
        """Whether a decision can hang on the exact arguments of a call now."""
        return heeds_arguments(self._services.facts())

    def refuse_denied(self, asked: AskedCall) -> None:
        """Refuse what no yes could let pass: by its name before arguments are read, or by what they lead to."""
        page, decision = self._decide(asked)
        if isinstance(decision, Denied):
            raise refusal_of(page.name, decision)
        if asked.tool is not None:
            self._judge_tool(asked.tool.own_call(page))

    def check(self, asked: AskedCall) -> Allowed:
        """Let a call pass, or raise what the app is told instead."""
        call, decision = self._decide(asked)
        match decision:
            case Allowed() | NeedsApproval() if asked.tool is not None:
                exact = replace(call, arguments_digest=asked.digest)
                return self._check_tool(asked, asked.tool, exact, decision)
            case Allowed():
                if not self._is_the_same_again(asked):
                    self._services.approvals.was_allowed(call, decision)
                return decision
            case NeedsApproval() if decision.rule_ids <= _ASKED_IN_WINDOW.get(
                call.name, frozenset()
            ):
                return Allowed(rule=decision.rule)
            case NeedsApproval():
                return self._ask(asked, call, decision)
            case Denied():
                raise refusal_of(call.name, decision)

    def _ask(self, asked: AskedCall, call: PolicyCall, decision: NeedsApproval) -> Allowed:
        """Ask a person, unless they have just done it themselves or no answer could help."""
        if (error := unobtainable(call.name)) is not None:
            raise error
        exact = replace(call, arguments_digest=asked.digest)
        allowed = self._own_act(asked, exact)
        if allowed is not None:
            return allowed
        self._hear_press(asked, exact)
        raise self._services.approvals.ask(exact, decision, asked.arguments)

    def _hear_press(self, asked: AskedCall, call: PolicyCall) -> None:
        """Who presses for what they have just said no to is asked again. What only reads is as likely a page's own doing."""
        if asked.call.effect is not Effect.READ:
            self._services.approvals.heed_press(call, self._services.shell.take_press)

    def _is_the_same_again(self, asked: AskedCall) -> bool:
        """Whether somebody only asks how the same thing stands: one review that is waited for is one, not a hundred."""
        if not asked.call.is_idempotent:
            return False
        name, arguments = asked.call.name, hash(asked.written)
        is_same = self._asked_last.get(name) == arguments
        self._asked_last[name] = arguments
        return is_same

    def _own_act(self, asked: AskedCall, call: PolicyCall) -> Allowed | None:
        """Allow a call that can be undone if the person has just pressed something; one gesture allows one call."""
        services = self._services
        if not asked.call.can_be_undone or services.approvals.was_declined(call):
            return None
        pressed = replace(call, is_own_act=True)
        decision = decide(pressed, services.facts())
        # Asked last: a press must not be spent on what is asked about all the same.
        if not isinstance(decision, Allowed) or not services.shell.take_press():
            return None
        services.decisions.publish(pressed, decision)
        services.approvals.was_allowed(pressed, decision)
        return decision

    def _check_tool(
        self, asked: AskedCall, tool: FoundTool, page: PolicyCall, decision: Allowed | NeedsApproval
    ) -> Allowed:
        """Judge the page's call together with what the tool does, so that a person is asked once about both."""
        services, own, facts = self._services, tool.own_call(page), self._services.facts()
        judged = self._judge_tool(own)
        answered = _questioned(page, facts)
        if isinstance(judged, NeedsApproval) and not judged.rule_ids <= answered:
            also = (page, decision) if isinstance(decision, NeedsApproval) else None
            self._hear_press(asked, own)
            raise services.approvals.ask(own, judged, tool.wanted.input, also)
        if isinstance(decision, NeedsApproval):
            self._hear_press(asked, page)
            raise services.approvals.ask(page, decision, asked.arguments)
        self._use_up((page, decision), (own, judged))
        passed_call.set(PassedCall(page, tuple(sorted(answered | _questioned(own, facts)))))
        wants_evidence = isinstance(judged, Allowed) and judged.evidence_required
        return replace(decision, evidence_required=decision.evidence_required or wants_evidence)

    def _judge_tool(self, own: PolicyCall) -> Allowed | NeedsApproval:
        judged = decide(own, self._services.facts())
        self._services.decisions.publish(own, judged)
        if isinstance(judged, Denied):
            raise refusal_of(own.name, judged)
        return judged

    def _use_up(self, *decided: tuple[PolicyCall, Allowed | NeedsApproval]) -> None:
        for call, decision in decided:
            if isinstance(decision, Allowed):
                self._services.approvals.was_allowed(call, decision)

    def dry_run(self, asked: AskedCall) -> DryRunResult:
        """Tell what a call would do; the same call may follow in earnest. Nothing is done: nobody is asked about it.

        Raises:
            AppError: it would be refused.
        """
        self.refuse_denied(asked)
        page = asked.for_policy(self._caller(), DryRun.THIS_CALL)
        outcome = _foresee(asked, page, self._services.facts().declared)
        self._dry_runs[asked.digest] = None
        while len(self._dry_runs) > KEPT_DRY_RUNS:
            self._dry_runs.popitem(last=False)
        return outcome

    def _decide(self, asked: AskedCall) -> tuple[PolicyCall, Decision]:
        services = self._services
        facts = services.facts()
        call = asked.for_policy(self._caller(), self._dry_run(asked))
        if heeds_arguments(facts):
            call = replace(call, arguments_digest=asked.digest)
        decision = self._decisions.decide(call, facts)
        services.decisions.publish(call, decision)
        return call, decision

    def _caller(self) -> Caller:
        services = self._services
        entry = services.provenance.entry_key
        return Caller(services.app_id, entry, services.view_id, services.workspace_id)

    def _dry_run(self, asked: AskedCall) -> DryRun:
        if asked.payload.dry_run:
            return DryRun.THIS_CALL
        # Which call it is shows in its arguments: before those are read, nothing can be missing.
        is_done = asked.is_unread or (self._dry_runs and asked.digest in self._dry_runs)
        return DryRun.DONE if is_done else DryRun.NOT_DONE


def _questioned(call: PolicyCall, facts: PolicyFacts) -> frozenset[str]:
    """The rules that somebody has to have answered before this call can pass."""
    decision = decide(call, replace(facts, approvals=()))
    return decision.rule_ids if isinstance(decision, NeedsApproval) else frozenset()


def _foresee(asked: AskedCall, page: PolicyCall, declared: Declared) -> DryRunResult:
    """Sum up the page's call and, where it leads to a tool, what the tool would do."""
    calls = (page,) if asked.tool is None else (page, asked.tool.own_call(page))
    readings = [resolve_call(each, declared) for each in calls]
    return DryRunResult(
        call=asked.call.name,
        operation=calls[-1].operation,
        side_effect=strongest(effect for reading in readings for effect in reading.effects),
        reaches=tuple(dict.fromkeys(_reached(readings))),
    )


def _reached(readings: Iterable[ResolvedCall]) -> Iterator[str]:
    for reading in readings:
        yield from map(str, reading.call.targets)
        for operation in reading.operations:
            if operation.integration is not None:
                yield f"integration {operation.integration}"
