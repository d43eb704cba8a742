"""benchmark/*: trials, rewards and comparisons as facts that join a run. No score is ever edited here."""

from collections.abc import Sequence
from typing import Any

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.runtime_core.commands.named_records import read_record
from lime_desktop.app_server.runtime_core.commands.task_facts import find_task
from lime_desktop.app_server.runtime_core.facts import fact
from lime_desktop.app_server.runtime_core.identities import now
from lime_desktop.app_server.runtime_core.log.journal import Appended, Journal, SessionView
from lime_desktop.app_server.runtime_core.reading.session_reader import SessionReader
from lime_desktop.protocol.calls.benchmarks import (
    BenchmarkResult,
    CompareRunsParams,
    ExportTrialParams,
    ExportTrialResult,
    RecordRewardParams,
    StartTrialParams,
)
from lime_desktop.protocol.calls.evidence import RuntimeCorrelation
from lime_desktop.protocol.errors import InvalidInput, RunNotFound
from lime_desktop.protocol.ids import EventId, JsonObject, RuntimeId
from lime_desktop.protocol.runtime.events import BenchmarkScope, ProposedEvent, Reward, Trajectory
from lime_desktop.protocol.runtime.summaries import BenchmarkSummary, BenchmarkTrial

TRIAL_PACK_SCHEMA = "lime-benchmark-trial-pack-0.1.0"
REQUIRED_REFS = (
    "trajectoryRef",
    "rewardRef",
    "rewardDetailsRef",
    "artifactManifestRef",
    "agentQcReportRef",
    "harborJobRef",
    "harborTrialRef",
)
"""What a trial must name to be joined with the run that made it."""


class BenchmarkCommands:
    """Record trials, rewards and comparisons; export one trial."""

    def __init__(self, journal: Journal, runtime_id: str):
        self._journal = journal
        self._runtime_id = runtime_id

    async def start_trial(self, params: StartTrialParams, context: CallContext) -> BenchmarkResult:
        """A trial of one configuration on one task of a dataset begins."""
        del context
        _require_trial(params.benchmark)
        payload: JsonObject = {"attempt": params.attempt}
        if params.timeout_s is not None:
            payload["timeoutSec"] = params.timeout_s
        if params.benchmark.single_changed_variable:
            payload["singleChangedVariable"] = params.benchmark.single_changed_variable
        event = fact(
            "benchmark.trial.started",
            thread_id=params.thread_id,
            turn_id=params.turn_id,
            task_id=params.task_id,
            run_id=params.run_id,
            benchmark=params.benchmark,
            refs=params.refs,
            payload=payload,
        )
        return await self._record(params.session_id, [event], params.task_id)

    async def record_reward(
        self, params: RecordRewardParams, context: CallContext
    ) -> BenchmarkResult:
        """What the verifier gave, and with it the trial's end."""
        del context
        _require_trial(params.benchmark)
        ids: dict[str, Any] = {
            "task_id": params.task_id,
            "run_id": params.run_id,
            "benchmark": params.benchmark,
            "refs": params.refs,
            "trajectory": params.trajectory,
        }
        reward = params.reward.to_wire()
        payload: JsonObject = {
            name: value
            for name, value in {
                "reward": reward.get("value"),
                "criteria": reward.get("criteria"),
                "failureCategory": reward.get("failureCategory"),
            }.items()
            if value is not None
        }
        ended = "benchmark.trial.failed" if params.failed else "benchmark.trial.completed"
        events = [
            fact("benchmark.reward.recorded", reward=params.reward, payload=payload, **ids),
            fact(ended, reward=params.reward, payload=payload, **ids),
        ]
        return await self._record(params.session_id, events, params.task_id)

    async def compare(self, params: CompareRunsParams, context: CallContext) -> BenchmarkResult:
        """How a candidate did against its baseline."""
        del context
        event = fact(
            "benchmark.comparison.completed",
            benchmark=params.benchmark,
            comparison=params.comparison,
            refs=params.refs,
            payload=params.comparison.to_wire(),
        )
        return await self._record(params.session_id, [event], None)

    async def export_trial(
        self, params: ExportTrialParams, context: CallContext
    ) -> ExportTrialResult:
        """One trial with what joins it to its run, and what it lacks for that."""
        del context
        return await self._journal.read(
            params.session_id,
            lambda connection, row: self._trial_pack(
                SessionReader.of(connection, row), params.trial_id
            ),
        )

    async def _record(
        self, session_id: str, events: Sequence[ProposedEvent], task_id: str | None
    ) -> BenchmarkResult:
        def decide(view: SessionView) -> Sequence[ProposedEvent]:
            if task_id:
                find_task(view, task_id)
            return events

        appended: Appended = await self._journal.append(session_id, decide)
        summary = await read_record(
            self._journal, session_id, BenchmarkSummary, "benchmark", "session"
        )
        return BenchmarkResult(
            event_id=EventId(appended.events[-1].event_id), benchmark_summary=summary
        )

    def _trial_pack(self, reader: SessionReader, trial_id: str) -> ExportTrialResult:
        summary = reader.one(BenchmarkSummary, "benchmark")
        trials = summary.trials if summary else ()
        trial = next((trial for trial in trials if trial.trial_id == trial_id), None)
        if trial is None:
            raise RunNotFound("The session has no trial of this id.")
        refs, ids = _joined(trial)
        missing = tuple(name for name in REQUIRED_REFS if name not in refs)
        return ExportTrialResult(
            schema_version=TRIAL_PACK_SCHEMA,
            benchmark=trial.benchmark or BenchmarkScope(),
            runtime_correlation=RuntimeCorrelation.model_validate(
                {
                    "runtimeId": RuntimeId(self._runtime_id),
                    "sessionId": reader.state.session_id,
                    "threadId": reader.state.thread_id,
                    **ids,
                }
            ),
            refs=refs,
            metrics={"reward": trial.reward, "evidenceComplete": not missing},
            decision_inputs={
                "p0QcGateRegressionCount": summary.qc_regression_count if summary else None,
                "promotionEligible": not missing and trial.status == "completed",
                "artifactManifestPresent": "artifactManifestRef" in refs,
            },
            trajectory=Trajectory(ref=trial.trajectory_ref) if trial.trajectory_ref else None,
            reward=Reward(value=trial.reward, ref=trial.reward_ref) if trial.reward_ref else None,
            missing_refs=missing,
            exported_at=now(),
        )


def _require_trial(scope: BenchmarkScope) -> None:
    if not scope.trial_id:
        raise InvalidInput.at_fields([("benchmark.trialId", "missing")])


def _joined(trial: BenchmarkTrial) -> tuple[JsonObject, JsonObject]:
    extra = trial.model_extra or {}
    scope = trial.benchmark or BenchmarkScope()
    stated: JsonObject = {
        **dict(extra.get("refs") or {}),
        "trajectoryRef": trial.trajectory_ref,
        "rewardRef": trial.reward_ref,
        "rewardDetailsRef": trial.reward_details_ref,
        "harborJobRef": scope.harbor_job_ref,
        "harborTrialRef": scope.harbor_trial_ref,
    }
    refs: JsonObject = {name: value for name, value in stated.items() if value is not None}
    return refs, dict(extra.get("ids") or {})
