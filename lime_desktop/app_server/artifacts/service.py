"""Answers lime.artifacts and appArtifact/read: kinds that the manifest declares, every version kept, bytes by the name of their content."""

import asyncio
import json
import mimetypes
from pathlib import Path

from pydantic import ValidationError

from lime_desktop.app_package.manifest.resources import ArtifactType
from lime_desktop.app_package.value_schema import fits, read_schema
from lime_desktop.app_server.apps.agent_settings import AgentSettings
from lime_desktop.app_server.apps.registered import RegisteredApps
from lime_desktop.app_server.artifacts.bodies import canonical, read_bounded
from lime_desktop.app_server.artifacts.exporting import write
from lime_desktop.app_server.artifacts.judging import ArtifactJudge, NoJudge, decided
from lime_desktop.app_server.artifacts.rows import (
    APP_ARTIFACTS,
    add_version,
    find_version,
    keep_acceptance,
    list_newest,
    remove_newest,
)
from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.content_store import ContentStore
from lime_desktop.app_server.files.references import FileReferences, describe
from lime_desktop.app_server.routes import AppCalls, Undoing
from lime_desktop.app_server.runtime_core.identities import new_id, now
from lime_desktop.background.observers import Observers
from lime_desktop.database.database import Database, open_database
from lime_desktop.file_names import shown_name
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.calls.artifacts import (
    JudgeArtifactParams,
    JudgeArtifactResult,
    ReadArtifactParams,
    ReadArtifactResult,
    StoredArtifact,
)
from lime_desktop.protocol.capability_calls.artifacts import (
    CREATE_ARTIFACT,
    EXPORT_ARTIFACT,
    LIST_ARTIFACTS,
    Artifact,
    CreateArtifactParams,
    ExportArtifactParams,
    ExportArtifactResult,
    ListArtifactsParams,
    ListArtifactsResult,
)
from lime_desktop.protocol.errors import (
    ActionClosed,
    ArtifactNotFound,
    Conflict,
    InvalidInput,
    WritebackNotDeclared,
)
from lime_desktop.protocol.ids import AppId, ArtifactId
from lime_desktop.protocol.provenance import Provenance
from lime_desktop.protocol.wire import WireModel

_JSON = "application/json"


class MadeVersion(WireModel):
    """The version that a call made: what takes it back has to know."""

    artifact_id: ArtifactId
    version: int


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
        self._judge: ArtifactJudge = NoJudge()
        self.kept = Observers[str]()
        """Hear of every app that has kept a version."""

    def judge_by(self, judge: ArtifactJudge) -> None:
        """Who says from now on whether what is kept is accepted."""
        self._judge = judge

    def serve(self, calls: AppCalls) -> None:
        """Answer what apps ask of their deliverables."""
        undoing = Undoing(self._create_undoably, self._withdraw)
        calls.add(CREATE_ARTIFACT, self.create, undoing)
        calls.add(LIST_ARTIFACTS, self.list)
        calls.add(EXPORT_ARTIFACT, self.export)

    async def create(self, params: CreateArtifactParams, caller: AppCaller) -> Artifact:
        """Keep a version and tell of it.

        Raises:
            InvalidInput: the content has not the form that the manifest declares for its kind.
        """
        if params.ref is None:
            await asyncio.to_thread(self._require_form, caller.app_id, params)
        return (await self.keep(params, caller.provenance)).for_app()

    async def keep(self, params: CreateArtifactParams, provenance: Provenance) -> StoredArtifact:
        """Keep a version.

        Raises:
            WritebackNotDeclared: the manifest has no such kind.
            ArtifactNotFound: a version is meant for a deliverable that is not there.
        """
        app_id = provenance.app_id
        kind = self._kind(app_id, params.kind)
        before = await self._before(app_id, params)
        body, media_type = await self._body(app_id, params)
        content_ref = await asyncio.to_thread(self._store.put, "artifact", body)
        artifact = StoredArtifact(
            artifact_id=before.artifact_id if before else ArtifactId(new_id("artifact")),
            app_id=app_id,
            kind=params.kind,
            title=params.title or (before.title if before else kind.key),
            version=before.version + 1 if before else 1,
            content_ref=content_ref,
            media_type=media_type,
            size_bytes=len(body),
            created_at=now(),
            provenance=provenance,
        )
        judged = artifact.model_copy(update={"acceptance": await self._judge.judge(artifact, body)})
        await self.database.write(lambda connection: add_version(connection, judged))
        await self._judge.record(judged)
        self.kept.notify(app_id)
        return judged.model_copy(update={"content": None if params.ref else params.content})

    async def read(self, params: ReadArtifactParams, context: CallContext) -> ReadArtifactResult:
        """Read a version with its content."""
        del context
        artifact = await self.find(params.app_id, params.artifact_id, params.version)
        return ReadArtifactResult(artifact=artifact)

    async def find(
        self, app_id: AppId, artifact_id: str, version: int | None = None
    ) -> StoredArtifact:
        """The same for somebody in this process."""
        artifact, body = await self._read(app_id, artifact_id, version)
        if artifact.media_type != _JSON:
            return artifact
        return artifact.model_copy(update={"content": json.loads(body)})

    async def decide(
        self, params: JudgeArtifactParams, context: CallContext
    ) -> JudgeArtifactResult:
        """Take a person's word on a version that waits for it.

        Raises:
            ArtifactNotFound: there is no such version.
            ActionClosed: nothing waits for a person there.
        """
        del context
        artifact, _ = await self._read(params.app_id, params.artifact_id, params.version)
        before = artifact.acceptance
        if before is None or before.status != "waiting":
            raise ActionClosed("Nobody is asked about this version any more")
        after = decided(before, is_accepted=params.is_accepted, note=params.note)
        judged = artifact.model_copy(update={"acceptance": after})
        await self.database.write(lambda connection: keep_acceptance(connection, judged))
        settled = {each.eval_key for each in before.gates if each.status == "waiting"}
        news = tuple(each for each in after.gates if each.eval_key in settled)
        told = after.model_copy(update={"gates": news})
        await self._judge.record(judged.model_copy(update={"acceptance": told}))
        return JudgeArtifactResult(acceptance=after)

    async def list(self, params: ListArtifactsParams, caller: AppCaller) -> ListArtifactsResult:
        """List deliverables without their content."""
        found = await self.database.read(
            lambda connection: list_newest(connection, caller.app_id, params.kind, params.limit)
        )
        return ListArtifactsResult(tuple(each.for_app() for each in found))

    async def export(self, params: ExportArtifactParams, caller: AppCaller) -> ExportArtifactResult:
        """Write a deliverable to a file that the app can read and hand on."""
        app_id = caller.app_id
        artifact, body = await self._read(app_id, params.artifact_id, None)
        form = params.format or self._first_format(artifact)
        if artifact.media_type == _JSON:
            ending, written = await write(json.loads(body), artifact.title, form)
        else:
            ending, written = form, body
        name = shown_name(artifact.title, f".{ending}", otherwise="artifact")
        held = await self._references.write(app_id, name, written)
        file = await asyncio.to_thread(describe, held)
        return ExportArtifactResult(
            artifact_id=params.artifact_id,
            format=form,
            ref=file.ref,
            file_name=file.name,
            size_bytes=file.size_bytes,
        )

    async def _create_undoably(
        self, params: CreateArtifactParams, caller: AppCaller
    ) -> tuple[Artifact, MadeVersion]:
        made = await self.create(params, caller)
        return made, MadeVersion(artifact_id=made.id, version=made.version)

    async def _withdraw(self, undo: bytes, caller: AppCaller) -> None:
        """Take the newest version back. Bytes go by their content and may be another's too: they stay.

        Raises:
            Conflict: it is not the newest any more.
        """
        made = _read_made(undo)
        was_newest = await self.database.write(
            lambda connection: remove_newest(
                connection, caller.app_id, made.artifact_id, made.version
            )
        )
        if not was_newest:
            raise Conflict("Another version followed, and this one is left as it is")

    def close(self) -> None:
        """Finish and close. Blocks."""
        self.database.close()

    def _require_form(self, app_id: AppId, params: CreateArtifactParams) -> None:
        package = self._apps.get(app_id).package
        schema = read_schema(package.tree, self._kind(app_id, params.kind).schema_path)
        if schema is not None and not fits(schema, params.content):
            raise InvalidInput.at_fields([("content", "not_as_declared")])

    def _kind(self, app_id: AppId, key: str) -> ArtifactType:
        for declared in self._apps.get(app_id).package.manifest.artifact_types:
            if declared.key == key:
                return declared
        raise WritebackNotDeclared("The manifest declares no artifact of this kind")

    def _first_format(self, artifact: StoredArtifact) -> str:
        if artifact.media_type != _JSON:
            return (mimetypes.guess_extension(artifact.media_type) or ".bin").lstrip(".")
        exporters = self._kind(artifact.app_id, artifact.kind).exporters
        wanted = AgentSettings(self._apps.get(artifact.app_id).registration).export_format
        return wanted if wanted in exporters else next(iter(exporters), "json")

    async def _before(self, app_id: AppId, params: CreateArtifactParams) -> StoredArtifact | None:
        wanted = params.artifact_id
        if wanted is None:
            return None
        before = await self.database.read(
            lambda connection: find_version(connection, app_id, wanted)
        )
        if before is None or before.kind != params.kind:
            raise ArtifactNotFound("The app has no artifact of this id and kind")
        return before

    async def _body(self, app_id: AppId, params: CreateArtifactParams) -> tuple[bytes, str]:
        if params.ref is None:
            return canonical(params.content), _JSON
        held = await self._references.find(app_id, params.ref)
        body = await asyncio.to_thread(read_bounded, held.path)
        return body, mimetypes.guess_type(held.path.name)[0] or "application/octet-stream"

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


def _read_made(undo: bytes) -> MadeVersion:
    try:
        return MadeVersion.model_validate_json(undo)
    except ValidationError:
        raise InvalidInput.at_fields([("undo", "not_an_undo")]) from None
