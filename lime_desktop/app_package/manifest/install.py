"""In which forms the app can be installed. Governance is the same in all of them."""

from typing import Literal

from pydantic import Field

from lime_desktop.app_package.manifest.values import (
    AtLeastOne,
    FreeObject,
    ManifestModel,
    Text,
    UniqueItems,
)

InstallMode = Literal["in_lime", "standalone", "runtime_backed", "web_host"]


class ClientPackage(ManifestModel):
    """The client library the app was built with."""

    name: str | None = None
    version: str | None = None
    protocol_version: str | None = None


class Sidecar(ManifestModel):
    """The runtime that a standalone build carries."""

    binary: str | None = None
    packaged_resource: str | None = None
    platforms: UniqueItems[Literal["darwin-arm64", "darwin-x64", "win32-x64", "linux-x64"]] = ()
    sha256_required: bool | None = Field(default=None, alias="sha256Required")


class ReleaseManifest(ManifestModel):
    """Where the runtime's releases are listed."""

    path: str | None = None
    url: str | None = None
    sha256_required: bool | None = Field(default=None, alias="sha256Required")
    allow_env_override_in_production: Literal[False] | None = None


class StandaloneDistribution(ManifestModel):
    """How a standalone build holds its runtime."""

    embed_runtime: bool | None = None
    shell: str | None = None
    bundle_sidecar: bool | None = None


class RuntimeBackedDistribution(ManifestModel):
    """How a runtime-backed build finds the system's runtime."""

    requires: str | None = None
    min_version: str | None = None
    resolve_from_manifest: bool | None = None


class RuntimeDistribution(ManifestModel):
    """The runtime's place in each form of build."""

    standalone: StandaloneDistribution | None = None
    runtime_backed: RuntimeBackedDistribution | None = None


class InstallRuntime(ManifestModel):
    """Which runtime the app needs."""

    min_version: str | None = None
    protocol_version: str | None = None
    client_package: ClientPackage | None = None
    sidecar: Sidecar | None = None
    release_manifest: ReleaseManifest | None = None
    distribution: RuntimeDistribution | None = None


class Standalone(ManifestModel):
    """The app as a product of its own."""

    shell: str | None = None
    bundle_id: str | None = None
    platforms: UniqueItems[Literal["macos", "windows", "linux"]] = ()
    auto_update: bool | None = None


class RuntimeBacked(ManifestModel):
    """The app on top of a runtime that is already installed."""

    requires: str | None = None
    min_version: str | None = None
    client_package: ClientPackage | None = None
    release_manifest: ReleaseManifest | None = None


class Branding(ManifestModel):
    """What the app calls itself outside Lime."""

    name: Text | None = None
    icon: str | None = None
    window_title: str | None = None


class InstallContract(ManifestModel):
    """The forms of installation the author supports."""

    modes: AtLeastOne[InstallMode]
    runtime: InstallRuntime | None = None
    standalone: Standalone | None = None
    runtime_backed: RuntimeBacked | None = None
    branding: Branding | None = None
    compatibility: FreeObject | None = None
