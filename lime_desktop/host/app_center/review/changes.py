"""What does a new version change? Shown before an update, so that a person consents to the difference."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from lime_desktop.app_package.manifest import Manifest
from lime_desktop.app_package.package import AppPackage
from lime_desktop.host.app_center.review.api_addresses import api_addresses
from lime_desktop.host.app_center.review.asked_permissions import reach
from lime_desktop.host.app_center.review.contents import data_boundaries, network_domains
from lime_desktop.host.app_center.review.declared_hooks import declared_hooks
from lime_desktop.host.app_center.review.deferred_text import DeferredText
from lime_desktop.host.app_center.review.programs import declared_programs
from lime_desktop.overlay.layers import OverlayLayer
from lime_desktop.overlay.surface import surface_of
from lime_desktop.overlay.template_diff import OverlayChange, diff_templates
from lime_desktop.projection.host_profile import THIS_HOST
from lime_desktop.projection.migrations import Migration
from lime_desktop.projection.projection import Projection, project

Area = Literal[
    "permission",
    "capability",
    "domain",
    "system",
    "operation",
    "service",
    "program",
    "hook",
    "secret",
    "tool",
    "integration",
    "event",
    "data",
    "policy",
    "workflow",
    "skill",
    "entry",
]
"""In the order in which a person reads it: what reaches furthest first."""
AREAS: tuple[Area, ...] = get_args(Area)


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that is new, gone or different."""

    area: Area
    kind: Literal["added", "removed", "changed"]
    key: str


@dataclass(frozen=True, slots=True)
class UpdateDiff:
    """Everything that differs between what is installed and what would be."""

    from_version: str
    to_version: str
    changes: tuple[Change, ...]
    migrations: tuple[Migration, ...]
    """Steps that the new version adds to the app's data."""
    overlays: tuple[OverlayChange, ...]

    def of(self, area: Area) -> tuple[Change, ...]:
        """The changes in one area."""
        return tuple(change for change in self.changes if change.area == area)


def diff(old: AppPackage, new: AppPackage, layers: Iterable[OverlayLayer] = ()) -> UpdateDiff:
    """Compare two versions of an app."""
    before, after = project(old, THIS_HOST), project(new, THIS_HOST)
    known = {migration.id for migration in before.migrations}
    return UpdateDiff(
        from_version=old.manifest.version,
        to_version=new.manifest.version,
        changes=tuple(
            change
            for area in AREAS
            for change in _changes(area, _things(area, before, old), _things(area, after, new))
        ),
        migrations=tuple(each for each in after.migrations if each.id not in known),
        overlays=diff_templates(surface_of(old.manifest), surface_of(new.manifest), layers),
    )


def _things(area: Area, projection: Projection, package: AppPackage) -> Mapping[str, object]:
    """What an area holds, each thing with the part of it that matters."""
    if area == "system":
        # By its address: a system that lies elsewhere is another one, whatever it is called.
        return api_addresses(package)
    manifest = projection.manifest
    things: Mapping[Area, Mapping[str, object]] = {
        "permission": {each.key: reach(each) for each in manifest.permissions},
        "capability": {e.name: (e.range, e.is_required) for e in projection.capabilities},
        "entry": {each.key: (each.declared.kind, each.route) for each in projection.entries},
        "domain": dict.fromkeys(network_domains(manifest), True),
        "operation": {each.key: each for each in manifest.operations},
        "service": {each.key: each for each in manifest.services},
        # By its line: a program that becomes another one is new, whatever it is called.
        "secret": {
            # Where it goes as well: sent elsewhere, it is another secret to whoever entered it.
            each.key: (each.provider, each.required, each.scope, each.use)
            for each in manifest.secrets
        },
        "tool": {each.key: each for each in manifest.tool_refs},
        "integration": {each.key: each for each in manifest.integrations},
        "event": {each.key: each.direction for each in manifest.events},
        "data": {data_key(said): said for said in data_boundaries(manifest)},
        "policy": manifest.policy or {},
        "workflow": {each.key: each for each in manifest.workflows},
        "skill": _skills(manifest),
        "hook": {each.hook.point: each.line for each in declared_hooks(manifest)},
        "program": {each.line: each.takes_more_words for each in declared_programs(manifest)},
    }
    return things[area]


def data_key(said: DeferredText) -> str:
    """What a sentence about data is known by."""
    return said.key.removeprefix("review.data.")


def _skills(manifest: Manifest) -> dict[str, object]:
    skills = manifest.skills
    bundled = {each.path: each for each in skills.bundled} if skills else {}
    referred = {each.id: each for each in skills.references} if skills else {}
    return {**bundled, **referred, **{each.id: each for each in manifest.skill_refs}}


def _changes(
    area: Area, before: Mapping[str, object], after: Mapping[str, object]
) -> Iterator[Change]:
    for key in sorted({*before, *after}):
        if key not in before:
            yield Change(area, "added", key)
        elif key not in after:
            # Where data no longer go needs no word; what is said in its place has one.
            if area != "data":
                yield Change(area, "removed", key)
        elif before[key] != after[key]:
            yield Change(area, "changed", key)
