import pytest

from lime_desktop.app_package.manifest.root import Manifest
from lime_desktop.policy.declared import (
    Declared,
    DeclaredEvent,
    DeclaredIntegration,
    DeclaredOperation,
    DeclaredPermission,
)
from lime_desktop.policy.manifest_rules import declared_by, rules_of
from lime_desktop.policy.rules import Rule
from tests.policy.scenario import IDENTITY


def manifest(**fields: object) -> Manifest:
    return Manifest.model_validate({**IDENTITY, **fields})


def test_a_manifest_that_declares_nothing_reaches_nothing() -> None:
    assert declared_by(manifest()) == Declared(app_id="notes")


def test_everything_that_policy_asks_about_is_read() -> None:
    declared = declared_by(
        manifest(
            runtimeTargets=["hybrid"],
            requires={"capabilities": {"lime.tools": "*"}},
            capabilities=["lime.agent"],
            capabilityConfig={"lime.storage": {}},
            entries=[
                {
                    "key": "home",
                    "kind": "page",
                    "title": "Home",
                    "route": "/",
                    "requiredCapabilities": ["lime.files"],
                }
            ],
            permissions=[
                {
                    "key": "api",
                    "scope": "network",
                    "domains": ["a.example"],
                    "entries": ["home"],
                    "reason": "Why.",
                    "degradedBehavior": "Works offline.",
                }
            ],
            operations=[
                {
                    "key": "push",
                    "type": "write",
                    "sideEffect": "external_write",
                    "integration": "crm",
                    "approvalRequired": True,
                    "dryRunRequired": True,
                    "idempotencyRequired": True,
                    "evidenceRequired": True,
                    "autoExecute": False,
                }
            ],
            integrations=[
                {"key": "crm", "provider": "p", "role": "r", "access": {"write": True}},
                {"key": "other", "provider": "p", "role": "r"},
            ],
            toolRefs=[{"key": "fetch", "provider": "host"}],
            secrets=[{"key": "token"}],
            knowledgeTemplates=[{"key": "docs", "standard": "agentknowledge", "type": "t"}],
            workflows=[{"key": "flow"}],
            artifactTypes=[{"key": "report"}],
            events=[{"key": "saved", "direction": "both"}],
            storage={"namespace": "notes"},
            agentRuntime={"agentTask": {"approval": {"rememberScopes": ["task"]}}},
        ),
        lambda key_path: f"from {key_path}",
    )
    assert declared == Declared(
        app_id="notes",
        capabilities=frozenset({"lime.tools", "lime.agent", "lime.storage"}),
        entry_capabilities=frozenset({("home", "lime.files")}),
        permissions=(
            DeclaredPermission(
                key="api",
                scope="network",
                domains=("a.example",),
                entries=frozenset({"home"}),
                reason="Why.",
                degraded_behavior="Works offline.",
                source="from permissions[0]",
            ),
        ),
        operations=(
            DeclaredOperation(
                key="push",
                side_effect="external_write",
                integration="crm",
                approval_required=True,
                dry_run_required=True,
                idempotency_required=True,
                evidence_required=True,
                auto_execute=False,
                source="from operations[0]",
            ),
        ),
        integrations=(
            DeclaredIntegration(
                key="crm", provider="p", may_write=True, source="from integrations[0]"
            ),
            DeclaredIntegration(key="other", provider="p", source="from integrations[1]"),
        ),
        tools=frozenset({"fetch"}),
        secrets=frozenset({"token"}),
        knowledge=frozenset({"docs"}),
        workflows=frozenset({"flow"}),
        artifacts=frozenset({"report"}),
        events=(DeclaredEvent(topic="saved", direction="both"),),
        has_storage=True,
        is_server_assisted=True,
        remember_scopes=("task",),
        source="from requires.capabilities",
    )


@pytest.mark.requirement("APP-55", "RT-52")
def test_bypass_permissions_is_found_at_any_depth() -> None:
    """A manifest must not declare it, wherever it hopes to be read."""
    deep = manifest(metadata={"a": [{"bypassPermissions": "yes"}]})
    assert declared_by(deep).bypasses_permissions
    assert not declared_by(manifest(bypassPermissions=False)).bypasses_permissions


def effects(rules: tuple[Rule, ...]) -> dict[str, str]:
    return {rule.ref.id: rule.effect for rule in rules}


def test_boundaries_are_read_in_every_form_authors_write() -> None:
    text = manifest(policy={"riskBoundaries": "block_external_network"})
    items = manifest(
        policy={
            "riskBoundaries": [
                {"block_external_network": True, "off": False},
                "require_human_review_for_external_publishing",
                7,
            ]
        }
    )
    assert effects(rules_of(text)) == {"boundary.block_external_network": "deny"}
    assert effects(rules_of(items)) == {
        "boundary.block_external_network": "deny",
        "boundary.require_human_review_for_external_publishing": "ask",
    }


def test_an_unknown_boundary_asks_before_anything_outside_is_changed() -> None:
    """We: what can't be enforced as meant must not be dropped."""
    (rule,) = rules_of(manifest(policy={"riskBoundaries": ["only_on_weekdays"]}))
    assert rule.effect == "ask"
    assert rule.match.criteria[0].facet == "sideEffects"
