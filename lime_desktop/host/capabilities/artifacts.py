"""lime.artifacts: kept by the App Server, shown by the viewer that the app declares for the kind, or by the host's own."""

import json
from urllib.parse import quote

from pydantic import BaseModel

from lime_desktop.host.capabilities.handler import Handlers, HandlerServices
from lime_desktop.host.shown_artifact import shown_artifact
from lime_desktop.protocol.calls.app_artifacts import (
    CREATE_ARTIFACT,
    EXPORT_ARTIFACT,
    LIST_ARTIFACTS,
    READ_ARTIFACT,
    ReadArtifactParams,
    StoredArtifact,
)
from lime_desktop.protocol.calls.app_artifacts import CreateArtifactParams as CreateParams
from lime_desktop.protocol.calls.app_artifacts import ExportArtifactParams as ExportParams
from lime_desktop.protocol.calls.app_artifacts import ListArtifactsParams as ListParams
from lime_desktop.protocol.capability_calls.artifacts import (
    Artifact,
    ArtifactParams,
    CreateArtifactParams,
    ExportArtifactParams,
    ExportArtifactResult,
    ListArtifactsParams,
    ListArtifactsResult,
    OpenArtifactResult,
)


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call."""
    call, app_id = services.call, services.app_id

    async def create(params: CreateArtifactParams) -> BaseModel:
        asked = CreateParams(
            app_id=app_id,
            kind=params.kind,
            title=params.title,
            content_json=None if params.ref else json.dumps(params.content),
            ref=params.ref,
            artifact_id=params.artifact_id,
            provenance=services.provenance,
        )
        return _artifact((await call(CREATE_ARTIFACT, asked)).artifact)

    async def open_(params: ArtifactParams) -> BaseModel:
        asked = ReadArtifactParams(app_id=app_id, artifact_id=params.artifact_id)
        stored = (await call(READ_ARTIFACT, asked)).artifact
        if not _show_own_viewer(services, stored):
            services.shell.show_artifact(shown_artifact(stored))
        return OpenArtifactResult(artifact=_artifact(stored))

    async def export(params: ExportArtifactParams) -> BaseModel:
        asked = ExportParams(app_id=app_id, artifact_id=params.artifact_id, format=params.format)
        written = await call(EXPORT_ARTIFACT, asked)
        return ExportArtifactResult(
            artifact_id=params.artifact_id,
            format=written.format,
            ref=written.file.ref,
            file_name=written.file.name,
            size_bytes=written.file.size_bytes,
        )

    async def list_all(params: ListArtifactsParams) -> BaseModel:
        asked = ListParams(app_id=app_id, kind=params.kind, limit=params.limit)
        found = (await call(LIST_ARTIFACTS, asked)).artifacts
        return ListArtifactsResult(tuple(_artifact(each) for each in found))

    return {
        "lime.artifacts.create": create,
        "lime.artifacts.open": open_,
        "lime.artifacts.export": export,
        "lime.artifacts.list": list_all,
    }


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


def _artifact(stored: StoredArtifact) -> Artifact:
    return Artifact(
        id=stored.artifact_id,
        app_id=stored.app_id,
        entry_key=stored.provenance.entry_key,
        kind=stored.kind,
        title=stored.title,
        content=None if stored.content_json is None else json.loads(stored.content_json),
        content_ref=stored.content_ref,
        version=stored.version,
        created_at=stored.created_at,
        provenance=stored.provenance,
    )
