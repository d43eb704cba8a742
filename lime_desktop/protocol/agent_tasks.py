"""Agent tasks as an app sees them: the request that starts one, and its record.

Knows shapes only; events and results are in `task_events`.
"""

from typing import Annotated, Literal, Self, TypeAlias

from pydantic import BeforeValidator, Field, JsonValue, model_validator

from lime_desktop.protocol.ids import (
    MAX_ID_CHARACTERS,
    AppId,
    JsonObject,
    NonEmpty,
    SessionId,
    TaskId,
    Timestamp,
    TraceId,
    TurnId,
)
from lime_desktop.protocol.provenance import Provenance
from lime_desktop.protocol.task_events import AgentTaskEvent, AgentTaskResult, Cost, TokenUsage
from lime_desktop.protocol.wire import Maybe, WireModel

LONGEST_TIMEOUT_MS = 365 * 24 * 3_600_000
"""No task is waited for longer than a year, and no clock counts further than it can."""

TaskStatus: TypeAlias = Literal["running", "succeeded", "cancelled", "failed"]


class OutputFormat(WireModel):
    """The schema that structured output must fit before anything is written back."""

    type: Literal["json_schema", "none"] = "json_schema"
    schema_ref: Maybe[str] = None
    """A file of the package."""
    schema_: Maybe[JsonObject] = Field(default=None, alias="schema")
    """The schema itself, instead of a file."""
    max_validation_retries: int = Field(2, ge=0, le=10)


class Materializer(WireModel):
    """What becomes of the validated output."""

    kind: str
    accepted_keys: tuple[str, ...] = ()
    """Keys of the output that may carry the patch, best first."""


class ExpectedOutput(WireModel):
    """What the task must deliver; prose never passes for it."""

    artifact_kind: Maybe[str] = None
    output_format: Maybe[OutputFormat] = None
    materializer: Maybe[Materializer] = None
    grounded: Maybe[bool] = None
    """Whether the answer must rest on what was found in `knowledge` or given as `input` or `files`: one that shares nothing
    with them ends the task with `APP_E109`. Tasks that name `knowledge` are held to it on every local model anyway."""


def _bare_key(value: object) -> object:
    return {"key": value} if isinstance(value, str) else value


class KnowledgeBinding(WireModel):
    """A knowledge template that the task may read."""

    key: NonEmpty[str]
    mode: Literal["retrieval", "data"] = "retrieval"
    required: bool = False


class ToolRequest(WireModel):
    """A tool that the task may use."""

    key: NonEmpty[str]
    required: bool = False


KnowledgeBindings = tuple[
    Annotated[
        KnowledgeBinding, BeforeValidator(_bare_key, json_schema_input_type=str | KnowledgeBinding)
    ],
    ...,
]
ToolRequests = tuple[
    Annotated[ToolRequest, BeforeValidator(_bare_key, json_schema_input_type=str | ToolRequest)],
    ...,
]


class StartTaskParams(WireModel):
    """Start an agent task. Returns at once; what happens comes as events."""

    entry: Maybe[str] = None
    """The entry whose persona, skills and limits apply."""
    task_kind: Maybe[str] = None
    """The app's own name for this kind of task."""
    title: Maybe[str] = Field(default=None, max_length=500)
    prompt: Maybe[str] = Field(default=None, max_length=1_000_000)
    input: JsonValue = None
    """The task's business input, handed to the agent as data."""
    expected_output: Maybe[ExpectedOutput] = None
    idempotency_key: Maybe[NonEmpty[str]] = None
    """The same key and request give the same task, however often it is sent."""
    knowledge: KnowledgeBindings = ()
    tools: ToolRequests = ()
    files: tuple[str, ...] = ()
    """File references, never paths."""
    secrets: tuple[str, ...] = ()
    """Keys of declared secret slots that the tools may use."""
    human_review: bool | JsonObject = False
    """Whether a person must accept the result before it is written back."""
    session_mode: Literal["new", "resume", "continue", "fork"] = "new"
    session_id: Maybe[SessionId] = None
    """The session to resume, continue or fork."""
    turn_id: Maybe[TurnId] = Field(default=None, max_length=MAX_ID_CHARACTERS)
    """The caller's own id for the turn; repeating it never starts a second one."""
    queue_if_busy: bool = True
    skip_pre_submit_resume: bool = False
    """With `continue`, begin before what waits in the session, which goes on waiting."""
    run_start_hooks: bool = True
    """Whether hooks run as a session starts. A manifest has no place for one, only for those of an app's life, so none does."""
    provider_preference: Maybe[str] = None
    model_preference: Maybe[str] = None
    required_capabilities: tuple[str, ...] = ()
    capability_hints: tuple[str, ...] = ()
    """What a model had better be able to do: one that can is chosen before one that cannot, and none is ruled out."""
    cost_limit: Maybe[Cost] = None
    """The most that the task may cost; beyond it, it ends with `error_max_budget`."""
    timeout_ms: Maybe[int] = Field(default=None, ge=1, le=LONGEST_TIMEOUT_MS)
    max_output_tokens: Maybe[int] = Field(default=None, ge=1, le=1_000_000)
    """How long the answer may get, in tokens; less where the model's own limit is lower."""

    @model_validator(mode="after")
    def _says_what_to_do(self) -> Self:
        if not (self.entry or self.task_kind or self.title or self.prompt):
            raise ValueError("one of entry, taskKind, title and prompt is needed")
        return self


USUAL_TASK_KIND = "agent_task"
"""What a task is called whose app named no kind."""


class TraceLine(WireModel):
    """A step of a task in words."""

    at: Timestamp
    message: str


class ProcessStep(WireModel):
    """A line of the timeline that an app may show."""

    kind: str
    title: str
    status_text: str = ""
    message: str = ""
    detail: Maybe[str] = None
    meta: Maybe[JsonObject] = None
    collapse_key: Maybe[str] = None
    tool_name: Maybe[str] = None
    tool_call_id: Maybe[str] = None


class ProcessModel(WireModel):
    """Which model worked."""

    provider: str
    model: str
    label: str


class ProcessCost(Cost):
    """What the run cost, with its amount under the name that published SDKs read."""

    total_cost: float = Field(default=0.0, ge=0, allow_inf_nan=False)


class RuntimeProcess(WireModel):
    """A task's run folded for display."""

    timeline: tuple[ProcessStep, ...] = ()
    stream_text: str = ""
    thinking_text: str = ""
    execution_text: str = ""
    skill_names: tuple[str, ...] = ()
    invoked_skill_names: tuple[str, ...] = ()
    model: Maybe[ProcessModel] = None
    usage: Maybe[TokenUsage] = None
    cost: Maybe[ProcessCost] = None
    terminal: bool = False
    """Whether nothing more will come."""
    collapsed_by_default: bool = False
    routing_count: int = 0
    execution_count: int = 0
    artifact_count: int = 0


class TaskRecord(WireModel):
    """A task with everything known about it so far."""

    task_id: NonEmpty[TaskId]
    trace_id: TraceId
    app_id: NonEmpty[AppId]
    entry_key: Maybe[str] = None
    session_id: SessionId
    turn_id: Maybe[TurnId] = None
    retry_of_task_id: Maybe[TaskId] = None
    retry_attempt: int = 0
    title: str
    prompt: str = ""
    task_kind: str = USUAL_TASK_KIND
    idempotency_key: str
    """The caller's, or one that the host made; a retry has `:retry:<n>` appended."""
    input: JsonValue = None
    expected_output: Maybe[ExpectedOutput] = None
    knowledge: tuple[KnowledgeBinding, ...] = ()
    tools: tuple[ToolRequest, ...] = ()
    files: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()
    human_review: bool | JsonObject = False
    status: TaskStatus
    started_at: Timestamp
    finished_at: Maybe[Timestamp] = None
    cancelled_at: Maybe[Timestamp] = None
    result: Maybe[AgentTaskResult] = None
    trace: tuple[TraceLine, ...] = ()
    events: tuple[AgentTaskEvent, ...] = ()
    """The newest events; `streamTask` gives them all."""
    runtime_process: Maybe[RuntimeProcess] = None
    process: Maybe[RuntimeProcess] = None
    """The same as `runtimeProcess`, under its older name."""
    provenance: Provenance
