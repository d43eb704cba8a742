"""evidence/export, replay cases and reviews: written to disk first, then told to the log through RuntimeCore."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.content_store import ContentStore
from lime_desktop.app_server.evidence.chain import discard
from lime_desktop.app_server.evidence.writing import EvidenceWriter, Written
from lime_desktop.app_server.runtime_core.facts import fact
from lime_desktop.app_server.runtime_core.log.journal import Journal
from lime_desktop.app_server.runtime_core.reading.session_reader import SessionReader
from lime_desktop.protocol.calls.evidence import (
    ExportEvidenceParams,
    ExportEvidenceResult,
    ExportReplayCaseParams,
    ExportReplayCaseResult,
)
from lime_desktop.protocol.errors import AppError

T = TypeVar("T")


class EvidenceExports:
    """Joins the facts of a session into something that can be handed on."""

    def __init__(
        self, journal: Journal, store: ContentStore, runtime_id: str, data_dir: Path
    ) -> None:
        self._journal = journal
        self._writer = EvidenceWriter(data_dir / "evidence", store, runtime_id)
        # Exports of a session form a chain, and a chain has one end.
        self._one_at_a_time = asyncio.Lock()

    async def export(
        self, params: ExportEvidenceParams, context: CallContext
    ) -> ExportEvidenceResult:
        """The facts of a session or a turn, joined; with `includeEvidencePack` also written as a pack."""
        del context
        if not params.include_evidence_pack:
            return await self._read(
                params.session_id, lambda reader: self._writer.answer(reader, params)
            )
        async with self._one_at_a_time:
            result, written = await self._read(
                params.session_id, lambda reader: self._writer.write_pack(reader, params)
            )
            await self._record(params.session_id, written)
        return result

    async def export_replay_case(
        self, params: ExportReplayCaseParams, context: CallContext
    ) -> ExportReplayCaseResult:
        """A turn, or the latest one, as a case to run again."""
        del context
        async with self._one_at_a_time:
            case, written = await self._read(
                params.session_id, lambda reader: self._writer.write_replay(reader, params)
            )
            await self._record(params.session_id, written)
        return ExportReplayCaseResult(
            runtime_correlation=written.stated.correlation,
            replay_case=case,
            replay_ref=str(written.said["replayRef"]),
            exported_at=written.stated.at,
        )

    async def _read(self, session_id: str, work: Callable[[SessionReader], T]) -> T:
        """On a reader's thread: one consistent view of the log, beside the writer."""
        return await self._journal.read(
            session_id, lambda connection, row: work(SessionReader.of(connection, row))
        )

    async def _record(self, session_id: str, written: Written) -> None:
        """The folder first, the fact after: the log never names evidence that is not there."""
        correlation = written.stated.correlation
        changed = fact(
            "evidence.changed",
            evidence_id=written.stated.evidence_id,
            turn_id=correlation.turn_id,
            task_id=correlation.task_id,
            run_id=correlation.run_id,
            trace_id=correlation.trace_id,
            payload={**written.said, "manifestHash": written.sealed.manifest_hash},
        )
        try:
            await self._journal.append(session_id, lambda _: [changed])
        except AppError:
            await asyncio.to_thread(discard, written.sealed)
            raise
