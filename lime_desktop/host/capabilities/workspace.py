"""lime.workspace: where the app's work belongs: the folder that the person opened, or the one workspace of a person who opened none.

No app may read that folder for this alone: the first time an app wants a place in it, the person chooses the folder in
which this app's work is kept, and choosing is the grant.
"""

from pydantic import BaseModel

from lime_desktop.host.approvals.deferred_prompts import DeferredPrompts
from lime_desktop.host.capabilities.handler import Handlers, HandlerServices, LaterHandler
from lime_desktop.protocol.capability_calls.files import READ_FOLDER, FileRef, ListFolderParams
from lime_desktop.protocol.capability_calls.workspace import (
    GetPathRefParams,
    ListWorkspacesResult,
    OpenWorkspaceParams,
    PathRef,
    Workspace,
)
from lime_desktop.protocol.errors import (
    ApprovalRequired,
    Cancelled,
    FileReferenceUnknown,
    WorkspaceUnknown,
)
from lime_desktop.protocol.wire import Empty


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call."""

    def current() -> Workspace:
        folder, name = services.app().governing.workspace, services.workspace_id
        title = name.capitalize() if folder is None else folder.title
        return Workspace(workspace_id=name, title=title, is_current=True)

    def get_current(_: Empty) -> BaseModel:
        return current()

    def list_all(_: Empty) -> BaseModel:
        return ListWorkspacesResult((current(),))

    def open_(params: OpenWorkspaceParams) -> BaseModel:
        if params.workspace_id != services.workspace_id:
            raise WorkspaceUnknown("There is no workspace of that id")
        return current()

    return {
        "lime.workspace.getCurrent": get_current,
        "lime.workspace.list": list_all,
        "lime.workspace.open": open_,
        "lime.workspace.getPathRef": _places(services),
    }


def _places(services: HandlerServices) -> LaterHandler:
    questions = DeferredPrompts[tuple[FileRef, ...]]()
    folder: FileRef | None = None

    async def get_path_ref(params: GetPathRefParams) -> BaseModel:
        nonlocal folder
        if folder is None:
            chosen = await questions.ask("folder", lambda: services.choose_folder(params.purpose))
            if chosen is None:
                raise ApprovalRequired(
                    "The person is still choosing a folder", details={"pending": True}
                )
            if not chosen:
                raise Cancelled("The person chose no folder for the app's work")
            folder = chosen[0]
        return await _place(services, folder, params.path)

    return get_path_ref


async def _place(services: HandlerServices, folder: FileRef, path: str | None) -> PathRef:
    if path is None:
        return PathRef(ref=folder.ref, name=folder.name, is_folder=True)
    parent, _, name = path.rstrip("/").rpartition("/")
    asked = ListFolderParams(ref=folder.ref, path=parent or None)
    for entry in (await services.ask(READ_FOLDER, asked)).entries:
        if entry.name == name:
            return PathRef(ref=folder.ref, name=name, is_folder=entry.is_folder, path=entry.path)
    raise FileReferenceUnknown("There is nothing of that name in the folder")
