"""Puts one export together from one consistent view of a session, and seals it. Blocks; tells nobody."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from lime_desktop.app_server.content_store import ContentStore
from lime_desktop.app_server.evidence.artifacts import artifact_record
from lime_desktop.app_server.evidence.benchmark_trials import trial_document, trial_refs
from lime_desktop.app_server.evidence.chain import ExportChain, ExportWriter, Sealed
from lime_desktop.app_server.evidence.documents import (
    SCHEMA_VERSION,
    Stated,
    completeness,
    pack_document,
    provenance_document,
    replay_document,
    verification_document,
)
from lime_desktop.app_server.evidence.gathering import Gathered, gather
from lime_desktop.app_server.evidence.replaying import replay_case
from lime_desktop.app_server.evidence.signals import known_gaps
from lime_desktop.app_server.runtime_core.identities import new_id, now
from lime_desktop.app_server.runtime_core.reading.session_reader import SessionReader, read_snapshot
from lime_desktop.app_server.runtime_core.reading.turn_views import (
    agent_turn,
    open_action_ids,
    thread_status,
)
from lime_desktop.protocol.calls.evidence import (
    BenchmarkTrialRefs,
    EvidencePackSummary,
    ExportEvidenceParams,
    ExportEvidenceResult,
    ExportReplayCaseParams,
    PackFile,
    ReplayCase,
)
from lime_desktop.protocol.calls.sessions import ReadSessionParams
from lime_desktop.protocol.errors import RunNotFound
from lime_desktop.protocol.ids import EvidenceId, JsonObject, TurnId
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.runtime.summaries import BenchmarkSummary, EvidenceSummary
from lime_desktop.protocol.runtime.threads import ArtifactSnapshot, TurnSnapshot

MAX_EVENTS = 2_000
MAX_EVENT_BYTES = 4_000_000

_TITLES = {
    "events.jsonl": "Every event, in order",
    "snapshot.json": "Read models",
    "provenance.json": "What was made from what",
    "verification.json": "Checks and reviews",
    "replay.json": "Replay case",
    "pack.json": "Evidence pack",
}

ScopedT = TypeVar("ScopedT", TurnSnapshot, ArtifactSnapshot)

MAX_TURNS = 500
MAX_ARTIFACTS = 500
"""How many of each an answer lists; the newest come first to be kept."""


@dataclass(slots=True)
class EventsInAnswer:
    """Keeps events until the answer is full, and says whether some were left out."""

    is_wanted: bool
    events: list[RuntimeEvent] = field(default_factory=list[RuntimeEvent])
    is_truncated: bool = False
    _bytes: int = 0

    def take(self, event: RuntimeEvent) -> None:
        """Keep one more, if it fits."""
        if not self.is_wanted or self.is_truncated:
            return
        self._bytes += len(event.to_json())
        if len(self.events) >= MAX_EVENTS or self._bytes > MAX_EVENT_BYTES:
            self.is_truncated = True
        else:
            self.events.append(event)


def pack_summary(
    reader: SessionReader,
    stated: Stated,
    sealed: Sealed,
    gathered: Gathered,
    gaps: tuple[str, ...],
) -> EvidencePackSummary:
    """Where the pack is, relative to the data folder, and what is in it."""
    state = reader.state
    latest = reader.recent(TurnSnapshot, "turn", 1)
    return EvidencePackSummary(
        evidence_id=EvidenceId(stated.evidence_id),
        pack_relative_root=sealed.relative_root,
        exported_at=stated.at,
        thread_status=thread_status(state, reader.thread()),
        latest_turn_status=latest[0].status if latest else None,
        turn_count=gathered.tally.turns,
        item_count=gathered.event_count,
        pending_request_count=len(open_action_ids(state)),
        queued_turn_count=len(state.queue),
        recent_artifact_count=len(gathered.of_kind("artifact")),
        known_gaps=gaps,
        artifacts=tuple(
            PackFile(
                kind=file.role,
                title=_TITLES[file.path],
                relative_path=f"{sealed.relative_root}/{file.path}",
                bytes=file.size,
                sha256=file.digest,
            )
            for file in sealed.files
        ),
    )


@dataclass(frozen=True, slots=True)
class Written:
    """A sealed export, and what the log is to be told of it."""

    stated: Stated
    sealed: Sealed
    said: JsonObject


class EvidenceWriter:
    """Reads by the reader it is given, writes below its folder."""

    def __init__(self, root: Path, store: ContentStore, runtime_id: str) -> None:
        self._root = root
        self._store = store
        self._runtime_id = runtime_id

    def answer(self, reader: SessionReader, params: ExportEvidenceParams) -> ExportEvidenceResult:
        """What an export says, with nothing written."""
        answered = EventsInAnswer(is_wanted=params.include_events)
        gathered = gather(reader, self._runtime_id, params.turn_id, answered.take)
        return _result(reader, params, gathered, answered)

    def write_pack(
        self, reader: SessionReader, params: ExportEvidenceParams
    ) -> tuple[ExportEvidenceResult, Written]:
        """The whole pack, and the answer that summarises it."""
        evidence_id, summary = new_id("evidence"), _summary(reader)
        answered = EventsInAnswer(is_wanted=params.include_events)
        with ExportChain(self._root, params.session_id).next_export(evidence_id) as export:
            gathered = self._write_events(export.writer, reader, params.turn_id, answered)
            stated = Stated(evidence_id, evidence_id, now(), gathered.correlation)
            signals = gathered.tally.signals(summary)
            case = self._write_parts(export.writer, reader, stated, gathered)
            withheld = export.writer.withholding.records(stated.at)
            pack = pack_document(stated, gathered, signals, summary, withheld)
            if trials := _trials(reader, params.turn_id):
                pack["benchmark_trials"] = [trial_document(each, stated) for each in trials]
            export.writer.add("pack.json", "pack", pack, "pack")
            sealed = export.seal(_manifest(stated, completeness(gathered, signals, summary)))
        gaps = known_gaps(signals)
        result = _result(reader, params, gathered, answered).model_copy(
            update={
                "exported_at": stated.at,
                "evidence_id": EvidenceId(evidence_id),
                "evidence_pack": pack_summary(reader, stated, sealed, gathered, gaps),
            }
        )
        said: JsonObject = {
            "packRef": f"evidence://{evidence_id}",
            "replayRef": f"replay://{case.replay_id}",
            "status": pack["status"],
            "knownGaps": list(gaps),
        }
        return result, Written(stated, sealed, said)

    def write_replay(
        self, reader: SessionReader, params: ExportReplayCaseParams
    ) -> tuple[ReplayCase, Written]:
        """One turn as a case of its own.

        Raises:
            RunNotFound: there is no such turn.
        """
        turn_id = params.turn_id or reader.state.last_turn_id
        if turn_id is None:
            raise RunNotFound("The session has no turn that could be run again.")
        gathered, summary = gather(reader, self._runtime_id, TurnId(turn_id)), _summary(reader)
        stated = Stated(new_id("evidence"), new_id("replay"), now(), gathered.correlation)
        case = replay_case(stated.export_id, gathered, summary, self._store)
        complete = completeness(gathered, gathered.tally.signals(summary), summary)
        with ExportChain(self._root, params.session_id).next_export(stated.export_id) as export:
            document = replay_document(stated, case, gathered)
            export.writer.add("replay.json", "replay", document, "replay")
            sealed = export.seal(_manifest(stated, complete))
        return case, Written(stated, sealed, {"replayRef": f"replay://{case.replay_id}"})

    def _write_events(
        self,
        writer: ExportWriter,
        reader: SessionReader,
        turn_id: TurnId | None,
        answered: EventsInAnswer,
    ) -> Gathered:
        file = "events.jsonl"
        with writer.lines(file, "provenance", "application/jsonl") as write:

            def take(event: RuntimeEvent) -> None:
                answered.take(event)
                write(writer.withholding.encode_event(file, event))

            return gather(reader, self._runtime_id, turn_id, take)

    def _write_parts(
        self, writer: ExportWriter, reader: SessionReader, stated: Stated, gathered: Gathered
    ) -> ReplayCase:
        summary = _summary(reader)
        case = replay_case(f"replay_{stated.evidence_id}", gathered, summary, self._store)
        params = ReadSessionParams(session_id=stated.correlation.session_id)
        snapshot = read_snapshot(reader, params, self._runtime_id)
        writer.add("snapshot.json", "provenance", snapshot.to_wire())
        writer.add(
            "provenance.json", "provenance", provenance_document(stated, gathered), "provenance"
        )
        writer.add(
            "verification.json",
            "verification",
            verification_document(stated, summary),
            "verification",
        )
        writer.add("replay.json", "replay", replay_document(stated, case, gathered), "replay")
        return case


def _result(
    reader: SessionReader,
    params: ExportEvidenceParams,
    gathered: Gathered,
    answered: EventsInAnswer,
) -> ExportEvidenceResult:
    turns = _of_turn(reader.recent(TurnSnapshot, "turn", MAX_TURNS), params.turn_id)
    artifacts = _of_turn(reader.recent(ArtifactSnapshot, "artifact", MAX_ARTIFACTS), params.turn_id)
    return ExportEvidenceResult(
        runtime_correlation=gathered.correlation,
        session=reader.outline(),
        turns=tuple(agent_turn(turn, reader.state) for turn in turns),
        events=tuple(answered.events),
        truncated=answered.is_truncated or not gathered.is_whole,
        artifacts=tuple(map(artifact_record, artifacts)) if params.include_artifacts else (),
        signals=gathered.tally.signals(_summary(reader)),
        benchmark_trials=_trials(reader, params.turn_id),
        exported_at=now(),
    )


def _of_turn(found: Iterable[ScopedT], turn_id: TurnId | None) -> list[ScopedT]:
    return [each for each in found if turn_id is None or each.turn_id == turn_id]


def _trials(reader: SessionReader, turn_id: TurnId | None) -> tuple[BenchmarkTrialRefs, ...]:
    """The trials of a benchmark that this session, or this turn of it, was."""
    benchmark = reader.one(BenchmarkSummary, "benchmark")
    found = map(trial_refs, benchmark.trials if benchmark else ())
    return tuple(each for each in found if turn_id is None or each.turn_id in {None, turn_id})


def _summary(reader: SessionReader) -> EvidenceSummary:
    return reader.one(EvidenceSummary, "evidence") or EvidenceSummary()


def _manifest(stated: Stated, complete: JsonObject) -> JsonObject:
    return {
        "export_id": stated.export_id,
        "evidence_pack_id": stated.evidence_id,
        "schema_version": SCHEMA_VERSION,
        "created_at": stated.at,
        "completeness": complete,
        "runtime_correlation": stated.correlation.to_wire(),
    }
