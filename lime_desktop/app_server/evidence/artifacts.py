"""artifact/read: what the work produced, newest first; the bytes come on request, and only from our own store."""

import asyncio

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.content_store import SCHEME, ContentStore
from lime_desktop.app_server.runtime_core.log.journal import Journal
from lime_desktop.app_server.runtime_core.reading.session_reader import SessionReader, page_of
from lime_desktop.protocol.calls.artifacts import (
    ArtifactRecord,
    ReadArtifactsParams,
    ReadArtifactsResult,
)
from lime_desktop.protocol.errors import AppError, ArtifactNotFound
from lime_desktop.protocol.runtime.threads import ArtifactSnapshot
from lime_desktop.runtime_views.references import relative_path

MAX_CONTENT_BYTES = 1_000_000
"""What one artifact's content may add to an answer."""
MAX_PAGE_BYTES = 4_000_000
"""What all of a page's content may add: an answer has to fit a line."""


class ArtifactReadings:
    """Reads artifacts out of the facts about them."""

    def __init__(self, journal: Journal, store: ContentStore) -> None:
        self._journal = journal
        self._store = store

    async def read(self, params: ReadArtifactsParams, context: CallContext) -> ReadArtifactsResult:
        """One page; a reference that names no artifact of the session is an error."""
        del context
        found, cursor = await self._journal.read(
            params.session_id,
            lambda connection, row: page_of(
                SessionReader.of(connection, row),
                ArtifactSnapshot,
                "artifact",
                params.cursor,
                params.limit,
                lambda artifact: _is_wanted(artifact, params),
            ),
        )
        if params.artifact_ref and not found and params.cursor is None:
            raise ArtifactNotFound("The session has no artifact of this reference.")
        records = tuple(map(artifact_record, found))
        if params.include_content:
            records = await asyncio.to_thread(self._with_contents, found, records)
        return ReadArtifactsResult(artifacts=records, next_cursor=cursor)

    def _with_contents(
        self, found: tuple[ArtifactSnapshot, ...], records: tuple[ArtifactRecord, ...]
    ) -> tuple[ArtifactRecord, ...]:
        left = MAX_PAGE_BYTES
        filled: list[ArtifactRecord] = []
        for artifact, record in zip(found, records, strict=True):
            content = self._content(artifact, min(left, MAX_CONTENT_BYTES))
            left -= len(content.encode()) if content is not None else 0
            status = "unavailable" if content is None else "available"
            filled.append(record.model_copy(update={"content": content, "content_status": status}))
        return tuple(filled)

    def _content(self, artifact: ArtifactSnapshot, limit: int) -> str | None:
        ref = content_ref(artifact)
        if ref is None or not ref.startswith(SCHEME):
            return None
        try:
            body = self._store.read(ref)
            return body.decode() if len(body) <= limit else None
        except (AppError, UnicodeDecodeError):
            return None


def artifact_record(artifact: ArtifactSnapshot) -> ArtifactRecord:
    """An artifact as clients see it: by reference, with no path outside its workspace."""
    metadata = {"versionId": artifact.version_id, "contentRef": content_ref(artifact)}
    said = {name: value for name, value in metadata.items() if value}
    return ArtifactRecord.model_validate(
        {
            **artifact.model_dump(
                include={
                    "artifact_ref",
                    "event_id",
                    "sequence",
                    "turn_id",
                    "artifact_id",
                    "title",
                    "kind",
                    "status",
                    "acceptance",
                }
            ),
            "path": relative_path(artifact.path),
            "content_status": "notRequested",
            "metadata": said or None,
        }
    )


def content_ref(artifact: ArtifactSnapshot) -> str | None:
    """Where the artifact's bytes are, if its events said so."""
    more = artifact.model_extra or {}
    ref = more.get("content_ref") or more.get("contentRef")
    return ref if isinstance(ref, str) else None


def _is_wanted(artifact: ArtifactSnapshot, params: ReadArtifactsParams) -> bool:
    is_of_turn = params.turn_id is None or artifact.turn_id == params.turn_id
    names = {artifact.artifact_ref, artifact.artifact_id}
    return is_of_turn and (params.artifact_ref is None or params.artifact_ref in names)
