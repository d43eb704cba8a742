"""How an app's evals stand: can each be run, was it, and what came of it? What was not tried is never said to have passed.

The specification asks readiness for evals that are there; what a gate says of a document is a mark on that document, and
keeps nobody from working with the app. So one that is required and failed is a warning. One that nobody has run yet says
so, and is a note: every app begins like that, and nothing is known to be wrong with it.
"""

from datetime import datetime

from lime_desktop.app_package.manifest.resources import Eval
from lime_desktop.protocol.calls.evals import EvalOutcome
from lime_desktop.readiness.codes import Code
from lime_desktop.readiness.facts import ReadinessFacts
from lime_desktop.readiness.findings import PASSED, Outcome, Tier, Verdict, failed, unknown
from lime_desktop.readiness.judges import judge_member

RAN_AT = "date"
"""The detail that a verdict has which rests on a run."""


def judge_eval(gate: Eval, facts: ReadinessFacts) -> tuple[Tier | None, Verdict]:
    """How much an eval weighs, and how it stands."""
    is_there = judge_member(gate.key, facts.available_evals, Code.EVAL_REQUIRED)
    if not is_there.is_passed:
        # A gate that nobody can run leaves what the app makes unjudged.
        is_needed = gate.required and not gate.path
        tier = Tier.REQUIRED if is_needed else Tier.RECOMMENDED if gate.path else None
        return tier, is_there
    if gate.key not in facts.triable_evals:
        # Readiness itself runs the checks of this kind.
        is_own = gate.kind == "readiness"
        return None, PASSED if is_own else unknown(Code.EVAL_WITHOUT_CASES)
    outcome = facts.eval_outcomes.get(gate.key)
    if outcome is None:
        return None, unknown(Code.EVAL_NOT_RUN)
    return Tier.RECOMMENDED if gate.required else None, _verdict(outcome, facts)


def _verdict(outcome: EvalOutcome, facts: ReadinessFacts) -> Verdict:
    details = {
        RAN_AT: datetime.fromtimestamp(outcome.at_ms / 1_000, facts.now.tzinfo).date().isoformat(),
        "cases": str(outcome.cases),
        "wrong": str(outcome.wrong),
        "worse": str(outcome.worse),
        "score": "–" if outcome.score is None else f"{outcome.score:g}",
        "threshold": f"{outcome.threshold:g}",
    }
    if outcome.is_passed:
        return Verdict(Outcome.PASSED, details=details)
    return failed(Code.EVAL_FAILED, **details)
