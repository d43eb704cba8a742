"""A package that has been read, made from a manifest alone: projection asks for no more."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from lime_desktop.app_package.manifest import Manifest
from lime_desktop.app_package.problems import Problem
from lime_desktop.app_package.tree import PackageTree
from lime_desktop.projection.host_profile import THIS_HOST, HostProfile
from lime_desktop.projection.projection import Projection, project
from tests.app_package.trees import MemoryTree

IDENTITY: Mapping[str, object] = {
    "name": "sample-app",
    "description": "A small app.",
    "version": "1.2.3",
    "status": "ready",
    "appType": "domain-app",
    "manifestVersion": "0.10.0",
}


@dataclass(frozen=True)
class PackageOfManifest:
    """What the reader would hand over for a package with exactly this effective manifest."""

    effective: Mapping[str, object]
    manifest: Manifest
    tree: PackageTree
    problems: tuple[Problem, ...] = ()
    package_hash: str = "sha256:" + "a" * 64
    manifest_hash: str = "sha256:" + "b" * 64
    name: str = field(default="sample-app")


def package_of(
    fields: Mapping[str, object] | None = None,
    *,
    files: tuple[str, ...] = (),
    problems: tuple[Problem, ...] = (),
) -> PackageOfManifest:
    """A sample app whose manifest has these fields over its identity."""
    effective = {**IDENTITY, **(fields or {})}
    known = {k: v for k, v in effective.items() if k != "manifestVersion" or v != "9.0.0"}
    tree = MemoryTree(dict.fromkeys(("APP.md", *files), b""))
    return PackageOfManifest(effective, Manifest.model_validate(known), tree, problems)


def projection_of(
    fields: Mapping[str, object] | None = None,
    *,
    files: tuple[str, ...] = (),
    problems: tuple[Problem, ...] = (),
    profile: HostProfile = THIS_HOST,
) -> Projection:
    """The projection of such a sample app."""
    return project(package_of(fields, files=files, problems=problems), profile)
