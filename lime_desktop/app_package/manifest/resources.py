"""What the app uses and gives: knowledge, skills, tools, artifacts, evals, events, secrets, overlays."""

from typing import Literal

from pydantic import Field

from lime_desktop.app_package.manifest.values import (
    ClosedManifestModel,
    Items,
    ManifestModel,
    Text,
)

SkillActivation = Literal["auto", "on-demand", "manual"]


class KnowledgeSource(ManifestModel):
    """A table of the app's own storage whose rows are documents: ours, the standard names no such source."""

    table: Text
    title: Text = "title"
    """The field that names a document."""
    text: Text = "text"
    """The field that holds it, as Markdown."""


class KnowledgeTemplate(ManifestModel):
    """A slot to which the user binds a knowledge pack, or which the app fills with rows of its own."""

    key: Text
    standard: Literal["agentknowledge"]
    type: Text
    required: bool | None = None
    runtime_mode: Literal["data", "retrieval", "export"] | None = None
    path: str | None = None
    source: KnowledgeSource | None = None
    """Nobody has to bind anything then: what the app keeps is what it may look up."""


class BundledSkill(ClosedManifestModel):
    """A skill inside the package: a folder with a SKILL.md."""

    path: Text
    activation: SkillActivation | None = None


class SkillReference(ClosedManifestModel):
    """A skill from elsewhere."""

    id: Text
    version: str | None = None
    activation: SkillActivation | None = None
    required: bool | None = None


class Skills(ClosedManifestModel):
    """The skills the app brings and those it refers to."""

    bundled: Items[BundledSkill] = ()
    references: Items[SkillReference] = ()


class SkillRef(ManifestModel):
    """The older form of a skill reference."""

    id: Text
    path: str | None = None
    standard: Literal["agentskills"] | None = None
    required: bool | None = None
    activation: Literal["explicit", "implicit", "entry"] | None = None


MCP_PROVIDER = "mcp:"
"""How a tool's provider begins that is a tool server; its name follows."""


class ToolRef(ManifestModel):
    """A tool or connector the app needs."""

    key: Text
    provider: Text
    required: bool | None = None
    permissions: Items[str] = ()
    capability: str | None = None


class ArtifactType(ManifestModel):
    """A kind of deliverable the app makes."""

    key: Text
    standard: str | None = None
    schema_path: str | None = Field(default=None, alias="schema")
    viewer: str | None = None
    exporters: Items[str] = ()
    required: bool | None = None


class Eval(ManifestModel):
    """A quality gate."""

    key: Text
    kind: Literal["readiness", "quality", "regression", "safety", "human-review"] | None = None
    path: str | None = None
    threshold: float | None = None
    required: bool | None = None
    evidence_required: bool | None = None
    applies_to: Items[str] = ()


class EventDeclaration(ManifestModel):
    """An event the app publishes or listens to."""

    key: Text
    direction: Literal["publish", "subscribe", "both"]
    schema_path: str | None = Field(default=None, alias="schema")


class SecretUse(ClosedManifestModel):
    """Where the host puts the value of a slot: ours, the standard names no such place.

    To a program or a server of one integration, or with what is fetched from some sites; in one of three forms.
    """

    integration: str | None = None
    domains: Items[str] = ()
    """Plain names of hosts: with a star nobody could say who gets it."""
    variable: str | None = None
    """Of the environment of a program."""
    header: str | None = None
    """Of every request; of a webhook, the header of a message that holds its signature: the HMAC-SHA-256 of its body, in
    hexadecimal, with the value as the key."""
    prefix: str | None = None
    """What stands before the value in a header, such as `Bearer `."""
    placeholder: str | None = None
    """`NAME` for `{NAME}` in the adapter's command: the program finds there the path of a file that holds the value. The
    value itself is never a word of a command line, which every user of the machine can read."""


class SecretSlot(ManifestModel):
    """A credential that the host keeps for the app; the app never sees its value."""

    key: Text
    provider: str | None = None
    required: bool | None = None
    scope: Literal["workspace", "tenant", "user", "app"] | None = None
    use: Items[SecretUse] = ()


class OverlayTemplate(ManifestModel):
    """A set of values that a tenant, workspace, user or customer may override."""

    key: Text
    scope: Literal["tenant", "workspace", "user", "customer"]
    schema_path: str | None = Field(default=None, alias="schema")
    required: bool | None = None
    description: str | None = None
