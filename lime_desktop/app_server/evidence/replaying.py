"""A turn as a case that can be run again: what went in, and what has to come out. Never final prose."""

from typing import Literal

import msgspec

from lime_desktop.app_server.content_store import ContentStore
from lime_desktop.app_server.evidence.gathering import Gathered, sha256
from lime_desktop.app_server.runtime_core.running.requests import read_input
from lime_desktop.protocol.calls.evidence import ReplayCase
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.event_types import TURN_TERMINALS
from lime_desktop.protocol.runtime.summaries import EvidenceSummary

MAX_EVENT_REFS = 5_000
MAX_ASSERTIONS = 500


def replay_case(
    replay_id: str, gathered: Gathered, summary: EvidenceSummary, store: ContentStore
) -> ReplayCase:
    """The case of what was gathered. Blocks: it looks whether the inputs are still there."""
    refs = tuple(link.ref for link in gathered.of_kind("input") if link.ref)
    options = [_options(store, ref) for ref in refs]
    contexts = tuple(link.ref for link in gathered.of_kind("context") if link.ref)
    catalogue = gathered.last.get("tool.catalog.resolved")
    missing = tuple(_missing(gathered, options))
    return ReplayCase(
        replay_id=replay_id,
        # A model may answer otherwise the next time; only what it was given can be given again.
        determinism="unavailable" if "input" in missing else _determinism(gathered),
        input_refs=refs,
        inputs=tuple(found for found in options if found is not None),
        context_refs=contexts,
        tool_inventory_ref=f"event://{catalogue.event_id}" if catalogue else None,
        expected_assertions=tuple(_assertions(gathered)),
        evidence_refs=summary.evidence_refs,
        missing_facts=missing,
        event_refs=tuple(gathered.event_refs[:MAX_EVENT_REFS]),
        replay_digest=_digest(gathered),
    )


def _options(store: ContentStore, ref: str) -> JsonObject | None:
    """How the turn was asked for; what was asked stays behind its reference."""
    try:
        snapshot = read_input(store, ref)
    except (AppError, ValueError):
        return None
    return {"inputRef": ref, "options": snapshot.options.to_wire()}


def _missing(gathered: Gathered, options: list[JsonObject | None]) -> list[str]:
    facts = {
        "input": not options or None in options,
        "events": not gathered.is_whole,
        "event_refs": len(gathered.event_refs) > MAX_EVENT_REFS,
        "terminal": not any(kind in gathered.last for kind in TURN_TERMINALS),
    }
    return [name for name, is_missing in facts.items() if is_missing]


def _determinism(gathered: Gathered) -> Literal["approximate", "deterministic"]:
    return "approximate" if gathered.tally.found["modelRounds"] else "deterministic"


def _assertions(gathered: Gathered) -> list[JsonObject]:
    """What a second run has to show: endings, calls and artifacts, not words."""
    endings: list[JsonObject] = [
        {"kind": "terminal", "type": event.type, **_category(event.payload)}
        for kind, event in gathered.last.items()
        if kind in TURN_TERMINALS
    ]
    made: list[JsonObject] = [
        {"kind": link.kind, "id": link.key}
        for kind in ("tool_call", "artifact")
        for link in gathered.of_kind(kind)
    ]
    return [*endings, *made][:MAX_ASSERTIONS]


def _category(payload: JsonObject) -> JsonObject:
    category = payload.get("failureCategory")
    return {"failureCategory": category} if category else {}


def _digest(gathered: Gathered) -> str:
    """Over what happened and not over names and moments, which no second run can have again."""
    steps = [(ref.type, ref.payload_sha256) for ref in gathered.event_refs]
    return sha256(msgspec.json.encode(steps))
