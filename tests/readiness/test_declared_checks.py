"""The package's own three tiers: every check kind, every tier, and what is not known."""

import pytest

from tests.readiness.scenes import codes_of, open_checks, readiness_of


def tier(name: str, **check: object) -> dict[str, object]:
    return {"readiness": {name: [check]}}


CHECKS: dict[str, tuple[dict[str, object], dict[str, object], str | None]] = {
    # name: (check, facts, code; None for a pass)
    "sdk current": ({"check": "sdk_version", "expect": "current"}, {}, None),
    "sdk by default": ({"check": "sdk_version"}, {}, None),
    "sdk too new": ({"check": "sdk_version", "expect": "^3.0.0"}, {}, "SDK_VERSION_UNSUPPORTED"),
    "sdk unreadable": ({"check": "sdk_version", "expect": "new"}, {}, "VERSION_RANGE_UNREADABLE"),
    "host": ({"check": "host_version", "expect": ">=0.3.0"}, {}, None),
    "capability": ({"check": "capability_available", "capability": "lime.agent"}, {}, None),
    "capability absent": (
        {"check": "capability_available", "capability": "lime.x"},
        {},
        "CAPABILITY_MISSING",
    ),
    "capability of no name": ({"check": "capability_available"}, {}, "CHECK_INCOMPLETE"),
    "knowledge": (
        {"check": "knowledge_bound", "template": "brand"},
        {"bound_knowledge": {"brand": None}},
        None,
    ),
    "knowledge unbound": (
        {"check": "knowledge_bound", "template": "brand"},
        {},
        "KNOWLEDGE_BINDING_REQUIRED",
    ),
    "tool": ({"check": "tool_available", "tool": "t"}, {"available_tools": {"t"}}, None),
    "tool absent": ({"check": "tool_available", "tool": "t"}, {}, "TOOL_REQUIRED"),
    "permission": (
        {"check": "permission_granted", "permission": "p"},
        {"granted_permissions": {"p"}},
        None,
    ),
    "permission absent": (
        {"check": "permission_granted", "permission": "p"},
        {},
        "PERMISSION_REQUIRED",
    ),
    "secret": ({"check": "secret_configured", "secret": "s"}, {}, "SECRET_REQUIRED"),
    "skill": (
        {"check": "skill_available", "skill": "k", "expect": "^1.0.0"},
        {"available_skills": {"k": "1.4.0"}},
        None,
    ),
    "integration": (
        {"check": "integration_connected", "integration": "crm"},
        {},
        "INTEGRATION_REQUIRED",
    ),
    "overlay": ({"check": "overlay_configured", "overlay": "o"}, {}, "OVERLAY_REQUIRED"),
    "eval": ({"check": "eval_available", "eval": "e"}, {"available_evals": {"e"}}, None),
    "viewer": ({"check": "artifact_viewer_available", "artifact": "a"}, {}, None),
    "workspace": ({"check": "workspace_available"}, {}, "WORKSPACE_REQUIRED"),
    "migrated": ({"check": "storage_migrated"}, {}, None),
    "quota": (
        {"check": "storage_quota", "expect": ">= 100MB"},
        {"storage_quota_bytes": 100_000_000},
        None,
    ),
    "quota low": (
        {"check": "storage_quota", "expect": ">= 100MiB"},
        {"storage_quota_bytes": 100_000_000},
        "STORAGE_QUOTA_LOW",
    ),
    "quota not known": ({"check": "storage_quota", "expect": ">= 1MB"}, {}, "FACT_UNKNOWN"),
    "quota without a unit": (
        {"check": "storage_quota", "expect": 100},
        {"storage_quota_bytes": 10**9},
        "EXPECTATION_UNREADABLE",
    ),
    "quota of nothing": (
        {"check": "storage_quota"},
        {"storage_quota_bytes": 10**9},
        "CHECK_INCOMPLETE",
    ),
    "budget": (
        {"check": "agent_cost_budget", "expect": ">= 10 USD"},
        {"cost_budget": "25 USD"},
        None,
    ),
    "budget low": (
        {"check": "agent_cost_budget", "expect": ">= 10 USD"},
        {"cost_budget": "9.99 USD"},
        "COST_BUDGET_LOW",
    ),
    "budget in another currency": (
        {"check": "agent_cost_budget", "expect": ">= 10 USD"},
        {"cost_budget": "2500 CNY"},
        "EXPECTATION_UNREADABLE",
    ),
    "budget without an end": (
        {"check": "agent_cost_budget", "expect": ">= 10 USD"},
        {"cost_budget": "unlimited"},
        None,
    ),
    "budget not known": ({"check": "agent_cost_budget", "expect": "10 USD"}, {}, "FACT_UNKNOWN"),
    "budget of nothing": (
        {"check": "agent_cost_budget"},
        {"cost_budget": "1 USD"},
        "CHECK_INCOMPLETE",
    ),
    "expects the opposite": (
        {"check": "capability_available", "capability": "lime.agent", "expect": False},
        {},
        "EXPECTATION_UNREADABLE",
    ),
    "kind nobody knows": ({"check": "moon_phase", "expect": "full"}, {}, "CHECK_UNKNOWN"),
}
OPEN = {
    "CHECK_UNKNOWN",
    "CHECK_INCOMPLETE",
    "EXPECTATION_UNREADABLE",
    "FACT_UNKNOWN",
    "VERSION_RANGE_UNREADABLE",
}
BLOCKS_BY_NATURE = {"SDK_VERSION_UNSUPPORTED", "CAPABILITY_MISSING"}


@pytest.mark.parametrize("name", CHECKS)
def test_required_check_that_fails_needs_setup_and_one_that_is_open_is_unknown(name: str) -> None:
    check, facts, code = CHECKS[name]
    readiness = readiness_of(tier("required", **check), **facts)
    expected = "ready" if code is None else "needs-setup"
    if code in BLOCKS_BY_NATURE:
        expected = "blocked"
    if code in OPEN:
        expected = "unknown"
    assert (str(readiness.status), codes_of(readiness)) == (expected, [code] if code else [])


@pytest.mark.parametrize("name", CHECKS)
@pytest.mark.parametrize("tier_name", ["recommended", "performance"])
def test_lower_tiers_only_degrade(tier_name: str, name: str) -> None:
    """The flow chart: recommended or performance not met is ready-degraded, even with a blocker flag."""
    check, facts, code = CHECKS[name]
    readiness = readiness_of(tier(tier_name, **check, blocker=True), **facts)
    assert str(readiness.status) == ("ready-degraded" if code else "ready")
    assert readiness.blockers == ()
    assert [c.code for c in getattr(readiness.tiers, tier_name)] == [code]


def test_failed_blocker_blocks_and_an_open_one_stays_unknown() -> None:
    failing = tier("required", check="tool_available", tool="t", blocker=True)
    nobody_knows = tier("required", check="moon_phase", blocker=True)
    assert str(readiness_of(failing).status) == "blocked"
    assert str(readiness_of(nobody_knows).status) == "unknown"


def test_unknown_gives_way_to_what_is_worse() -> None:
    checks = [{"check": "moon_phase"}, {"check": "tool_available", "tool": "t"}]
    assert str(readiness_of({"readiness": {"required": checks}}).status) == "needs-setup"


def test_author_speaks_first_about_what_is_missing() -> None:
    fields = tier(
        "required",
        check="knowledge_bound",
        template="brand",
        message="请先绑定品牌指南知识库",
        messageI18n={"en": "Bind the brand guide first."},
        remediation="Open Knowledge and choose the brand guide.",
    )
    found = open_checks(readiness_of(fields))[0]
    assert found.message == "Bind the brand guide first."
    assert found.remediation == "Open Knowledge and choose the brand guide."
    assert open_checks(readiness_of(fields, locale="zh-CN"))[0].message == "请先绑定品牌指南知识库"
    passed = readiness_of(fields, bound_knowledge={"brand": None})
    assert passed.tiers.required[-1].message == "“brand”: ready."


def test_knowledge_check_asks_for_the_type_of_its_template() -> None:
    fields = {
        **tier("required", check="knowledge_bound", template="brand"),
        "knowledgeTemplates": [{"key": "brand", "standard": "agentknowledge", "type": "brand"}],
    }
    readiness = readiness_of(fields, bound_knowledge={"brand": "recipes"})
    assert codes_of(readiness) == ["KNOWLEDGE_INCOMPATIBLE"]


def test_missing_thing_is_told_once_where_the_package_speaks_for_every_entry() -> None:
    template = {"key": "brand", "standard": "agentknowledge", "type": "t", "required": True}
    check: dict[str, object] = {"check": "knowledge_bound", "template": "brand", "message": "Bind."}
    fields = {**tier("required", **check), "knowledgeTemplates": [template]}
    assert [c.message for c in open_checks(readiness_of(fields))] == ["Bind."]
    for_some = {**fields, **tier("required", **check, entries=["desk"])}
    assert len(open_checks(readiness_of(for_some))) == 2


def test_migration_check_leads_to_the_apps_namespace() -> None:
    fields = {**tier("required", check="storage_migrated"), "storage": {"namespace": "notes"}}
    readiness = readiness_of(fields, ("storage/migrations/1_a.sql",))
    assert [(a.kind, a.target) for a in readiness.setup_actions] == [("run-migration", "notes")]


def test_check_for_some_entries_leaves_the_others_alone() -> None:
    fields: dict[str, object] = {
        **tier("required", check="tool_available", tool="t", entries=["two"]),
        "entries": [
            {"key": "one", "kind": "page", "title": "One", "route": "/1"},
            {"key": "two", "kind": "page", "title": "Two", "route": "/2"},
        ],
    }
    readiness = readiness_of(fields)
    assert {e.entry_key: str(e.status) for e in readiness.entries} == {
        "one": "ready",
        "two": "needs-setup",
    }
    assert str(readiness.status) == "needs-setup"
