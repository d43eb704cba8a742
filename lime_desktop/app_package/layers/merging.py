"""From many files to one manifest: frontmatter, then app.manifest.json, then the app.*.yaml files.

A later layer wins. Lists whose items have a key merge item by item, field by field; everything else
is replaced whole. Each value keeps the place it was written at, and each disagreement is kept.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from lime_desktop.app_package.layers.shapes import LAYER_FILES, WRAPPERS, in_manifest_shape
from lime_desktop.app_package.problem_kinds.layers import LAYERS_DISAGREE
from lime_desktop.app_package.problem_kinds.text import NOT_AN_OBJECT
from lime_desktop.app_package.problems import Place, Problem
from lime_desktop.app_package.reading import PackageReader
from lime_desktop.app_package.text.located import (
    LocatedList,
    LocatedMap,
    Origin,
    ValuePath,
    key_path,
)
from lime_desktop.app_package.text.plain_text import Parsed

_ITEM_KEYS = ("key", "id", "requirementId")


class Conflict(NamedTuple):
    """Two layers said different things; the later one was kept."""

    key_path: str
    kept: Origin
    dropped: Origin
    dropped_value: object


@dataclass
class Layers:
    """The merged values and what happened on the way."""

    effective: LocatedMap
    conflicts: list[Conflict] = field(default_factory=list[Conflict])
    problems: list[Problem] = field(default_factory=list[Problem])


def merge_layers(frontmatter: Parsed, reader: PackageReader) -> Layers:
    """Merge every layer that the package has onto the frontmatter."""
    layers = Layers(LocatedMap(Origin(frontmatter.file, 1)))
    for parsed in (frontmatter, *_layer_files(reader)):
        if not isinstance(parsed.value, LocatedMap):
            _report_shape(parsed, layers.problems)
            continue
        layer = in_manifest_shape(parsed.file, parsed.value, layers.problems)
        for name, value in layer.items():
            _overlay(layers, layers.effective, name, value, layer.origins[name], ())
    layers.problems.extend(_disagreement(conflict) for conflict in layers.conflicts)
    return layers


def _layer_files(reader: PackageReader) -> Iterator[Parsed]:
    if reader.has("app.manifest.json"):
        yield reader.json("app.manifest.json")
    yield from (reader.yaml(path) for path in LAYER_FILES if reader.has(path))


def _report_shape(parsed: Parsed, problems: list[Problem]) -> None:
    # A file that could not be parsed has said so already.
    if parsed.value is not None or not parsed.problems:
        message = "The file does not hold an object with named fields."
        problems.append(NOT_AN_OBJECT.found(message, Place(parsed.file, 1)))


def _overlay(
    layers: Layers, target: LocatedMap, name: str, value: object, origin: Origin, at: ValuePath
) -> None:
    """Put one named value over what is there."""
    path = (*at, name)
    old = target.get(name)
    if (
        name in WRAPPERS
        and not at
        and isinstance(old, LocatedMap)
        and isinstance(value, LocatedMap)
    ):
        for inner, part in value.items():
            _overlay(layers, old, inner, part, value.origins[inner], path)
    elif (old_items := _keyed(old)) is not None and (new_items := _keyed(value)) is not None:
        _merge_items(layers, old_items, new_items, path)
    else:
        if name in target and old != value:
            dropped = target.origins[name]
            layers.conflicts.append(Conflict(key_path(path), origin, dropped, old))
        target.put(name, _copied(value), origin)


def _copied(value: object) -> object:
    """A copy as deep as merging reaches, so that an aliased value is never changed elsewhere."""
    if isinstance(value, LocatedMap):
        copy = LocatedMap(value.origin)
        for key, child in value.items():
            copy.put(
                key, _copied(child) if isinstance(child, LocatedList) else child, value.origins[key]
            )
        return copy
    if isinstance(value, LocatedList):
        items = LocatedList(value.origin)
        for child, origin in zip(value, value.origins, strict=True):
            items.put(_shallow(child) if isinstance(child, LocatedMap) else child, origin)
        return items
    return value


def _shallow(value: LocatedMap) -> LocatedMap:
    copy = LocatedMap(value.origin)
    for key, child in value.items():
        copy.put(key, child, value.origins[key])
    return copy


def _keyed(value: object) -> LocatedList | None:
    """The list, if it has items and each has a key of its own."""
    if isinstance(value, LocatedList) and value and all(item_key(item) for item in value):
        return value
    return None


def item_key(item: object) -> str | None:
    """What an item of a keyed list is called."""
    if not isinstance(item, LocatedMap):
        return None
    named = (item[name] for name in _ITEM_KEYS if name in item)
    key = next(named, None)
    return key if isinstance(key, str) else None


def _merge_items(layers: Layers, old: LocatedList, new: LocatedList, at: ValuePath) -> None:
    places = {item_key(item): index for index, item in enumerate(old)}
    for item, origin in zip(new, new.origins, strict=True):
        index = places.get(item_key(item))
        if index is None or not isinstance(item, LocatedMap):
            old.put(_shallow(item) if isinstance(item, LocatedMap) else item, origin)
            continue
        target = old[index]
        if isinstance(target, LocatedMap):
            for name, value in item.items():
                _replace(layers, target, name, value, item.origins[name], (*at, index, name))


def _replace(
    layers: Layers, target: LocatedMap, name: str, value: object, origin: Origin, path: ValuePath
) -> None:
    if name in target and target[name] != value:
        dropped = target.origins[name]
        layers.conflicts.append(Conflict(key_path(path), origin, dropped, target[name]))
    target.put(name, value, origin)


def _disagreement(conflict: Conflict) -> Problem:
    dropped = f"{conflict.dropped.file}:{conflict.dropped.line}"
    message = f"{conflict.key_path} differs from {dropped}; this file wins."
    place = Place(conflict.kept.file, conflict.kept.line, conflict.key_path)
    return LAYERS_DISAGREE.found(message, place)
