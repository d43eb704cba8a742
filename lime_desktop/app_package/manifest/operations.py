"""What the app does to the world outside, and through which connections."""

from typing import Literal

from pydantic import Field

from lime_desktop.app_package.manifest.values import FreeObject, Items, ManifestModel, Text

Plane = Literal["host", "cloud", "hybrid", "external"]
SideEffect = Literal[
    "none",
    "local_file_write",
    "app_storage_write",
    "artifact_create",
    "external_write",
    "external_publish",
    "external_delete",
    "bulk_update",
    "draftbox_write",
]


class OAuthClient(ManifestModel):
    """How a person signs in to the system: OAuth 2.1 with PKCE, by a client that has no secret. Ours."""

    authorization_url: Text
    token_url: Text
    revocation_url: str | None = None
    client_id: Text
    scopes: Items[str] = ()


class Adapter(ManifestModel):
    """How a connection is made; the host or the cloud runs it, never the app."""

    kind: Literal["connector", "cli", "mcp", "api", "webhook", "browser"] | None = None
    command: str | None = None
    server: str | None = None
    output_format: Literal["json", "ndjson", "csv", "text", "binary"] | None = None
    document: str | None = None
    """For `api`: the OpenAPI document in the package that describes the system. Ours, as is the next."""
    base_url: str | None = None
    """Where the system is, if the document does not say it or means another one."""
    oauth: OAuthClient | None = None
    """For `api`: a person signs in, and every request carries their token."""
    headers: Items[str] = ()
    """For `webhook`: which headers of a message go into the queue, beside a few that always do."""


class Access(ManifestModel):
    """Which way data flows."""

    read: bool | None = None
    write: bool | None = None


class Integration(ManifestModel):
    """An external system the app needs."""

    key: Text
    provider: Text
    provider_i18n: dict[str, str] = Field(default_factory=dict[str, str], alias="providerI18n")
    role: Text
    execution_plane: Plane | None = None
    fallback_plane: Plane | None = None
    host_capability: str | None = None
    cloud_capability: str | None = None
    adapter: Adapter | None = None
    access: Access | None = None
    readiness: FreeObject | None = None
    """`missing` (blocked, needs-setup or optional) and `setupAction`."""
    required: bool | None = None


class Operation(ManifestModel):
    """An action with its side effect and what must happen before and after it."""

    key: Text
    type: Text
    integration: str | None = None
    side_effect: SideEffect
    approval_required: bool | None = None
    dry_run_required: bool | None = None
    evidence_required: bool | None = None
    auto_execute: bool | None = None
    idempotency_required: bool | None = None
    required: bool | None = None
