"""The sections of a projection that are worked out, not copied: entries, storage, questions, answers."""

from collections.abc import Mapping
from typing import cast

from lime_desktop.projection.entries import ProjectedEntry
from lime_desktop.projection.migrations import Migration
from lime_desktop.projection.negotiation import CapabilityDemand
from lime_desktop.projection.projection import Projection
from lime_desktop.projection.prompts import PolicyPrompt

Object = dict[str, object]


def compiled_sections(projection: Projection, written: Mapping[str, object]) -> Object:
    """Lay out what the projection adds to the manifest; `written` is the manifest as JSON."""
    origin = projection.provenance
    sections: Object = {
        "entries": _entries(projection, written),
        "capabilityNegotiation": [origin.on(_demand(each)) for each in projection.capabilities],
        "policyPrompts": [origin.on(_prompt(each)) for each in projection.prompts],
    }
    if storage := cast("Object | None", written.get("storage")):
        plan = [_migration(step) for step in projection.migrations]
        sections["storage"] = origin.on({**storage, "migrationPlan": plan})
    if projection.default_entry is not None:
        sections["defaultEntry"] = projection.default_entry
    return sections


def _entries(projection: Projection, written: Mapping[str, object]) -> list[Object]:
    as_written = cast("list[Object]", written.get("entries", []))
    pairs = zip(as_written, projection.entries, strict=True)
    return [projection.provenance.on(_entry(source, entry)) for source, entry in pairs]


def _entry(source: Object, entry: ProjectedEntry) -> Object:
    rest = {name: value for name, value in source.items() if name != "route"}
    return rest if entry.route is None else {**rest, "route": entry.route}


def _demand(demand: CapabilityDemand) -> Object:
    return {
        "capability": demand.name,
        "range": demand.range,
        "required": demand.is_required,
        "offered": list(demand.offered),
        "fit": demand.fit,
    }


def _prompt(prompt: PolicyPrompt) -> Object:
    return _without_none(
        {
            "kind": prompt.kind,
            "key": prompt.key,
            "when": prompt.moment,
            "subject": prompt.subject,
            "reason": prompt.reason,
            "required": prompt.is_required,
            "dryRun": prompt.is_dry_run_shown,
        }
    )


def _migration(step: Migration) -> Object:
    return _without_none(
        {
            "id": step.id,
            "path": step.path,
            "undoPath": step.undo_path,
            "from": step.from_version,
            "to": step.to_version,
            "risk": step.risk,
            "reversible": step.is_reversible,
        }
    )


def _without_none(value: Object) -> Object:
    return {name: item for name, item in value.items() if item is not None}
