"""Answers appArtifact/*: kinds that the manifest declares, every version kept, bytes by the name of their content."""

import asyncio
import json
import mimetypes
from pathlib import Path

from pydantic import JsonValue

from lime_desktop.app_package.manifest.resources import ArtifactType
from lime_desktop.app_server.apps.registered import RegisteredApps
from lime_desktop.app_server.artifacts.exporting import export
from lime_desktop.app_server.artifacts.rows import (
    APP_ARTIFACTS,
    add_version,
    find_version,
    list_newest,
)
from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.content_store import ContentStore
from lime_desktop.app_server.files.references import FileReferences, describe
from lime_desktop.app_server.runtime_core.identities import new_id, now
from lime_desktop.database.database import Database, open_database
from lime_desktop.file_names import shown_name
from lime_desktop.protocol.calls.app_artifacts import (
    CreateArtifactParams,
    CreateArtifactResult,
    ExportArtifactParams,
    ExportArtifactResult,
    ListArtifactsParams,
    ListArtifactsResult,
    ReadArtifactParams,
    ReadArtifactResult,
    StoredArtifact,
)
from lime_desktop.protocol.errors import (
    ArtifactNotFound,
    InvalidInput,
    StorageQuotaExceeded,
    WritebackNotDeclared,
)
from lime_desktop.protocol.ids import AppId, ArtifactId

MAX_INLINE_BYTES = 4 * 1024 * 1024
MAX_FILE_BYTES = 256 * 1024 * 1024
_JSON = "application/json"


class AppArtifacts:
    """The deliverables of every app."""

    def __init__(
        self,
        database: Database,
        apps: RegisteredApps,
        store: ContentStore,
        references: FileReferences,
    ) -> None:
        self.database = database
        self._apps = apps
        self._store = store
        self._references = references

    async def create(
        self, params: CreateArtifactParams, context: CallContext
    ) -> CreateArtifactResult:
        """Keep a version.

        Raises:
            WritebackNotDeclared: the manifest has no such kind.
            ArtifactNotFound: a version is meant for a deliverable that is not there.
        """
        del context
        if params.provenance.app_id != params.app_id:
            raise InvalidInput.at_fields([("provenance.appId", "another_app")])
        kind = self._kind(params.app_id, params.kind)
        before = await self._before(params)
        body, media_type = await self._body(params)
        content_ref = await asyncio.to_thread(self._store.put, "artifact", body)
        artifact = StoredArtifact(
            artifact_id=before.artifact_id if before else ArtifactId(new_id("artifact")),
            app_id=params.app_id,
            kind=params.kind,
            title=params.title or (before.title if before else kind.key),
            version=before.version + 1 if before else 1,
            content_ref=content_ref,
            media_type=media_type,
            size_bytes=len(body),
            created_at=now(),
            provenance=params.provenance,
        )
        await self.database.write(lambda connection: add_version(connection, artifact))
        return CreateArtifactResult(artifact=_with_content(artifact, body))

    async def read(self, params: ReadArtifactParams, context: CallContext) -> ReadArtifactResult:
        """Read a version with its content."""
        del context
        artifact, body = await self._read(params.app_id, params.artifact_id, params.version)
        return ReadArtifactResult(artifact=_with_content(artifact, body))

    async def list(self, params: ListArtifactsParams, context: CallContext) -> ListArtifactsResult:
        """List deliverables without their content."""
        del context
        found = await self.database.read(
            lambda connection: list_newest(connection, params.app_id, params.kind, params.limit)
        )
        return ListArtifactsResult(artifacts=found)

    async def export(
        self, params: ExportArtifactParams, context: CallContext
    ) -> ExportArtifactResult:
        """Write a deliverable to a file that the app can read and hand on."""
        del context
        artifact, body = await self._read(params.app_id, params.artifact_id, None)
        form = params.format or self._first_format(artifact)
        if artifact.media_type == _JSON:
            content = json.loads(body)
            # A large one takes a while, and others have questions too.
            ending, written = await asyncio.to_thread(export, content, artifact.title, form)
        else:
            ending, written = form, body
        name = shown_name(artifact.title, f".{ending}", otherwise="artifact")
        held = await self._references.write(params.app_id, name, written)
        return ExportArtifactResult(format=form, file=await asyncio.to_thread(describe, held))

    def close(self) -> None:
        """Finish and close. Blocks."""
        self.database.close()

    def _kind(self, app_id: AppId, key: str) -> ArtifactType:
        for declared in self._apps.get(app_id).package.manifest.artifact_types:
            if declared.key == key:
                return declared
        raise WritebackNotDeclared("The manifest declares no artifact of this kind")

    def _first_format(self, artifact: StoredArtifact) -> str:
        if artifact.media_type != _JSON:
            return (mimetypes.guess_extension(artifact.media_type) or ".bin").lstrip(".")
        exporters = self._kind(artifact.app_id, artifact.kind).exporters
        return next(iter(exporters), "json")

    async def _before(self, params: CreateArtifactParams) -> StoredArtifact | None:
        wanted = params.artifact_id
        if wanted is None:
            return None
        before = await self.database.read(
            lambda connection: find_version(connection, params.app_id, wanted)
        )
        if before is None or before.kind != params.kind:
            raise ArtifactNotFound("The app has no artifact of this id and kind")
        return before

    async def _body(self, params: CreateArtifactParams) -> tuple[bytes, str]:
        if (params.content_json is None) == (params.ref is None):
            raise InvalidInput.at_fields([("content", "exactly_one_of_content_and_ref")])
        if params.ref is not None:
            held = await self._references.find(params.app_id, params.ref)
            body = await asyncio.to_thread(_read_bounded, held.path)
            return body, mimetypes.guess_type(held.path.name)[0] or "application/octet-stream"
        body = _canonical(params.content_json or "")
        return body, _JSON

    async def _read(
        self, app_id: AppId, artifact_id: str, version: int | None
    ) -> tuple[StoredArtifact, bytes]:
        artifact = await self.database.read(
            lambda connection: find_version(connection, app_id, artifact_id, version)
        )
        if artifact is None:
            raise ArtifactNotFound("The app has no artifact of this id")
        return artifact, await asyncio.to_thread(self._store.read, artifact.content_ref)


def open_artifacts(
    data_dir: Path, apps: RegisteredApps, references: FileReferences
) -> AppArtifacts:
    """Open the deliverables. Blocks."""
    database = open_database(data_dir / "artifacts.db", APP_ARTIFACTS)
    return AppArtifacts(database, apps, ContentStore(data_dir / "content"), references)


def _with_content(artifact: StoredArtifact, body: bytes) -> StoredArtifact:
    if artifact.media_type != _JSON:
        return artifact
    return artifact.model_copy(update={"content_json": body.decode()})


def _canonical(text: str) -> bytes:
    try:
        value: JsonValue = json.loads(text)
        body = json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError):
        raise InvalidInput.at_fields([("content", "json_invalid")]) from None
    if len(body) > MAX_INLINE_BYTES:
        raise StorageQuotaExceeded("Content this large is given as a file")
    return body


def _read_bounded(path: Path) -> bytes:
    if path.stat().st_size > MAX_FILE_BYTES:
        raise StorageQuotaExceeded("The file is larger than an artifact may be")
    return path.read_bytes()
