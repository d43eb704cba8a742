"""What the log is told of a whole benchmark: its suite and models, the trials that never began, how it compares. Pure."""

from collections.abc import Iterator, Sequence
from statistics import fmean

from lime_desktop.developer.benchmark.suite import Suite
from lime_desktop.developer.benchmark.trial_facts import (
    NOT_STARTED,
    TIMED_OUT,
    TrialPlace,
    TrialResult,
    ended,
    event_ref,
)
from lime_desktop.protocol.ids import EventId, JsonObject
from lime_desktop.protocol.runtime.events import BenchmarkScope, Comparison, ProposedEvent
from lime_desktop.runtime_views.benchmarks import BenchmarkReport, TaskScore


def scope_of(suite: Suite, digest: str, job_id: str, role: str) -> BenchmarkScope:
    """Where every fact of a benchmark belongs."""
    return BenchmarkScope.model_validate(
        {
            "dataset_id": suite.name,
            "dataset_version": str(suite.version),
            "dataset_ref": digest,
            "harbor_job_ref": f"session://{job_id}",
            "role": role,
        }
    )


def resolved(scope: BenchmarkScope, models: Sequence[str], suite: Suite) -> list[ProposedEvent]:
    """Which suite is run, and on what."""
    tasks: JsonObject = {"tasks": [each.key for each in suite.tasks]}
    return [
        ProposedEvent(type="benchmark.dataset.resolved", benchmark=scope, payload=tasks),
        *(
            ProposedEvent(
                type="benchmark.configuration.resolved",
                benchmark=scope.model_copy(update={"configuration_id": model}),
                payload={"model": model, "singleChangedVariable": "model"},
            )
            for model in models
        ),
    ]


def never_began(
    scope: BenchmarkScope, place: TrialPlace, result: TrialResult
) -> list[ProposedEvent]:
    """A trial whose task was refused before it had a run: what was tried, that it failed, and why."""
    why: JsonObject = {"failureCategory": result.failure, "message": result.detail}
    failed = EventId(f"failed_{scope.trial_id}")
    ids = place.ids()
    objective: JsonObject = {"objective": result.task}
    return [
        ProposedEvent(type="task.created", payload=objective, **ids),
        ProposedEvent(type="task.attempt.started", **ids),
        ProposedEvent(type="task.attempt.failed", payload=why, **ids),
        ProposedEvent(type="task.failed", payload=why, event_id=failed, **ids),
        *ended(scope, place, result, event_ref(place, failed)),
    ]


def compared(
    scope: BenchmarkScope, report: BenchmarkReport, results: Sequence[TrialResult]
) -> Iterator[ProposedEvent]:
    """How each model did, beside its baseline: one fact for each, as large as a fact may be."""
    for model in report.models:
        part = report.of_model(model)
        tried = [each for each in results if each.model == model]
        yield ProposedEvent(
            type="benchmark.comparison.completed",
            benchmark=scope.model_copy(update={"configuration_id": model}),
            comparison=_comparison(part, tried),
            refs={"trialRefs": [f"session://{each.session_id}" for each in tried]},
            payload={"report": part.to_wire()},
        )


def _comparison(report: BenchmarkReport, tried: Sequence[TrialResult]) -> Comparison:
    sealed = sum(each.failure != NOT_STARTED for each in tried)
    both = [(row.now, row.before) for row in report.rows if row.now and row.before]
    is_baseline = report.role == "baseline" or not both
    return Comparison(
        mean_reward_delta=fmean(now.reward - then.reward for now, then in both) if both else None,
        timeout_rate_delta=(
            fmean(_timeouts(now) - _timeouts(then) for now, then in both) if both else None
        ),
        evidence_completeness_rate=sealed / len(tried) if tried else None,
        p0_qc_gate_regression_count=sum(
            bool({"successRate", "gone"} & set(row.worse)) for row in report.rows
        ),
        decision="baseline" if is_baseline else "revert" if report.regressions else "promote",
    )


def _timeouts(score: TaskScore) -> float:
    return score.timed_out / score.trials


def scores_of(results: Sequence[TrialResult]) -> tuple[TaskScore, ...]:
    """The trials of each task on each model, together."""
    found: dict[tuple[str, str], list[TrialResult]] = {}
    for each in results:
        found.setdefault((each.task, each.model), []).append(each)
    return tuple(_score(task, model, trials) for (task, model), trials in found.items())


def _score(task: str, model: str, trials: Sequence[TrialResult]) -> TaskScore:
    passed = [each for each in trials if each.is_passed]
    reasons = [each.failure for each in trials if not each.is_passed]
    currencies = {each.cost.currency for each in passed if each.cost is not None}
    costs = [each.cost.amount for each in passed if each.cost is not None]
    is_priced = len(currencies) == 1 and len(costs) == len(passed)
    return TaskScore(
        task=task,
        model=model,
        trials=len(trials),
        passed=len(passed),
        reward=round(fmean(each.reward for each in trials), 4),
        timed_out=reasons.count(TIMED_OUT),
        tokens=_mean([each.tokens for each in passed]),
        cost=round(fmean(costs), 9) if is_priced else None,
        currency=next(iter(currencies)) if is_priced else None,
        seconds=_mean([each.seconds for each in passed]),
        failures={reason: reasons.count(reason) for reason in sorted(set(reasons))},
    )


def _mean(amounts: Sequence[float | None]) -> float | None:
    """Only where each trial tells its own."""
    known = [each for each in amounts if each is not None]
    return round(fmean(known), 3) if known and len(known) == len(amounts) else None
