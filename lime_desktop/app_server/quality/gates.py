"""What the gates of an app say of one content, and what follows from all of them. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from lime_desktop.app_package.eval_files import QualityGate
from lime_desktop.app_package.value_schema import fits
from lime_desktop.app_server.quality.checks import (
    MOST_REASONS,
    CheckResult,
    Subject,
    check_banned_words,
    run_check,
)
from lime_desktop.protocol.acceptance import (
    AcceptanceStatus,
    GateOutcome,
    GateReason,
    SetBy,
)
from lime_desktop.protocol.ids import JsonObject

WORDS_KEY = "content.bannedWords"
"""The gate that every app has for whom somebody banned words, whatever it declares itself."""
USUAL_THRESHOLD = 1.0


@dataclass(frozen=True, slots=True)
class Threshold:
    """What a gate is held to, and by whom."""

    value: float
    set_by: SetBy = "app"


def threshold_of(gate: QualityGate, set_: Mapping[str, Threshold]) -> Threshold:
    """What was set for a gate, or what its app declares."""
    declared = gate.declared.threshold
    return set_.get(gate.declared.key, Threshold(USUAL_THRESHOLD if declared is None else declared))


def run_gate(gate: QualityGate, subject: Subject, threshold: Threshold) -> GateOutcome:
    """Run every check; the lowest score is the gate's."""
    results = [run_check(check, subject, gate.schemas) for check in gate.file.checks]
    outcome = outcome_of(gate, results, threshold)
    is_open = gate.is_for_people and outcome.status == "passed"
    return outcome.model_copy(update={"status": "waiting"}) if is_open else outcome


def outcome_of(
    gate: QualityGate, results: Sequence[CheckResult], threshold: Threshold
) -> GateOutcome:
    """What the results of a gate's checks come to."""
    score = min((each.score for each in results), default=1.0)
    is_passed = score >= threshold.value
    reasons = () if is_passed else tuple(reason for each in results for reason in each.reasons)
    return GateOutcome(
        eval_key=gate.declared.key,
        kind=gate.declared.kind or "quality",
        status="passed" if is_passed else "failed",
        score=round(score, 4) if results else None,
        threshold=threshold.value if results else None,
        threshold_set_by=threshold.set_by if results else None,
        reasons=reasons[:MOST_REASONS],
        questions=gate.file.questions,
    )


def unread(gate: QualityGate) -> GateOutcome:
    """What a gate says of bytes that hold no words: a person may look at them, a check cannot."""
    if not gate.file.checks:
        return run_gate(gate, Subject(None), Threshold(USUAL_THRESHOLD))
    blank = outcome_of(
        gate, [CheckResult(0.0, (GateReason(code="not-readable", detail=""),))], Threshold(1.0)
    )
    return blank.model_copy(update={"status": "failed"})


def words_gate(subject: Subject) -> Iterable[GateOutcome]:
    """The gate that whoever governs puts before every deliverable, where they banned words."""
    if subject.banned:
        result = check_banned_words(subject.banned, subject.content)
        yield GateOutcome(
            eval_key=WORDS_KEY,
            kind="safety",
            status="passed" if result.score else "failed",
            score=result.score,
            threshold=1.0,
            threshold_set_by=subject.banned[0].set_by,
            reasons=result.reasons,
        )


def kind_gate(
    kind: str, schema: JsonObject, content: tuple[JsonValue] | None
) -> Iterable[GateOutcome]:
    """What is wrong where a deliverable has not the form of its kind; one that has it is not worth a word."""
    if content is not None and not fits(schema, content[0]):
        yield GateOutcome(
            eval_key=f"artifactTypes.{kind}",
            kind="quality",
            status="failed",
            score=0.0,
            threshold=1.0,
            threshold_set_by="app",
            reasons=(GateReason(code="schema", detail=kind[:300]),),
        )


def status_of(outcomes: Iterable[GateOutcome]) -> AcceptanceStatus:
    """One failed gate is enough not to accept; one that waits is enough to wait."""
    found = {each.status for each in outcomes}
    if "failed" in found:
        return "not-accepted"
    return "waiting" if "waiting" in found else "accepted"
