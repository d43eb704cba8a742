"""Every field of a manifest is used by somebody, or its author is told that it is not (ours)."""

import importlib
import pkgutil
from pathlib import Path
from typing import get_args

import pytest

from lime_desktop.app_package import manifest as models
from lime_desktop.app_package.layers.parts import aliases_of
from lime_desktop.app_package.manifest import Manifest
from lime_desktop.app_package.manifest.ignored_fields import AS_IT_IS, IGNORED, IGNORED_KEYS
from lime_desktop.app_package.manifest.used_fields import USED
from lime_desktop.app_package.manifest.values import ClosedManifestModel, ManifestModel

PROGRAM = Path(models.__file__).parents[2]


def all_models() -> dict[str, type[ManifestModel]]:
    modules = [
        importlib.import_module(f"{models.__name__}.{each.name}")
        for each in pkgutil.iter_modules(models.__path__)
    ]
    found = [value for module in modules for value in vars(module).values()]
    return {
        each.__name__: each
        for each in found
        if isinstance(each, type)
        and issubclass(each, ManifestModel)
        and each not in {ManifestModel, ClosedManifestModel}
    }


def models_in(annotation: object) -> set[type[ManifestModel]]:
    if isinstance(annotation, type) and issubclass(annotation, ManifestModel):
        return {annotation}
    return {found for each in get_args(annotation) for found in models_in(each)}


def reached(model: type[ManifestModel], seen: set[type[ManifestModel]]) -> None:
    """Collect every model that an author can write to without passing an ignored field."""
    if model in seen:
        return
    seen.add(model)
    ignored = IGNORED.get(model.__name__, {})
    for name, field in model.model_fields.items():
        if name not in ignored:
            for each in models_in(field.annotation):
                reached(each, seen)


def live_models() -> list[type[ManifestModel]]:
    seen: set[type[ManifestModel]] = set()
    reached(Manifest, seen)
    return sorted(seen, key=lambda each: each.__name__)


def used_by(model: str) -> dict[str, str]:
    return {name: module for module, names in USED.get(model, {}).items() for name in names.split()}


@pytest.mark.parametrize("model", live_models(), ids=lambda model: model.__name__)
def test_every_field_is_used_or_ignored_and_never_both(model: type[ManifestModel]) -> None:
    used, ignored = used_by(model.__name__).keys(), IGNORED.get(model.__name__, {}).keys()
    assert used | ignored == model.model_fields.keys(), "a new field has to stand in one table"
    assert used & ignored == set()


def test_the_tables_name_nothing_that_is_gone() -> None:
    live = {each.__name__ for each in live_models()}
    assert (USED.keys() | IGNORED.keys()) - live == set(), "what lies inside is ignored with it"
    named = {each.partition(".")[::2] for each in (*AS_IT_IS, *IGNORED_KEYS)}
    known = all_models()
    assert [each for each in named if each[1] not in known[each[0]].model_fields] == []
    assert [each for each in AS_IT_IS if not _is_ignored(each)] == []


def _is_ignored(field: str) -> bool:
    model, _, name = field.partition(".")
    return name in IGNORED[model]


@pytest.mark.parametrize("model", sorted(USED))
def test_who_is_said_to_use_a_field_names_it(model: str) -> None:
    written = aliases_of(all_models()[model])
    for name, module in used_by(model).items():
        source = (PROGRAM / module).read_text(encoding="utf-8")
        assert name in source or f'"{written[name]}"' in source, f"{module} never names {name}"
