"""An app's quality gates run on its own cases, and what changed since a baseline. For CI: no agent, no model, no network.

A case is a content whose verdict its author knows. A gate that judges one otherwise has changed, or was never right.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from pydantic import Field, JsonValue, ValidationError

from lime_desktop.app_package.eval_files import EvalCase, QualityGate, Unrunnable
from lime_desktop.app_package.files.path_rules import normalised
from lime_desktop.app_package.files.tree import PackageTree
from lime_desktop.app_package.package import AppPackage
from lime_desktop.app_server.quality.checks import Subject
from lime_desktop.app_server.quality.gates import Threshold, run_gate, threshold_of
from lime_desktop.protocol.acceptance import GateOutcome, GateReason
from lime_desktop.protocol.wire import WireModel

BASELINE = "evals/baseline.json"
"""Where a package keeps what its gates said the last time somebody was content."""
_TOLERANCE = 0.0001


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
        return f"{self.gate}/{self.case}"

    @property
    def is_accepted(self) -> bool:
        """Whether the gate lets it pass; a person has nothing to decide here."""
        return self.outcome is not None and self.outcome.status != "failed"

    @property
    def is_as_expected(self) -> bool:
        """Whether the verdict is the one that the author knows."""
        return self.outcome is None or self.is_accepted == self.expected


class KeptScore(WireModel):
    """What a baseline says of one case."""

    accepted: bool
    score: float | None = None


class Baseline(WireModel):
    """What the gates of one version said."""

    app: str
    version: str
    results: dict[str, KeptScore] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Regression:
    """A case that did better before."""

    name: str
    before: KeptScore
    now: KeptScore | None
    """None where nobody judges it any more."""


@dataclass(frozen=True, slots=True)
class EvalReport:
    """How an app's gates stand."""

    app: str
    version: str
    results: tuple[CaseResult, ...]
    broken: Mapping[str, Unrunnable]
    """The gates that nobody can run, and why."""
    required: frozenset[str]
    regressions: tuple[Regression, ...] = ()

    @property
    def is_fine(self) -> bool:
        """Whether every verdict is as expected, nothing got worse, and what the app requires can be run."""
        is_held = all(each.is_as_expected for each in self.results)
        return is_held and not self.regressions and self.required.isdisjoint(self.broken)

    def baseline(self) -> Baseline:
        """What is kept to be compared with later."""
        return Baseline(
            app=self.app,
            version=self.version,
            results={each.name: _kept(each) for each in self.results if each.outcome is not None},
        )


def run_evals(
    package: AppPackage, thresholds: Mapping[str, float], more: Sequence[EvalCase] = ()
) -> EvalReport:
    """Run each gate on its own cases, and on those that somebody brings."""
    files, manifest = package.quality_gates, package.manifest
    set_ = {key: Threshold(value, "user") for key, value in thresholds.items()}
    results = tuple(
        result
        for gate in files.gates.values()
        for result in _run_cases(package.tree, gate, more, threshold_of(gate, set_))
    )
    return EvalReport(
        manifest.name,
        manifest.version,
        results,
        files.broken,
        frozenset(each.key for each in manifest.evals if each.required),
    )


def compare(report: EvalReport, baseline: Baseline) -> tuple[Regression, ...]:
    """What got worse: a case that passes no more, one with a lower score, one that is gone."""
    now = report.baseline().results
    return tuple(
        Regression(name, before, now.get(name))
        for name, before in baseline.results.items()
        if _is_worse(before, now.get(name))
    )


def kept_baseline(tree: PackageTree) -> Baseline | None:
    """The baseline that a package brings.

    Raises:
        ValueError: it is there, and no baseline.
    """
    return read_baseline(tree.read(BASELINE)) if BASELINE in tree.files else None


def read_baseline(body: bytes) -> Baseline:
    """A baseline from its file.

    Raises:
        ValueError: it is none.
    """
    try:
        return Baseline.model_validate_json(body)
    except ValidationError:
        raise ValueError("not a baseline") from None


def _run_cases(
    tree: PackageTree, gate: QualityGate, more: Sequence[EvalCase], threshold: Threshold
) -> Iterator[CaseResult]:
    brought = [case for case in more if case.kind is None or gate.applies_to(case.kind, None)]
    for number, case in enumerate((*gate.file.cases, *brought), 1):
        outcome = _judge(tree, gate, case, threshold)
        yield CaseResult(gate.declared.key, case.key or str(number), case.accepted, outcome)


def _judge(
    tree: PackageTree, gate: QualityGate, case: EvalCase, threshold: Threshold
) -> GateOutcome | None:
    if case.content is None and case.content_path is None:
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


def _kept(result: CaseResult) -> KeptScore:
    score = result.outcome.score if result.outcome else None
    return KeptScore(accepted=result.is_as_expected, score=score)


def _is_worse(before: KeptScore, now: KeptScore | None) -> bool:
    if now is None or (before.accepted and not now.accepted):
        return True
    return (
        before.score is not None
        and now.score is not None
        and now.score < before.score - _TOLERANCE
        and before.accepted
    )
