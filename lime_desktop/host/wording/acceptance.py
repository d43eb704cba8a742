"""Whether a document is accepted, in a person's words. Knows no widget."""

from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.acceptance import Acceptance, GateOutcome, GateReason


def reason_words(texts: Texts, acceptance: Acceptance) -> tuple[str, ...]:
    """What is wrong, a line for each thing; said once, however many checks found it."""
    found = (words for gate in acceptance.gates for words in _of_gate(texts, gate))
    return tuple(dict.fromkeys(found))


def question_words(acceptance: Acceptance) -> tuple[str, ...]:
    """What the app asks the person to look at who decides."""
    waiting = (each for each in acceptance.gates if each.status == "waiting")
    return tuple(dict.fromkeys(question for gate in waiting for question in gate.questions))


def _of_gate(texts: Texts, gate: GateOutcome) -> tuple[str, ...]:
    if gate.status != "failed":
        return ()
    reasons = tuple(_words(texts, each) for each in gate.reasons)
    if gate.score is None or gate.threshold is None or gate.threshold_set_by in {None, "app"}:
        return reasons
    who = texts(f"overlay.source.{gate.threshold_set_by}")
    percents = {"score": round(gate.score * 100), "least": round(gate.threshold * 100)}
    return (*reasons, texts("quality.threshold", who=who, **percents))


def _words(texts: Texts, reason: GateReason) -> str:
    if reason.set_by is not None and reason.code == "banned-word":
        who = texts(f"overlay.source.{reason.set_by}")
        return texts("quality.reason.banned-word.by", detail=reason.detail, who=who)
    key = f"quality.reason.{reason.code}"
    return texts(key if reason.detail else f"{key}.bare", detail=reason.detail)
