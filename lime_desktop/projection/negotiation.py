"""Which capabilities does the app need, and how does this host answer each of them?"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from lime_desktop.app_package.manifest import Manifest
from lime_desktop.projection.host_profile import HostProfile
from lime_desktop.projection.versions import CURRENT, Fit, range_fit


@dataclass(frozen=True, slots=True)
class CapabilityDemand:
    """One capability, the range asked for, and what the host has."""

    name: str
    range: str
    """``current`` where the author names no range."""
    is_required: bool
    offered: tuple[str, ...]

    @property
    def fit(self) -> Fit:
        """How the range and what is offered go together."""
        return range_fit(self.range, self.offered)


def negotiate(manifest: Manifest, profile: HostProfile) -> tuple[CapabilityDemand, ...]:
    """Answer every declared capability, the required ones first."""
    demands = _demands(manifest)
    return tuple(
        CapabilityDemand(name, wanted, is_required, profile.capabilities.get(name, ()))
        for name, (wanted, is_required) in demands.items()
        if name.startswith("lime.")
    )


def named_standards(manifest: Manifest) -> tuple[str, ...]:
    """Name the neighbouring standards the app builds on: they are no host services."""
    return tuple(name for name in manifest.capability_names if not name.startswith("lime."))


def _demands(manifest: Manifest) -> dict[str, tuple[str, bool]]:
    """Join both declarations: `requires` demands, the plain list only where `requires` is silent.

    A capability that is merely listed beside `requires.capabilities` is used if it is there; the
    author's own `required` in app.capabilities.yaml overrides either reading.
    """
    ranges = manifest.requires.capability_ranges
    demands = {name: (wanted or CURRENT, True) for name, wanted in ranges.items()}
    for name in (*manifest.capability_names, *manifest.capability_config):
        demands.setdefault(name, (CURRENT, not ranges))
    stated = dict(_stated_needs(manifest.capability_config))
    return {
        name: (wanted, stated.get(name, is_required))
        for name, (wanted, is_required) in demands.items()
    }


def _stated_needs(config: Mapping[str, object]) -> Iterator[tuple[str, bool]]:
    for name, detail in config.items():
        needed = (
            cast("Mapping[str, object]", detail).get("required")
            if isinstance(detail, Mapping)
            else None
        )
        if isinstance(needed, bool):
            yield name, needed
