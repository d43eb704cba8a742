"""Answers lime.evidence, and records what the App Server itself has to show for an app."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import msgspec

from lime_desktop.app_server.app_evidence.rows import (
    EVIDENCE,
    insert_link,
    insert_missing,
    insert_record,
    measure,
    read_newest,
    remove_all,
)
from lime_desktop.app_server.apps.data_holder import HeldAmount
from lime_desktop.app_server.routes import AppCalls
from lime_desktop.app_server.runtime_core.identities import new_id, now
from lime_desktop.background.observers import Observers
from lime_desktop.database.database import Database, open_database
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.capability_calls.evidence import (
    LINK_EVIDENCE,
    LIST_EVIDENCE,
    RECORD_EVIDENCE,
    EvidenceRecord,
    LinkArtifactParams,
    ListEvidenceParams,
    ListEvidenceResult,
    RecordEvidenceParams,
)
from lime_desktop.protocol.errors import EvidenceNotFound, InvalidInput
from lime_desktop.protocol.ids import AppId, EvidenceId
from lime_desktop.protocol.provenance import Provenance

_LIST = "evidence.jsonl"
_ALL = 2**31

MAX_SOURCES_BYTES = 200_000
"""What a fact rests on is named, not copied."""


class EvidencePart:
    """Copies facts as lines; links to artifacts are among their references."""

    name = "evidence"

    def __init__(self, database: Database) -> None:
        self._database = database

    async def amount(self, app_id: AppId) -> HeldAmount:
        """Count the facts."""
        return HeldAmount(*await self._database.read(lambda found: measure(found, app_id)))

    async def copy_to(self, app_id: AppId, folder: Path) -> None:
        """Write every fact, the oldest first."""
        kept = await self._database.read(lambda found: read_newest(found, app_id, None, _ALL))
        if kept:
            lines = "".join(f"{record.to_json()}\n" for record in reversed(kept))
            await asyncio.to_thread((folder / _LIST).write_text, lines, "utf-8")

    async def replace_from(self, app_id: AppId, folder: Path) -> None:
        """Add what is missing. Nothing is taken away: an older copy does not undo what was done since."""
        records = await asyncio.to_thread(_read_lines, folder / _LIST)
        await self._database.write(lambda found: insert_missing(found, app_id, records))

    async def remove(self, app_id: AppId) -> None:
        """Keep nothing of an app that is gone with its data."""
        await self._database.write(lambda found: remove_all(found, app_id))


def _read_lines(path: Path) -> tuple[EvidenceRecord, ...]:
    if not path.exists():
        return ()
    lines = path.read_text("utf-8").splitlines()
    return tuple(EvidenceRecord.model_validate(json.loads(line)) for line in lines)


class AppEvidence:
    """The evidence of every app."""

    def __init__(
        self, database: Database, new_id: Callable[[str], str], now: Callable[[], str]
    ) -> None:
        self._database = database
        self._new_id = new_id
        self._now = now
        self.kept = Observers[EvidenceRecord]()
        """Who hears of each fact."""

    @property
    def part(self) -> EvidencePart:
        """What is kept, as a part of an app's data."""
        return EvidencePart(self._database)

    def close(self) -> None:
        """Finish what was handed in, and close the file."""
        self._database.close()

    def serve(self, calls: AppCalls) -> None:
        """Answer every call of lime.evidence."""
        calls.add(RECORD_EVIDENCE, self.record)
        calls.add(LINK_EVIDENCE, self.link)
        calls.add(LIST_EVIDENCE, self.list)

    async def record(self, params: RecordEvidenceParams, caller: AppCaller) -> EvidenceRecord:
        """Keep a fact. It is on disk when the answer comes, and is never changed afterwards."""
        if len(msgspec.json.encode(params.sources)) > MAX_SOURCES_BYTES:
            raise InvalidInput.at_fields([("sources", "too_long")])
        return await self.keep(params, caller.provenance)

    async def keep(
        self, params: RecordEvidenceParams, provenance: Provenance, run_id: str | None = None
    ) -> EvidenceRecord:
        """Keep a fact that the App Server states itself."""
        record = EvidenceRecord(
            id=EvidenceId(self._new_id("evidence")),
            app_id=provenance.app_id,
            entry_key=provenance.entry_key,
            run_id=run_id,
            kind=params.kind,
            message=params.message or f"Evidence about {params.subject}",
            subject=params.subject,
            sources=params.sources,
            refs=params.refs,
            created_at=self._now(),
            provenance=provenance,
        )
        await self._database.write(lambda connection: insert_record(connection, record))
        self.kept.notify(record)
        return record

    async def link(self, params: LinkArtifactParams, caller: AppCaller) -> EvidenceRecord:
        """Join a fact and an artifact."""
        record = await self._database.write(
            lambda connection: insert_link(
                connection, caller.app_id, params.evidence_id, params.artifact_id
            )
        )
        if record is None:
            raise EvidenceNotFound("This app has no evidence of that id.")
        return record

    async def list(self, params: ListEvidenceParams, caller: AppCaller) -> ListEvidenceResult:
        """The newest facts."""
        records = await self._database.read(
            lambda connection: read_newest(connection, caller.app_id, params.kind, params.limit)
        )
        return ListEvidenceResult(records)


async def open_evidence(data_dir: Path) -> AppEvidence:
    """Open the file; whoever opens it closes it, after everybody who records."""
    path = data_dir / "evidence.db"
    return AppEvidence(await asyncio.to_thread(open_database, path, EVIDENCE), new_id, now)
