"""The gate before every capability: policy decides, a person is asked where policy says so. Runs nothing itself."""

from collections import OrderedDict
from dataclasses import replace

from lime_desktop.host.capabilities.handler import HandlerServices
from lime_desktop.host.passed_call import PassedCall, passed_call
from lime_desktop.host.refusals import refusal
from lime_desktop.host.requests.asked_call import AskedCall, Caller
from lime_desktop.policy.call import Call as PolicyCall
from lime_desktop.policy.call import DryRun
from lime_desktop.policy.decision import Allowed, Decision, Denied, NeedsApproval
from lime_desktop.policy.kept_decisions import KeptDecisions, heeds_arguments
from lime_desktop.protocol.capability_calls.call import Effect

KEPT_DRY_RUNS = 256


class PolicyGate:
    """Lets the calls of one view pass, or refuses them with the rule that did it."""

    def __init__(self, services: HandlerServices) -> None:
        self._services = services
        self._decisions = KeptDecisions()
        self._dry_runs: OrderedDict[str, None] = OrderedDict()

    def refuse_denied(self, asked: AskedCall) -> None:
        """Refuse what no yes could let pass: by its name before arguments are read, or by what they lead to."""
        _, decision = self._decide(asked)
        if isinstance(decision, Denied):
            raise refusal(asked.call.name, decision)

    def check(self, asked: AskedCall) -> Allowed:
        """Let a call pass, or raise what the app is told instead."""
        call, decision = self._decide(asked)
        match decision:
            case Allowed():
                self._services.approvals.was_allowed(call, decision)
                self._note_passed(asked, call)
                return decision
            case NeedsApproval():
                exact = replace(call, arguments_digest=asked.digest)
                raise self._services.approvals.ask(exact, decision, asked.arguments)
            case Denied():
                raise refusal(call.name, decision)

    def _note_passed(self, asked: AskedCall, call: PolicyCall) -> None:
        # Only what acts leads further, to tools that have demands of their own.
        if asked.call.effect in {Effect.EXECUTE, Effect.EXTERNAL}:
            exact = replace(call, arguments_digest=asked.digest)
            passed_call.set(PassedCall(exact, self._services.facts()))

    def note_dry_run(self, asked: AskedCall) -> None:
        """The same call may follow in earnest."""
        self._dry_runs[asked.digest] = None
        while len(self._dry_runs) > KEPT_DRY_RUNS:
            self._dry_runs.popitem(last=False)

    def _decide(self, asked: AskedCall) -> tuple[PolicyCall, Decision]:
        services = self._services
        facts = services.facts()
        call = asked.for_policy(self._caller(), self._dry_run(asked))
        if heeds_arguments(facts):
            call = replace(call, arguments_digest=asked.digest)
        decision = self._decisions.decide(call, facts)
        services.decisions.tell(call, decision)
        return call, decision

    def _caller(self) -> Caller:
        services = self._services
        entry = services.provenance.entry_key
        return Caller(services.app_id, entry, services.view_id, services.workspace_id)

    def _dry_run(self, asked: AskedCall) -> DryRun:
        if asked.payload.dry_run:
            return DryRun.THIS_CALL
        # Which call it is shows in its arguments: before those are read, nothing can be missing.
        is_done = asked.params is None or (self._dry_runs and asked.digest in self._dry_runs)
        return DryRun.DONE if is_done else DryRun.NOT_DONE
