"""Every folder in ``scenarios`` is a case. To add one, add a folder."""

import json
from pathlib import Path

import pytest

from lime_desktop.policy.decide import decide, explain
from tests.policy.scenario import read_call_of, read_facts, summary_of

SCENARIOS = Path(__file__).parent / "scenarios"
CASES = sorted(path for path in SCENARIOS.iterdir() if path.is_dir())


@pytest.mark.parametrize("folder", CASES, ids=lambda path: path.name)
def test_the_decision_is_the_expected_one(folder: Path) -> None:
    """The standard's order of judgement, case by case."""
    call = read_call_of(folder)
    decision = decide(call, read_facts(folder, call))
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    assert summary_of(decision) == expected


@pytest.mark.parametrize("folder", CASES, ids=lambda path: path.name)
def test_the_explanation_leads_to_the_decision(folder: Path) -> None:
    """An inspector shows the same answer that the gate gave, and where it fell."""
    call = read_call_of(folder)
    facts = read_facts(folder, call)
    explanation = explain(call, facts)
    verdicts = [step.verdict for step in explanation.steps]
    assert explanation.decision == decide(call, facts)
    assert [step.name for step in explanation.steps] == [
        "manifest",
        "readiness",
        "policy",
        "deny-rules",
        "risk",
        "approval",
    ]
    match explanation.decision.outcome:
        case "deny" | "blocked":
            refused_at = verdicts.index("deny")
            assert set(verdicts[refused_at + 1 :]) <= {"not-reached"}
        case "ask":
            assert verdicts[-1] == "ask"
        case _:
            assert verdicts[-1] == "pass"
