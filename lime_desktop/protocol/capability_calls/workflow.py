"""lime.workflow: recoverable business processes."""

from typing import Literal, TypeAlias

from pydantic import AliasChoices, Field, JsonValue

from lime_desktop.protocol.capability_calls.call import Call, CallParams, Effect
from lime_desktop.protocol.errors import UntrustedUrl, WorkflowRuntimeDisabled
from lime_desktop.protocol.ids import JsonObject, NonEmpty, Timestamp
from lime_desktop.protocol.provenance import Provenance
from lime_desktop.protocol.wire import Maybe, WireModel

NAME = "lime.workflow"

WorkflowStatus: TypeAlias = Literal[
    "running", "waiting", "paused", "succeeded", "failed", "cancelled"
]


class StartWorkflowParams(CallParams):
    """The workflow and its input."""

    key: NonEmpty[str] = Field(validation_alias=AliasChoices("key", "workflowKey"))
    input: JsonValue = None


class WorkflowRun(WireModel):
    """A run of a workflow."""

    workflow_run_id: str
    key: str
    status: WorkflowStatus
    state: str
    """The state it is in."""
    checkpoint: Maybe[str] = None
    """The newest point it can be resumed from."""
    output: JsonValue = None
    started_at: Timestamp
    finished_at: Maybe[Timestamp] = None
    provenance: Provenance


class CheckpointParams(CallParams):
    """The run, and what to remember with the checkpoint."""

    workflow_run_id: NonEmpty[str]
    state: Maybe[JsonObject] = None


class CheckpointResult(WireModel):
    """The run can be resumed from here."""

    workflow_run_id: str
    checkpoint: str
    saved_at: Timestamp


class AwaitHumanParams(CallParams):
    """The run, and what to ask a person."""

    workflow_run_id: NonEmpty[str]
    prompt: str = Field(min_length=1, max_length=10_000)


class AwaitHumanResult(WireModel):
    """What the person decided. The answer never waits for them."""

    workflow_run_id: str
    request_id: str
    status: Literal["pending", "approved", "modified", "rejected"]
    """`pending`: the person was asked; repeat the call to get the decision."""
    data: JsonValue = None
    """What they changed or wrote."""


CALLS = (
    Call(NAME, "start", StartWorkflowParams, WorkflowRun, Effect.EXECUTE,
         "Start a workflow; returns at once.",
         errors=(UntrustedUrl, WorkflowRuntimeDisabled)),
    Call(NAME, "checkpoint", CheckpointParams, CheckpointResult, Effect.WRITE,
         "Make a point to resume from.",
         errors=(WorkflowRuntimeDisabled,)),
    Call(NAME, "awaitHuman", AwaitHumanParams, AwaitHumanResult, Effect.ASK,
         "Ask a person to review.",
         errors=(WorkflowRuntimeDisabled,)),
)  # fmt: skip
