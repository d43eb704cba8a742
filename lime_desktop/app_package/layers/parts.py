"""The parts that a manifest is made of, each with its path. Pure."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import cast

from lime_desktop.app_package.manifest.values import ManifestModel
from lime_desktop.app_package.text.located import ValuePath


def parts_of(value: object, path: ValuePath = ()) -> Iterator[tuple[ValuePath, ManifestModel]]:
    """Every model that the author wrote something of, parents before children."""
    if isinstance(value, ManifestModel):
        yield path, value
        aliases = aliases_of(type(value))
        for name in value.model_fields_set & aliases.keys():
            yield from parts_of(getattr(value, name), (*path, aliases[name]))
    elif isinstance(value, tuple):
        for index, each in enumerate(cast("tuple[object, ...]", value)):
            yield from parts_of(each, (*path, index))
    elif isinstance(value, Mapping):
        for key, each in cast("Mapping[str, object]", value).items():
            yield from parts_of(each, (*path, key))


@cache
def aliases_of(model: type[ManifestModel]) -> Mapping[str, str]:
    """How each field of a model is written in a file."""
    return {name: field.alias or name for name, field in model.model_fields.items()}
