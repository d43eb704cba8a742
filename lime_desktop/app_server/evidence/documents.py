"""The portable files of an export, as the published evidence schemas want them. Pure: facts in, documents out."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from lime_desktop import __version__
from lime_desktop.app_server.evidence.gathering import Gathered, Link, sha256
from lime_desktop.protocol.calls.evidence import (
    EvidenceSignal,
    ReplayCase,
    RuntimeCorrelation,
)
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.summaries import EvidenceSummary

SCHEMA_VERSION = "0.1.0"
_PORTABLE = re.compile(r"^[A-Za-z0-9][A-Za-z0-9_.:-]{0,255}$")


@dataclass(frozen=True, slots=True)
class Stated:
    """What every document of one export says of itself."""

    evidence_id: str
    export_id: str
    at: str
    correlation: RuntimeCorrelation

    @property
    def producer(self) -> JsonObject:
        """Who made it."""
        return {
            "id": portable_id(self.correlation.runtime_id),
            "type": "runtime",
            "name": "Lime Desktop",
            "version": __version__,
        }

    @property
    def scope(self) -> JsonObject:
        """The correlation in the evidence standard's own names."""
        names = ("runtime_id", "session_id", "thread_id", "turn_id", "task_id", "run_id")
        said = {name: getattr(self.correlation, name) for name in names}
        return {name: portable_id(value) for name, value in said.items() if value}


def portable_id(value: str) -> str:
    """The id itself where the evidence standard allows it, else its hash: the same id for the same name."""
    return value if _PORTABLE.match(value) else sha256(value.encode())


def pack_document(
    stated: Stated,
    gathered: Gathered,
    signals: tuple[EvidenceSignal, ...],
    summary: EvidenceSummary,
    redactions: list[JsonValue],
) -> JsonObject:
    """The pack: what there is, what is missing, and where everything else is."""
    complete = completeness(gathered, signals, summary)
    has_gaps = any(signal.status == "missing_correlation" for signal in signals)
    return {
        "evidence_pack_id": stated.evidence_id,
        "schema_version": SCHEMA_VERSION,
        "scope": stated.scope,
        "status": "partial" if has_gaps or not gathered.is_whole else "exported",
        "created_at": stated.at,
        "updated_at": stated.at,
        "producer": stated.producer,
        "completeness": complete,
        "provenance_ref": "provenance.json",
        "export_manifest_ref": "manifest.json",
        "verification_results": _verifications(summary),
        "reviews": _reviews(summary),
        "replay_cases": [{"ref": "replay.json"}],
        "redactions": redactions,
        "telemetry": [
            {"trace_id": trace_id, **_strings(stated.scope)} for trace_id in gathered.trace_ids
        ],
        "refs": [_reference(link) for link in gathered.links.values() if link.ref],
        "runtime_correlation": stated.correlation.to_wire(),
        "signals": [signal.to_wire() for signal in signals],
        "event_count": gathered.event_count,
    }


def completeness(
    gathered: Gathered, signals: tuple[EvidenceSignal, ...], summary: EvidenceSummary
) -> JsonObject:
    """How complete each part is. What was never there is not missing."""
    status = {signal.signal: signal.status for signal in signals}
    artifacts = gathered.of_kind("artifact")
    by_content = [artifact for artifact in artifacts if artifact.ref]
    return {
        "runtime": _entry(whole=gathered.is_whole, lacking="events"),
        "telemetry": _entry(whole=status["telemetry"] == "exported", lacking="trace"),
        "sources": {"status": "not_collected"},
        "claims": {"status": "not_collected"},
        "artifacts": _entry(whole=len(by_content) == len(artifacts), lacking="content")
        if artifacts
        else {"status": "not_applicable"},
        "verification": {
            "status": "complete" if summary.verification_outcomes else "not_collected"
        },
        "privacy": {"status": "complete"},
        "replay": _entry(whole=bool(gathered.of_kind("input")), lacking="input"),
    }


def provenance_document(stated: Stated, gathered: Gathered) -> JsonObject:
    """Which work made and used what, as far as events say so."""
    runtime = portable_id(stated.correlation.runtime_id)
    nodes: list[JsonValue] = [{"node_id": runtime, "type": "agent", "agent_type": "runtime"}]
    edges: list[JsonValue] = []
    known = {_node_id(link): link for link in gathered.links.values()}
    work = {link.key: node for node, link in known.items() if link.kind in {"turn", "tool_call"}}
    for node, link in known.items():
        nodes.append(_node(node, link))
        source, target, relation = _edge(node, link, work.get(link.part_of or "") or runtime)
        edge_id = f"edge:{len(edges) + 1}"
        edges.append({"edge_id": edge_id, "from": source, "to": target, "relationship": relation})
    return {
        "provenance_id": f"provenance:{stated.export_id}",
        "evidence_pack_id": stated.evidence_id,
        "schema_version": SCHEMA_VERSION,
        "scope": stated.scope,
        "nodes": nodes,
        "edges": edges,
    }


def replay_document(stated: Stated, case: ReplayCase, gathered: Gathered) -> JsonObject:
    """A turn as a case that somebody else can run."""
    return {
        "replay_id": case.replay_id,
        "evidence_pack_id": stated.evidence_id,
        "schema_version": SCHEMA_VERSION,
        "scope": stated.scope,
        "determinism": case.determinism,
        "input_refs": [{"kind": "input", "uri": ref} for ref in case.input_refs],
        "snapshot_refs": [{"kind": "context", "uri": ref} for ref in case.context_refs],
        "trace_refs": [{"trace_id": trace_id} for trace_id in gathered.trace_ids],
        "missing_facts": [
            {"fact": fact, "reason": "unavailable", "owner": "runtime"}
            for fact in case.missing_facts
        ],
        "expected_outputs": list(case.expected_assertions),
        "replay_steps": [ref.to_wire() for ref in case.event_refs],
        "replay_digest": case.replay_digest,
        "created_at": stated.at,
        "updated_at": stated.at,
        "producer": stated.producer,
        "runtime_correlation": stated.correlation.to_wire(),
    }


def verification_document(stated: Stated, summary: EvidenceSummary) -> JsonObject:
    """Checks and reviews side by side; neither replaces the other."""
    return {
        "schema_version": SCHEMA_VERSION,
        "evidence_pack_id": stated.evidence_id,
        "scope": stated.scope,
        "verification_results": _verifications(summary),
        "reviews": _reviews(summary),
        "created_at": stated.at,
        "updated_at": stated.at,
        "producer": stated.producer,
    }


def _entry(*, whole: bool, lacking: str) -> JsonObject:
    if whole:
        return {"status": "complete"}
    missing: JsonObject = {"fact": lacking, "reason": "unavailable", "owner": "runtime"}
    return {"status": "partial", "missing_facts": [missing]}


def _verifications(summary: EvidenceSummary) -> list[JsonValue]:
    return [
        {
            "verification_id": f"verification:{number}",
            "check_type": outcome.name,
            "status": outcome.status,
        }
        for number, outcome in enumerate(summary.verification_outcomes, 1)
    ]


def _reviews(summary: EvidenceSummary) -> list[JsonValue]:
    return [
        {
            "review_id": portable_id(review.review_ref.removeprefix("review://")),
            "verdict": review.verdict,
            "ref": review.review_ref,
        }
        for review in summary.reviews
        if review.verdict
    ]


def _reference(link: Link) -> JsonObject:
    reference: JsonObject = {"ref_id": _node_id(link), "kind": link.kind, "uri": link.ref}
    digest = (link.ref or "").rpartition("/")[2]
    if re.fullmatch(r"[0-9a-f]{64}", digest):
        reference["hash"] = f"sha256:{digest}"
    return reference


def _node_id(link: Link) -> str:
    return portable_id(f"{link.kind}:{link.key}")


def _node(node_id: str, link: Link) -> JsonObject:
    is_work = link.kind in {"turn", "tool_call"}
    node: JsonObject = {"node_id": node_id, "type": "activity" if is_work else "entity"}
    node["activity_type" if is_work else "entity_type"] = link.kind
    if link.ref:
        node["ref"] = link.ref
    return node


def _edge(node: str, link: Link, work: str) -> tuple[str, str, str]:
    if link.kind in {"turn", "tool_call"}:
        return node, work, "associated_with"
    if link.kind in {"input", "context"}:
        return work, node, "used"
    return node, work, "generated_by"


def _strings(scope: Mapping[str, JsonValue]) -> JsonObject:
    return {name: value for name, value in scope.items() if isinstance(value, str)}
