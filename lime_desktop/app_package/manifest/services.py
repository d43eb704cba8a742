"""Back ends that the app brings or calls, and the bundles it is made of."""

from typing import Literal

from lime_desktop.app_package.manifest.values import (
    FreeObject,
    Items,
    ManifestModel,
    Sha256,
    Text,
)


class Service(ManifestModel):
    """A worker, scheduler or back end; the host starts it, never the app."""

    key: Text
    kind: Literal[
        "worker", "background-task", "scheduler", "tool-adapter", "app-backend", "webhook"
    ]
    language: str | None = None
    runtime: str | None = None
    execution_plane: Literal["client-local", "cloud-remote"] | None = None
    protocol: (
        Literal["stdio-jsonrpc", "local-http", "local-socket", "wasm", "remote-http"] | None
    ) = None
    entry: str | None = None
    path: str | None = None
    binary: str | None = None
    command: str | None = None
    endpoint: str | None = None
    sandbox: str | None = None
    network: (
        Literal["deny-by-default", "host-mediated", "loopback-only", "remote-allowed"] | None
    ) = None
    resource_limits: FreeObject | None = None
    schedule: str | None = None
    time_zone: object = None
    """This one and those below are ours: the standard says no more of a schedule than that it is text."""
    jitter: object = None
    missed: object = None
    overlap: object = None
    quiet_on: object = None
    workflow: object = None
    """What a scheduler starts: a key of `workflows`."""
    input: object = None
    required_capabilities: Items[str] = ()
    permissions: Items[str] = ()
    required: bool | None = None


class PackageRef(ManifestModel):
    """A bundle inside the package."""

    path: Text
    hash: Sha256 | None = None
    entry: str | None = None
    module: str | None = None
    format: Literal["esm", "cjs", "static", "json", "wasm", "other"] | None = None


class RuntimePackage(ManifestModel):
    """Where the app's code lies."""

    ui: PackageRef | None = None
    worker: PackageRef | None = None
    tools: PackageRef | None = None
    storage: FreeObject | None = None
    lockfile: str | None = None
    hash: Sha256 | None = None
