"""lime.artifacts.open: a deliverable that the App Server keeps, shown by the viewer that the app declares for the kind, or by the host's own.

A view that was opened to show one artifact is shown no other, and lists no other.
"""

from pydantic import BaseModel

from lime_desktop.host.apps.artifact_viewers import own_viewer
from lime_desktop.host.capabilities.handler import Handlers, HandlerServices
from lime_desktop.host.view.shown_artifact import shown_artifact
from lime_desktop.protocol.calls.artifacts import (
    READ_ARTIFACT,
    ReadArtifactParams,
    StoredArtifact,
)
from lime_desktop.protocol.capability_calls.artifacts import (
    ArtifactParams,
    ListArtifactsParams,
    ListArtifactsResult,
    OpenArtifactResult,
)
from lime_desktop.protocol.ids import ArtifactId


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call."""
    only = services.only_artifact

    async def open_(params: ArtifactParams) -> BaseModel:
        stored = await _read(services, params.artifact_id)
        # The viewer of an artifact reads it by the same call, and is there already.
        if only is None:
            viewer = own_viewer(services.app(), stored.kind)
            services.shell.show_artifact(shown_artifact(stored, services.call, viewer))
        return OpenArtifactResult(artifact=stored.for_app())

    async def list_one(params: ListArtifactsParams) -> BaseModel:
        stored = await _read(services, ArtifactId(only or ""))
        is_meant = params.kind in {None, stored.kind}
        told = stored.model_copy(update={"content": None}).for_app()
        return ListArtifactsResult((told,) if is_meant else ())

    mine: Handlers = {} if only is None else {"lime.artifacts.list": list_one}
    return {"lime.artifacts.open": open_, **mine}


async def _read(services: HandlerServices, artifact_id: ArtifactId) -> StoredArtifact:
    asked = ReadArtifactParams(app_id=services.app_id, artifact_id=artifact_id)
    return (await services.call(READ_ARTIFACT, asked)).artifact
