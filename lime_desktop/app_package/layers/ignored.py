"""What a manifest declares and this host makes nothing of. Told to the author; never a reason to refuse a package."""

from collections.abc import Iterator, Mapping
from typing import cast

from lime_desktop.app_package.layers.parts import aliases_of, parts_of
from lime_desktop.app_package.manifest import Manifest
from lime_desktop.app_package.manifest.ignored_fields import AS_IT_IS, IGNORED, IGNORED_KEYS
from lime_desktop.app_package.manifest.values import ManifestModel
from lime_desktop.app_package.problem_kinds.fields import FIELD_IGNORED
from lime_desktop.app_package.problems import MAX_OF_A_KIND, Place, Problem
from lime_desktop.app_package.text.located import LocatedMap, ValuePath, find, key_path


def find_ignored(manifest: Manifest, effective: LocatedMap) -> list[Problem]:
    """A note for every such field with its place and the reason; of a list's items the first that has it."""
    first: dict[ValuePath, tuple[ValuePath, str]] = {}
    for path, why in _ignored(manifest):
        first.setdefault(tuple(each for each in path if isinstance(each, str)), (path, why))
    outermost = [
        fields for fields in first if not any(fields[:n] in first for n in range(1, len(fields)))
    ]
    return [_note(*first[fields], effective) for fields in outermost[:MAX_OF_A_KIND]]


def _ignored(manifest: Manifest) -> Iterator[tuple[ValuePath, str]]:
    for path, model in parts_of(manifest):
        yield from _fields(model, path)
        yield from _keys(model, path)


def _fields(model: ManifestModel, path: ValuePath) -> Iterator[tuple[ValuePath, str]]:
    reasons = IGNORED.get(type(model).__name__, {})
    aliases = aliases_of(type(model))
    for name in aliases:
        if name not in reasons or name not in model.model_fields_set:
            continue
        usual = AS_IT_IS.get(f"{type(model).__name__}.{name}", ())
        if getattr(model, name) not in usual:
            yield (*path, aliases[name]), reasons[name]


def _keys(model: ManifestModel, path: ValuePath) -> Iterator[tuple[ValuePath, str]]:
    aliases = aliases_of(type(model))
    for name in model.model_fields_set & aliases.keys():
        used, why = IGNORED_KEYS.get(f"{type(model).__name__}.{name}", (None, ""))
        written = getattr(model, name)
        if used is not None and isinstance(written, Mapping):
            for key in cast("Mapping[str, object]", written).keys() - used:
                yield (*path, aliases[name], key), why


def _note(path: ValuePath, why: str, effective: LocatedMap) -> Problem:
    _, origin = find(effective, path)
    file, line = origin or (None, None)
    at = key_path(path)
    return FIELD_IGNORED.found(f"This host ignores {at}. {why}", Place(file, line, at))
