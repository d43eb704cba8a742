"""lime.workspace: where the app's work belongs. An app holds references, never paths."""

from typing import Annotated

from pydantic import Field

from lime_desktop.protocol.capability_calls.call import Call, CallParams, Effect, ResultValue
from lime_desktop.protocol.errors import FileReferenceUnknown, WorkspaceUnknown
from lime_desktop.protocol.ids import NonEmpty
from lime_desktop.protocol.wire import Empty, Maybe, WireModel

NAME = "lime.workspace"


class Workspace(WireModel):
    """A workspace."""

    workspace_id: str
    title: str
    is_current: bool
    tenant_id: Maybe[str] = None


class ListWorkspacesResult(ResultValue[tuple[Workspace, ...]]):
    """The workspaces that the app may see."""


class OpenWorkspaceParams(CallParams):
    """The workspace to switch to."""

    workspace_id: NonEmpty[str]


class GetPathRefParams(CallParams):
    """What the app wants to reach in the workspace, and why."""

    purpose: NonEmpty[str]
    path: Maybe[Annotated[str, Field(max_length=4_096)]] = None
    """Relative to the workspace; its root otherwise."""


class PathRef(WireModel):
    """A place in the workspace, for lime.files."""

    ref: str
    """Opens the folder that the person keeps the app's work in."""
    name: str
    is_folder: bool
    path: Maybe[str] = None
    """Where the place lies in that folder; goes to lime.files beside the reference."""


CALLS = (
    Call(NAME, "getCurrent", Empty, Workspace, Effect.READ, "The current workspace."),
    Call(NAME, "list", Empty, ListWorkspacesResult, Effect.READ, "The app's workspaces."),
    Call(NAME, "open", OpenWorkspaceParams, Workspace, Effect.ASK,
         "Ask the person to switch workspaces.",
         errors=(WorkspaceUnknown,)),
    Call(NAME, "getPathRef", GetPathRefParams, PathRef, Effect.ASK,
         "A reference into the workspace.",
         errors=(FileReferenceUnknown,)),
)  # fmt: skip
