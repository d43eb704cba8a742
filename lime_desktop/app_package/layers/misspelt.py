"""Fields and capabilities whose names are nearly those of the standard.

A manifest may hold fields that nobody here knows: its author may be ahead of this host. One that is almost a known name,
where that name is not used, is a slip of the hand, and what it says would be lost without a word.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from lime_desktop.app_package.layers.parts import aliases_of, parts_of
from lime_desktop.app_package.manifest import Manifest
from lime_desktop.app_package.manifest.values import ManifestModel
from lime_desktop.app_package.problem_kinds.fields import CAPABILITY_MISSPELT, FIELD_MISSPELT
from lime_desktop.app_package.problems import MAX_OF_A_KIND, Place, Problem
from lime_desktop.app_package.text.located import LocatedMap, ValuePath, find, key_path
from lime_desktop.protocol.capabilities import CAPABILITIES
from lime_desktop.spelling import nearest

_CAPABILITIES = frozenset(each.name for each in CAPABILITIES)


def find_misspelt(manifest: Manifest, effective: LocatedMap) -> list[Problem]:
    """A problem for every name that is nearly another."""
    parts = parts_of(manifest)
    slips = (slip for path, part in parts for slip in _fields_of(part, path, effective))
    fields = islice(slips, MAX_OF_A_KIND)
    names = islice(_capabilities(manifest, effective), MAX_OF_A_KIND)
    return [*fields, *names]


def _fields_of(model: ManifestModel, path: ValuePath, effective: LocatedMap) -> Iterator[Problem]:
    aliases = aliases_of(type(model))
    unused = [aliases[name] for name in aliases if name not in model.model_fields_set]
    for name in model.model_extra or {}:
        if meant := nearest(name, unused):
            at = (*path, name)
            message = f"{key_path(at)} is not a field of the standard. Did you mean {meant}?"
            yield FIELD_MISSPELT.found(message, _place(effective, at), fix=f"Write {meant}.")


def _capabilities(manifest: Manifest, effective: LocatedMap) -> Iterator[Problem]:
    required = manifest.requires.capabilities if manifest.requires else ()
    yield from _named(required, ("requires", "capabilities"), effective)
    yield from _named(manifest.capabilities or (), ("capabilities",), effective)
    for index, entry in enumerate(manifest.entries):
        at = ("entries", index, "requiredCapabilities")
        yield from _named(entry.required_capabilities, at, effective)


def _named(names: Iterable[str], path: ValuePath, effective: LocatedMap) -> Iterator[Problem]:
    for index, name in enumerate(names):
        if name in _CAPABILITIES or (meant := nearest(name, _CAPABILITIES)) is None:
            continue
        at = (*path, name if isinstance(names, Mapping) else index)
        message = f"No capability is called {name}. Did you mean {meant}?"
        yield CAPABILITY_MISSPELT.found(message, _place(effective, at), fix=f"Write {meant}.")


def _place(effective: LocatedMap, path: ValuePath) -> Place:
    _, origin = find(effective, path)
    file, line = origin or (None, None)
    return Place(file, line, key_path(path))
