"""Who uses each field of a manifest. Every field of every model stands here or among the ignored ones: a test holds it.

Using is more than reading: a person sees an effect, or somebody decides by it. The table is for people and tests.
"""

from collections.abc import Mapping

_BACKED = "stamping/runtime_needs.py"
_ABOUT = "host/wording/package_about.py"
_PERMISSIONS = "host/app_center/review/asked_permissions.py"
_POLICY = "policy/manifest_rules.py"
_RESOURCES = "readiness/resource_checks.py"
_CONNECTIONS = "readiness/connection_checks.py"
_ONE_VALUE = "app_package/manifest/resources.py"
"""The model itself: one value is allowed, which is what this host does, and another is refused."""
_ONE_VALUE_TASK = "app_package/manifest/agent_runtime.py"
_SHOWN_TO_TOOLS = "app_server/secrets/tool_secrets.py"
_SIGNING = "app_package/trust/signature_file.py"
_TASKS = "app_server/agent_tasks/task_starter.py"
_WORKFLOW = "workflow_model/definition.py"

USED: Mapping[str, Mapping[str, str]] = {
    "Access": {_POLICY: "write"},
    "Adapter": {
        "app_server/tools/commands/adapters.py": "kind command output_format",
        "app_server/tools/mcp/tools.py": "server",
        "app_server/tools/api/tools.py": "document base_url",
        "app_server/tools/sign_in/sign_ins.py": "oauth",
        "app_server/tools/webhooks/service.py": "headers",
    },
    "AgentRuntime": {"readiness/host_checks.py": "bridge", _TASKS: "agent_task"},
    "AgentTask": {
        _TASKS: "structured_output session_policy",
        _ONE_VALUE_TASK: "event_schema result_schema",
        _POLICY: "approval",
        "app_server/tools/toolset.py": "tool_discovery",
        "app_server/checkpoints/declared_scope.py": "checkpoint_scope",
    },
    "Approval": {
        _POLICY: "behavior remember_scopes supports_updated_input supports_defer",
    },
    "ArtifactType": {
        "app_server/artifacts/service.py": "key exporters schema_path",
        "host/apps/artifact_viewers.py": "viewer",
        _RESOURCES: "required",
    },
    "Boundary": {"host/app_center/review/effects.py": "boundaries"},
    "Branding": {"stamping/brand.py": "name icon window_title"},
    "Bridge": {"readiness/host_checks.py": "kind"},
    "BundledSkill": {"app_package/skill_files.py": "path activation"},
    "CheckpointScope": {
        "app_server/checkpoints/declared_scope.py": "workflow_state app_storage artifacts files",
        "app_server/checkpoints/service.py": "external_side_effects",
    },
    "Compliance": {
        "host/app_center/review/contents.py": "data_residency data_retention",
        _ABOUT: "certifications privacy_policy_url terms_of_service_url dpa_url subprocessors_url "
        "export_control",
    },
    "Distribution": {_ABOUT: "channel pricing billing_model trial_days regions"},
    "Entry": {
        "host/apps/declared_panels.py": "panel",
        "policy/manifest_rules.py": "key required_capabilities",
        "shell/surfaces/table.py": "kind",
        "host/apps/registered_app.py": "title title_i18n description description_i18n",
        "shell/surfaces/runs.py": "command",
        "projection/entries.py": "route",
        "shell/surfaces/workflow.py": "workflow",
        "app_server/context/skills.py": "persona",
        "readiness/entry_checks.py": "service permissions",
        "shell/surfaces/artifacts.py": "artifact_types",
        "shell/command_palette/offers.py": "visibility",
        "overlay/app_defaults.py": "enabled_by_default",
    },
    "Eval": {
        "app_package/eval_files.py": "key kind path applies_to",
        "app_server/quality/gates.py": "threshold",
        _RESOURCES: "required",
    },
    "ErrorDeclaration": {
        "app_package/declared_errors.py": "code message recovery user_action retryable max_retries"
    },
    "EventDeclaration": {
        _POLICY: "key direction",
        "host/capabilities/events.py": "schema_path",
    },
    "Health": {"host/apps/health.py": "startup runtime", "host/runs/measures.py": "metrics"},
    "HealthMetric": {"host/runs/measures.py": "metric threshold alert"},
    "I18n": {
        "app_package/translations.py": "default_locale supported_locales translations fallback"
    },
    "InstallContract": {
        "readiness/host_checks.py": "modes runtime standalone",
        "projection/catalog.py": "branding",
        _BACKED: "runtime_backed",
    },
    "InstallRuntime": {
        "readiness/host_checks.py": "min_version",
        _BACKED: "sidecar release_manifest distribution",
    },
    "Integration": {
        _POLICY: "key provider host_capability access",
        "app_server/tools/commands/adapters.py": "role adapter",
        _CONNECTIONS: "readiness required",
        "host/approvals/reasons.py": "provider_i18n",
    },
    "KnowledgeSource": {
        "app_server/knowledge/service.py": "table",
        "app_server/knowledge/own_rows.py": "title text",
    },
    "KnowledgeTemplate": {
        "app_server/knowledge/service.py": "key source",
        _RESOURCES: "type required",
        _ONE_VALUE: "standard",
    },
    "Maintainer": {_ABOUT: "name email url role"},
    "Manifest": {
        "app_server/apps/registered.py": "manifest_version version",
        "host/appearance/package_face.py": "description display_name_i18n short_description "
        "short_description_i18n presentation",
        "host/apps/registered_app.py": "name",
        "readiness/package_checks.py": "status deprecated_at end_of_life_at support_window "
        "signature health",
        "projection/catalog.py": "app_type keywords categories triggers",
        "stamping/brand.py": "display_name publisher",
        _ABOUT: "author maintainers contributors created_at updated_at released_at homepage "
        "repository documentation issues changelog license license_url copyright support "
        "distribution compliance",
        _POLICY: "runtime_targets requires capabilities permissions entries storage tool_refs "
        "artifact_types events secrets agent_runtime integrations operations capability_config "
        "policy knowledge_templates",
        "host/app_center/review/install_review.py": "quickstart install",
        "host/apps/bundle.py": "runtime_package",
        "host/apps/home_cards.py": "ui",
        "app_server/skills/library.py": "skills skill_refs",
        "host/apps/app_settings.py": "overlay_templates",
        "app_package/lifecycle.py": "lifecycle",
        "host/app_center/review/effects.py": "requirements boundary",
        "readiness/declared_checks.py": "readiness",
        "app_package/package.py": "i18n evals errors",
        "app_package/workflow_files.py": "workflows",
        "app_package/schedules.py": "services",
        # An author's own notes: nobody else is meant to read them.
        "projection/document.py": "metadata",
    },
    "ManifestSignature": {"app_package/trust/verification_steps.py": "algorithm hash signed_by"},
    "Materializer": {_TASKS: "kind accepted_keys"},
    "Operation": {
        _POLICY: "key integration side_effect approval_required dry_run_required "
        "evidence_required auto_execute idempotency_required",
        _CONNECTIONS: "required",
    },
    "OAuthClient": {
        "app_server/tools/sign_in/tokens.py": "authorization_url token_url revocation_url client_id scopes"
    },
    "OverlayTemplate": {
        "host/apps/app_settings.py": "key scope schema_path",
        "overlay/surface.py": "required description",
    },
    "PackageRef": {"host/apps/bundle.py": "path"},
    "PackageSignature": {
        "app_package/trust/verification_steps.py": "algorithm hash signed_by signature_ref",
        _SIGNING: "timestamp",
    },
    "Permission": {
        _POLICY: "key scope access reason domains paths entries degraded_behavior",
        _RESOURCES: "required",
        _PERMISSIONS: "reason_i18n",
    },
    "Person": {_ABOUT: "name email url"},
    "Plane": {"host/app_center/review/effects.py": "owns requires"},
    "Planes": {"host/app_center/review/effects.py": "app host cloud connector external human"},
    "Publisher": {
        "app_package/trust/statement.py": "publisher_id verified_domain",
        "shell/app_center/review_cards.py": "name display_name",
        "app_package/checks/identity.py": "verified",
        _ABOUT: "homepage email country",
    },
    "Quickstart": {
        "projection/entries.py": "entry",
        "host/apps/first_steps.py": "setup_steps sample_workflow",
    },
    "ReadinessCheck": {
        "readiness/declared_checks.py": "check expect capability template tool permission blocker "
        "message remediation"
    },
    "ReadinessChecks": {"readiness/findings.py": "required recommended performance"},
    "Recovery": {_WORKFLOW: "on_timeout on_error max_retries"},
    "ReleaseManifest": {_BACKED: "path url sha256_required"},
    "Repository": {_ABOUT: "url"},
    "RuntimeBacked": {_BACKED: "requires min_version release_manifest"},
    "RuntimeBackedDistribution": {_BACKED: "requires min_version resolve_from_manifest"},
    "RuntimeCheck": {"host/apps/health.py": "check interval"},
    "RuntimeDistribution": {_BACKED: "runtime_backed"},
    "Requirement": {
        "host/app_center/review/effects.py": "id text priority acceptance non_goals risks"
    },
    "RequirementBoundary": {"host/app_center/review/effects.py": "requirement_id planes"},
    "Requirements": {"host/app_center/review/effects.py": "requirements non_goals later"},
    "Requires": {"readiness/host_checks.py": "lime sdk", _POLICY: "capabilities"},
    "Revocation": {"app_package/trust/revocation.py": "check_url cache_seconds"},
    "RuntimePackage": {"host/apps/bundle.py": "ui", "projection/migrations.py": "storage"},
    "SecretSlot": {_POLICY: "key", _RESOURCES: "required", _SHOWN_TO_TOOLS: "use"},
    "SecretUse": {_SHOWN_TO_TOOLS: "integration domains variable header prefix placeholder"},
    "SessionPolicy": {_TASKS: "modes"},
    "Signature": {_SIGNING: "package manifest trust revocation"},
    "SignatureTrust": {_SIGNING: "publisher publisher_id verified_domain"},
    "SkillRef": {
        "app_server/skills/library.py": "id activation",
        _RESOURCES: "path required",
        _ONE_VALUE: "standard",
    },
    "SkillReference": {
        "app_server/skills/library.py": "id version activation",
        _RESOURCES: "required",
    },
    "Skills": {
        "app_package/skill_files.py": "bundled",
        "app_server/skills/library.py": "references",
    },
    "Sidecar": {_BACKED: "binary platforms sha256_required"},
    "Standalone": {"stamping/brand.py": "bundle_id platforms"},
    "StartupCheck": {
        "host/apps/health.py": "check timeout",
        "readiness/package_checks.py": "critical",
    },
    "Service": {
        "app_package/schedules.py": "workflow input",
        "app_package/backends.py": "key kind execution_plane protocol path binary command",
        "app_server/tools/backends/program.py": "network",
        "app_server/tools/backends/contract.py": "resource_limits",
        "app_server/tools/backends/reverse_calls.py": "required_capabilities permissions",
        _CONNECTIONS: "required",
        "workflow_model/schedules/reading.py": "schedule time_zone jitter missed overlap quiet_on",
    },
    "Storage": {
        "host/app_center/review/contents.py": "namespace",
        "host/app_center/records/removal.py": "uninstall_policy",
        "readiness/package_checks.py": "schema_path migrations",
        _RESOURCES: "placement",
        "app_package/retention.py": "retention",
    },
    "StructuredOutput": {
        _TASKS: "schema_ref inline_schema max_validation_retries failure_subtype materializer"
    },
    "Support": {
        _ABOUT: "email url status_page_url discord_url slack_url discussions_url response_sla"
    },
    "SupportWindow": {
        _ABOUT: "channel",
        "readiness/package_checks.py": "supported_until",
        "readiness/explanation.py": "superseded_by",
    },
    "ToolDiscovery": {"app_server/tools/toolset.py": "mode top_k include_schemas"},
    "ToolRef": {"app_server/tools/mcp/tools.py": "key provider capability", _RESOURCES: "required"},
    "Ui": {
        "host/apps/home_cards.py": "cards",
        "host/apps/declared_panels.py": "panels",
        "host/apps/artifact_viewers.py": "artifact_viewers",
    },
    "Triggers": {"shell/command_palette/offers.py": "keywords scenarios"},
    "Workflow": {
        "app_package/workflow_files.py": "key path",
        _WORKFLOW: "title states recovery inputs outputs retry_policy timeout_ms artifact_outputs",
        "shell/surfaces/workflow.py": "overview",
        "app_package/triggers.py": "triggers",
    },
    "WorkflowState": {
        _WORKFLOW: "key kind",
        "workflow_model/state_fields.py": "next uses timeout on_error",
        "workflow_model/state_reading.py": "entry",
    },
}
"""Model → module below `lime_desktop` → the fields that it uses, so that a person can see an effect of each."""
