"""What proves a trial of a benchmark: its ten references, out of the facts that told of it. Pure.

A reference that nobody told is named as missing, so that an export never passes for whole.
"""

from typing import Any

from lime_desktop.app_server.evidence.documents import Stated
from lime_desktop.protocol.calls.evidence import BenchmarkTrialRefs
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.summaries import BenchmarkTrial


def trial_refs(trial: BenchmarkTrial) -> BenchmarkTrialRefs:
    """The references of one trial, and which are missing."""
    scope = trial.benchmark
    more: dict[str, Any] = trial.model_extra or {}
    told: dict[str, Any] = more.get("refs") or {}
    found: dict[str, Any] = {
        "dataset_id": scope and scope.dataset_id,
        "dataset_version": scope and scope.dataset_version,
        "harbor_job_ref": scope and scope.harbor_job_ref,
        "harbor_trial_ref": told.get("harborTrialRef") or (scope and scope.harbor_trial_ref),
        "task_id": scope and scope.task_id,
        "configuration_id": scope and scope.configuration_id,
        "trial_id": trial.trial_id,
        "trajectory_ref": trial.trajectory_ref,
        "reward_ref": trial.reward_ref,
        "reward_details_ref": trial.reward_details_ref,
        "artifact_manifest_ref": told.get("artifactManifestRef"),
        "agent_qc_report_ref": told.get("agentQcReportRef"),
    }
    known = {name: value for name, value in found.items() if isinstance(value, str)}
    fields = BenchmarkTrialRefs.model_fields
    missing = [fields[name].alias or name for name in found if name not in known]
    ids: dict[str, Any] = more.get("ids") or {}
    return BenchmarkTrialRefs.model_validate(
        {**known, "status": trial.status, "turn_id": ids.get("turnId"), "missing": missing}
    )


def trial_document(refs: BenchmarkTrialRefs, stated: Stated) -> JsonObject:
    """The same in a pack, joined to the run."""
    return {**refs.to_wire(), "runtime_correlation": stated.correlation.to_wire()}
