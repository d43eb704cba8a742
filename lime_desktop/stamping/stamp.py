"""Makes the tree of a product: the base copied, its window renamed, and beside it what it opens, the icon and the branding.

Nothing of the base is changed. What was half made is thrown away; a product gets its name only when it is whole.
"""

import hashlib
import os
import shutil
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
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

APPS = "app"
ORGANISATION = "organisation"
ICON_SIDE = 256
ICON = f"brand/icon-{ICON_SIDE}.png"
_OF_LIME = (SOURCE_FILE, ROOT_FILE, "sample_apps")
"""What a base may bring and a product must not: another program's updates, other apps."""


@dataclass(frozen=True, slots=True)
class Contents:
    """What a product opens and is governed by, as its branding names it."""

    app: ShippedApp | None = None
    apps: tuple[ShippedApp, ...] = ()
    organisation: ShippedFile | None = None
    providers: ShippedFile | None = None


AddContents = Callable[[Path], Contents | NotPacked]


def one_app(package: AppPackage) -> AddContents:
    """The contents of a product of one app."""

    def add(folder: Path) -> Contents | NotPacked:
        packed = add_app(package, folder)
        return packed if isinstance(packed, NotPacked) else Contents(app=packed)

    return add


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be made."""

    add: AddContents
    """Puts in what the product opens."""
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
    with whole_tree(out, order.brand) as partial:
        _copy_base(order, partial)
        contents = order.add(partial)
        if isinstance(contents, NotPacked):
            return contents.problems
        icon = add_file(partial, ICON, order.icons[ICON_SIDE])
        add_branding(partial, product_of(order.brand, order.base.version, contents, icon))
        if order.brand.updates is not None and order.keys is not None:
            wanted = order.brand.updates
            source = UpdateSource(product=order.brand.id, url=wanted.url, channel=wanted.channel)
            write_update_source(partial, order.keys, source)
        settle(partial, order.base.epoch)
    return out / order.brand.id


@contextmanager
def whole_tree(out: Path, brand: Brand) -> Generator[Path]:
    """A folder to make a product's tree in. It gets the product's name once its branding is in it, and else is thrown away."""
    target, partial = out / brand.id, out / f".{brand.id}.partial"
    shutil.rmtree(partial, ignore_errors=True)
    try:
        yield partial
        if (partial / BRANDING_FILE).exists():
            shutil.rmtree(target, ignore_errors=True)
            partial.replace(target)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _copy_base(order: Order, target: Path) -> None:
    base = order.base
    left_out = shutil.ignore_patterns(*_OF_LIME)

    def at_the_top(folder: "StrPath", names: list[str]) -> set[str]:
        return left_out(folder, names) if Path(folder) == base.folder else set()

    shutil.copytree(base.folder, target, symlinks=True, ignore=at_the_top)
    (target / base.program).rename(target / f"{order.brand.id}{base.suffix}")


def add_app(package: AppPackage, target: Path) -> ShippedApp | NotPacked:
    """Pack the app beside the programs."""
    manifest = package.manifest
    path = f"{APPS}/{manifest.name}-{manifest.version}.lapp"
    (target / APPS).mkdir(parents=True)
    packed = pack(package.tree, target / path)
    return packed if isinstance(packed, NotPacked) else shipped_app(package, target, path)


def shipped_app(package: AppPackage, folder: Path, path: str) -> ShippedApp:
    """How a product's branding knows a package that was put into its folder."""
    manifest = package.manifest
    file = ShippedFile(path=path, sha256=sha256_of(folder / path))
    return ShippedApp(id=manifest.name, version=manifest.version, package=file)


def product_of(
    brand: Brand, runtime_version: str, contents: Contents, icon: ShippedFile
) -> Product:
    """What a product says of itself."""
    return Product(
        id=brand.id,
        bundle_id=brand.bundle_id,
        name=brand.name,
        brand_name=brand.name,
        window_title=brand.window_title,
        version=brand.version,
        runtime_version=runtime_version,
        scheme=brand.scheme,
        publisher=brand.publisher,
        accent=brand.accent,
        support_url=brand.support_url,
        file_types=brand.file_types,
        app=contents.app,
        apps=contents.apps,
        organisation=contents.organisation,
        providers=contents.providers,
        icon=icon,
    )


def add_branding(folder: Path, product: Product) -> None:
    """Write what the product says of itself, and see that a program would believe it."""
    body = msgspec.json.format(msgspec.json.encode(product), indent=2) + b"\n"
    add_file(folder, BRANDING_FILE, body)
    read_product(folder)


def add_file(folder: Path, name: str, body: bytes) -> ShippedFile:
    """Write a file of the product."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(body)
    return ShippedFile(path=name, sha256=hashlib.sha256(body).hexdigest())


def settle(folder: Path, epoch: int, also: Iterable[str] = ()) -> None:
    """What was added bears the time of the base: two products of one order are the same bytes."""
    for name in (BRANDING_FILE, SOURCE_FILE, ROOT_FILE, APPS, ORGANISATION, "brand", *also):
        top = folder / name
        for path in (top, *top.rglob("*")) if top.exists() else ():
            path.chmod(0o755 if path.is_dir() else 0o644)
            os.utime(path, (epoch, epoch))
