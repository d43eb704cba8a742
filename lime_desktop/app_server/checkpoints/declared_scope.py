"""What an app's manifest wants of its checkpoints."""

from lime_desktop.app_package.manifest.agent_runtime import CheckpointScope
from lime_desktop.app_server.apps.registered import RegisteredApps
from lime_desktop.protocol.calls.checkpoints import CheckpointScopeName
from lime_desktop.protocol.errors import AppNotInstalled


def declared_scope(apps: RegisteredApps, app_id: str) -> CheckpointScope | None:
    """What is declared; None where nothing is, or the host has told of no such app."""
    try:
        runtime = apps.get(app_id).package.manifest.agent_runtime
    except AppNotInstalled:
        return None
    task = runtime.agent_task if runtime else None
    return task.checkpoint_scope if task else None


def copied_scopes(declared: CheckpointScope | None) -> frozenset[CheckpointScopeName]:
    """What is copied before each turn."""
    if declared is None:
        return frozenset()
    wanted: dict[CheckpointScopeName, bool] = {
        "appStorage": declared.app_storage is True,
        "artifacts": declared.artifacts is True,
        "files": declared.files == "tracked_only",
        "workflowState": declared.workflow_state is True,
    }
    return frozenset(scope for scope, is_wanted in wanted.items() if is_wanted)
