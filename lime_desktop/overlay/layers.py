"""One layer's values: opened up to single keys, and checked before anything is made of them.

A layer may be written nested or dotted, as its author likes. Nested mappings are opened up until their path is a key of
the table in `keys`; layers then replace each other key by key. Lists, and objects under keys that take them, are one value and are
replaced whole: half of one person's list and half of another's is nobody's.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, cast

from pydantic import JsonValue

from lime_desktop.overlay.keys import FIRST_PARTS, FORBIDDEN, KeyFamily, family_of, reference_in
from lime_desktop.overlay.secrets import holds_secret, looks_secret
from lime_desktop.overlay.surface import OverlaySurface, TemplateScope

LayerName = Literal["host", "app", "tenant", "user", "workspace"]
LAYERS: tuple[LayerName, ...] = ("host", "app", "tenant", "user", "workspace")
"""From the weakest to the strongest."""
MAY_LOCK: frozenset[LayerName] = frozenset({"host", "tenant"})
"""Who governs may lock. An app locking its defaults against its owners would not be a default."""
DEEPEST_NESTING = 16

_FILLED_BY: dict[TemplateScope, frozenset[LayerName]] = {
    "tenant": frozenset({"host", "app", "tenant"}),
    "user": frozenset({"host", "app", "tenant", "user"}),
    "workspace": frozenset({"host", "app", "tenant", "workspace"}),
    "customer": frozenset({"host", "app", "tenant", "workspace"}),
}

RefusalCode = Literal[
    "UNKNOWN_KEY",
    "FORBIDDEN_KEY",
    "REPEATED_KEY",
    "SECRET_IN_OVERLAY",
    "WRONG_VALUE",
    "WRONG_LAYER",
    "LOCK_NOT_ALLOWED",
    "LOCK_UNKNOWN",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class OverlayLayer:
    """What one layer says."""

    name: LayerName
    values: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    locks: frozenset[str] = frozenset()
    """Keys, or beginnings of keys such as ``budget``, that stronger layers must not change."""


@dataclass(frozen=True, slots=True, order=True)
class Refusal:
    """Something of a layer that is not used. It never repeats the value: that may be the secret."""

    key: str
    layer: LayerName
    code: RefusalCode
    reason: str


@dataclass(frozen=True, slots=True)
class Orphan:
    """A value whose entry, tool or template the app no longer has: not used, but kept for review."""

    key: str
    layer: LayerName
    value: JsonValue
    refers_to: str


@dataclass(frozen=True, slots=True)
class CheckedLayer:
    """A layer of which every value may be used."""

    name: LayerName
    values: Mapping[str, JsonValue]
    locks: frozenset[str]
    orphans: tuple[Orphan, ...]
    refusals: tuple[Refusal, ...]

    def locks_key(self, key: str) -> bool:
        """Tell whether this layer locks a key, by its name or one of its beginnings."""
        return is_locked(self.locks, key)


def is_locked(locks: frozenset[str], key: str) -> bool:
    """Tell whether locks reach a key, by its name or one of its beginnings."""
    return any(key == lock or key.startswith(f"{lock}.") for lock in locks)


def check_layer(layer: OverlayLayer, surface: OverlaySurface) -> CheckedLayer:
    """Sort a layer into what may be used, what has lost its place, and what is refused."""
    values: dict[str, JsonValue] = {}
    orphans: list[Orphan] = []
    refusals = list(_refused_locks(layer))
    pairs = sorted(_opened_up(layer.values), key=lambda pair: pair[0])
    written = [key for key, _ in pairs]
    for key, value in pairs:
        refusal = _refusal(key, value, layer.name, surface)
        if refusal is None and written.count(key) > 1:
            refusal = ("REPEATED_KEY", "The layer sets this key twice.")
        if refusal is not None:
            refusals.append(Refusal(_shown(key), layer.name, *refusal))
        elif lost := _lost_reference(key, surface):
            orphans.append(Orphan(key, layer.name, value, lost))
        else:
            values[key] = value
    locks = frozenset(lock for lock in layer.locks if layer.name in MAY_LOCK and _is_lockable(lock))
    return CheckedLayer(layer.name, values, locks, tuple(orphans), tuple(sorted(set(refusals))))


def open_up(written: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """A layer's values by their full keys, however they were written."""
    return dict(_opened_up(written))


def _shown(key: str) -> str:
    return f"{key.partition('.')[0][:32]}.…" if looks_secret(key) else key


def _refused_locks(layer: OverlayLayer) -> Iterator[Refusal]:
    for lock in layer.locks:
        if layer.name not in MAY_LOCK:
            reason = (
                f"The {layer.name} layer can't lock; only {' and '.join(sorted(MAY_LOCK))} can."
            )
            yield Refusal(lock, layer.name, "LOCK_NOT_ALLOWED", reason)
        elif not _is_lockable(lock):
            yield Refusal(lock, layer.name, "LOCK_UNKNOWN", "No overlay key begins like this.")


def _is_lockable(lock: str) -> bool:
    return lock.partition(".")[0] in FIRST_PARTS


def _opened_up(
    written: Mapping[str, JsonValue], path: str = "", depth: int = 0
) -> Iterator[tuple[str, JsonValue]]:
    for name, value in written.items():
        key = f"{path}.{name}" if path else name
        is_value = not isinstance(value, Mapping) or family_of(key) is not None
        if is_value or depth == DEEPEST_NESTING:
            yield key, value
        else:
            yield from _opened_up(cast("Mapping[str, JsonValue]", value), key, depth + 1)


def _refusal(
    key: str, value: JsonValue, layer: LayerName, surface: OverlaySurface
) -> tuple[RefusalCode, str] | None:
    first = key.partition(".")[0]
    if first in FORBIDDEN:
        return "FORBIDDEN_KEY", FORBIDDEN[first]
    if _is_deep(value):
        return "WRONG_VALUE", f"The value is nested more than {DEEPEST_NESTING} deep."
    if looks_secret(key) or holds_secret(key, value):
        return (
            "SECRET_IN_OVERLAY",
            "It looks like a credential; put it in the secret store and write secret:<name>.",
        )
    family = family_of(key)
    if family is None:
        return "UNKNOWN_KEY", "Overlays can't change this."
    if not family.is_fit(value):
        return "WRONG_VALUE", f"The value must be {family.wanted}."
    return _wrong_layer(key, family, layer, surface)


def _is_deep(value: JsonValue) -> bool:
    level: list[JsonValue] = [value]
    for _ in range(DEEPEST_NESTING):
        level = [inner for each in level for inner in _inside(each)]
    return bool(level)


def _inside(value: JsonValue) -> Iterable[JsonValue]:
    if isinstance(value, Mapping):
        return cast("Mapping[str, JsonValue]", value).values()
    return value if isinstance(value, list) else ()


def _wrong_layer(
    key: str, family: KeyFamily, layer: LayerName, surface: OverlaySurface
) -> tuple[RefusalCode, str] | None:
    template = surface.template(reference_in(key, family) or "")
    if family.refers_to != "templates" or template is None:
        return None
    if layer in _FILLED_BY[template.scope]:
        return None
    return "WRONG_LAYER", f"This template is filled by the {template.scope}."


def _lost_reference(key: str, surface: OverlaySurface) -> str | None:
    family = family_of(key)
    name = reference_in(key, family) if family else None
    if family is None or family.refers_to is None or name is None:
        return None
    return None if surface.has(family.refers_to, name) else name
