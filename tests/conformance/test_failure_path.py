"""Where the answer is no: policy's order, overlays that try to get past it, servers that nobody agreed to."""

from dataclasses import replace

import pytest
from pydantic import JsonValue

from lime_desktop.app_package.package import load_package
from lime_desktop.overlay.layers import OverlayLayer
from lime_desktop.overlay.resolve import resolve
from lime_desktop.overlay.surface import OverlaySurface
from lime_desktop.policy.call import PolicyCall, Target
from lime_desktop.policy.decide import decide, explain
from lime_desktop.policy.decision import Allowed, Denied, NeedsApproval
from lime_desktop.policy.facts import Grant, PolicyFacts, Readiness
from lime_desktop.policy.manifest_rules import declared_by, rules_of
from lime_desktop.policy.overlay_rules import rules_of_overlays
from lime_desktop.policy.policy_file import parse_policy_file
from tests.app_package.trees import MemoryTree
from tests.conformance.packages import app_md

NOTES = """runtimeTargets: [local]
requires: {capabilities: [lime.tools]}
toolRefs: [{key: mail, provider: hub}]
permissions: [{key: net, scope: network, domains: [example.com], reason: To send}]
integrations: [{key: smtp, provider: any, role: target}]
operations:
  - {key: send, type: send, sideEffect: external_publish, approvalRequired: true, integration: smtp}
"""
SEND = PolicyCall(
    app_id="notes",
    capability="lime.tools",
    method="invoke",
    operation="send",
    side_effect="external_publish",
    targets=(Target("tool", "mail"), Target("domain", "example.com")),
    arguments_digest="sha256:exact",
)
HOUSE_RULES = """version: 1
name: House rules
rules: [{id: quiet, effect: deny, text: Nobody uses tools here., when: {capabilities: [lime.tools]}}]
"""


def facts_of(more: str) -> PolicyFacts:
    """Everything granted and ready, and nobody against it."""
    manifest = load_package(MemoryTree({"APP.md": app_md(more).encode()}, "notes")).manifest
    return PolicyFacts(
        declared=declared_by(manifest),
        now_ms=0,
        readiness=Readiness(state="ready"),
        rules=rules_of(manifest),
        grants=(Grant(permission="net"),),
    )


@pytest.mark.requirement("APP-15", "APP-16")
def test_every_authority_can_say_no_and_they_are_asked_in_order() -> None:
    """The standard: manifest, readiness, organisation, deny rules, risk, approval; the first no ends it."""
    facts = facts_of(NOTES)
    house = parse_policy_file(HOUSE_RULES, layer="organisation", source="policy.yaml")
    refusing = {
        "manifest": replace(facts, declared=replace(facts.declared, capabilities=frozenset())),
        "readiness": replace(facts, readiness=Readiness(state="blocked")),
        "policy": replace(facts, rules=(*facts.rules, *house.rules)),
    }
    assert decide(SEND, refusing["policy"]).rule.id == "organisation.quiet"
    everybody = replace(
        facts,
        declared=refusing["manifest"].declared,
        readiness=Readiness(state="blocked"),
        rules=refusing["policy"].rules,
    )
    for step, alone in refusing.items():
        assert isinstance(decide(SEND, alone), Denied), step
        reached = [each.name for each in explain(SEND, alone).steps if each.is_reached]
        assert reached[-1] == step
    assert [each.name for each in explain(SEND, everybody).steps if each.is_reached] == ["manifest"]
    order = [each.name for each in explain(SEND, facts).steps]
    assert order == ["manifest", "readiness", "policy", "deny-rules", "risk", "approval"]
    assert isinstance(decide(SEND, facts), NeedsApproval)


@pytest.mark.requirement("APP-18")
@pytest.mark.parametrize(
    "values",
    [
        {"entries.home.disabled": False},
        {"permissions": {"net": "allow"}},
        {"policy.allow": ["lime.tools"]},
        {"readiness": "ready"},
        {"network.allow": ["evil.example"]},
        {"capabilities": ["lime.terminal"]},
    ],
)
def test_no_overlay_allows_more(values: dict[str, JsonValue]) -> None:
    layer = OverlayLayer(name="workspace", values=values)
    rules = rules_of_overlays(resolve((layer,), OverlaySurface(entries=frozenset({"home"}))))
    assert {rule.effect for rule in rules} <= {"deny"}
    facts = facts_of(NOTES)
    for stage in (facts, replace(facts, readiness=Readiness(state="blocked"))):
        with_overlay = replace(stage, rules=(*stage.rules, *rules))
        assert decide(SEND, with_overlay) == decide(SEND, stage)


@pytest.mark.requirement("APP-19")
def test_a_server_is_reached_only_where_it_was_declared_and_somebody_agrees() -> None:
    call = replace(SEND, operation=None, side_effect="none", targets=(Target("tool", "mail"),))
    away = replace(call, runs_remotely=True)
    at_home = facts_of(NOTES)
    assisted = facts_of(NOTES.replace("[local]", "[local, server-assisted]"))
    assert isinstance(decide(call, at_home), Allowed)
    assert isinstance(decide(away, at_home), Denied)
    assert isinstance(decide(away, assisted), NeedsApproval)


@pytest.mark.requirement("APP-56")
def test_an_effect_that_was_not_declared_is_refused() -> None:
    undeclared = facts_of(NOTES.partition("operations:")[0])
    assert isinstance(decide(replace(SEND, operation=None), undeclared), Denied)
    weaker = facts_of(NOTES.replace("external_publish", "external_write"))
    assert isinstance(decide(SEND, weaker), Denied)


@pytest.mark.requirement("APP-59")
def test_publishing_asks_even_where_the_manifest_says_it_need_not() -> None:
    careless = facts_of(NOTES.replace("approvalRequired: true", "approvalRequired: false"))
    assert isinstance(decide(SEND, careless), NeedsApproval)
    assert isinstance(decide(replace(SEND, is_interactive=False), careless), Denied)
