"""Puts into a product's tree what an organisation's build names: its apps, its file and its providers."""

import shutil
from pathlib import Path

from lime_desktop.app_package.archive.packing import NotPacked, pack
from lime_desktop.app_server.providers.product_presets import PresetFile
from lime_desktop.file_names import plain_name
from lime_desktop.product import ShippedApp, ShippedFile
from lime_desktop.protocol.calls.model_providers import ProviderPreset
from lime_desktop.stamping.organisation_build import BuildApp, OrganisationBuild
from lime_desktop.stamping.stamp import (
    APPS,
    ORGANISATION,
    AddContents,
    Contents,
    add_file,
    shipped_app,
)


def organisation_bundle(build: OrganisationBuild) -> AddContents:
    """The contents of a product of an organisation's apps."""

    def add(folder: Path) -> Contents | NotPacked:
        (folder / APPS).mkdir()
        apps: list[ShippedApp] = []
        for app in build.apps:
            path = f"{APPS}/{plain_name(app.package.manifest.name)}.lapp"
            if isinstance(packed := _bring(app, folder / path), NotPacked):
                return packed
            apps.append(shipped_app(app.package, folder, path))
        rules = add_file(folder, f"{ORGANISATION}/organisation.yaml", build.organisation)
        providers = _add_presets(folder, build.presets)
        return Contents(apps=tuple(apps), organisation=rules, providers=providers)

    return add


def _bring(app: BuildApp, target: Path) -> NotPacked | None:
    """A package that somebody packed and may have signed stays the file it is."""
    if app.path.is_file():
        shutil.copyfile(app.path, target)
        return None
    packed = pack(app.package.tree, target)
    return packed if isinstance(packed, NotPacked) else None


def _add_presets(folder: Path, presets: tuple[ProviderPreset, ...] | None) -> ShippedFile | None:
    if presets is None:
        return None
    body = PresetFile(presets=presets).to_json().encode() + b"\n"
    return add_file(folder, f"{ORGANISATION}/providers.json", body)
