"""The app's own layer: what its manifest gives as defaults, in overlay keys."""

from collections.abc import Iterator, Mapping
from typing import cast

from pydantic import JsonValue

from lime_desktop.app_package.manifest.root import Manifest
from lime_desktop.overlay.credentials import credential_slots, reference_to
from lime_desktop.overlay.layers import OverlayLayer


def app_defaults(manifest: Manifest) -> OverlayLayer:
    """Collect what the manifest sets and overlays may change."""
    return OverlayLayer(name="app", values=dict(_defaults(manifest)))


def _defaults(manifest: Manifest) -> Iterator[tuple[str, JsonValue]]:
    policy = manifest.policy or {}
    agent = _mapping(manifest.capability_config.get("lime.agent"))
    # app.permissions.yaml is where the standard puts limits; the other place is the older one.
    limits = _mapping(agent.get("costLimit")) | _mapping(policy.get("costLimit"))
    for name in ("monthly", "perTask"):
        if name in limits:
            yield f"budget.{name}", limits[name]
    if "defaultModel" in policy:
        yield "model.default", cast("JsonValue", policy["defaultModel"])
    yield from _of_parts(manifest)
    yield from _credentials(manifest)


def _of_parts(manifest: Manifest) -> Iterator[tuple[str, JsonValue]]:
    for entry in manifest.entries:
        if entry.enabled_by_default is False:
            yield f"entries.{entry.key}.disabled", True
    for each in manifest.evals:
        if each.threshold is not None:
            yield f"evals.{each.key}.threshold", each.threshold


def _credentials(manifest: Manifest) -> Iterator[tuple[str, JsonValue]]:
    for tool, slots in credential_slots(manifest).items():
        # Of several, the manifest alone says which goes in which form: no one of them is the tool's.
        if len(slots) == 1:
            yield f"tools.{tool}.credential", reference_to(slots[0])


def _mapping(value: object) -> dict[str, JsonValue]:
    return dict(cast("Mapping[str, JsonValue]", value)) if isinstance(value, Mapping) else {}
