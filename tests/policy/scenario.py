"""Read a scenario folder: a manifest, a call, the facts around it, and the decision it must lead to.

- ``manifest.yaml``: what matters of the manifest; the identity fields are filled in.
- ``call.json``: the fields of `PolicyCall`.
- ``facts.json`` (may be missing): ``readiness``, ``reasons``, ``now_ms``, ``organisation`` and ``workspace`` (policy files), ``user``
  (rules in the form of a policy file), ``grants`` (permission keys or objects), ``approvals``, ``cost_limits``, ``unbound``.
- ``expected.json``: the decision's summary, see `summary_of`.
"""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from pydantic import TypeAdapter
from ruamel.yaml import YAML

from lime_desktop.app_package.manifest.root import Manifest
from lime_desktop.policy.call import PolicyCall, Target
from lime_desktop.policy.decision import Allowed, Decision, Denied, NeedsApproval, Question
from lime_desktop.policy.facts import Approval, CostLimit, Grant, PolicyFacts, Readiness
from lime_desktop.policy.manifest_rules import declared_by, rules_of
from lime_desktop.policy.policy_file import PolicyFile, parse_policy_file
from lime_desktop.policy.resolved_call import resolve_call
from lime_desktop.policy.rules import Rule

IDENTITY = {
    "name": "notes",
    "description": "Takes notes.",
    "version": "1.0.0",
    "status": "ready",
    "appType": "agent-app",
}
Json = dict[str, Any]


def read_manifest(folder: Path) -> Manifest:
    """Read the scenario's manifest."""
    written = cast("Json | None", YAML(typ="safe", pure=True).load(folder / "manifest.yaml"))  # pyright: ignore[reportUnknownMemberType] - ruamel has no types
    return Manifest.model_validate(IDENTITY | (written or {}))


def read_call_of(folder: Path) -> PolicyCall:
    """Read the scenario's call."""
    written = _read_json(folder / "call.json")
    return TypeAdapter(PolicyCall).validate_python({"app_id": "notes", **written})


def read_facts(folder: Path, call: PolicyCall) -> PolicyFacts:
    """Gather the scenario's facts; what the file leaves out is as quiet as can be."""
    path = folder / "facts.json"
    written = _read_json(path) if path.exists() else {}
    manifest = read_manifest(folder)
    declared = declared_by(manifest)
    organisation = _policy(written.get("organisation"), "organisation")
    workspace = _policy(written.get("workspace"), "workspace")
    subject = resolve_call(call, declared).call.subject
    return PolicyFacts(
        declared=declared,
        now_ms=written.get("now_ms", 1_000_000),
        readiness=Readiness(
            state=written.get("readiness", "ready"), reasons=tuple(written.get("reasons", ()))
        ),
        rules=(
            *rules_of(manifest),
            *organisation.rules,
            *workspace.rules,
            *(_as_user_rule(rule) for rule in _policy(written.get("user"), "workspace").rules),
        ),
        defaults=(*organisation.defaults, *workspace.defaults),
        risk_rules=(*organisation.risk_rules, *workspace.risk_rules),
        ask_from="low" if "low" in {organisation.ask_from, workspace.ask_from} else "medium",
        grants=tuple(_grant(each) for each in written.get("grants", ())),
        approvals=tuple(
            TypeAdapter(Approval).validate_python({"subject": subject, **each})
            for each in written.get("approvals", ())
        ),
        cost_limits=TypeAdapter(tuple[CostLimit, ...]).validate_python(
            written.get("cost_limits", ())
        ),
        unbound=frozenset(Target(*each) for each in written.get("unbound", ())),
    )


def _read_json(path: Path) -> Json:
    return json.loads(path.read_text(encoding="utf-8"))


def _policy(document: Json | None, layer: Any) -> PolicyFile:
    if document is None:
        return PolicyFile(name="none")
    if isinstance(document.get("rules"), list):
        document = {"version": 1, "name": f"The {layer}'s rules", **document}
    return parse_policy_file(json.dumps(document), layer=layer, source=f"{layer}.yaml")


def _as_user_rule(rule: Rule) -> Rule:
    name = rule.ref.id.removeprefix("workspace.")
    return replace(rule, ref=replace(rule.ref, id=f"user.{name}", layer="user", source="settings"))


def _grant(written: str | Json) -> Grant:
    fields = {"permission": written} if isinstance(written, str) else written
    return TypeAdapter(Grant).validate_python(fields)


def summary_of(decision: Decision) -> Json:
    """Sum a decision up in what a reader of a scenario wants to see: every rule by its id."""
    match decision:
        case Allowed():
            return {
                "outcome": decision.outcome,
                "rule": decision.rule.id,
                "evidenceRequired": decision.evidence_required,
                "answeredBy": [rule.id for rule in decision.answered_by],
                "auditedBy": [rule.id for rule in decision.audited_by],
                "degradedBy": list(decision.degraded_by),
            }
        case NeedsApproval():
            return {
                "outcome": decision.outcome,
                "rule": decision.rule.id,
                "wouldChange": decision.would_change,
                "question": _summary_of_question(decision.question),
            }
        case Denied():
            return {
                "outcome": decision.outcome,
                "rule": decision.rule.id,
                "layer": decision.rule.layer,
                "source": decision.rule.source,
                "cause": decision.cause,
                "wouldChange": decision.would_change,
                "also": [rule.id for rule in decision.also],
            }


def _summary_of_question(question: Question) -> Json:
    return {
        "kind": question.kind,
        "title": question.title,
        "reasons": [rule.id for rule in question.reasons],
        "risk": question.risk.level,
        "riskReasons": [rule.id for rule in question.risk.reasons],
        "leavesMachine": list(question.leaves_machine),
        "suggestions": [suggestion.label for suggestion in question.suggestions],
        "ifRefused": list(question.if_refused),
        "rememberScopes": list(question.remember_scopes),
    }
