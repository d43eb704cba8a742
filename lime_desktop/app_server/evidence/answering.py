"""What of an export fits into one answer. The written pack has everything."""

from dataclasses import dataclass, field

from lime_desktop.app_server.evidence.chain import Sealed
from lime_desktop.app_server.evidence.documents import Stated
from lime_desktop.app_server.evidence.gathering import Gathered
from lime_desktop.app_server.runtime_core.reading.session_reader import SessionReader
from lime_desktop.app_server.runtime_core.reading.turn_views import open_action_ids, thread_status
from lime_desktop.protocol.calls.evidence import EvidencePackSummary, PackFile
from lime_desktop.protocol.ids import EvidenceId
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.runtime.threads import TurnSnapshot

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
