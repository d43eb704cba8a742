"""Which value applies? Workspace over user over tenant over app over host, unless a weaker layer locked the key.

Pure: the order in which layers are given does not matter, nothing is dropped without being listed, and nothing that
looks like a credential comes out.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from pydantic import JsonValue

from lime_desktop.overlay.layers import (
    LAYERS,
    CheckedLayer,
    LayerName,
    Orphan,
    OverlayLayer,
    Refusal,
    check_layer,
    is_locked,
)
from lime_desktop.overlay.surface import OverlaySurface
from lime_desktop.protocol.wire import WireModel


class Override(WireModel):
    """A value that another one took the place of, or that a lock held back."""

    source: LayerName
    value: JsonValue


class ResolvedValue(WireModel):
    """The value that applies, and why it does."""

    key: str
    value: JsonValue
    source: LayerName
    overrides: tuple[Override, ...] = ()
    """What weaker layers say, the weakest first."""
    locked_by_policy: bool = False
    locked_by: LayerName | None = None
    held_back: tuple[Override, ...] = ()
    """What stronger layers say, and the lock does not let through."""


@dataclass(frozen=True, slots=True)
class HeldBack:
    """A key that is locked while no layer up to the lock sets it: what stronger layers say is not used."""

    key: str
    locked_by: LayerName
    layers: tuple[LayerName, ...]


@dataclass(frozen=True, slots=True)
class Resolved:
    """Every value with its source, and everything that is not used with the reason."""

    values: Mapping[str, ResolvedValue]
    held_back: tuple[HeldBack, ...]
    orphans: tuple[Orphan, ...]
    refusals: tuple[Refusal, ...]
    locks: Mapping[LayerName, frozenset[str]]

    def value(self, key: str) -> JsonValue:
        """Give the value that applies, or None where no layer sets it."""
        found = self.values.get(key)
        return None if found is None else found.value

    def locked_by(self, key: str) -> LayerName | None:
        """Say who keeps a key from being changed, whether or not any layer sets it."""
        return next((name for name, locks in self.locks.items() if is_locked(locks, key)), None)

    def as_layers(self) -> tuple[OverlayLayer, ...]:
        """Give the layers that say exactly what applies; resolving them changes nothing."""
        return tuple(
            OverlayLayer(
                name=name,
                values={
                    key: each.value for key, each in self.values.items() if each.source == name
                },
                locks=self.locks.get(name, frozenset()),
            )
            for name in LAYERS
        )


def resolve(layers: Iterable[OverlayLayer], surface: OverlaySurface) -> Resolved:
    """Find the value of every key. Raises ValueError if one layer is given twice: who would win is anybody's guess."""
    all_layers = tuple(layers)
    given = {layer.name: layer for layer in all_layers}
    if len(given) < len(all_layers):
        raise ValueError("each overlay layer may be given once")
    checked = [check_layer(given[name], surface) for name in LAYERS if name in given]
    keys = sorted({key for layer in checked for key in layer.values})
    found = [_resolve_key(key, checked) for key in keys]
    return Resolved(
        values=MappingProxyType(
            {each.key: each for each in found if isinstance(each, ResolvedValue)}
        ),
        held_back=tuple(each for each in found if isinstance(each, HeldBack)),
        orphans=tuple(orphan for layer in checked for orphan in layer.orphans),
        refusals=tuple(refusal for layer in checked for refusal in layer.refusals),
        locks=MappingProxyType({layer.name: layer.locks for layer in checked}),
    )


def _resolve_key(key: str, layers: list[CheckedLayer]) -> ResolvedValue | HeldBack:
    locking: list[LayerName] = [layer.name for layer in layers if layer.locks_key(key)]
    locked_by = locking[0] if locking else None
    said = [
        Override(source=layer.name, value=layer.values[key])
        for layer in layers
        if key in layer.values
    ]
    reach = len(LAYERS) if locked_by is None else LAYERS.index(locked_by)
    heard = [each for each in said if LAYERS.index(each.source) <= reach]
    held_back = tuple(each for each in said if LAYERS.index(each.source) > reach)
    if locked_by is not None and not heard:
        return HeldBack(key, locked_by, tuple(each.source for each in held_back))
    return ResolvedValue(
        key=key,
        value=heard[-1].value,
        source=heard[-1].source,
        overrides=tuple(heard[:-1]),
        locked_by_policy=locked_by is not None,
        locked_by=locked_by,
        held_back=held_back,
    )
