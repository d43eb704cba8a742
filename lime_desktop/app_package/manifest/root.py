"""The whole effective manifest: APP.md's frontmatter with every layered file merged into it."""

from typing import Annotated, Literal

from pydantic import Field, Tag

from lime_desktop.app_package.manifest.agent_runtime import AgentRuntime
from lime_desktop.app_package.manifest.entries import Entry, Quickstart, Triggers, Ui
from lime_desktop.app_package.manifest.errors import ErrorDeclaration
from lime_desktop.app_package.manifest.identity import (
    AuthorForm,
    Compliance,
    Distribution,
    I18n,
    Label,
    Maintainer,
    Person,
    Publisher,
    RepositoryForm,
    Support,
    SupportWindow,
    Tagline,
)
from lime_desktop.app_package.manifest.install import InstallContract
from lime_desktop.app_package.manifest.operations import Integration, Operation
from lime_desktop.app_package.manifest.permissions import Permission
from lime_desktop.app_package.manifest.requirements import Boundary, Requirements
from lime_desktop.app_package.manifest.resources import (
    ArtifactType,
    Eval,
    EventDeclaration,
    KnowledgeTemplate,
    OverlayTemplate,
    SecretSlot,
    SkillRef,
    Skills,
    ToolRef,
)
from lime_desktop.app_package.manifest.self_checks import Health, ReadinessChecks
from lime_desktop.app_package.manifest.services import RuntimePackage, Service
from lime_desktop.app_package.manifest.signature import Signature
from lime_desktop.app_package.manifest.storage import Storage
from lime_desktop.app_package.manifest.values import (
    FreeObject,
    Identifier,
    Items,
    Later,
    ManifestModel,
    Text,
    Time,
    UniqueItems,
    UpTo8,
    UpTo32,
    Url,
    by_shape,
)
from lime_desktop.app_package.manifest.workflows import Workflow

ManifestVersion = Literal["0.3.0", "0.4.0", "0.5.0", "0.6.0", "0.7.0", "0.8.0", "0.9.0", "0.10.0"]
CURRENT_MANIFEST_VERSION = "0.10.0"
AppStatus = Literal["draft", "ready", "needs-review", "deprecated", "archived"]
STATUS_OF_OTHERS = {"preview": "needs-review", "stable": "ready"}
"""Words that published apps write, with those of the standard that mean the same. No other is guessed at: one that was
meant to retire an app must not be passed over."""
AppType = Literal["agent-app", "workflow-app", "domain-app", "customer-app", "custom"]
RuntimeTarget = Literal["local", "hybrid", "server-assisted"]
CatalogWord = Annotated[str, Field(min_length=1, max_length=32)]

CapabilityRanges = Annotated[
    Annotated[UniqueItems[str], Tag("list")] | Annotated[dict[str, str], Tag("object")], by_shape
]
CapabilityNames = Annotated[
    Annotated[UniqueItems[str], Tag("list")] | Annotated[FreeObject, Tag("object")], by_shape
]


class Requires(ManifestModel):
    """What the app needs of the host; a range is SemVer or the literal `current`."""

    lime: dict[str, str] = Field(default_factory=dict[str, str])
    sdk: str | None = None
    capabilities: CapabilityRanges = ()

    @property
    def capability_ranges(self) -> dict[str, str | None]:
        """Each required capability with its range, or None where the author gave only names."""
        if isinstance(self.capabilities, dict):
            return dict(self.capabilities)
        return dict.fromkeys(self.capabilities)


class Manifest(ManifestModel):
    """What the package says of itself, after merging. Unset fields were not written by the author."""

    # Identity and catalogue
    manifest_version: ManifestVersion | None = None
    name: Identifier
    description: Annotated[str, Field(min_length=1, max_length=1024)]
    version: Text
    status: AppStatus
    app_type: AppType
    display_name: Label | None = None
    display_name_i18n: dict[str, Label] = Field(
        default_factory=dict[str, str], alias="displayNameI18n"
    )
    short_description: Tagline | None = None
    short_description_i18n: dict[str, Tagline] = Field(
        default_factory=dict[str, str], alias="shortDescriptionI18n"
    )
    keywords: UpTo32[CatalogWord] = ()
    categories: UpTo8[CatalogWord] = ()
    publisher: Publisher | None = None
    author: AuthorForm | None = None
    maintainers: Items[Maintainer] = ()
    contributors: Items[Person] = ()

    # Time line
    created_at: Time | None = None
    updated_at: Time | None = None
    released_at: Time | None = None
    deprecated_at: Time | None = None
    end_of_life_at: Time | None = None
    support_window: SupportWindow | None = None

    # Links and terms
    homepage: Url | None = None
    repository: RepositoryForm | None = None
    documentation: Url | None = None
    issues: Url | None = None
    changelog: str | None = None
    license: str | None = None
    license_url: Url | None = None
    copyright: Annotated[str, Field(min_length=1, max_length=256)] | None = None
    support: Support | None = None
    distribution: Distribution | None = None
    compliance: Compliance | None = None

    # What it needs and brings
    runtime_targets: UniqueItems[RuntimeTarget] = ()
    requires: Requires = Field(default_factory=lambda: Requires.model_validate({}))
    triggers: Triggers | None = None
    quickstart: Quickstart | None = None
    runtime_package: Later[RuntimePackage] | None = None
    capabilities: CapabilityNames = ()
    permissions: Items[Permission] = ()
    entries: Items[Entry] = ()
    ui: Ui | None = None
    storage: Later[Storage] | None = None
    services: Items[Later[Service]] = ()
    workflows: Items[Later[Workflow]] = ()
    knowledge_templates: Items[KnowledgeTemplate] = ()
    skills: Skills | None = None
    skill_refs: Items[Later[SkillRef]] = ()
    tool_refs: Items[Later[ToolRef]] = ()
    artifact_types: Items[Later[ArtifactType]] = ()
    evals: Items[Later[Eval]] = ()
    events: Items[Later[EventDeclaration]] = ()
    secrets: Items[Later[SecretSlot]] = ()
    overlay_templates: Items[Later[OverlayTemplate]] = ()
    lifecycle: FreeObject | None = None

    # From the layered files, or their shorthands
    agent_runtime: Later[AgentRuntime] | None = None
    requirements: Later[Requirements] = Field(
        default_factory=lambda: Requirements.model_validate({})
    )
    boundary: Later[Boundary] = Field(default_factory=lambda: Boundary.model_validate({}))
    integrations: Items[Later[Integration]] = ()
    operations: Items[Later[Operation]] = ()
    install: Later[InstallContract] | None = None
    capability_config: FreeObject = Field(default_factory=dict[str, object])
    """The map of `app.capabilities.yaml`: detail per capability, beside the list of names."""
    policy: FreeObject | None = None
    errors: dict[str, ErrorDeclaration] = Field(default_factory=dict[str, ErrorDeclaration])
    i18n: I18n | None = Field(default=None, alias="i18n")
    signature: Later[Signature] | None = None
    readiness: Later[ReadinessChecks] | None = None
    health: Later[Health] | None = None

    # Left to the author
    presentation: FreeObject | None = None
    compatibility: FreeObject | None = None
    metadata: FreeObject | None = None

    @property
    def capability_names(self) -> tuple[str, ...]:
        """The declared capabilities, in either form the author may have used."""
        return tuple(self.capabilities)

    @property
    def title(self) -> str:
        """What to call the app in front of a person."""
        return self.display_name or self.name
