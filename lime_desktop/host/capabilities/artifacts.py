"""lime.artifacts.open: a deliverable that the App Server keeps, shown by the viewer that the app declares for the kind, or by the host's own."""

from urllib.parse import quote

from pydantic import BaseModel

from lime_desktop.host.capabilities.handler import Handlers, HandlerServices
from lime_desktop.host.view.shown_artifact import shown_artifact
from lime_desktop.protocol.calls.artifacts import (
    READ_ARTIFACT,
    ReadArtifactParams,
    StoredArtifact,
)
from lime_desktop.protocol.capability_calls.artifacts import (
    ArtifactParams,
    OpenArtifactResult,
)


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call."""
    call, app_id = services.call, services.app_id

    async def open_(params: ArtifactParams) -> BaseModel:
        asked = ReadArtifactParams(app_id=app_id, artifact_id=params.artifact_id)
        stored = (await call(READ_ARTIFACT, asked)).artifact
        if not _show_own_viewer(services, stored):
            services.shell.show_artifact(shown_artifact(stored, call))
        return OpenArtifactResult(artifact=stored.for_app())

    return {"lime.artifacts.open": open_}


def _show_own_viewer(services: HandlerServices, stored: StoredArtifact) -> bool:
    """Bring the app to its viewer of a kind, and say whether it has one in its own pages."""
    app = services.app()
    kinds = app.package.manifest.artifact_types
    viewer = next((each.viewer for each in kinds if each.key == stored.kind), None)
    if viewer is None:
        return False
    if app.projection.entry(viewer) is not None:
        services.shell.open_entry(viewer)
        return True
    if viewer.startswith("/") and not viewer.startswith("//"):
        # A page is told by its address what to show.
        mark = "&" if "?" in viewer else "?"
        services.shell.open_route(f"{viewer}{mark}artifact={quote(stored.artifact_id)}")
        return True
    return False
