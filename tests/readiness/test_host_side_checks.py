"""What the host checks whether or not the package asks for it: one row per kind and state."""

import pytest

from lime_desktop.projection.host_profile import THIS_HOST
from lime_desktop.protocol.calls.evals import EvalOutcome
from tests.readiness.scenes import codes_of, open_checks, readiness_of

PAGE: dict[str, object] = {"key": "desk", "kind": "page", "title": "Desk", "route": "/"}
KNOWLEDGE = {
    "key": "brand",
    "standard": "agentknowledge",
    "type": "brand-product",
    "required": True,
}
WITHOUT_STORAGE = THIS_HOST.model_copy(
    update={
        "capabilities": {k: v for k, v in THIS_HOST.capabilities.items() if k != "lime.storage"}
    }
)

TRIABLE: dict[str, object] = {"available_evals": {"tone"}, "triable_evals": {"tone"}}


def outcome(*, wrong: int = 0, worse: int = 0) -> EvalOutcome:
    return EvalOutcome(
        eval_key="tone", at_ms=0, threshold=0.8, cases=2, wrong=wrong, worse=worse, score=0.9
    )


Scene = tuple[dict[str, object], dict[str, object], str, list[str]]

BACKEND: dict[str, object] = {
    "key": "api",
    "kind": "worker",
    "protocol": "stdio-jsonrpc",
    "command": "python3 api.py",
    "required": True,
}
SCENES: dict[str, Scene] = {
    # name: (manifest fields, facts, status, codes)
    "nothing asked": ({}, {}, "ready", []),
    "unsigned": ({}, {"package_trust": "unsigned"}, "ready-degraded", ["PACKAGE_UNSIGNED"]),
    "unchecked": ({}, {"package_trust": "unchecked"}, "ready-degraded", ["PACKAGE_HASH_MISSING"]),
    "pinned": ({}, {"package_trust": "pinned"}, "ready", []),
    "changed": ({}, {"package_trust": "mismatched"}, "blocked", ["PACKAGE_HASH_MISMATCH"]),
    "revoked": ({}, {"package_trust": "revoked"}, "blocked", ["PACKAGE_REVOKED"]),
    "ui bundle absent": (
        {"runtimePackage": {"ui": {"path": "./dist/ui"}}},
        {},
        "blocked",
        ["PACKAGE_INCOMPLETE"],
    ),
    "critical start failed": (
        {"health": {"startup": [{"check": "ui_bundle_loaded", "critical": True}]}},
        {"failed_startup_checks": {"ui_bundle_loaded"}},
        "blocked",
        ["HEALTH_STARTUP_FAILED"],
    ),
    "other start check failed": (
        {"health": {"startup": [{"check": "worker_started", "critical": False}]}},
        {"failed_startup_checks": {"worker_started"}},
        "ready-degraded",
        ["HEALTH_STARTUP_FAILED"],
    ),
    "runtime check failed": (
        {"health": {"runtime": [{"check": "storage_health", "critical": True}]}},
        {"tried_runtime_checks": {"storage_health"}, "failed_runtime_checks": {"storage_health"}},
        "ready-degraded",
        ["HEALTH_RUNTIME_FAILED"],
    ),
    "checks that nobody tried": (
        {
            "health": {
                "startup": [{"check": "sdk_connection", "critical": True}],
                "runtime": [{"check": "storage_health"}],
            }
        },
        {},
        "ready",
        [],
    ),
    "app disabled": ({}, {"is_app_disabled": True}, "blocked", ["APP_DISABLED"]),
    "archived": ({"status": "archived"}, {}, "blocked", ["APP_ARCHIVED"]),
    "past its end": ({"endOfLifeAt": "2026-05-31T23:59:59Z"}, {}, "blocked", ["END_OF_LIFE"]),
    "end to come": ({"endOfLifeAt": "2026-06-02"}, {}, "ready", []),
    "end in another zone": ({"endOfLifeAt": "2026-06-01T09:00:00+08:00"}, {}, "ready", []),
    "deprecated": ({"status": "deprecated"}, {}, "ready-degraded", ["APP_DEPRECATED"]),
    "deprecated by date": (
        {"deprecatedAt": "2026-01-01"},
        {},
        "ready-degraded",
        ["APP_DEPRECATED"],
    ),
    "support over": (
        {"supportWindow": {"supportedUntil": "2026-01-01"}},
        {},
        "ready-degraded",
        ["SUPPORT_ENDED"],
    ),
    "manifest from the future": (
        {"manifestVersion": "9.0.0"},
        {},
        "blocked",
        ["MANIFEST_VERSION_UNSUPPORTED"],
    ),
    "server only": (
        {"runtimeTargets": ["server-assisted"]},
        {},
        "blocked",
        ["RUNTIME_TARGET_UNSUPPORTED"],
    ),
    "one target fits": ({"runtimeTargets": ["server-assisted", "local"]}, {}, "ready", []),
    "host too old": (
        {"requires": {"lime": {"appRuntime": ">=1.0.0"}}},
        {},
        "blocked",
        ["HOST_VERSION_UNSUPPORTED"],
    ),
    "host unreadable": (
        {"requires": {"lime": {"appRuntime": "whatever"}}},
        {},
        "unknown",
        ["VERSION_RANGE_UNREADABLE"],
    ),
    "unknown host part": ({"requires": {"lime": {"moon": "^1"}}}, {}, "unknown", ["CHECK_UNKNOWN"]),
    "sdk fits": ({"requires": {"sdk": "@lime/app-sdk@^0.3.0"}}, {}, "ready", []),
    "sdk too new": (
        {"requires": {"sdk": "@lime/app-sdk@^2.0.0"}},
        {},
        "blocked",
        ["SDK_VERSION_UNSUPPORTED"],
    ),
    "sdk of somebody else": (
        {"requires": {"sdk": "@other/sdk@^1.0.0"}},
        {},
        "blocked",
        ["SDK_VERSION_UNSUPPORTED"],
    ),
    "bridge fits": ({"agentRuntime": {"bridge": {"kind": "app-server-json-rpc"}}}, {}, "ready", []),
    "bridge is a mock": (
        {"agentRuntime": {"bridge": {"kind": "reference-mock"}}},
        {},
        "blocked",
        ["RUNTIME_BRIDGE_UNSUPPORTED"],
    ),
    "install mode fits": ({"install": {"modes": ["in_lime"]}}, {}, "ready", []),
    "install mode not offered": (
        {"install": {"modes": ["standalone"]}},
        {},
        "blocked",
        ["INSTALL_MODE_UNSUPPORTED"],
    ),
    "runtime too old": (
        {"install": {"modes": ["in_lime"], "runtime": {"minVersion": "0.11.0"}}},
        {},
        "blocked",
        ["HOST_VERSION_UNSUPPORTED"],
    ),
    "other platform": (
        {"install": {"modes": ["standalone"], "standalone": {"platforms": ["macos"]}}},
        {
            "install_mode": "standalone",
            "host": THIS_HOST.model_copy(
                update={"install_modes": ("standalone",), "platform": "linux"}
            ),
        },
        "blocked",
        ["PLATFORM_UNSUPPORTED"],
    ),
    "capability fits": (
        {"requires": {"capabilities": {"lime.agent": "^0.3.0"}}},
        {},
        "ready",
        [],
    ),
    "capability missing": (
        {"requires": {"capabilities": ["lime.teleport"]}},
        {},
        "blocked",
        ["CAPABILITY_MISSING"],
    ),
    "capability too new": (
        {"requires": {"capabilities": {"lime.agent": "^1.0.0"}}},
        {},
        "blocked",
        ["CAPABILITY_VERSION_UNSUPPORTED"],
    ),
    "capability down": (
        {"requires": {"capabilities": {"lime.agent": "current"}}},
        {"unavailable_capabilities": {"lime.agent": "no App Server"}},
        "needs-setup",
        ["CAPABILITY_UNAVAILABLE"],
    ),
    "merely listed capability missing": (
        {"requires": {"capabilities": ["lime.ui"]}, "capabilities": ["lime.teleport"]},
        {},
        "ready-degraded",
        ["CAPABILITY_MISSING"],
    ),
    "standard unknown": (
        {"capabilities": ["lime.ui", "agentdance"]},
        {},
        "ready-degraded",
        ["STANDARD_UNSUPPORTED"],
    ),
    "permission not granted": (
        {"permissions": [{"key": "net", "scope": "network", "required": True}]},
        {},
        "needs-setup",
        ["PERMISSION_REQUIRED"],
    ),
    "permission granted": (
        {"permissions": [{"key": "net", "scope": "network", "required": True}]},
        {"granted_permissions": {"net"}},
        "ready",
        [],
    ),
    "permission denied beats granted": (
        {"permissions": [{"key": "net", "scope": "network", "required": True}]},
        {"granted_permissions": {"net"}, "denied_permissions": {"net"}},
        "blocked",
        ["PERMISSION_DENIED"],
    ),
    "optional permission": ({"permissions": [{"key": "net", "scope": "network"}]}, {}, "ready", []),
    "knowledge unbound": (
        {"knowledgeTemplates": [KNOWLEDGE]},
        {},
        "needs-setup",
        ["KNOWLEDGE_BINDING_REQUIRED"],
    ),
    "knowledge bound": (
        {"knowledgeTemplates": [KNOWLEDGE]},
        {"bound_knowledge": {"brand": "brand-product"}},
        "ready",
        [],
    ),
    "knowledge of another type": (
        {"knowledgeTemplates": [KNOWLEDGE]},
        {"bound_knowledge": {"brand": "recipes"}},
        "needs-setup",
        ["KNOWLEDGE_INCOMPATIBLE"],
    ),
    "optional knowledge": (
        {"knowledgeTemplates": [{**KNOWLEDGE, "required": False}]},
        {},
        "ready",
        [],
    ),
    "bundled skill absent": (
        {"skills": {"bundled": [{"path": "./skills/x"}]}},
        {},
        "blocked",
        ["PACKAGE_INCOMPLETE"],
    ),
    "skill missing": (
        {"skills": {"references": [{"id": "a/b", "required": True}]}},
        {},
        "needs-setup",
        ["SKILL_REQUIRED"],
    ),
    "skill too old": (
        {"skills": {"references": [{"id": "a/b", "version": "^2.0.0", "required": True}]}},
        {"available_skills": {"a/b": "1.0.0"}},
        "needs-setup",
        ["SKILL_VERSION_UNSUPPORTED"],
    ),
    "skill of unknown version": (
        {"skills": {"references": [{"id": "a/b", "version": "^2.0.0", "required": True}]}},
        {"available_skills": {"a/b": None}},
        "unknown",
        ["FACT_UNKNOWN"],
    ),
    "older skill form": (
        {"skillRefs": [{"id": "a", "required": True}]},
        {},
        "needs-setup",
        ["SKILL_REQUIRED"],
    ),
    "tool missing": (
        {"toolRefs": [{"key": "parser", "provider": "hub", "required": True}]},
        {},
        "blocked",
        ["TOOL_UNSUPPORTED"],
    ),
    "tool of the host": (
        {"toolRefs": [{"key": "storage_query", "provider": "lime", "required": True}]},
        {},
        "ready",
        [],
    ),
    "unknown tool of the host": (
        {"toolRefs": [{"key": "storage_guess", "provider": "lime", "required": True}]},
        {},
        "blocked",
        ["TOOL_UNSUPPORTED"],
    ),
    "viewer missing": (
        {"artifactTypes": [{"key": "deck", "viewer": "slides", "required": True}]},
        {},
        "needs-setup",
        ["ARTIFACT_TYPE_REQUIRED"],
    ),
    "viewer among the app's pages": (
        {"artifactTypes": [{"key": "deck", "viewer": "/slides", "required": True}]},
        {},
        "ready",
        [],
    ),
    "viewer of the host": (
        {"artifactTypes": [{"key": "deck", "viewer": "slides", "required": True}]},
        {"available_artifact_viewers": {"slides"}},
        "ready",
        [],
    ),
    "eval missing": (
        {"evals": [{"key": "tone", "required": True}]},
        {},
        "needs-setup",
        ["EVAL_REQUIRED"],
    ),
    "required eval not run": (
        {"evals": [{"key": "tone", "path": "evals/tone.yaml", "required": True}]},
        TRIABLE,
        "ready",
        [],
    ),
    "required eval failed": (
        {"evals": [{"key": "tone", "path": "evals/tone.yaml", "required": True}]},
        {**TRIABLE, "eval_outcomes": {"tone": outcome(wrong=1)}},
        "ready-degraded",
        ["EVAL_FAILED"],
    ),
    "required eval worse than before": (
        {"evals": [{"key": "tone", "path": "evals/tone.yaml", "required": True}]},
        {**TRIABLE, "eval_outcomes": {"tone": outcome(worse=1)}},
        "ready-degraded",
        ["EVAL_FAILED"],
    ),
    "required eval passed": (
        {"evals": [{"key": "tone", "path": "evals/tone.yaml", "required": True}]},
        {**TRIABLE, "eval_outcomes": {"tone": outcome()}},
        "ready",
        [],
    ),
    "optional eval not run": (
        {"evals": [{"key": "tone", "path": "evals/tone.yaml"}]},
        TRIABLE,
        "ready",
        [],
    ),
    "optional eval failed": (
        {"evals": [{"key": "tone", "path": "evals/tone.yaml"}]},
        {**TRIABLE, "eval_outcomes": {"tone": outcome(wrong=1)}},
        "ready",
        [],
    ),
    "eval without cases": (
        {"evals": [{"key": "tone", "path": "evals/tone.yaml", "required": True}]},
        {"available_evals": {"tone"}},
        "ready",
        [],
    ),
    "eval that nobody can run": (
        {"evals": [{"key": "tone", "path": "evals/tone.md", "required": True}]},
        {},
        "ready-degraded",
        ["EVAL_REQUIRED"],
    ),
    "secret missing": (
        {"secrets": [{"key": "api", "required": True}]},
        {},
        "needs-setup",
        ["SECRET_REQUIRED"],
    ),
    "overlay missing": (
        {"overlayTemplates": [{"key": "rules", "scope": "tenant", "required": True}]},
        {},
        "needs-setup",
        ["OVERLAY_REQUIRED"],
    ),
    "workspace closed": (
        {"secrets": [{"key": "api", "required": True, "scope": "workspace"}]},
        {"configured_secrets": {"api"}},
        "needs-setup",
        ["WORKSPACE_REQUIRED"],
    ),
    "storage not offered": (
        {"storage": {"namespace": "s"}},
        {"host": WITHOUT_STORAGE},
        "blocked",
        ["STORAGE_DECLARED_BUT_DISABLED"],
    ),
    "storage elsewhere": (
        {"storage": {"namespace": "s", "placement": "server-postgresql"}},
        {},
        "ready-degraded",
        ["STORAGE_PLACEMENT_UNSUPPORTED"],
    ),
    "service in the cloud": (
        {
            "services": [
                {
                    "key": "api",
                    "kind": "app-backend",
                    "executionPlane": "cloud-remote",
                    "required": True,
                }
            ]
        },
        {},
        "blocked",
        ["SERVICE_REQUIRED"],
    ),
    "service in wasm": (
        {"services": [{"key": "api", "kind": "worker", "protocol": "wasm", "required": True}]},
        {},
        "blocked",
        ["SERVICE_REQUIRED"],
    ),
    "local service that nobody runs": (
        {"services": [{"key": "api", "kind": "worker", "required": True}]},
        {},
        "blocked",
        ["SERVICE_REQUIRED"],
    ),
    "schedule that starts nothing": (
        {"services": [{"key": "s", "kind": "scheduler", "schedule": "every 1h", "required": True}]},
        {},
        "blocked",
        ["SERVICE_REQUIRED"],
    ),
    "local service": (
        {"services": [BACKEND]},
        {"available_services": {"api"}},
        "ready",
        [],
    ),
    "local service whose program is missing": (
        {"services": [BACKEND]},
        {},
        "needs-setup",
        ["SERVICE_PROGRAM_REQUIRED"],
    ),
    "local service without a wall": (
        {"services": [BACKEND]},
        {"available_services": {"api"}, "command_sandbox_absence": "No wall."},
        "needs-setup",
        ["COMMAND_SANDBOX_REQUIRED"],
    ),
    "local service that a person lets run without a wall": (
        {"services": [BACKEND]},
        {
            "available_services": {"api"},
            "command_sandbox_absence": "No wall.",
            "runs_unconfined": True,
        },
        "ready",
        [],
    ),
    "local service on a host that speaks with none": (
        {"services": [BACKEND]},
        {
            "available_services": {"api"},
            "host": THIS_HOST.model_copy(update={"service_protocols": ()}),
        },
        "blocked",
        ["SERVICE_REQUIRED"],
    ),
    "service without its capability": (
        {
            "services": [
                {
                    "key": "api",
                    "kind": "worker",
                    "requiredCapabilities": ["lime.x"],
                    "required": True,
                }
            ]
        },
        {},
        "blocked",
        ["SERVICE_REQUIRED"],
    ),
    "integration connected": (
        {
            "integrations": [{"key": "crm", "provider": "p", "role": "r", "required": True}],
            "operations": [
                {
                    "key": "o",
                    "type": "t",
                    "sideEffect": "none",
                    "integration": "crm",
                    "required": True,
                }
            ],
        },
        {"available_integrations": {"crm"}},
        "ready",
        [],
    ),
    "skill of any version": (
        {"skills": {"references": [{"id": "a/b", "version": "current", "required": True}]}},
        {"available_skills": {"a/b": None}},
        "ready",
        [],
    ),
    "integration blocks": (
        {
            "integrations": [
                {"key": "crm", "provider": "p", "role": "r", "readiness": {"missing": "blocked"}}
            ]
        },
        {},
        "blocked",
        ["INTEGRATION_UNSUPPORTED"],
    ),
    "integration that the host itself is": (
        {
            "integrations": [
                {
                    "key": "files",
                    "provider": "lime.files",
                    "role": "r",
                    "required": True,
                    "hostCapability": "lime.files",
                    "readiness": {"missing": "blocked"},
                }
            ]
        },
        {},
        "ready",
        [],
    ),
    "interface that the package does not describe": (
        {
            "integrations": [
                {
                    "key": "crm",
                    "provider": "p",
                    "role": "r",
                    "adapter": {"kind": "api"},
                    "required": True,
                }
            ]
        },
        {},
        "blocked",
        ["INTEGRATION_UNDESCRIBED"],
    ),
    "integration that the app can do without": (
        {
            "integrations": [
                {
                    "key": "crm",
                    "provider": "p",
                    "role": "r",
                    "adapter": {"kind": "api"},
                    "required": False,
                    "readiness": {"missing": "blocked"},
                }
            ]
        },
        {},
        "ready-degraded",
        ["INTEGRATION_UNDESCRIBED"],
    ),
    "integration needs setup": (
        {
            "integrations": [
                {
                    "key": "crm",
                    "provider": "p",
                    "role": "r",
                    "readiness": {"missing": "needs-setup"},
                    "adapter": {"kind": "mcp"},
                }
            ]
        },
        {},
        "needs-setup",
        ["INTEGRATION_REQUIRED"],
    ),
    "integration by a program": (
        {
            "integrations": [
                {
                    "key": "crm",
                    "provider": "p",
                    "role": "r",
                    "adapter": {"kind": "cli"},
                    "required": True,
                }
            ]
        },
        {},
        "needs-setup",
        ["INTEGRATION_ADAPTER_REQUIRED"],
    ),
    "integration this host can never make": (
        {
            "integrations": [
                {
                    "key": "crm",
                    "provider": "p",
                    "role": "r",
                    "hostCapability": "lime.x",
                    "required": True,
                }
            ]
        },
        {},
        "blocked",
        ["INTEGRATION_BLOCKED"],
    ),
    "required but optional when missing": (
        {
            "integrations": [
                {
                    "key": "crm",
                    "provider": "p",
                    "role": "r",
                    "required": True,
                    "readiness": {"missing": "optional"},
                }
            ]
        },
        {},
        "ready",
        [],
    ),
    "operation without its connection": (
        {
            "operations": [
                {
                    "key": "push",
                    "type": "t",
                    "sideEffect": "none",
                    "integration": "crm",
                    "required": True,
                }
            ]
        },
        {},
        "needs-setup",
        ["OPERATION_UNAVAILABLE"],
    ),
}


@pytest.mark.requirement("APP-12")
@pytest.mark.parametrize("name", SCENES)
def test_host_side_check_gives_its_state_and_code(name: str) -> None:
    fields, facts, status, codes = SCENES[name]
    readiness = readiness_of(fields, **facts)
    assert (str(readiness.status), codes_of(readiness)) == (status, codes)
    assert readiness.ok == (status in {"ready", "ready-degraded"})


@pytest.mark.requirement("APP-14")
@pytest.mark.parametrize("name", SCENES)
def test_whatever_needs_attention_has_a_step_to_take(name: str) -> None:
    """The standard: results are shown with setupActions that lead to the repair."""
    fields, facts, _, _ = SCENES[name]
    readiness = readiness_of(fields, **facts)
    assert len(readiness.setup_actions) == len({action.key for action in readiness.setup_actions})
    assert bool(readiness.setup_actions) == bool(open_checks(readiness))
    for action in readiness.setup_actions:
        assert action.title
        assert action.target
        assert "{" not in action.title + action.target + action.description
        assert "–" not in action.title + action.target


@pytest.mark.requirement("APP-12")
@pytest.mark.parametrize(
    ("found", "told"),
    [
        ({}, "The quality check “tone” was not run on this version."),
        (
            {"tone": outcome()},
            "The quality check “tone” passed on 1970-01-01: 2 cases as expected.",
        ),
        (
            {"tone": outcome(wrong=1)},
            (
                "The quality check “tone” failed on 1970-01-01: of 2 cases 1 not as expected,"
                " 0 worse than before; lowest score 0.9, threshold 0.8."
            ),
        ),
    ],
)
def test_of_each_eval_it_is_said_what_came_of_it_also_where_it_weighs_nothing(
    found: dict[str, EvalOutcome], told: str
) -> None:
    """Ours: nothing says passed of what was not tried."""
    fields: dict[str, object] = {"evals": [{"key": "tone", "path": "evals/tone.yaml"}]}
    readiness = readiness_of(fields, **TRIABLE, eval_outcomes=found)
    [check] = [each for each in readiness.checks if each.kind == "eval"]
    assert (check.message, check.severity, check.required) == (told, "info", False)
    assert (str(check.outcome) == "passed") == ("passed" in told)


def test_migrations_wait_for_a_person_until_all_are_applied() -> None:
    fields: dict[str, object] = {"storage": {"namespace": "s", "migrations": "m"}}
    files = ("m/1_a.sql", "m/2_b.sql")
    waiting = readiness_of(fields, files, applied_migrations={"1_a"})
    assert str(waiting.status) == "needs-setup"
    assert [(a.kind, a.target) for a in waiting.setup_actions] == [("run-migration", "s")]
    assert "2_b" in open_checks(waiting)[0].message
    assert str(readiness_of(fields, files, applied_migrations={"1_a", "2_b"}).status) == "ready"


@pytest.mark.requirement("APP-10")
def test_end_of_life_names_the_successor() -> None:
    """The standard: block and show supportWindow.supersededBy."""
    fields: dict[str, object] = {
        "endOfLifeAt": "2020-01-01",
        "supportWindow": {"supersededBy": "3.0.0"},
    }
    readiness = readiness_of(fields)
    assert readiness.blockers == (
        "This version reached its end of life on 2020-01-01. Its successor is 3.0.0.",
    )
    assert [(a.kind, a.target) for a in readiness.setup_actions] == [("external", "3.0.0")]


def test_external_step_leads_to_the_address_the_package_names() -> None:
    fields: dict[str, object] = {
        "status": "archived",
        "issues": "https://code.example/issues",
        "support": {"email": "help@app.example"},
    }
    assert readiness_of(fields).setup_actions[0].target == "mailto:help@app.example"


def test_answer_is_in_the_language_of_the_person() -> None:
    fields: dict[str, object] = {"secrets": [{"key": "api", "required": True}]}
    assert readiness_of(fields, locale="zh-CN").warnings == ("密钥“api”尚未填写。",)
    assert readiness_of(fields, locale="de").warnings == ("The secret “api” is not set.",)


def test_version_findings_name_the_thing_and_both_versions() -> None:
    fields: dict[str, object] = {
        "requires": {"sdk": "@lime/app-sdk@^2.0.0", "lime": {"appRuntime": ">=1.0.0"}},
        "readiness": {"required": [{"check": "sdk_version", "expect": "^3.0.0"}]},
    }
    assert readiness_of(fields).blockers == (
        "The app needs Lime Runtime >=1.0.0. Available: 0.10.0.",
        "The app needs the SDK @lime/app-sdk ^2.0.0. Available: 0.10.0.",
        "The app needs the SDK @lime/app-sdk ^3.0.0. Available: 0.10.0.",
    )


def test_permission_step_tells_why_the_author_asks() -> None:
    fields: dict[str, object] = {
        "permissions": [
            {
                "key": "net",
                "scope": "network",
                "required": True,
                "reason": "Fetch.",
                "reasonI18n": {"zh-CN": "获取。"},
            }
        ]
    }
    assert readiness_of(fields).setup_actions[0].description == "Fetch."
    assert readiness_of(fields, locale="zh-CN").setup_actions[0].description == "获取。"
