"""What a fitting output becomes: rows, an artifact, evidence of its check, and the end of the turn. Bodies are on disk before facts name them."""

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
from pydantic import JsonValue

from lime_desktop.app_server.agent_tasks.output_rows import RowWriter, is_stored
from lime_desktop.app_server.answer_guards.output_demand import Fits, OutputDemand
from lime_desktop.app_server.app_evidence.service import AppEvidence
from lime_desktop.app_server.artifacts.facts import artifact_changed
from lime_desktop.app_server.artifacts.service import AppArtifacts
from lime_desktop.app_server.content_store import ContentStore
from lime_desktop.app_server.runtime_core.backend import TurnRequest
from lime_desktop.app_server.task_request import TaskRequest
from lime_desktop.protocol.capability_calls.artifacts import CreateArtifactParams
from lime_desktop.protocol.capability_calls.evidence import RecordEvidenceParams
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.provenance import Provenance
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.protocol.runtime.payload_rules import INLINE_OUTPUT_CHARACTERS, key_like_paths
from lime_desktop.protocol.task_events import Materialized

_MOST_REFS = 1_000


@dataclass(frozen=True, slots=True)
class Checked:
    """An output that fits, and how it came about."""

    demand: OutputDemand
    fits: Fits
    attempts: int
    ending: JsonObject
    """What the engine said at its end."""


class OutputWriter:
    """Writes what fits, and nothing else."""

    def __init__(
        self, store: ContentStore, evidence: AppEvidence, artifacts: AppArtifacts, rows: RowWriter
    ) -> None:
        self._store = store
        self._evidence = evidence
        self._artifacts = artifacts
        self._rows = rows

    async def keep(self, kind: str, value: JsonValue) -> str:
        """Keep a value by its content, and give its reference."""
        return await asyncio.to_thread(self._store.put, kind, msgspec.json.encode(value))

    async def read(self, reference: str) -> JsonValue:
        """A value that was kept."""
        return msgspec.json.decode(await asyncio.to_thread(self._store.read, reference))

    async def facts(
        self, request: TurnRequest, asked: TaskRequest | None, checked: Checked
    ) -> Sequence[ProposedEvent]:
        """The facts that end the turn, in order."""
        if checked.demand.schema is None:
            artifact = await self._artifact(request, asked, checked)
            completed = ProposedEvent(type="turn.completed", payload=checked.ending)
            return [event for event in (artifact, completed) if event]
        output_ref = await self.keep("output", checked.fits.value)
        # First: what cannot be written back leaves nothing else behind that says it was.
        rows = await self._stored(request, asked, checked)
        artifact = await self._artifact(request, asked, checked)
        evidence = await self._proof(request, asked, checked, (output_ref, *rows))
        materialized = self._materialized(checked, artifact, rows)
        payload: JsonObject = {
            **checked.ending,
            "structuredOutputRef": output_ref,
            "outputAttempts": checked.attempts,
            **({"materialized": materialized.to_wire()} if materialized else {}),
        }
        payload.pop("structuredOutput", None)
        if _fits_an_event(checked.fits.value):
            payload["structuredOutput"] = checked.fits.value
        completed = ProposedEvent(type="turn.completed", payload=payload)
        return [event for event in (artifact, evidence, completed) if event]

    async def _stored(
        self, request: TurnRequest, asked: TaskRequest | None, checked: Checked
    ) -> tuple[str, ...]:
        materializer = checked.demand.materializer
        if asked is None or materializer is None or not is_stored(materializer):
            return ()
        written = await self._rows.write(
            materializer, checked.fits.patch, _provenance(request, asked)
        )
        return tuple(f"storage:{each}" for each in written)

    async def _artifact(
        self, request: TurnRequest, asked: TaskRequest | None, checked: Checked
    ) -> ProposedEvent | None:
        expected = asked.request.expected_output if asked else None
        if asked is None or expected is None or expected.artifact_kind is None:
            return None
        kept = await self._artifacts.keep(
            CreateArtifactParams(
                kind=expected.artifact_kind,
                title=asked.request.title,
                content=checked.fits.patch,
            ),
            _provenance(request, asked),
        )
        return artifact_changed(kept)

    async def _proof(
        self,
        request: TurnRequest,
        asked: TaskRequest | None,
        checked: Checked,
        refs: tuple[str, ...],
    ) -> ProposedEvent | None:
        if asked is None:
            return None
        schema = msgspec.json.encode(checked.demand.schema_object, order="deterministic")
        schema_hash = f"sha256:{hashlib.sha256(schema).hexdigest()}"
        record = await self._evidence.keep(
            RecordEvidenceParams(
                kind="structured-output",
                message=f"The output fits its schema, at attempt {checked.attempts}.",
                subject=request.task_id,
                refs=(*refs, schema_hash)[-_MOST_REFS:],
            ),
            _provenance(request, asked),
            request.run_id,
        )
        payload: JsonObject = {
            "verificationOutcomes": [{"name": "structured-output", "status": "passed"}],
            "outputRef": refs[0],
            "schemaHash": schema_hash,
        }
        return ProposedEvent(type="evidence.changed", evidence_id=record.id, payload=payload)

    def _materialized(
        self, checked: Checked, artifact: ProposedEvent | None, rows: tuple[str, ...]
    ) -> Materialized | None:
        materializer = checked.demand.materializer
        if materializer is None:
            return None
        return Materialized(
            kind=materializer.kind,
            key=checked.fits.key,
            artifact_id=artifact.artifact_id if artifact else None,
            rows=tuple(each.removeprefix("storage:") for each in rows) or None,
        )


def _provenance(request: TurnRequest, asked: TaskRequest) -> Provenance:
    """The task's own, with which run of it made the record."""
    made_by = {"task_id": request.task_id, "run_id": request.run_id}
    return asked.provenance.model_copy(update=made_by)


def _fits_an_event(value: JsonValue) -> bool:
    """Short, and without names that no event may carry; otherwise only its reference is told."""
    is_short = len(msgspec.json.encode(value)) <= INLINE_OUTPUT_CHARACTERS
    return is_short and not any(key_like_paths(value))
