"""What does a new version of an app mean for the overlays that exist? Shown before an update, never applied by itself."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from lime_desktop.overlay.layers import LayerName, OverlayLayer, check_layer
from lime_desktop.overlay.surface import OverlaySurface, Template

ChangeKind = Literal["new", "removed", "changed", "now-locked", "orphaned", "invalid"]


@dataclass(frozen=True, slots=True, order=True)
class OverlayChange:
    """One thing that the new version changes for overlays."""

    kind: ChangeKind
    key: str
    """A template's key; for ``orphaned`` and ``invalid`` the key of a value that somebody set."""
    detail: str
    layer: LayerName | None = None


def diff_templates(
    old: OverlaySurface, new: OverlaySurface, layers: Iterable[OverlayLayer] = ()
) -> tuple[OverlayChange, ...]:
    """List what changes between two versions, and which of the existing values it touches."""
    keys = {template.key for template in (*old.templates, *new.templates)}
    changes = [
        *(
            change
            for key in keys
            for change in _template_changes(old.template(key), new.template(key))
        ),
        *(change for layer in layers for change in _value_changes(layer, old, new)),
    ]
    return tuple(sorted(changes, key=lambda each: (each.kind, each.key, each.layer or "")))


def _template_changes(before: Template | None, after: Template | None) -> Iterator[OverlayChange]:
    if before is None and after is not None:
        must = "must" if after.required else "may"
        yield OverlayChange("new", after.key, f"The {after.scope} {must} fill it.")
    elif before is not None and after is None:
        yield OverlayChange("removed", before.key, "Values set for it are kept for review.")
    elif before is not None and after is not None and before != after:
        if after.scope == "tenant" != before.scope:
            detail = f"The {before.scope} filled it; from now on only the tenant does."
            yield OverlayChange("now-locked", after.key, detail)
        if changed := ", ".join(_changed_fields(before, after)):
            yield OverlayChange("changed", after.key, f"Changed: {changed}.")


def _changed_fields(before: Template, after: Template) -> Iterator[str]:
    if after.scope not in {before.scope, "tenant"}:
        yield f"scope from {before.scope} to {after.scope}"
    if before.schema != after.schema:
        yield "schema"
    if before.required != after.required:
        yield "now required" if after.required else "no longer required"
    if before.description != after.description:
        yield "description"


def _value_changes(
    layer: OverlayLayer, old: OverlaySurface, new: OverlaySurface
) -> Iterator[OverlayChange]:
    before, after = check_layer(layer, old), check_layer(layer, new)
    for orphan in after.orphans:
        if orphan.key in before.values:
            detail = f"The new version has no {orphan.refers_to}."
            yield OverlayChange("orphaned", orphan.key, detail, layer.name)
    for refusal in after.refusals:
        if refusal.key in before.values:
            yield OverlayChange("invalid", refusal.key, refusal.reason, layer.name)
