"""Compile a package into what the host would register. Reads values only; runs nothing of the app."""

from collections.abc import Callable
from dataclasses import dataclass

from lime_desktop.app_package.manifest import Manifest
from lime_desktop.app_package.package import AppPackage
from lime_desktop.app_package.problems import Problem, Severity
from lime_desktop.projection.entries import (
    ProjectedEntry,
    choose_default,
    project_entry,
    refused_routes,
)
from lime_desktop.projection.host_profile import HostProfile
from lime_desktop.projection.migrations import Migration, inside_package, plan_migrations
from lime_desktop.projection.negotiation import CapabilityDemand, named_standards, negotiate
from lime_desktop.projection.prompts import PolicyPrompt, policy_prompts
from lime_desktop.projection.provenance import Provenance


@dataclass(frozen=True, slots=True)
class Projection:
    """The app as the host would register it; `document` gives the standard's shape."""

    provenance: Provenance
    manifest: Manifest
    entries: tuple[ProjectedEntry, ...]
    default_entry: str | None
    capabilities: tuple[CapabilityDemand, ...]
    standards: tuple[str, ...]
    migrations: tuple[Migration, ...]
    prompts: tuple[PolicyPrompt, ...]
    problems: tuple[Problem, ...]
    files: frozenset[str]
    """Every path in the package: readiness asks whether declared parts are really there."""
    schedules: frozenset[str] = frozenset()
    """The services that are schedules which this host can keep."""

    @property
    def is_valid(self) -> bool:
        """Whether nothing is wrong that would keep the app from being registered."""
        return all(problem.severity is not Severity.ERROR for problem in self.problems)

    def entry(self, key: str) -> ProjectedEntry | None:
        """The entry of this key."""
        return next((entry for entry in self.entries if entry.key == key), None)

    def holds(self, path: str) -> bool:
        """Whether the package has this file, or anything in this folder."""
        wanted = inside_package(path)
        return wanted in self.files or any(file.startswith(f"{wanted}/") for file in self.files)


def project(package: AppPackage, profile: HostProfile) -> Projection:
    """Compile what is valid of a package; what is not stays beside it as problems."""
    manifest = package.manifest
    files = frozenset(package.tree.files)
    entries = tuple(project_entry(entry) for entry in manifest.entries)
    return Projection(
        provenance=_provenance(package, profile),
        manifest=manifest,
        entries=entries,
        default_entry=choose_default(entries, manifest.quickstart),
        capabilities=negotiate(manifest, profile),
        standards=named_standards(manifest),
        migrations=plan_migrations(manifest, files),
        prompts=policy_prompts(manifest),
        problems=(*package.problems, *refused_routes(entries)),
        files=files,
        schedules=frozenset(each.key for each in package.schedules if each.schedule is not None),
    )


def _provenance(package: AppPackage, profile: HostProfile) -> Provenance:
    # An unsupported version is no valid value, but it is the one the package was written for.
    declared = package.effective.get("manifestVersion")
    return Provenance(
        app_name=package.manifest.name,
        app_version=package.manifest.version,
        package_hash=_hash_or_blank(lambda: package.package_hash),
        manifest_hash=_hash_or_blank(lambda: package.manifest_hash),
        standard_version=declared
        if isinstance(declared, str) and declared
        else profile.standard_version,
    )


def _hash_or_blank(take: Callable[[], str | None]) -> str:
    """A file that cannot be read has no hash; the package has a problem that says so."""
    try:
        return take() or ""
    except OSError:
        return ""
