"""Makes the tree of a product: the base copied, its window renamed, and beside it the app, the icon and the branding.

Nothing of the base is changed. What was half made is thrown away; a product gets its name only when it is whole.
"""

import hashlib
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from lime_desktop.app_package.archive.packing import NotPacked, pack
from lime_desktop.app_package.package import AppPackage
from lime_desktop.app_package.problems import Place, Problem
from lime_desktop.file_hashes import sha256_of
from lime_desktop.product import BRANDING_FILE, Product, ShippedApp, ShippedFile, read_product
from lime_desktop.shipping.installation import ROOT_FILE, SOURCE_FILE, UpdateSource
from lime_desktop.shipping.publishing.keys import KeyFolder
from lime_desktop.shipping.publishing.publish import write_update_source
from lime_desktop.stamping import problem_kinds as kinds
from lime_desktop.stamping.base_tree import Base
from lime_desktop.stamping.brand import Brand

if TYPE_CHECKING:
    from _typeshed import StrPath

ICON_SIDE = 256
_OF_LIME = (SOURCE_FILE, ROOT_FILE, "sample_apps")
"""What a base may bring and a product must not: another program's updates, other apps."""


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be made."""

    package: AppPackage
    brand: Brand
    base: Base
    icons: Mapping[int, bytes]
    """PNG files by their side."""
    keys: KeyFolder | None = None
    """Whose signature the product's updates need."""


def why_not_at(out: Path, brand: Brand) -> Problem | None:
    """What lies in the way of a product's folder."""
    target = out / brand.id
    if not target.exists():
        return None
    try:
        is_own = read_product(target).id == brand.id
    except Exception:  # noqa: BLE001 - whatever it is, it is not ours to replace
        is_own = False
    return None if is_own else kinds.OUT_TAKEN.found(kinds.OUT_TAKEN.meaning, Place(str(target)))


def stamp(order: Order, out: Path) -> Path | tuple[Problem, ...]:
    """Write the product's tree into a folder; the same order gives the same files."""
    target = out / order.brand.id
    partial = out / f".{order.brand.id}.partial"
    shutil.rmtree(partial, ignore_errors=True)
    try:
        _copy_base(order, partial)
        packed = _add_app(order, partial)
        if isinstance(packed, NotPacked):
            return packed.problems
        icon = _add(partial, f"brand/icon-{ICON_SIDE}.png", order.icons[ICON_SIDE])
        product = _product(order, packed, icon)
        body = msgspec.json.format(msgspec.json.encode(product), indent=2) + b"\n"
        _add(partial, BRANDING_FILE, body)
        read_product(partial)
        if order.brand.updates is not None and order.keys is not None:
            wanted = order.brand.updates
            source = UpdateSource(product=order.brand.id, url=wanted.url, channel=wanted.channel)
            write_update_source(partial, order.keys, source)
        _settle(partial, order.base.epoch)
        shutil.rmtree(target, ignore_errors=True)
        partial.replace(target)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return target


def _copy_base(order: Order, target: Path) -> None:
    base = order.base
    left_out = shutil.ignore_patterns(*_OF_LIME)

    def at_the_top(folder: "StrPath", names: list[str]) -> set[str]:
        return left_out(folder, names) if Path(folder) == base.folder else set()

    shutil.copytree(base.folder, target, symlinks=True, ignore=at_the_top)
    (target / base.program).rename(target / f"{order.brand.id}{base.suffix}")


def _add_app(order: Order, target: Path) -> ShippedApp | NotPacked:
    manifest, tree = order.package.manifest, order.package.tree
    path = f"app/{manifest.name}-{manifest.version}.lapp"
    (target / "app").mkdir()
    packed = pack(tree, target / path)
    if isinstance(packed, NotPacked):
        return packed
    file = ShippedFile(path=path, sha256=sha256_of(target / path))
    return ShippedApp(id=manifest.name, version=manifest.version, package=file)


def _product(order: Order, app: ShippedApp, icon: ShippedFile) -> Product:
    brand = order.brand
    return Product(
        id=brand.id,
        bundle_id=brand.bundle_id,
        name=brand.name,
        brand_name=brand.name,
        window_title=brand.window_title,
        version=brand.version,
        runtime_version=order.base.version,
        scheme=brand.scheme,
        publisher=brand.publisher,
        accent=brand.accent,
        support_url=brand.support_url,
        file_types=brand.file_types,
        app=app,
        icon=icon,
    )


def _add(folder: Path, name: str, body: bytes) -> ShippedFile:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(body)
    return ShippedFile(path=name, sha256=hashlib.sha256(body).hexdigest())


def _settle(folder: Path, epoch: int) -> None:
    """What was added bears the time of the base: two products of one order are the same bytes."""
    for name in (BRANDING_FILE, SOURCE_FILE, ROOT_FILE, "app", "brand"):
        top = folder / name
        for path in (top, *top.rglob("*")) if top.exists() else ():
            path.chmod(0o755 if path.is_dir() else 0o644)
            os.utime(path, (epoch, epoch))
