"""The packages in a folder, as offers. Reads manifests; runs nothing. Blocks."""

from pathlib import Path

from lime_desktop.app_package.archive.opening import open_package
from lime_desktop.app_package.package import load_package
from lime_desktop.host.app_center.records.offers import Offer
from lime_desktop.host.appearance.package_face import package_icon

_SMALL_BYTES = 16 * 1024


def find_packages(folder: Path) -> tuple[Path, ...]:
    """The packages directly inside a folder: folders with an APP.md, and archives."""
    if not folder.is_dir():
        return ()
    return tuple(
        path
        for path in sorted(folder.iterdir())
        if (path / "APP.md").is_file() or path.suffix == ".lapp"
    )


def offers_in(folder: Path) -> tuple[Offer, ...]:
    """What lies in a folder; a package without a sound name is left out, for nobody could ask for it."""
    return tuple(
        offer
        for path in find_packages(folder)
        if (offer := offer_of(path, str(folder))) is not None
    )


def offer_of(path: Path, source: str) -> Offer | None:
    """A package as what a source offers; None for one that nobody could ask for."""
    package = load_package(open_package(path))
    if "name" not in package.effective or not package.is_valid:
        return None
    manifest = package.manifest
    publisher, triggers = manifest.publisher, manifest.triggers
    return Offer(
        app_id=manifest.name,
        title=manifest.title,
        version=manifest.version,
        location=str(path),
        source=source,
        tagline=manifest.short_description or manifest.description,
        publisher=(publisher.display_name or publisher.name) if publisher else None,
        categories=manifest.categories,
        keywords=manifest.keywords,
        trigger_keywords=triggers.keywords if triggers else (),
        scenarios=triggers.scenarios if triggers else (),
        titles=manifest.display_name_i18n,
        taglines=manifest.short_description_i18n,
        icon_svg=_small_svg(package_icon(package)),
    )


def _small_svg(picture: bytes | None) -> str | None:
    """An icon that can be kept with an offer; any other is seen once the package is read."""
    if picture is None or len(picture) > _SMALL_BYTES or b"<svg" not in picture:
        return None
    return picture.decode("utf-8", "replace")
