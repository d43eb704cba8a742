"""What a gate says of contents whose verdict its author knows. Pure: no agent, no model, no network."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from pydantic import JsonValue

from lime_desktop.app_package.eval_files import EvalCase, QualityGate
from lime_desktop.app_package.files.path_rules import normalised
from lime_desktop.app_package.files.tree import PackageTree
from lime_desktop.app_server.quality.checks import Subject
from lime_desktop.app_server.quality.gates import Threshold, run_gate
from lime_desktop.protocol.acceptance import GateOutcome, GateReason
from lime_desktop.protocol.calls.evals import EvalTally


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What a gate says of one case."""

    gate: str
    case: str
    expected: bool
    outcome: GateOutcome | None
    """None where the case has no content to judge: it is for a benchmark."""

    @property
    def name(self) -> str:
        """What a baseline calls it."""
        return case_name(self.gate, self.case)

    @property
    def is_accepted(self) -> bool:
        """Whether the gate lets it pass; a person has nothing to decide here."""
        return self.outcome is not None and self.outcome.status != "failed"

    @property
    def is_as_expected(self) -> bool:
        """Whether the verdict is the one that the author knows."""
        return self.outcome is None or self.is_accepted == self.expected


def case_name(gate: str, case: str) -> str:
    """What tells a case from those of other gates."""
    return f"{gate}/{case}"


def named_cases(gate: QualityGate, more: Sequence[EvalCase] = ()) -> list[tuple[str, EvalCase]]:
    """The cases of a gate, and those that somebody brings, each under its key or its number."""
    brought = [case for case in more if case.kind is None or gate.applies_to(case.kind, None)]
    cases = (*gate.file.cases, *brought)
    return [(case.key or str(number), case) for number, case in enumerate(cases, 1)]


def judge_cases(
    tree: PackageTree,
    gate: QualityGate,
    cases: Iterable[tuple[str, EvalCase]],
    threshold: Threshold,
) -> Iterator[CaseResult]:
    """Run a gate on cases, one after the other."""
    for name, case in cases:
        outcome = _judge(tree, gate, case, threshold)
        yield CaseResult(gate.declared.key, name, case.accepted, outcome)


def tally_of(results: Iterable[CaseResult], worse: int) -> EvalTally:
    """What these verdicts come to; of contents it keeps nothing."""
    judged = [(each, each.outcome) for each in results if each.outcome is not None]
    scores = (outcome.score for each, outcome in judged if each.expected)
    return EvalTally(
        cases=len(judged),
        wrong=sum(not each.is_as_expected for each, _ in judged),
        worse=worse,
        score=min((each for each in scores if each is not None), default=None),
    )


def _judge(
    tree: PackageTree, gate: QualityGate, case: EvalCase, threshold: Threshold
) -> GateOutcome | None:
    if not case.has_content:
        return None
    content = (case.content,) if case.content_path is None else _read(tree, case.content_path)
    if content is None:
        blank = run_gate(gate, Subject(""), threshold)
        wrong = GateReason(code="not-readable", detail=(case.content_path or "")[:300])
        return blank.model_copy(update={"status": "failed", "score": 0.0, "reasons": (wrong,)})
    # Of each source, the first line is taken for its title.
    return run_gate(gate, Subject(content[0], [f"\n{each}" for each in case.sources]), threshold)


def _read(tree: PackageTree, path: str) -> tuple[JsonValue] | None:
    inside = normalised(path)
    if inside is None or inside not in tree.files:
        return None
    try:
        text = tree.read(inside).decode()
        return (cast("JsonValue", json.loads(text)) if inside.endswith(".json") else text,)
    except (OSError, ValueError):
        return None
