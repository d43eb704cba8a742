"""What the app asks to be allowed."""

from typing import Literal

from pydantic import Field

from lime_desktop.app_package.manifest.values import Items, ManifestModel, Text

PermissionScope = Literal[
    "filesystem",
    "network",
    "model",
    "tool",
    "secret",
    "storage",
    "workflow",
    "artifact",
    "tenant",
    "workspace",
    "export",
]
PermissionAccess = Literal["read", "write", "execute", "read-write", "admin"]


class Permission(ManifestModel):
    """One permission that the host must grant before it is used."""

    key: Text
    scope: PermissionScope
    access: PermissionAccess | None = None
    required: bool | None = None
    reason: str | None = None
    reason_i18n: dict[str, str] = Field(default_factory=dict[str, str], alias="reasonI18n")
    domains: Items[str] = ()
    paths: Items[str] = ()
    entries: Items[str] = ()
    """Entries that use it; none means all."""
    degraded_behavior: str | None = None
