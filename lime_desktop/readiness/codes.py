"""Every finding's stable name, whether it can be set right here, and where a person does so.

Names that the published SDK already uses for an issue are kept. The words are in ``wording``.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

SetupKind = Literal[
    "bind-knowledge",
    "configure-secret",
    "grant-permission",
    "install-tool",
    "run-migration",
    "open-settings",
    "external",
]
"""The standard's closed set: what a shell can open for a person."""


class Code(StrEnum):
    """What was found. Part of the public surface: never renamed, never reused."""

    PACKAGE_INVALID = "PACKAGE_INVALID"
    PACKAGE_HASH_MISMATCH = "PACKAGE_HASH_MISMATCH"
    PACKAGE_REVOKED = "PACKAGE_REVOKED"
    PACKAGE_UNSIGNED = "PACKAGE_UNSIGNED"
    PACKAGE_HASH_MISSING = "PACKAGE_HASH_MISSING"
    PACKAGE_INCOMPLETE = "PACKAGE_INCOMPLETE"

    END_OF_LIFE = "END_OF_LIFE"
    APP_ARCHIVED = "APP_ARCHIVED"
    APP_DEPRECATED = "APP_DEPRECATED"
    SUPPORT_ENDED = "SUPPORT_ENDED"

    MANIFEST_VERSION_UNSUPPORTED = "MANIFEST_VERSION_UNSUPPORTED"
    RUNTIME_TARGET_UNSUPPORTED = "RUNTIME_TARGET_UNSUPPORTED"
    HOST_VERSION_UNSUPPORTED = "HOST_VERSION_UNSUPPORTED"
    SDK_VERSION_UNSUPPORTED = "SDK_VERSION_UNSUPPORTED"
    APP_OUTDATED = "APP_OUTDATED"
    VERSION_RANGE_UNREADABLE = "VERSION_RANGE_UNREADABLE"
    INSTALL_MODE_UNSUPPORTED = "INSTALL_MODE_UNSUPPORTED"
    PLATFORM_UNSUPPORTED = "PLATFORM_UNSUPPORTED"
    RUNTIME_BRIDGE_UNSUPPORTED = "RUNTIME_BRIDGE_UNSUPPORTED"

    CAPABILITY_MISSING = "CAPABILITY_MISSING"
    CAPABILITY_VERSION_UNSUPPORTED = "CAPABILITY_VERSION_UNSUPPORTED"
    CAPABILITY_UNAVAILABLE = "CAPABILITY_UNAVAILABLE"
    STANDARD_UNSUPPORTED = "STANDARD_UNSUPPORTED"

    STORAGE_DECLARED_BUT_DISABLED = "STORAGE_DECLARED_BUT_DISABLED"
    STORAGE_PLACEMENT_UNSUPPORTED = "STORAGE_PLACEMENT_UNSUPPORTED"
    STORAGE_MIGRATION_REQUIRED = "STORAGE_MIGRATION_REQUIRED"

    PERMISSION_REQUIRED = "PERMISSION_REQUIRED"
    PERMISSION_OPTIONAL = "PERMISSION_OPTIONAL"
    PERMISSION_DENIED = "PERMISSION_DENIED"
    KNOWLEDGE_BINDING_REQUIRED = "KNOWLEDGE_BINDING_REQUIRED"
    KNOWLEDGE_INCOMPATIBLE = "KNOWLEDGE_INCOMPATIBLE"
    SKILL_REQUIRED = "SKILL_REQUIRED"
    SKILL_VERSION_UNSUPPORTED = "SKILL_VERSION_UNSUPPORTED"
    TOOL_REQUIRED = "TOOL_REQUIRED"
    TOOL_SERVER_REQUIRED = "TOOL_SERVER_REQUIRED"
    TOOL_UNSUPPORTED = "TOOL_UNSUPPORTED"
    ARTIFACT_TYPE_REQUIRED = "ARTIFACT_TYPE_REQUIRED"
    EVAL_REQUIRED = "EVAL_REQUIRED"
    EVAL_NOT_RUN = "EVAL_NOT_RUN"
    EVAL_FAILED = "EVAL_FAILED"
    EVAL_WITHOUT_CASES = "EVAL_WITHOUT_CASES"
    SECRET_REQUIRED = "SECRET_REQUIRED"  # noqa: S105 - the name of a finding, not a secret
    OVERLAY_REQUIRED = "OVERLAY_REQUIRED"
    SERVICE_REQUIRED = "SERVICE_REQUIRED"
    SERVICE_PROGRAM_REQUIRED = "SERVICE_PROGRAM_REQUIRED"
    WORKFLOW_REQUIRED = "WORKFLOW_REQUIRED"
    WORKFLOW_NOT_EXECUTABLE = "WORKFLOW_NOT_EXECUTABLE"
    PERSONA_REQUIRED = "PERSONA_REQUIRED"
    INTEGRATION_REQUIRED = "INTEGRATION_REQUIRED"
    INTEGRATION_ADAPTER_REQUIRED = "INTEGRATION_ADAPTER_REQUIRED"
    INTEGRATION_BLOCKED = "INTEGRATION_BLOCKED"
    INTEGRATION_UNDESCRIBED = "INTEGRATION_UNDESCRIBED"
    INTEGRATION_UNSUPPORTED = "INTEGRATION_UNSUPPORTED"
    COMMAND_SANDBOX_REQUIRED = "COMMAND_SANDBOX_REQUIRED"
    OPERATION_UNAVAILABLE = "OPERATION_UNAVAILABLE"
    WORKSPACE_REQUIRED = "WORKSPACE_REQUIRED"

    HEALTH_STARTUP_FAILED = "HEALTH_STARTUP_FAILED"
    HEALTH_RUNTIME_FAILED = "HEALTH_RUNTIME_FAILED"
    HEALTH_NOT_TRIED = "HEALTH_NOT_TRIED"

    APP_DISABLED = "APP_DISABLED"
    ENTRY_DISABLED = "ENTRY_DISABLED"
    ENTRY_UNAVAILABLE = "ENTRY_UNAVAILABLE"
    ENTRY_ROUTE_REFUSED = "ENTRY_ROUTE_REFUSED"

    STORAGE_QUOTA_LOW = "STORAGE_QUOTA_LOW"
    COST_BUDGET_LOW = "COST_BUDGET_LOW"

    CHECK_UNKNOWN = "CHECK_UNKNOWN"
    CHECK_INCOMPLETE = "CHECK_INCOMPLETE"
    EXPECTATION_UNREADABLE = "EXPECTATION_UNREADABLE"
    FACT_UNKNOWN = "FACT_UNKNOWN"


NOBODY_NAMED = "publisher"
"""Target of an external step that leads nowhere: the package names no address, or nobody can settle it."""


@dataclass(frozen=True, slots=True)
class Remedy:
    """Whether a required finding of this code blocks, and the setup action that belongs to it."""

    blocks: bool
    """No setup on this machine makes it right, so the app is blocked rather than in need of setup."""
    setup: SetupKind
    target: str
    """What the action opens: a key, a settings page or an address; ``{key}`` is the thing missing."""


def _set_up(setup: SetupKind, target: str = "{key}") -> Remedy:
    return Remedy(blocks=False, setup=setup, target=target)


def _blocked(setup: SetupKind, target: str) -> Remedy:
    return Remedy(blocks=True, setup=setup, target=target)


_NEWER_HOST = _blocked("open-settings", "updates")
_ASK_PUBLISHER = _blocked("external", "{contact}")
_NOBODY = _blocked("external", NOBODY_NAMED)
_TELL_PUBLISHER = _set_up("external", "{contact}")

REMEDIES: dict[Code, Remedy] = {
    Code.PACKAGE_INVALID: _ASK_PUBLISHER,
    Code.PACKAGE_HASH_MISMATCH: _ASK_PUBLISHER,
    Code.PACKAGE_REVOKED: _blocked("open-settings", "app-update"),
    Code.PACKAGE_UNSIGNED: _set_up("open-settings", "security/trust"),
    Code.PACKAGE_HASH_MISSING: _set_up("open-settings", "security/trust"),
    Code.PACKAGE_INCOMPLETE: _ASK_PUBLISHER,
    Code.END_OF_LIFE: _blocked("external", "{successor}"),
    Code.APP_ARCHIVED: _blocked("external", "{successor}"),
    Code.APP_DEPRECATED: _set_up("external", "{successor}"),
    Code.SUPPORT_ENDED: _set_up("external", "{successor}"),
    Code.MANIFEST_VERSION_UNSUPPORTED: _NEWER_HOST,
    Code.RUNTIME_TARGET_UNSUPPORTED: _ASK_PUBLISHER,
    Code.HOST_VERSION_UNSUPPORTED: _NEWER_HOST,
    Code.SDK_VERSION_UNSUPPORTED: _NEWER_HOST,
    Code.APP_OUTDATED: _ASK_PUBLISHER,
    Code.VERSION_RANGE_UNREADABLE: _TELL_PUBLISHER,
    Code.INSTALL_MODE_UNSUPPORTED: _ASK_PUBLISHER,
    Code.PLATFORM_UNSUPPORTED: _ASK_PUBLISHER,
    Code.RUNTIME_BRIDGE_UNSUPPORTED: _ASK_PUBLISHER,
    Code.CAPABILITY_MISSING: _NEWER_HOST,
    Code.CAPABILITY_VERSION_UNSUPPORTED: _NEWER_HOST,
    Code.CAPABILITY_UNAVAILABLE: _set_up("open-settings", "capabilities/{key}"),
    Code.STANDARD_UNSUPPORTED: _NEWER_HOST,
    Code.STORAGE_DECLARED_BUT_DISABLED: _NEWER_HOST,
    Code.STORAGE_PLACEMENT_UNSUPPORTED: _set_up("external", NOBODY_NAMED),
    Code.STORAGE_MIGRATION_REQUIRED: _set_up("run-migration"),
    Code.PERMISSION_REQUIRED: _set_up("grant-permission"),
    Code.PERMISSION_OPTIONAL: _set_up("grant-permission"),
    Code.PERMISSION_DENIED: _blocked("open-settings", "policy"),
    Code.KNOWLEDGE_BINDING_REQUIRED: _set_up("bind-knowledge"),
    Code.KNOWLEDGE_INCOMPATIBLE: _set_up("bind-knowledge"),
    Code.SKILL_REQUIRED: _set_up("open-settings", "skills/{key}"),
    Code.SKILL_VERSION_UNSUPPORTED: _set_up("open-settings", "skills/{key}"),
    Code.TOOL_REQUIRED: _set_up("install-tool"),
    Code.TOOL_SERVER_REQUIRED: _set_up("open-settings", "connectors/{key}"),
    Code.TOOL_UNSUPPORTED: _NOBODY,
    Code.ARTIFACT_TYPE_REQUIRED: _set_up("open-settings", "artifacts/{key}"),
    Code.EVAL_REQUIRED: _TELL_PUBLISHER,
    Code.EVAL_NOT_RUN: _set_up("open-settings", "eval-runs/{key}"),
    Code.EVAL_FAILED: _set_up("open-settings", "eval-runs/{key}"),
    Code.EVAL_WITHOUT_CASES: _TELL_PUBLISHER,
    Code.SECRET_REQUIRED: _set_up("configure-secret"),
    Code.OVERLAY_REQUIRED: _set_up("open-settings", "overlays/{key}"),
    Code.SERVICE_REQUIRED: _NOBODY,
    Code.SERVICE_PROGRAM_REQUIRED: _set_up("install-tool"),
    Code.WORKFLOW_REQUIRED: _ASK_PUBLISHER,
    Code.WORKFLOW_NOT_EXECUTABLE: _ASK_PUBLISHER,
    Code.PERSONA_REQUIRED: _ASK_PUBLISHER,
    Code.INTEGRATION_REQUIRED: _set_up("open-settings", "connectors/{key}"),
    Code.INTEGRATION_ADAPTER_REQUIRED: _set_up("install-tool"),
    Code.INTEGRATION_BLOCKED: _NEWER_HOST,
    Code.INTEGRATION_UNDESCRIBED: _ASK_PUBLISHER,
    Code.INTEGRATION_UNSUPPORTED: _NOBODY,
    Code.COMMAND_SANDBOX_REQUIRED: _set_up("open-settings", "sandbox/{key}"),
    Code.OPERATION_UNAVAILABLE: _set_up("open-settings", "connectors/{integration}"),
    Code.WORKSPACE_REQUIRED: _set_up("open-settings", "workspace"),
    Code.HEALTH_STARTUP_FAILED: _blocked("open-settings", "diagnostics"),
    Code.HEALTH_RUNTIME_FAILED: _set_up("open-settings", "diagnostics"),
    Code.HEALTH_NOT_TRIED: _set_up("open-settings", "diagnostics"),
    Code.APP_DISABLED: _blocked("open-settings", "policy"),
    Code.ENTRY_DISABLED: _blocked("open-settings", "policy"),
    Code.ENTRY_UNAVAILABLE: _set_up("open-settings", "entries/{key}"),
    Code.ENTRY_ROUTE_REFUSED: _ASK_PUBLISHER,
    Code.STORAGE_QUOTA_LOW: _set_up("open-settings", "storage"),
    Code.COST_BUDGET_LOW: _set_up("open-settings", "budget"),
    Code.CHECK_UNKNOWN: _TELL_PUBLISHER,
    Code.CHECK_INCOMPLETE: _TELL_PUBLISHER,
    Code.EXPECTATION_UNREADABLE: _TELL_PUBLISHER,
    Code.FACT_UNKNOWN: _set_up("open-settings", "diagnostics"),
}
