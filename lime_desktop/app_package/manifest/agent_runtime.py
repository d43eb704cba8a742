"""How the app wants its agent tasks run: the bridge it expects and the control plane of a task.

All of it is intent, never an address and never a permission.
"""

from typing import Annotated, Literal

from pydantic import Field

from lime_desktop.app_package.manifest.values import (
    FreeObject,
    Items,
    ManifestModel,
    UniqueItems,
)


class BridgeMethods(ManifestModel):
    """The methods of the App Server that a bridge maps to; the names are fixed."""

    initialize: Literal["initialize"] | None = None
    initialized: Literal["initialized"] | None = None
    start_session: Literal["agentSession/start"] | None = None
    read_session: Literal["agentSession/read"] | None = None
    start_turn: Literal["agentSession/turn/start"] | None = None
    cancel_turn: Literal["agentSession/turn/cancel"] | None = None
    respond_action: Literal["agentSession/action/respond"] | None = None
    events: Literal["agentSession/event"] | None = None
    list_capabilities: Literal["capability/list"] | None = None
    read_artifact: Literal["artifact/read"] | None = None
    export_evidence: Literal["evidence/export"] | None = None


class BridgeEvents(ManifestModel):
    """Where events come from: runtime facts, never the app's own screen."""

    notification: Literal["agentSession/event"] | None = None
    derive_from_runtime_facts: bool | None = None
    allow_ui_synthesis: Literal[False] | None = None


class Bridge(ManifestModel):
    """The App Server bridge that the app expects behind the SDK."""

    kind: Literal["app-server-json-rpc", "host-native", "reference-mock"] | None = None
    transport: Literal["host-mediated", "stdio-jsonl", "local-socket", "web-host"] | None = None
    protocol_version: str | None = None
    client_surface: Literal["capability-sdk", "host-bridge", "server-client"] | None = None
    host_boundary: Literal["desktop-host-ipc", "web-host-postmessage", "host-native"] | None = None
    runtime_owner: Literal["runtime-core", "host-native", "reference-mock"] | None = None
    methods: BridgeMethods | None = None
    events: BridgeEvents | None = None


class Materializer(ManifestModel):
    """What turns a structured result into an artifact or into stored data."""

    kind: str | None = None
    accepted_keys: Items[str] = ()


class StructuredOutput(ManifestModel):
    """The shape a task's result must have."""

    type: Literal["json_schema", "none"] | None = None
    schema_ref: str | None = None
    inline_schema: FreeObject | None = Field(default=None, alias="schema")
    max_validation_retries: Annotated[int, Field(ge=0, le=10)] | None = None
    failure_subtype: (
        Literal["error_max_structured_output_retries", "error_during_execution"] | None
    ) = None
    materializer: Materializer | None = None


class Approval(ManifestModel):
    """How approvals are asked for."""

    behavior: Literal["host-mediated", "auto-deny", "manifest-only"] | None = None
    supports_updated_input: bool | None = None
    supports_defer: bool | None = None
    remember_scopes: UniqueItems[Literal["task", "session", "workspace"]] = ()


class SessionPolicy(ManifestModel):
    """How a task relates to earlier conversations."""

    modes: UniqueItems[Literal["new", "resume", "continue", "fork"]] = ()
    compaction_events: bool | None = None


class ToolDiscovery(ManifestModel):
    """How many tools an agent is shown."""

    mode: Literal["eager", "on_demand", "none"] | None = None
    top_k: Annotated[int, Field(ge=1, le=20)] | None = None
    include_schemas: Literal["all", "selected_only", "none"] | None = None
    query_from: Items[str] = ()


class CheckpointScope(ManifestModel):
    """What a checkpoint brings back."""

    workflow_state: bool | None = None
    app_storage: bool | None = None
    artifacts: bool | None = None
    files: Literal["tracked_only", "none"] | None = None
    conversation: Literal["resume_only", "rewind", "none"] | None = None
    external_side_effects: Literal["record_only", "manual_compensation", "none"] | None = None


class Observability(ManifestModel):
    """What a task reports about itself; content only if the user opts in."""

    profile_events: bool | None = None
    open_telemetry_mapping: bool | None = None
    export_content_by_default: bool | None = None


class AgentTask(ManifestModel):
    """The control plane of an agent task."""

    event_schema: Literal["lime.agent-task-event.v1"] | None = None
    result_schema: Literal["lime.agent-task-result.v1"] | None = None
    structured_output: StructuredOutput | None = None
    approval: Approval | None = None
    session_policy: SessionPolicy | None = None
    tool_discovery: ToolDiscovery | None = None
    checkpoint_scope: CheckpointScope | None = None
    observability: Observability | None = None


class AgentRuntime(ManifestModel):
    """The bridge and the task control plane together."""

    bridge: Bridge | None = None
    agent_task: AgentTask | None = None
