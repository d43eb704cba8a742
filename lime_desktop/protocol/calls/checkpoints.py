"""agentSession/checkpoint/*: points of a session that an app's data can be brought back to, by a person who asks for it."""

from typing import Literal, TypeAlias

from pydantic import Field

from lime_desktop.protocol.ids import NonEmpty, SessionId, Timestamp
from lime_desktop.protocol.wire import HostOnlyParams, Maybe, Method, WireModel

CheckpointScopeName: TypeAlias = Literal["appStorage", "artifacts", "files", "workflowState"]
MOST_CHANGES = 200
"""Changes that a preview names one by one; the rest is counted."""


class CheckpointOutline(WireModel):
    """A point to come back to."""

    checkpoint_id: str
    created_at: Timestamp
    label: Maybe[str] = None
    """What was asked of the agent then."""
    scopes: tuple[CheckpointScopeName, ...]


class ListCheckpointsParams(HostOnlyParams):
    """The points of a session whose copies are still kept."""

    session_id: NonEmpty[SessionId]


class ListCheckpointsResult(WireModel):
    """The newest last."""

    checkpoints: tuple[CheckpointOutline, ...]


class RollbackChange(WireModel):
    """One thing that a rollback would bring back, take away or set back."""

    scope: CheckpointScopeName
    kind: Literal["returns", "goes", "changes"]
    name: str
    state: Maybe[str] = None
    """Of a workflow's run, the state that it goes on from; of one that goes, the state that it is in."""


class OutsideEffect(WireModel):
    """Something that was done elsewhere since: nobody undoes it."""

    tool_call_id: str
    tool_name: str
    title: str
    at: Timestamp


class PreviewRollbackParams(HostOnlyParams):
    """Say what a rollback would change. Nothing is changed."""

    session_id: NonEmpty[SessionId]
    checkpoint_id: NonEmpty[str]


class PreviewRollbackResult(WireModel):
    """What would change here, and what was done elsewhere since."""

    checkpoint: CheckpointOutline
    changes: tuple[RollbackChange, ...] = Field(max_length=MOST_CHANGES)
    change_count: int
    """Of all changes, named or not."""
    outside_effects: tuple[OutsideEffect, ...] = ()


class RollBackParams(HostOnlyParams):
    """Bring the data of a checkpoint back. What is there now is copied first."""

    session_id: NonEmpty[SessionId]
    checkpoint_id: NonEmpty[str]


class RollBackResult(WireModel):
    """What was brought back."""

    scopes: tuple[CheckpointScopeName, ...]
    change_count: int
    undo_checkpoint_id: str
    """The copy of what was there before: going back to it undoes this."""
    outside_effects: tuple[OutsideEffect, ...] = ()


LIST_CHECKPOINTS = Method(
    "agentSession/checkpoint/list", ListCheckpointsParams, ListCheckpointsResult
)
PREVIEW_ROLLBACK = Method(
    "agentSession/checkpoint/preview", PreviewRollbackParams, PreviewRollbackResult
)
ROLL_BACK = Method("agentSession/checkpoint/restore", RollBackParams, RollBackResult)
