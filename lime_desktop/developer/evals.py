"""An app's quality gates run on its own cases, and what changed since a baseline. For CI: no agent, no model, no network.

A case is a content whose verdict its author knows. A gate that judges one otherwise has changed, or was never right.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lime_desktop.app_package.eval_files import EvalCase, Unrunnable
from lime_desktop.app_package.package import AppPackage
from lime_desktop.app_server.quality.baseline import Baseline, Regression, kept_scores, regressions
from lime_desktop.app_server.quality.cases import (
    CaseResult,
    case_name,
    judge_cases,
    named_cases,
    tally_of,
)
from lime_desktop.app_server.quality.gates import Threshold, threshold_of
from lime_desktop.protocol.calls.evals import EvalOutcome


@dataclass(frozen=True, slots=True)
class EvalReport:
    """How an app's gates stand."""

    app: str
    version: str
    results: tuple[CaseResult, ...]
    broken: Mapping[str, Unrunnable]
    """The gates that nobody can run, and why."""
    required: frozenset[str]
    held_to: Mapping[str, float]
    """The score from which each gate passes that can be tried: what a person decides cannot."""
    regressions: tuple[Regression, ...] = ()

    @property
    def is_fine(self) -> bool:
        """Whether every verdict is as expected, nothing got worse, and what the app requires can be run."""
        is_held = all(each.is_as_expected for each in self.results)
        return is_held and not self.regressions and self.required.isdisjoint(self.broken)

    def baseline(self) -> Baseline:
        """What is kept to be compared with later."""
        return Baseline(app=self.app, version=self.version, results=kept_scores(self.results))

    def outcomes(self, at_ms: int) -> tuple[EvalOutcome, ...]:
        """What came of each eval that was tried: one without a case to judge was not."""
        found = ((key, self._results_of(key)) for key in self.held_to)
        return tuple(
            EvalOutcome(
                eval_key=key,
                at_ms=at_ms,
                threshold=self.held_to[key],
                **tally_of(results, self._worse(key)).model_dump(),
            )
            for key, results in found
            if any(each.outcome is not None for each in results)
        )

    def _results_of(self, key: str) -> list[CaseResult]:
        return [each for each in self.results if each.gate == key]

    def _worse(self, key: str) -> int:
        return sum(each.name.startswith(case_name(key, "")) for each in self.regressions)


def run_evals(
    package: AppPackage, thresholds: Mapping[str, float], more: Sequence[EvalCase] = ()
) -> EvalReport:
    """Run each gate on its own cases, and on those that somebody brings."""
    files, manifest = package.quality_gates, package.manifest
    set_ = {key: Threshold(value, "user") for key, value in thresholds.items()}
    held_to = {key: threshold_of(gate, set_) for key, gate in files.gates.items()}
    results = tuple(
        result
        for key, gate in files.gates.items()
        for result in judge_cases(package.tree, gate, named_cases(gate, more), held_to[key])
    )
    return EvalReport(
        manifest.name,
        manifest.version,
        results,
        files.broken,
        frozenset(each.key for each in manifest.evals if each.required),
        {key: held_to[key].value for key in files.gates if key in files.triable},
    )


def compare(report: EvalReport, baseline: Baseline) -> tuple[Regression, ...]:
    """What got worse since a baseline."""
    return regressions(report.baseline().results, baseline)
