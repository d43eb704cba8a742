"""lime.workspace: where the app's work belongs. A person who has made no other has one workspace."""

from pydantic import BaseModel

from lime_desktop.host.capabilities.handler import Handlers, HandlerServices
from lime_desktop.protocol.capability_calls.workspace import (
    GetPathRefParams,
    ListWorkspacesResult,
    OpenWorkspaceParams,
    Workspace,
)
from lime_desktop.protocol.errors import CapabilityNotAvailable, WorkspaceUnknown
from lime_desktop.protocol.wire import Empty


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call."""

    def current() -> Workspace:
        name = services.workspace_id
        return Workspace(workspace_id=name, title=name.capitalize(), is_current=True)

    def get_current(_: Empty) -> BaseModel:
        return current()

    def list_all(_: Empty) -> BaseModel:
        return ListWorkspacesResult((current(),))

    def open_(params: OpenWorkspaceParams) -> BaseModel:
        if params.workspace_id != services.workspace_id:
            raise WorkspaceUnknown("There is no workspace of that id")
        return current()

    def get_path_ref(_: GetPathRefParams) -> BaseModel:
        raise CapabilityNotAvailable(
            "This workspace has no folder of its own; ask for files with lime.files.pick"
        )

    return {
        "lime.workspace.getCurrent": get_current,
        "lime.workspace.list": list_all,
        "lime.workspace.open": open_,
        "lime.workspace.getPathRef": get_path_ref,
    }
