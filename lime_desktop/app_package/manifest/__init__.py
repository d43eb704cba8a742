"""The manifest as typed models: what an author may write, field by field.

Apps write it and only the host reads it, so it is no part of the protocol. A test compares it with
the schemas that the standard publishes.
"""

# PySide6, once loaded, inspects every module as it is imported, and pydantic's lazy parts cannot
# bear that unless its main module was there first.
import pydantic.main as _pydantic_first  # pyright: ignore[reportUnusedImport]  # noqa: F401

from lime_desktop.app_package.manifest.agent_runtime import (
    AgentRuntime,
    AgentTask,
    Approval,
    Bridge,
    BridgeEvents,
    BridgeMethods,
    CheckpointScope,
    Materializer,
    Observability,
    SessionPolicy,
    StructuredOutput,
    ToolDiscovery,
)
from lime_desktop.app_package.manifest.entries import (
    REQUIRED_FIELD_BY_KIND,
    Entry,
    EntryKind,
    LegacyEntryKind,
    Quickstart,
    Triggers,
    Ui,
)
from lime_desktop.app_package.manifest.errors import (
    ErrorDeclaration,
)
from lime_desktop.app_package.manifest.i18n import (
    I18n,
)
from lime_desktop.app_package.manifest.identity import (
    Compliance,
    Distribution,
    Maintainer,
    Person,
    Publisher,
    Repository,
    Support,
    SupportWindow,
)
from lime_desktop.app_package.manifest.install import (
    Branding,
    ClientPackage,
    InstallContract,
    InstallMode,
    InstallRuntime,
    ReleaseManifest,
    RuntimeBacked,
    RuntimeBackedDistribution,
    RuntimeDistribution,
    Sidecar,
    Standalone,
    StandaloneDistribution,
)
from lime_desktop.app_package.manifest.operations import (
    Access,
    Adapter,
    Integration,
    Operation,
    SideEffect,
)
from lime_desktop.app_package.manifest.permissions import (
    Permission,
    PermissionAccess,
    PermissionScope,
)
from lime_desktop.app_package.manifest.requirements import (
    Boundary,
    Plane,
    Planes,
    Requirement,
    RequirementBoundary,
    Requirements,
)
from lime_desktop.app_package.manifest.resources import (
    ArtifactType,
    BundledSkill,
    Eval,
    EventDeclaration,
    KnowledgeTemplate,
    OverlayTemplate,
    SecretSlot,
    SkillActivation,
    SkillRef,
    SkillReference,
    Skills,
    ToolRef,
)
from lime_desktop.app_package.manifest.root import (
    CURRENT_MANIFEST_VERSION,
    AppStatus,
    AppType,
    Manifest,
    ManifestVersion,
    Requires,
    RuntimeTarget,
)
from lime_desktop.app_package.manifest.self_checks import (
    Health,
    HealthMetric,
    ReadinessCheck,
    ReadinessChecks,
    RuntimeCheck,
    StartupCheck,
)
from lime_desktop.app_package.manifest.services import (
    PackageRef,
    RuntimePackage,
    Service,
)
from lime_desktop.app_package.manifest.signature import (
    ManifestSignature,
    PackageSignature,
    Revocation,
    Signature,
    SignatureTrust,
)
from lime_desktop.app_package.manifest.storage import (
    Database,
    Storage,
)
from lime_desktop.app_package.manifest.values import (
    ManifestModel,
    parse_time,
)
from lime_desktop.app_package.manifest.workflows import (
    KNOWN_STATE_KINDS,
    Recovery,
    Workflow,
    WorkflowState,
)

__all__ = [
    "CURRENT_MANIFEST_VERSION",
    "KNOWN_STATE_KINDS",
    "REQUIRED_FIELD_BY_KIND",
    "Access",
    "Adapter",
    "AgentRuntime",
    "AgentTask",
    "AppStatus",
    "AppType",
    "Approval",
    "ArtifactType",
    "Boundary",
    "Branding",
    "Bridge",
    "BridgeEvents",
    "BridgeMethods",
    "BundledSkill",
    "CheckpointScope",
    "ClientPackage",
    "Compliance",
    "Database",
    "Distribution",
    "Entry",
    "EntryKind",
    "ErrorDeclaration",
    "Eval",
    "EventDeclaration",
    "Health",
    "HealthMetric",
    "I18n",
    "InstallContract",
    "InstallMode",
    "InstallRuntime",
    "Integration",
    "KnowledgeTemplate",
    "LegacyEntryKind",
    "Maintainer",
    "Manifest",
    "ManifestModel",
    "ManifestSignature",
    "ManifestVersion",
    "Materializer",
    "Observability",
    "Operation",
    "OverlayTemplate",
    "PackageRef",
    "PackageSignature",
    "Permission",
    "PermissionAccess",
    "PermissionScope",
    "Person",
    "Plane",
    "Planes",
    "Publisher",
    "Quickstart",
    "ReadinessCheck",
    "ReadinessChecks",
    "Recovery",
    "ReleaseManifest",
    "Repository",
    "Requirement",
    "RequirementBoundary",
    "Requirements",
    "Requires",
    "Revocation",
    "RuntimeBacked",
    "RuntimeBackedDistribution",
    "RuntimeCheck",
    "RuntimeDistribution",
    "RuntimePackage",
    "RuntimeTarget",
    "SecretSlot",
    "Service",
    "SessionPolicy",
    "SideEffect",
    "Sidecar",
    "Signature",
    "SignatureTrust",
    "SkillActivation",
    "SkillRef",
    "SkillReference",
    "Skills",
    "Standalone",
    "StandaloneDistribution",
    "StartupCheck",
    "Storage",
    "StructuredOutput",
    "Support",
    "SupportWindow",
    "ToolDiscovery",
    "ToolRef",
    "Triggers",
    "Ui",
    "Workflow",
    "WorkflowState",
    "parse_time",
]
