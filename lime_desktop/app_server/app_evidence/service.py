"""Answers appEvidence/*, and records what the App Server itself has to show for an app."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import cast

import msgspec
from pydantic import JsonValue

from lime_desktop.app_server.app_evidence.part import EvidencePart
from lime_desktop.app_server.app_evidence.rows import (
    EVIDENCE,
    insert_link,
    insert_record,
    read_newest,
)
from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.runtime_core.identities import new_id, now
from lime_desktop.database.database import Database, open_database
from lime_desktop.protocol.calls.app_evidence import (
    AppEvidenceResult,
    LinkAppEvidenceParams,
    ListAppEvidenceParams,
    ListAppEvidenceResult,
    RecordAppEvidenceParams,
)
from lime_desktop.protocol.capability_calls.evidence import EvidenceRecord
from lime_desktop.protocol.errors import EvidenceNotFound, InvalidInput
from lime_desktop.protocol.ids import EvidenceId


class AppEvidence:
    """The evidence of every app."""

    def __init__(
        self, database: Database, new_id: Callable[[str], str], now: Callable[[], str]
    ) -> None:
        self._database = database
        self._new_id = new_id
        self._now = now

    @property
    def part(self) -> EvidencePart:
        """What is kept, as a part of an app's data."""
        return EvidencePart(self._database)

    def close(self) -> None:
        """Finish what was handed in, and close the file."""
        self._database.close()

    async def record(
        self, params: RecordAppEvidenceParams, context: CallContext
    ) -> AppEvidenceResult:
        """Keep a fact; the answer comes when it is on disk."""
        del context
        return AppEvidenceResult(record=await self.keep(params))

    async def keep(self, params: RecordAppEvidenceParams) -> EvidenceRecord:
        """Keep a fact that the App Server states itself."""
        if params.provenance.app_id != params.app_id:
            raise InvalidInput.at_fields([("provenance.appId", "another_app")])
        record = EvidenceRecord(
            id=EvidenceId(self._new_id("evidence")),
            app_id=params.app_id,
            entry_key=params.provenance.entry_key,
            run_id=params.run_id,
            kind=params.kind,
            message=params.message,
            subject=params.subject,
            sources=_sources(params.sources_json),
            refs=params.refs,
            created_at=self._now(),
            provenance=params.provenance,
        )
        await self._database.write(lambda connection: insert_record(connection, record))
        return record

    async def link(self, params: LinkAppEvidenceParams, context: CallContext) -> AppEvidenceResult:
        """Join a fact and an artifact."""
        del context
        record = await self._database.write(
            lambda connection: insert_link(
                connection, params.app_id, params.evidence_id, params.artifact_id
            )
        )
        if record is None:
            raise EvidenceNotFound("This app has no evidence of that id.")
        return AppEvidenceResult(record=record)

    async def list(
        self, params: ListAppEvidenceParams, context: CallContext
    ) -> ListAppEvidenceResult:
        """The newest facts."""
        del context
        records = await self._database.read(
            lambda connection: read_newest(connection, params.app_id, params.kind, params.limit)
        )
        return ListAppEvidenceResult(records=records)


async def open_evidence(data_dir: Path) -> AppEvidence:
    """Open the file; whoever opens it closes it, after everybody who records."""
    path = data_dir / "evidence.db"
    return AppEvidence(await asyncio.to_thread(open_database, path, EVIDENCE), new_id, now)


def _sources(text: str) -> tuple[JsonValue, ...]:
    try:
        return tuple(cast("list[JsonValue]", msgspec.json.decode(text, type=list)))
    except msgspec.DecodeError:
        raise InvalidInput.at_fields([("sourcesJson", "not_a_list")]) from None
