"""agentSession/compact: a summary stands for old turns. Nothing is removed; open things stay open.

The log, the queue, open questions, incidents and references are untouched. What changes is where an engine
starts reading the conversation.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.content_store import ContentStore
from lime_desktop.app_server.runtime_core.backend import ExecutionBackend
from lime_desktop.app_server.runtime_core.facts import fact
from lime_desktop.app_server.runtime_core.log.journal import Journal, SessionView
from lime_desktop.app_server.runtime_core.reading.history import messages_before, without_replaced
from lime_desktop.app_server.runtime_core.reading.session_reader import SessionReader
from lime_desktop.app_server.runtime_core.reading.turn_views import open_action_ids
from lime_desktop.app_server.runtime_core.running.requests import MAX_HISTORY, read_input
from lime_desktop.protocol.calls.sessions import (
    CompactParams,
    CompactResult,
)
from lime_desktop.protocol.errors import TurnAlreadyActive
from lime_desktop.protocol.ids import EventId, JsonObject, TurnId
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.protocol.runtime.sessions import HistoryMessage
from lime_desktop.protocol.runtime.summaries import EvidenceSummary
from lime_desktop.protocol.runtime.threads import ArtifactSnapshot, Incident, TurnSnapshot

MAX_COMPACTED_TURNS = 500


@dataclass(frozen=True, slots=True)
class SummarizedPart:
    """The part of a conversation that a summary will stand for."""

    app_id: str
    turn_ids: tuple[TurnId, ...]
    messages: tuple[HistoryMessage, ...]
    preserved: JsonObject
    epoch: int
    tail_start: str | None
    input_ref: str | None
    """What the latest of these turns was given."""


class ContextCommands:
    """What an engine gets to read."""

    def __init__(self, journal: Journal, store: ContentStore, engine: ExecutionBackend):
        self._journal = journal
        self._store = store
        self._engine = engine

    async def compact(self, params: CompactParams, context: CallContext) -> CompactResult:
        """Summarise all but the latest turns."""
        del context
        old = await self._journal.read(
            params.session_id,
            lambda connection, row: _old_part(SessionReader.of(connection, row), params.keep_turns),
        )
        if not old.turn_ids:
            return CompactResult(compacted_turn_ids=())
        summary = params.summary or await self._summary(old)
        reference = await asyncio.to_thread(self._store.put, "summary", summary.encode())

        def decide(view: SessionView) -> Sequence[ProposedEvent]:
            if view.state.active:
                raise TurnAlreadyActive("A running turn compacts its own context.")
            return _facts(old, reference, view.state.last_turn_id)

        appended = await self._journal.append(params.session_id, decide)
        done = next(e for e in appended.events if e.type == "context.compaction.completed")
        return CompactResult(
            compacted_turn_ids=old.turn_ids,
            summary_ref=reference,
            event_id=EventId(done.event_id),
        )

    async def _summary(self, old: SummarizedPart) -> str:
        """By the model that the latest of these turns ran on, or would: what stayed here stays here."""
        options = None
        if old.input_ref is not None:
            options = (await asyncio.to_thread(read_input, self._store, old.input_ref)).options
        return await self._engine.summarize(old.app_id, old.messages, options)


def _old_part(reader: SessionReader, keep_turns: int) -> SummarizedPart:
    turns = reader.recent(TurnSnapshot, "turn", MAX_COMPACTED_TURNS)
    thread = reader.thread()
    boundary = (thread.history if thread else None) or {}
    finished = [turn.turn_id for turn in turns if turn.completed_at]
    last = boundary.get("lastCompactedTurnId")
    begin = next((index + 1 for index, turn_id in enumerate(finished) if turn_id == last), 0)
    end = max(len(finished) - keep_turns, begin)
    compacted = finished[begin:end]
    latest = next((turn for turn in turns if compacted and turn.turn_id == compacted[-1]), None)
    shell = reader.shell()
    said = without_replaced(
        messages_before(reader.connection, reader.row, shell, MAX_HISTORY), None
    )
    epoch = boundary.get("contextEpoch")
    return SummarizedPart(
        app_id=shell.app_id,
        turn_ids=tuple(compacted),
        messages=tuple(message for message in said if message.turn_id in set(compacted)),
        preserved=_preserved(reader),
        epoch=epoch if isinstance(epoch, int) else 0,
        tail_start=finished[end] if end < len(finished) else None,
        input_ref=latest.input_ref if latest else None,
    )


def _preserved(reader: SessionReader) -> JsonObject:
    evidence = reader.one(EvidenceSummary, "evidence")
    return {
        "openActionIds": list(open_action_ids(reader.state)),
        "queuedTurnIds": [turn.turn_id for turn in reader.state.queue],
        "incidentIds": [incident.event_id for incident in reader.recent(Incident, "incident")],
        "artifactRefs": [a.artifact_ref for a in reader.recent(ArtifactSnapshot, "artifact")],
        "evidenceRefs": list(evidence.evidence_refs) if evidence else [],
    }


def _facts(old: SummarizedPart, reference: str, turn_id: str | None) -> list[ProposedEvent]:
    """Compaction between turns belongs to the latest one: the schema wants a turn."""
    boundary: JsonObject = {
        "contextEpoch": old.epoch + 1,
        "summaryRef": reference,
        "lastCompactedTurnId": old.turn_ids[-1],
        "compactedThroughMessageId": old.messages[-1].message_id if old.messages else None,
        "tailStartTurnId": old.tail_start,
    }
    known: JsonObject = {name: value for name, value in boundary.items() if value is not None}
    about: JsonObject = {
        "trigger": "manual",
        "affectedTurns": list(old.turn_ids[:100]),
        "affectedTurnCount": len(old.turn_ids),
        "summaryRef": reference,
    }
    done: JsonObject = {**about, "boundary": known, "preserved": old.preserved}
    return [
        fact("context.compaction.started", turn_id=turn_id, payload=about),
        fact("context.compaction.completed", turn_id=turn_id, payload=done),
        fact(
            "snapshot.updated", turn_id=turn_id, payload={"reason": "context.compaction.completed"}
        ),
    ]
