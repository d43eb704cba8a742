"""A projection in the standard's own shape, with the reference tool's order of keys."""

from collections.abc import Iterable, Mapping
from typing import cast

from lime_desktop.projection.canonical import Json, canonical, to_text
from lime_desktop.projection.compiled_sections import compiled_sections
from lime_desktop.projection.projection import Projection
from lime_desktop.projection.provenance import Provenance

Object = dict[str, object]

_APP_FIELDS = (
    "name",
    "description",
    "version",
    "status",
    "appType",
    "manifestVersion",
    "runtimeTargets",
    "presentation",
    "displayName",
    "displayNameI18n",
    "shortDescription",
    "shortDescriptionI18n",
    "keywords",
    "categories",
    "capabilities",
    "compatibility",
    "metadata",
)
_REFERENCE_ORDER = (
    "ok",
    "command",
    "app",
    "capabilityRequirements",
    "entries",
    "ui",
    "storage",
    "services",
    "workflows",
    "permissions",
    "knowledgeTemplates",
    "toolRequirements",
    "artifactTypes",
    "evals",
    "events",
    "secrets",
    "overlayTemplates",
    "lifecycle",
    "agentRuntime",
    "requirements",
    "boundary",
    "integrations",
    "operations",
    "install",
    "provenance",
)
_RENAMED = {
    "toolRefs": "toolRequirements",
    "requires": "capabilityRequirements",
    "readiness": "readinessChecks",
}
_LISTS = (
    "services",
    "workflows",
    "permissions",
    "knowledgeTemplates",
    "toolRefs",
    "artifactTypes",
    "evals",
    "events",
    "secrets",
    "overlayTemplates",
    "integrations",
    "operations",
    "skillRefs",
    "maintainers",
    "contributors",
)
_OBJECTS = (
    "requires",
    "ui",
    "lifecycle",
    "agentRuntime",
    "requirements",
    "boundary",
    "install",
    "quickstart",
    "supportWindow",
    "support",
    "distribution",
    "compliance",
    "i18n",
    "signature",
    "health",
    "readiness",
    "policy",
    "runtimePackage",
    "capabilityConfig",
)
_TIMELINE = ("createdAt", "updatedAt", "releasedAt", "deprecatedAt", "endOfLifeAt")
_LINKS = ("homepage", "repository", "documentation", "issues", "changelog")


def to_document(projection: Projection) -> dict[str, Json]:
    """Lay the projection out as the standard's schema defines it.

    Every object carries its provenance, save the two that the schema closes: `triggers` and `skills`.
    """
    written = projection.manifest.model_dump(by_alias=True, exclude_unset=True, mode="json")
    origin = projection.provenance
    sections: Object = {
        "ok": projection.is_valid,
        "command": "project",
        **_copied_sections(written, origin),
        **_gathered_sections(written, origin),
        **compiled_sections(projection, written),
        "provenance": origin.document,
    }
    if projection.problems:
        sections["problems"] = [
            each.model_dump(by_alias=True, exclude_none=True, mode="json")
            for each in projection.problems
        ]
    document = cast("dict[str, Json]", canonical(sections, first=_REFERENCE_ORDER))
    document["app"] = canonical(_app(projection, written), first=_APP_FIELDS)
    return document


def to_json(projection: Projection) -> str:
    """Write the document so that equal packages give equal bytes."""
    return to_text(to_document(projection))


def _app(projection: Projection, written: Mapping[str, object]) -> Object:
    """Identity first: where the author left a required field out, its placeholder is shown."""
    manifest = projection.manifest
    identity = {
        "name": manifest.name,
        "description": manifest.description,
        "version": manifest.version,
        "status": manifest.status,
        "appType": manifest.app_type,
        "manifestVersion": projection.provenance.standard_version,
    }
    return projection.provenance.on({**_picked(written, _APP_FIELDS), **identity})


def _copied_sections(written: Mapping[str, object], origin: Provenance) -> Object:
    """Sections that are one field of the manifest; the reference's lists are there even if empty."""
    lists = {_section(field): origin.on_each(written.get(field)) for field in _LISTS}
    objects = {field: cast("Object | None", written.get(field)) for field in _OBJECTS}
    return {
        "app": {},
        **{name: items for name, items in lists.items() if items or name in _REFERENCE_ORDER},
        **{_section(field): origin.on(value) for field, value in objects.items() if value},
        **_picked(written, ("triggers", "author")),
    }


def _gathered_sections(written: Mapping[str, object], origin: Provenance) -> Object:
    """Sections that the schema gathers from several fields, or lays out in another way."""
    spdx = {"spdx": written["license"]} if "license" in written else {}
    gathered = {
        "timeline": _picked(written, _TIMELINE),
        "links": _picked(written, _LINKS),
        "license": {**spdx, **_picked(written, ("licenseUrl", "copyright"))},
        "publisher": _unverified(cast("Object", written.get("publisher") or {})),
    }
    sections: Object = {name: origin.on(value) for name, value in gathered.items() if value}
    if skills := cast("Object | None", written.get("skills")):
        sections["skills"] = {part: origin.on_each(items) for part, items in skills.items()}
    if errors := cast("dict[str, Object] | None", written.get("errors")):
        sections["errors"] = [origin.on({**errors[name], "name": name}) for name in sorted(errors)]
    return sections


def _unverified(publisher: Object) -> Object:
    """Drop the author's own claim: the registry alone says who is verified."""
    return {name: value for name, value in publisher.items() if name != "verified"}


def _picked(written: Mapping[str, object], fields: Iterable[str]) -> Object:
    return {field: written[field] for field in fields if written.get(field) is not None}


def _section(field: str) -> str:
    return _RENAMED.get(field, field)
