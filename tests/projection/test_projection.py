"""Projection over manifests alone; whole packages are in test_published_shapes."""

from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lime_desktop.app_package.problems import Problem, Severity
from lime_desktop.projection.document import to_document, to_json
from lime_desktop.projection.host_profile import THIS_HOST
from lime_desktop.projection.projection import project
from tests.projection.stand_in import IDENTITY, package_of, projection_of

PROVENANCE = {
    "appName": "sample-app",
    "appVersion": "1.2.3",
    "manifestHash": package_of().manifest_hash,
    "packageHash": package_of().package_hash,
    "standard": "agentapp",
    "standardVersion": "0.10.0",
}


def entry(key: str, kind: str = "page", **fields: object) -> dict[str, object]:
    return {"key": key, "kind": kind, "title": key.title(), **fields}


@pytest.mark.requirement("APP-07")
def test_bare_app_projects_to_the_reference_sections_in_the_reference_order() -> None:
    document = to_document(projection_of())
    assert document == {
        "ok": True,
        "command": "project",
        "app": {**IDENTITY, "provenance": PROVENANCE},
        "entries": [],
        "services": [],
        "workflows": [],
        "permissions": [],
        "knowledgeTemplates": [],
        "toolRequirements": [],
        "artifactTypes": [],
        "evals": [],
        "events": [],
        "secrets": [],
        "overlayTemplates": [],
        "integrations": [],
        "operations": [],
        "provenance": PROVENANCE,
        "capabilityNegotiation": [],
        "policyPrompts": [],
    }
    assert list(document)[:4] == ["ok", "command", "app", "entries"]
    assert list(cast("dict[str, object]", document["app"]))[:3] == [
        "name",
        "description",
        "version",
    ]


@pytest.mark.requirement("APP-07")
def test_sections_the_reference_tool_leaves_out_are_projected() -> None:
    """The projection schema names them; the reference tool emits none of them."""
    fields: dict[str, object] = {
        "triggers": {"keywords": ["content"], "scenarios": ["planning"]},
        "quickstart": {"entry": "home_page", "setupSteps": [{"bind_knowledge": "brand"}]},
        "skills": {
            "bundled": [{"path": "./skills/a", "activation": "auto"}],
            "references": [{"id": "x/y"}],
        },
        "publisher": {"publisherId": "acme", "name": "acme", "verified": True},
        "author": "Ada",
        "maintainers": [{"name": "Ada", "role": "lead"}],
        "createdAt": "2026-01-01T00:00:00Z",
        "endOfLifeAt": "2030-01-01T00:00:00Z",
        "supportWindow": {"channel": "lts", "supersededBy": "2.0.0"},
        "homepage": "https://app.example",
        "repository": {"type": "git", "url": "https://code.example/app"},
        "license": "Apache-2.0",
        "copyright": "2026 Acme",
        "support": {"email": "help@app.example"},
        "distribution": {"channel": "stable"},
        "compliance": {"certifications": ["gdpr"]},
        "errors": {"LATE": {"code": "APP_E101"}, "EARLY": {"code": "APP_E102"}},
        "i18n": {"defaultLocale": "zh-CN", "fallback": {"zh-TW": "zh-CN"}},
        "signature": {"package": {"algorithm": "sha256"}},
        "health": {"startup": [{"check": "sdk_connection", "timeout": "5s"}]},
        "policy": {"costLimit": {"monthly": "50 USD"}},
    }
    document = to_document(projection_of(fields))

    def marked(**values: object) -> dict[str, object]:
        return {**values, "provenance": PROVENANCE}

    assert {
        name: document[name] for name in document if name in fields or name in {"timeline", "links"}
    } == {
        "triggers": fields["triggers"],
        "quickstart": marked(entry="home_page", setupSteps=[{"bind_knowledge": "brand"}]),
        "skills": {
            "bundled": [marked(path="./skills/a", activation="auto")],
            "references": [marked(id="x/y")],
        },
        "publisher": marked(publisherId="acme", name="acme"),
        "author": "Ada",
        "maintainers": [marked(name="Ada", role="lead")],
        "timeline": marked(createdAt="2026-01-01T00:00:00Z", endOfLifeAt="2030-01-01T00:00:00Z"),
        "supportWindow": marked(channel="lts", supersededBy="2.0.0"),
        "links": marked(homepage="https://app.example", repository=fields["repository"]),
        "license": marked(spdx="Apache-2.0", copyright="2026 Acme"),
        "support": marked(email="help@app.example"),
        "distribution": marked(channel="stable"),
        "compliance": marked(certifications=["gdpr"]),
        "errors": [marked(name="EARLY", code="APP_E102"), marked(name="LATE", code="APP_E101")],
        "i18n": marked(defaultLocale="zh-CN", fallback={"zh-TW": "zh-CN"}),
        "signature": marked(package={"algorithm": "sha256"}),
        "health": marked(startup=[{"check": "sdk_connection", "timeout": "5s"}]),
        "policy": marked(costLimit={"monthly": "50 USD"}),
    }


@pytest.mark.requirement("APP-11")
def test_provenance_that_an_author_writes_is_replaced() -> None:
    """A package must not be able to speak for another one."""
    forged = {"appName": "somebody-else"}
    fields: dict[str, object] = {
        "entries": [entry("a", provenance=forged)],
        "secrets": [{"key": "s", "provenance": forged}],
    }
    document = cast("dict[str, list[dict[str, object]]]", to_document(projection_of(fields)))
    assert document["entries"][0]["provenance"] == PROVENANCE
    assert document["secrets"][0]["provenance"] == PROVENANCE


@pytest.mark.parametrize(
    ("declared", "route"),
    [
        (entry("desk"), "/desk"),
        (entry("desk", route="/work"), "/work"),
        (entry("desk", route="work"), "/work"),
        (entry("desk", route="#/work"), "/#/work"),
        (entry("side", kind="panel", panel="left"), "/side"),
        (entry("setup", kind="settings"), "/setup"),
        (entry("run", kind="command", command="run"), None),
    ],
)
def test_entry_gets_a_route_inside_the_app(declared: dict[str, object], route: str | None) -> None:
    projected = projection_of({"entries": [declared]})
    assert projected.entries[0].route == route
    assert projected.is_valid


@pytest.mark.parametrize(
    "route",
    [
        "https://evil.example",
        "HTTP://evil.example/",
        "//evil.example",
        "javascript:alert(1)",
        "\\\\evil",
        "/\\evil",
        " https://evil.example",
    ],
)
def test_route_that_leaves_the_app_is_refused(route: str) -> None:
    """Upstream refuses absolute routes; so does every other way to leave the app's origin."""
    projected = projection_of({"entries": [entry("desk", route=route)]})
    document = to_document(projected)
    assert projected.entries[0].is_route_refused
    assert document["ok"] is False
    assert "route" not in cast("list[dict[str, object]]", document["entries"])[0]
    assert [problem.code for problem in projected.problems] == ["ENTRY_ROUTE_OUTSIDE_APP"]


@pytest.mark.parametrize(
    ("keys", "quickstart", "default"),
    [
        (["work", "dashboard"], "work", "work"),
        (["work", "dashboard"], None, "dashboard"),
        (["work", "other"], None, "work"),
        (["work", "dashboard"], "gone", "dashboard"),
        ([], None, None),
    ],
)
def test_default_entry_is_the_authors_then_the_usual_then_the_first(
    keys: list[str], quickstart: str | None, default: str | None
) -> None:
    fields: dict[str, object] = {
        "entries": [entry("cli", "command", command="x"), *map(entry, keys)]
    }
    if quickstart:
        fields["quickstart"] = {"entry": quickstart}
    assert projection_of(fields).default_entry == default


@pytest.mark.requirement("APP-48")
def test_migrations_are_planned_in_number_order_with_their_way_back() -> None:
    fields: dict[str, object] = {
        "storage": {"namespace": "sample", "migrations": "./db/steps/"},
        "lifecycle": {
            "upgrade": {
                "migrations": [
                    {
                        "from": "1",
                        "to": "2",
                        "storage": "./db/steps/10_drop.sql",
                        "reversible": False,
                        "risk": "drops a table",
                    }
                ]
            }
        },
    }
    files = (
        "db/steps/10_drop.sql",
        "db/steps/2_add.up.sql",
        "db/steps/2_add.down.sql",
        "db/steps/README.md",
        "db/other.sql",
    )
    storage = cast("dict[str, object]", to_document(projection_of(fields, files=files))["storage"])
    assert storage["migrationPlan"] == [
        {
            "id": "2_add",
            "path": "db/steps/2_add.up.sql",
            "undoPath": "db/steps/2_add.down.sql",
            "reversible": True,
        },
        {
            "id": "10_drop",
            "path": "db/steps/10_drop.sql",
            "from": "1",
            "to": "2",
            "risk": "drops a table",
            "reversible": False,
        },
    ]


def test_permissions_and_risky_operations_become_policy_prompts() -> None:
    fields: dict[str, object] = {
        "permissions": [
            {
                "key": "net",
                "scope": "network",
                "access": "read",
                "required": True,
                "reason": "Fetch.",
            },
            {"key": "files", "scope": "filesystem"},
        ],
        "operations": [
            {"key": "draft", "type": "agent_task", "sideEffect": "artifact_create"},
            {
                "key": "push",
                "type": "x",
                "sideEffect": "external_write",
                "approvalRequired": True,
                "dryRunRequired": True,
            },
            {"key": "wipe", "type": "x", "sideEffect": "external_delete"},
        ],
    }
    prompts = cast("list[dict[str, object]]", to_document(projection_of(fields))["policyPrompts"])
    assert [{k: v for k, v in each.items() if k != "provenance"} for each in prompts] == [
        {
            "kind": "permission",
            "key": "net",
            "when": "install",
            "subject": "network:read",
            "reason": "Fetch.",
            "required": True,
            "dryRun": False,
        },
        {
            "kind": "permission",
            "key": "files",
            "when": "first-use",
            "subject": "filesystem",
            "required": False,
            "dryRun": False,
        },
        {
            "kind": "operation",
            "key": "push",
            "when": "each-run",
            "subject": "external_write",
            "required": False,
            "dryRun": True,
        },
        {
            "kind": "operation",
            "key": "wipe",
            "when": "each-run",
            "subject": "external_delete",
            "required": False,
            "dryRun": False,
        },
    ]


@pytest.mark.requirement("APP-04", "APP-53")
def test_capabilities_are_negotiated_with_the_given_host() -> None:
    fields: dict[str, object] = {
        "requires": {
            "capabilities": {"lime.ui": "^0.3.0", "lime.nothing": "current", "lime.agent": "^9.0.0"}
        },
        "capabilities": ["lime.ui", "lime.files", "agentskills"],
        "capabilityConfig": {"lime.agent": {"required": False}},
    }
    answers = projection_of(fields).capabilities
    assert [(each.name, each.is_required, each.fit) for each in answers] == [
        ("lime.ui", True, "met"),
        ("lime.nothing", True, "unmet"),
        ("lime.agent", False, "unmet"),
        ("lime.files", False, "met"),
    ]


def test_plain_capability_list_is_the_requirement_where_nothing_else_is_said() -> None:
    answers = projection_of({"capabilities": ["lime.ui"]}).capabilities
    assert [(each.name, each.is_required) for each in answers] == [("lime.ui", True)]


def test_invalid_package_is_projected_with_its_problems_beside() -> None:
    problem = Problem(
        code="FIELD_MISSING", severity=Severity.ERROR, message="No status.", key_path="status"
    )
    document = to_document(projection_of(problems=(problem,)))
    assert document["ok"] is False
    assert document["problems"] == [
        {"code": "FIELD_MISSING", "severity": "error", "message": "No status.", "keyPath": "status"}
    ]


def test_unsupported_manifest_version_is_shown_as_written() -> None:
    document = to_document(projection_of({"manifestVersion": "9.0.0"}))
    assert cast("dict[str, object]", document["provenance"])["standardVersion"] == "9.0.0"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
free_objects = st.dictionaries(st.text(), json_values, max_size=4)


def reversed_keys(value: object) -> object:
    if isinstance(value, dict):
        items = cast("dict[object, object]", value).items()
        return {key: reversed_keys(item) for key, item in reversed(list(items))}
    if isinstance(value, list):
        return [reversed_keys(item) for item in cast("list[object]", value)]
    return value


@given(metadata=free_objects, lifecycle=free_objects, extra=free_objects)
def test_projection_bytes_depend_on_content_alone(
    metadata: dict[str, object], lifecycle: dict[str, object], extra: dict[str, object]
) -> None:
    """The standard: projection is deterministic. Ours: whatever order the author's keys came in."""
    fields: dict[str, object] = {
        "metadata": metadata,
        "lifecycle": lifecycle,
        "entries": [{f"x-{name}": value for name, value in extra.items()} | entry("a")],
        "errors": {"B": {"code": "APP_E902"}, "A": {"code": "APP_E901"}},
    }
    once = to_json(project(package_of(fields), THIS_HOST))
    turned = cast("dict[str, object]", reversed_keys(fields))
    assert once == to_json(project(package_of(fields), THIS_HOST))
    assert once == to_json(project(package_of(turned), THIS_HOST))
    once.encode()
