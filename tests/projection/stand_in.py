"""A package that has been read, made from a manifest alone: projection asks for no more."""

from collections.abc import Mapping

from lime_desktop.app_package.manifest import Manifest
from lime_desktop.app_package.package import AppPackage
from lime_desktop.app_package.problems import Problem
from lime_desktop.app_package.text.located import LocatedMap, Origin
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


FUTURE_VERSION = "9.0.0"
"""A manifest version that the reader reports and leaves out."""


def package_of(
    fields: Mapping[str, object] | None = None,
    *,
    files: tuple[str, ...] = (),
    problems: tuple[Problem, ...] = (),
) -> AppPackage:
    """A sample app whose manifest has these fields over its identity."""
    effective = LocatedMap(Origin("APP.md", 1))
    effective.update({**IDENTITY, **(fields or {})})
    sound = {name: value for name, value in effective.items() if value != FUTURE_VERSION}
    return AppPackage(
        tree=MemoryTree(dict.fromkeys(("APP.md", *files), b"")),
        manifest=Manifest.model_validate(sound),
        effective=effective,
        conflicts=(),
        sections={},
        problems=problems,
    )


def projection_of(
    fields: Mapping[str, object] | None = None,
    *,
    files: tuple[str, ...] = (),
    problems: tuple[Problem, ...] = (),
    profile: HostProfile = THIS_HOST,
) -> Projection:
    """The projection of such a sample app."""
    return project(package_of(fields, files=files, problems=problems), profile)
