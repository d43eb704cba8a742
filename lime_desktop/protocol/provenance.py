"""Where a record came from. Knows both published shapes and emits their union."""

from typing import Literal

from lime_desktop.protocol.ids import AppId, NonEmpty, TaskId
from lime_desktop.protocol.wire import Maybe, WireModel


class Provenance(WireModel):
    """Which app, in which version and bytes, caused a record; the host writes it, never the app."""

    source_kind: Literal["agent_app"] = "agent_app"
    app_id: NonEmpty[AppId]
    app_name: str
    """The manifest's `name`; published consumers of the standard read this one."""
    app_version: str
    package_hash: str
    manifest_hash: str
    standard: Literal["agentapp"] = "agentapp"
    standard_version: str
    entry_key: Maybe[str] = None
    workspace_id: Maybe[str] = None
    workflow_run_id: Maybe[str] = None
    run_id: Maybe[str] = None
    task_id: Maybe[TaskId] = None
    service_key: Maybe[str] = None
    """The app's own backend that made the call; absent where a page, an agent or a workflow did."""
